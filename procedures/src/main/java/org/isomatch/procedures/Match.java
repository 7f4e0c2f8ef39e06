package org.isomatch.procedures;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.isomatch.config.Config;
import org.isomatch.config.MatchKeys;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Graph;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.PatternParser;
import org.isomatch.search.Estimate;
import org.isomatch.search.Explanation;
import org.isomatch.search.Found;
import org.isomatch.search.Search;
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

/** {@code isomatch.match.*}. */
public final class Match {
  static final String STREAM = "isomatch.match.stream";
  static final String ESTIMATE = "isomatch.match.estimate";
  static final String EXPLAIN = "isomatch.match.explain";

  private static final String PATTERN =
      "The pattern, as text such as (?film:Movie)-[directed by]-(\"Michael Mann\"), as a map, or "
          + "as a list of triples; it may have conditions, `where`, and `without { }`.";

  @Context public Transaction transaction;
  @Context public TerminationGuard guard;
  @Context public ProcedureMemory memory;

  public record Row(
      @Description("1 is the best; that of the interpretation, or of the match for plain results.")
          Long rank,
      @Description("Graph semantic distance: the sum of the choices' distances.") Double gsd,
      @Description("Node or value by the pattern's node id.") Map<String, Object> bindings,
      @Description("The bound nodes, in the pattern's order, each once.") List<Node> nodes,
      @Description("The matched relationships, in the pattern's order.")
          List<Relationship> relationships,
      @Description("What was chosen for each known part: id and distance.")
          Map<String, Object> interpretation,
      @Description("What is proven by this row; by the last one, of the whole result.")
          Map<String, Object> certificate) {

    private static Row of(
        Pattern pattern, Graph graph, Found found, Map<String, Object> certificate) {
      Map<String, Object> bindings = new LinkedHashMap<>();
      Set<Node> nodes = new LinkedHashSet<>();
      for (int n = 0; n < pattern.nodes().size(); n++) {
        Object element = graph.element(found.nodes()[n]);
        bindings.put(pattern.nodes().get(n).id(), element);
        if (element instanceof Node node) {
          nodes.add(node);
        }
      }
      return new Row(
          (long) found.rank(), found.gsd(), bindings, List.copyOf(nodes), found.relationships(),
          interpretation(pattern, found), certificate);
    }

    /** The row after the last match. */
    private static Row summary(Map<String, Object> certificate) {
      return new Row(null, null, Map.of(), List.of(), List.of(), Map.of(), certificate);
    }

    /** What was chosen for each part, and the relations of unknown edges in this match. */
    private static Map<String, Object> interpretation(Pattern pattern, Found found) {
      Map<String, Object> nodes = new LinkedHashMap<>();
      Map<String, Object> relations = new LinkedHashMap<>();
      Map<String, Object> types = new LinkedHashMap<>();
      for (int e = 0; e < pattern.edges().size(); e++) {
        if (pattern.edges().get(e).relation() == null) {
          relations.put(Integer.toString(e), Map.of("id", found.facts()[e].relation()));
        }
      }
      for (Found.Choice choice : found.choices()) {
        Map<String, Object> chosen = Map.of("id", choice.id(), "distance", choice.distance());
        switch (choice.kind()) {
          case NODE -> nodes.put(pattern.nodes().get(choice.index()).id(), chosen);
          case RELATION -> relations.put(Integer.toString(choice.index()), chosen);
          case TYPE -> types.put(pattern.nodes().get(choice.index()).id(), chosen);
        }
      }
      return Map.of("nodes", nodes, "relations", relations, "types", types);
    }
  }

  @Procedure(name = STREAM, mode = Mode.READ)
  @Description("The best interpretations of a pattern, a row for each match, best first.")
  public Stream<Row> stream(
      @Name(value = "pattern", description = PATTERN) Object pattern,
      @Name(value = "config", defaultValue = "{}", description = MatchKeys.SIGNATURE)
          Map<String, Object> config) {
    Config checked = new Config(STREAM, MatchKeys.ALL, config);
    Pattern parsed = PatternParser.parse(pattern);
    SearchCall call = new SearchCall(checked, parsed, transaction, guard, memory);
    return call.stream(
        (found, proven) -> Row.of(parsed, call.graph, found, proven), Row::summary);
  }

  @Procedure(name = ESTIMATE, mode = Mode.READ)
  @Description("What a match would take: lists, expected rows and memory, without searching.")
  public Stream<Estimate> estimate(
      @Name(value = "pattern", description = PATTERN) Object pattern,
      @Name(value = "config", defaultValue = "{}", description = MatchKeys.SIGNATURE)
          Map<String, Object> config) {
    return planned(ESTIMATE, pattern, config, search -> Stream.of(Estimate.of(search)));
  }

  @Procedure(name = EXPLAIN, mode = Mode.READ)
  @Description("How a match would be searched, a row for each step, without searching.")
  public Stream<Explanation> explain(
      @Name(value = "pattern", description = PATTERN) Object pattern,
      @Name(value = "config", defaultValue = "{}", description = MatchKeys.SIGNATURE)
          Map<String, Object> config) {
    return planned(EXPLAIN, pattern, config, search -> Explanation.of(search).stream());
  }

  /** The rows of a search that is planned and not run. */
  private <T> Stream<T> planned(
      String procedure, Object pattern, Map<String, Object> config, Function<Search, Stream<T>>
      rows) {
    Config checked = new Config(procedure, MatchKeys.ALL, config);
    Pattern parsed = PatternParser.parse(pattern);
    try (SearchCall call = new SearchCall(checked, parsed, transaction, guard, memory);
        Search search = call.search()) {
      return rows.apply(search);
    } catch (BudgetSpent spent) {
      throw new IllegalStateException(procedure + ": " + spent.getMessage(), spent);
    }
  }
}
