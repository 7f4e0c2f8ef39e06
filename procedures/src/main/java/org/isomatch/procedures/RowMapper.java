package org.isomatch.procedures;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.isomatch.graph.Fact;
import org.isomatch.graph.Graph;
import org.isomatch.pattern.Pattern;
import org.isomatch.search.Found;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;

/** Makes rows of Cypher's types from matches. */
record RowMapper(Pattern pattern, Graph graph) {
  Match.Row row(Found found, Map<String, Object> certificate) {
    Map<String, Object> bindings = new LinkedHashMap<>();
    Set<Node> nodes = new LinkedHashSet<>();
    for (int n = 0; n < pattern.nodes().size(); n++) {
      Object element = graph.element(found.nodes()[n]);
      bindings.put(pattern.nodes().get(n).id(), element);
      if (element instanceof Node node) {
        nodes.add(node);
      }
    }
    return new Match.Row(
        (long) found.rank(), found.gsd(), bindings, List.copyOf(nodes), relationships(found),
        interpretation(found), certificate);
  }

  /** The row after the last match. */
  Match.Row summary(Map<String, Object> certificate) {
    return new Match.Row(null, null, Map.of(), List.of(), List.of(), Map.of(), certificate);
  }

  /** The relationships of a match, in the pattern's order; a property is none. */
  static List<Relationship> relationships(Found found) {
    return Stream.of(found.facts()).map(Fact::relationship).filter(Objects::nonNull).toList();
  }

  /** What was chosen for each part, and the relations of unknown edges in this match. */
  private Map<String, Object> interpretation(Found found) {
    Map<String, Object> nodes = new LinkedHashMap<>();
    Map<String, Object> relations = new LinkedHashMap<>();
    Map<String, Object> types = new LinkedHashMap<>();
    for (int e = 0; e < pattern.edges().size(); e++) {
      if (pattern.edges().get(e).relation() == null) {
        relations.put(Integer.toString(e), Map.of("id", found.facts()[e].relation()));
      }
    }
    for (Found.Choice choice : found.choices()) {
      Map<String, Object> chosen = new LinkedHashMap<>();
      chosen.put("id", choice.id());
      chosen.put("distance", choice.distance());
      switch (choice.kind()) {
        case NODE -> nodes.put(pattern.nodes().get(choice.index()).id(), chosen);
        case RELATION -> relations.put(Integer.toString(choice.index()), chosen);
        case TYPE -> types.put(pattern.nodes().get(choice.index()).id(), chosen);
      }
    }
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("nodes", nodes);
    map.put("relations", relations);
    map.put("types", types);
    return map;
  }
}
