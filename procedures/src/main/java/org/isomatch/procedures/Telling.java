package org.isomatch.procedures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.isomatch.graph.Graph;
import org.isomatch.pattern.Pattern;
import org.isomatch.search.Found;
import org.isomatch.search.Matcher;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;

/** From matches to rows of Cypher's types. */
final class Telling {
  private final Pattern pattern;
  private final Graph graph;
  private int rank;
  private Map<String, Object> interpretation = Map.of();

  Telling(Pattern pattern, Graph graph) {
    this.pattern = pattern;
    this.graph = graph;
  }

  /** The row of a match; what all matches of an interpretation share is made once. */
  Match.Row row(Found found, Map<String, Object> certificate) {
    if (found.rank() != rank) {
      rank = found.rank();
      interpretation = interpretation(found);
    }
    Map<String, Object> bindings = new LinkedHashMap<>();
    Set<Node> nodes = new LinkedHashSet<>();
    for (int n = 0; n < pattern.nodes().size(); n++) {
      Object element = graph.element(found.node(n));
      bindings.put(pattern.nodes().get(n).id(), element);
      if (element instanceof Node node) {
        nodes.add(node);
      }
    }
    return new Match.Row(
        (long) found.rank(),
        found.gsd(),
        bindings,
        List.copyOf(nodes),
        relationships(found),
        withUnknown(found),
        certificate);
  }

  /** The relationships of a match, in the pattern's order; a property is none. */
  static List<Relationship> relationships(Found found) {
    List<Relationship> relationships = new ArrayList<>();
    for (Matcher.Fact fact : found.facts()) {
      if (fact.relationship() != null) {
        relationships.add(fact.relationship());
      }
    }
    return relationships;
  }

  /** The row behind the last match. */
  Match.Row last(Map<String, Object> certificate) {
    return new Match.Row(null, null, Map.of(), List.of(), List.of(), Map.of(), certificate);
  }

  private Map<String, Object> interpretation(Found found) {
    Map<String, Object> nodes = new LinkedHashMap<>();
    Map<String, Object> relations = new LinkedHashMap<>();
    Map<String, Object> types = new LinkedHashMap<>();
    for (Found.Choice choice : found.choices()) {
      Map<String, Object> told = new LinkedHashMap<>();
      told.put("id", choice.id());
      told.put("distance", choice.distance());
      switch (choice.kind()) {
        case NODE -> nodes.put(pattern.nodes().get(choice.index()).id(), told);
        case RELATION -> relations.put(Integer.toString(choice.index()), told);
        case TYPE -> types.put(pattern.nodes().get(choice.index()).id(), told);
      }
    }
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("nodes", nodes);
    map.put("relations", relations);
    map.put("types", types);
    return map;
  }

  /** The interpretation, with the relations that unknown edges have in this match. */
  private Map<String, Object> withUnknown(Found found) {
    Map<String, Object> relations = new LinkedHashMap<>();
    for (int e = 0; e < pattern.edges().size(); e++) {
      if (pattern.edges().get(e).relation() == null) {
        relations.put(Integer.toString(e), Map.of("id", found.facts()[e].relation()));
      }
    }
    if (relations.isEmpty()) {
      return interpretation;
    }
    relations.putAll(relationsOf(interpretation));
    Map<String, Object> map = new LinkedHashMap<>(interpretation);
    map.put("relations", relations);
    return map;
  }

  @SuppressWarnings("unchecked") // made above
  private static Map<String, Object> relationsOf(Map<String, Object> interpretation) {
    return (Map<String, Object>) interpretation.get("relations");
  }
}
