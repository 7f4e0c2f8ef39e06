package org.isomatch.procedures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.Key;
import org.isomatch.config.Keys;
import org.isomatch.config.MatchKeys;
import org.isomatch.pattern.Edge;
import org.isomatch.pattern.Node;
import org.isomatch.pattern.Pattern;
import org.isomatch.search.Found;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

/** {@code isomatch.chain.stream}. */
public final class Chain {
  private static final String NAME = "isomatch.chain.stream";
  private static final String TOPIC = "topic";

  /** Those of match, with the defaults of walks; a walk has no types and is found by its start. */
  public static final Keys KEYS =
      Keys.of(
          MatchKeys.K,
          MatchKeys.LIMIT,
          MatchKeys.RESULTS,
          MatchKeys.NODES.otherwise("anchored"),
          MatchKeys.DIRECTION.otherwise("as written"),
          MatchKeys.CANDIDATES,
          MatchKeys.NAMES,
          MatchKeys.K_NODES,
          MatchKeys.K_RELATIONS,
          MatchKeys.PROPERTIES,
          MatchKeys.BUDGET_SECONDS,
          MatchKeys.BUDGET_ROWS,
          MatchKeys.MEMORY,
          MatchKeys.SUMMARY);

  @Context public Transaction transaction;
  @Context public TerminationGuard guard;
  @Context public ProcedureMemory memory;

  /** One walk. */
  public static final class Row {
    @Description("1 is the best reading of start and relations.")
    public final Long rank;

    @Description("1 / (1 + gsd): 1 where start and relations are meant as they are called.")
    public final Double score;

    @Description("Graph semantic distance: the sum of the distances of start and relations.")
    public final Double gsd;

    @Description("Where the walk ends: a node or a value.")
    public final Object end;

    @Description("Nodes and values on the way, from the start to the end.")
    public final List<Object> path;

    @Description("The relationships on the way; a step to a property's value has none.")
    public final List<Relationship> relationships;

    @Description("What is proven by this row; by the last one, of the whole result.")
    public final Map<String, Object> certificate;

    Row(Found found, Map<String, Object> certificate, Call call) {
      this.certificate = certificate;
      rank = (long) found.rank();
      score = 1 / (1 + found.gsd());
      gsd = found.gsd();
      path = new ArrayList<>();
      for (long element : found.nodes()) {
        path.add(call.graph.element(element));
      }
      end = path.get(path.size() - 1);
      relationships = Telling.relationships(found);
    }

    /** The row behind the last walk. */
    Row(Map<String, Object> certificate) {
      this.certificate = certificate;
      rank = null;
      score = null;
      gsd = null;
      end = null;
      path = List.of();
      relationships = List.of();
    }
  }

  /**
   * The ends of a walk along relations (GSR, Huang et al. 2024, section 3.1).
   *
   * @param start see the parameter's description
   * @param relations names in order; a leading {@code ^} means against the stored direction
   * @throws ConfigException start or relations are of no form that we know
   */
  @Procedure(name = NAME, mode = Mode.READ)
  @Description("Walks from a start along a chain of relations, best reading of the names first.")
  public Stream<Row> stream(
      @Name(
              value = "start",
              description =
                  "A node, an element id, a name, or candidates: `[[id or name, distance]]`.")
          Object start,
      @Name(
              value = "relations",
              description = "Names, `:TYPE` or `.key`, in order; `^` goes against the direction.")
          List<String> relations,
      @Name(value = "config", defaultValue = "{}", description = "See the configuration below.")
          Map<String, Object> config) {
    Pattern pattern = pattern(relations);
    Config checked = Config.of(NAME, KEYS, config);
    Map<String, Object> match = new LinkedHashMap<>();
    for (Key<?> key : KEYS) {
      match.put(key.name(), checked.get(key));
    }
    match.put("candidates", candidates(start, relations, checked.get(MatchKeys.CANDIDATES)));
    Config chosen = Config.of(NAME, MatchKeys.ALL, match);
    Call call = new Call(chosen, transaction, guard, memory);
    return call.stream(pattern, (found, proven) -> new Row(found, proven, call), Row::new);
  }

  private static Pattern pattern(List<String> relations) {
    if (relations == null || relations.isEmpty()) {
      throw new ConfigException(
          NAME + ": 'relations' is empty: name at least one, as in ['directed', '^directed']");
    }
    List<Node> nodes = new ArrayList<>(List.of(new Node(TOPIC, TOPIC, null)));
    List<Edge> edges = new ArrayList<>();
    for (String relation : relations) {
      if (relation == null || relation.replaceFirst("^\\^", "").isBlank()) {
        throw ConfigException.wrong(
            NAME, "relations[" + edges.size() + "]", "the name of a relation", relation);
      }
      boolean back = relation.startsWith("^");
      String here = nodes.get(nodes.size() - 1).id();
      String there = "x" + nodes.size();
      nodes.add(new Node(there, null, null));
      String text = back ? relation.substring(1) : relation;
      edges.add(back ? new Edge(there, text, here, null) : new Edge(here, text, there, null));
    }
    return new Pattern(nodes, edges, List.of("x" + relations.size()));
  }

  /** The caller's lists, with the start's and those of relations that are ids. */
  private static Map<String, Object> candidates(
      Object start, List<String> relations, Map<String, Object> given) {
    Map<String, Object> nodes = map(given, "nodes");
    nodes.putIfAbsent(TOPIC, start(start));
    Map<String, Object> chosen = map(given, "relations");
    for (int e = 0; e < relations.size(); e++) {
      String text = relations.get(e).replaceFirst("^\\^", "");
      if (text.startsWith(":") || text.startsWith(".")) {
        chosen.putIfAbsent(Integer.toString(e), List.of(List.of(text, 0.0)));
      }
    }
    Map<String, Object> made = new LinkedHashMap<>(given);
    made.put("nodes", nodes);
    made.put("relations", chosen);
    return made;
  }

  private static Map<String, Object> map(Map<String, Object> given, String part) {
    Map<String, Object> copy = new LinkedHashMap<>();
    if (given.get(part) instanceof Map<?, ?> map) {
      map.forEach((key, value) -> copy.put(String.valueOf(key), value));
    } else if (given.get(part) != null) {
      throw ConfigException.wrong(NAME, "candidates." + part, "a map", given.get(part));
    }
    return copy;
  }

  private static List<?> start(Object start) {
    if (start instanceof List<?> list) {
      List<Object> entries = new ArrayList<>();
      for (Object one : list) {
        entries.add(one instanceof List || one instanceof Map ? one : entry(one));
      }
      return entries;
    }
    return List.of(entry(start));
  }

  private static Object entry(Object start) {
    if (start instanceof org.neo4j.graphdb.Node node) {
      return Map.of("node", node, "distance", 0.0);
    }
    if (start instanceof String text) {
      return List.of(text, 0.0);
    }
    throw ConfigException.wrong(
        NAME, "start", "a node, an element id, a name or a list of candidates", start);
  }
}
