package org.isomatch.procedures;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.Key;
import org.isomatch.config.MatchKeys;
import org.isomatch.graph.Graph;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.search.Found;
import org.neo4j.graphdb.Node;
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
  static final String NAME = "isomatch.chain.stream";
  private static final String TOPIC = "topic";

  /** Those of match with the defaults of walks; a walk has no types and is found by its start. */
  public static final List<Key<?>> KEYS =
      List.of(
          MatchKeys.K, MatchKeys.LIMIT, MatchKeys.RESULTS, MatchKeys.NODES.withDefault("anchored"),
          MatchKeys.DIRECTION.withDefault("as written"), MatchKeys.CANDIDATES, MatchKeys.NAMES,
          MatchKeys.K_NODES, MatchKeys.K_RELATIONS, MatchKeys.PROPERTIES, MatchKeys.BUDGET_SECONDS,
          MatchKeys.BUDGET_ROWS, MatchKeys.MEMORY, MatchKeys.SUMMARY);

  /** {@link #KEYS} as a description shows them: annotations take constants only. */
  private static final String SIGNATURE =
      "{k = 3 :: INTEGER, limit = 1000 :: INTEGER, results = 'interpretations' :: "
          + "STRING, nodes = 'anchored' :: STRING, direction = 'as written' :: STRING, "
          + "candidates = {} :: MAP, names = null :: MAP, k_nodes = null :: INTEGER, "
          + "k_relations = null :: INTEGER, properties = {} :: MAP, budget_seconds = 10.0 :: "
          + "FLOAT, budget_rows = 1000000 :: INTEGER, memory = 67108864 :: INTEGER, summary = "
          + "false :: BOOLEAN}";

  @Context public Transaction transaction;
  @Context public TerminationGuard guard;
  @Context public ProcedureMemory memory;

  public record Row(
      @Description("1 is the best reading of start and relations.") Long rank,
      @Description("1 / (1 + gsd): 1 where start and relations are meant as they are called.")
          Double score,
      @Description("Graph semantic distance: the sum of the distances of start and relations.")
          Double gsd,
      @Description("Where the walk ends: a node or a value.") Object end,
      @Description("Nodes and values on the way, from the start to the end.") List<Object> path,
      @Description("The relationships on the way; a step to a property's value has none.")
          List<Relationship> relationships,
      @Description("What is proven by this row; by the last one, of the whole result.")
          Map<String, Object> certificate) {

    private static Row of(Found found, Map<String, Object> certificate, Graph graph) {
      List<Object> path = LongStream.of(found.nodes()).mapToObj(graph::element).toList();
      return new Row(
          (long) found.rank(), 1 / (1 + found.gsd()), found.gsd(), path.get(path.size() - 1), path,
          found.relationships(), certificate);
    }

    /** The row after the last walk. */
    private static Row summary(Map<String, Object> certificate) {
      return new Row(null, null, null, null, List.of(), List.of(), certificate);
    }
  }

  /** The ends of a walk along relations (GSR, Huang et al. 2024, section 3.1). */
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
      @Name(value = "config", defaultValue = "{}", description = SIGNATURE)
          Map<String, Object> config) {
    Pattern pattern = pattern(relations);
    Config checked = new Config(NAME, KEYS, config);
    Map<String, Object> match = checked.values();
    match.put("candidates", candidates(start, relations, checked.get(MatchKeys.CANDIDATES)));
    Config matchConfig = new Config(NAME, MatchKeys.ALL, match);
    SearchCall call = new SearchCall(matchConfig, pattern, transaction, guard, memory);
    return call.stream((found, proven) -> Row.of(found, proven, call.graph), Row::summary);
  }

  private static Pattern pattern(List<String> relations) {
    if (relations == null || relations.isEmpty()) {
      throw new ConfigException(
          NAME + ": 'relations' is empty: name at least one, as in ['directed', '^directed']");
    }
    List<Pattern.Node> nodes = new ArrayList<>();
    nodes.add(new Pattern.Node(TOPIC, TOPIC, null));
    List<Edge> edges = new ArrayList<>();
    for (String relation : relations) {
      if (relation == null || relation.replaceFirst("^\\^", "").isBlank()) {
        throw ConfigException.wrong(
            NAME, "relations[" + edges.size() + "]", "the name of a relation", relation);
      }
      boolean back = relation.startsWith("^");
      String here = nodes.get(nodes.size() - 1).id();
      String there = "x" + nodes.size();
      nodes.add(new Pattern.Node(there, null, null));
      String text = back ? relation.substring(1) : relation;
      edges.add(back ? new Edge(there, text, here, null) : new Edge(here, text, there, null));
    }
    return new Pattern(nodes, edges, List.of("x" + relations.size()));
  }

  /** The caller's lists, with the start's and those of relations that are ids. */
  private static Map<String, Object> candidates(
      Object start, List<String> relations, Map<String, Object> given) {
    Map<String, Object> nodes = map(given, "nodes");
    List<?> starts = start instanceof List<?> list ? list : Collections.singletonList(start);
    nodes.putIfAbsent(TOPIC, starts.stream().map(Chain::entry).toList());
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

  private static Object entry(Object start) {
    if (start instanceof List) {
      return start; // a candidate with its distance
    }
    if (start instanceof Node || start instanceof String) {
      return List.of(start, 0.0);
    }
    throw ConfigException.wrong(
        NAME, "start", "a node, an element id, a name or a list of candidates", start);
  }
}
