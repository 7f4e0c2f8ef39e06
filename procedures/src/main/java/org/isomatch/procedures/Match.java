package org.isomatch.procedures;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.isomatch.candidates.Candidates;
import org.isomatch.config.Config;
import org.isomatch.config.MatchKeys;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Graph;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.PatternParser;
import org.isomatch.search.Estimate;
import org.isomatch.search.Explanation;
import org.isomatch.search.Plan;
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
          + "as a list of triples.";

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
          Map<String, Object> certificate) {}

  @Procedure(name = STREAM, mode = Mode.READ)
  @Description("The best interpretations of a pattern, a row for each match, best first.")
  public Stream<Row> stream(
      @Name(value = "pattern", description = PATTERN) Object pattern,
      @Name(value = "config", defaultValue = "{}", description = MatchKeys.SIGNATURE)
          Map<String, Object> config) {
    Config checked = new Config(STREAM, MatchKeys.ALL, config);
    Pattern parsed = PatternParser.parse(pattern);
    SearchCall call = new SearchCall(checked, parsed, transaction, guard, memory);
    RowMapper mapper = new RowMapper(parsed, call.graph);
    return call.stream(mapper::row, mapper::summary);
  }

  @Procedure(name = ESTIMATE, mode = Mode.READ)
  @Description("What a match would take: lists, expected rows and memory, without searching.")
  public Stream<Estimate> estimate(
      @Name(value = "pattern", description = PATTERN) Object pattern,
      @Name(value = "config", defaultValue = "{}", description = MatchKeys.SIGNATURE)
          Map<String, Object> config) {
    return planned(
        ESTIMATE, pattern, config, s -> Stream.of(Estimate.of(s.plan, s.candidates, s.graph)));
  }

  @Procedure(name = EXPLAIN, mode = Mode.READ)
  @Description("How a match would be searched, a row for each step, without searching.")
  public Stream<Explanation> explain(
      @Name(value = "pattern", description = PATTERN) Object pattern,
      @Name(value = "config", defaultValue = "{}", description = MatchKeys.SIGNATURE)
          Map<String, Object> config) {
    return planned(
        EXPLAIN, pattern, config, s -> Explanation.of(s.pattern, s.plan, s.candidates).stream());
  }

  /** A search that is planned and not run. */
  private record Planned(Pattern pattern, Candidates candidates, Plan plan, Graph graph) {}

  private <T> Stream<T> planned(
      String procedure, Object pattern, Map<String, Object> config, Function<Planned, Stream<T>>
      rows) {
    Config checked = new Config(procedure, MatchKeys.ALL, config);
    Pattern parsed = PatternParser.parse(pattern);
    try (SearchCall call = new SearchCall(checked, parsed, transaction, guard, memory)) {
      Candidates candidates = call.candidates();
      try (Search search = call.search(candidates)) {
        return rows.apply(new Planned(parsed, candidates, search.plan(), call.graph));
      }
    } catch (BudgetSpent spent) {
      throw new IllegalStateException(procedure + ": " + spent.getMessage(), spent);
    }
  }
}
