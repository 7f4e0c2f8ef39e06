package org.isomatch.procedures;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.isomatch.candidates.Candidates;
import org.isomatch.config.Config;
import org.isomatch.config.Keys;
import org.isomatch.config.MatchKeys;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.Patterns;
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
  public static final Keys KEYS = MatchKeys.ALL;

  private static final String PATTERN =
      "The pattern, as text such as (?film:Movie)-[directed by]-(\"Michael Mann\"), as a map, or "
          + "as a list of triples.";
  private static final String CONFIG = "See the configuration below.";

  @Context public Transaction transaction;
  @Context public TerminationGuard guard;
  @Context public ProcedureMemory memory;

  /** One match. */
  public static final class Row {
    @Description("1 is the best; that of the interpretation, or of the match for plain results.")
    public final Long rank;

    @Description("Graph semantic distance: the sum of the choices' distances.")
    public final Double gsd;

    @Description("Node or value by the pattern's node id.")
    public final Map<String, Object> bindings;

    @Description("The bound nodes, in the pattern's order, each once.")
    public final List<Node> nodes;

    @Description("The matched relationships, in the pattern's order.")
    public final List<Relationship> relationships;

    @Description("What was chosen for each known part: id and distance.")
    public final Map<String, Object> interpretation;

    @Description("What is proven by this row; by the last one, of the whole result.")
    public final Map<String, Object> certificate;

    Row(
        Long rank,
        Double gsd,
        Map<String, Object> bindings,
        List<Node> nodes,
        List<Relationship> relationships,
        Map<String, Object> interpretation,
        Map<String, Object> certificate) {
      this.rank = rank;
      this.gsd = gsd;
      this.bindings = bindings;
      this.nodes = nodes;
      this.relationships = relationships;
      this.interpretation = interpretation;
      this.certificate = certificate;
    }
  }

  @Procedure(name = "isomatch.match.stream", mode = Mode.READ)
  @Description("The best interpretations of a pattern, a row for each match, best first.")
  public Stream<Row> stream(
      @Name(value = "pattern", description = PATTERN) Object pattern,
      @Name(value = "config", defaultValue = "{}", description = CONFIG)
          Map<String, Object> config) {
    Config checked = Config.of("isomatch.match.stream", KEYS, config);
    Pattern parsed = Patterns.parse(pattern);
    Call call = new Call(checked, transaction, guard, memory);
    Telling telling = new Telling(parsed, call.graph);
    return call.stream(parsed, telling::row, telling::last);
  }

  @Procedure(name = "isomatch.match.estimate", mode = Mode.READ)
  @Description("What a match would take: lists, expected rows and memory, without searching.")
  public Stream<Estimate> estimate(
      @Name(value = "pattern", description = PATTERN) Object pattern,
      @Name(value = "config", defaultValue = "{}", description = CONFIG)
          Map<String, Object> config) {
    return planned(
        "isomatch.match.estimate",
        pattern,
        config,
        (call, planned) -> Stream.of(Estimate.of(planned.plan, planned.candidates, call.graph)));
  }

  @Procedure(name = "isomatch.match.explain", mode = Mode.READ)
  @Description("How a match would be searched, a row for each step, without searching.")
  public Stream<Explanation> explain(
      @Name(value = "pattern", description = PATTERN) Object pattern,
      @Name(value = "config", defaultValue = "{}", description = CONFIG)
          Map<String, Object> config) {
    return planned(
        "isomatch.match.explain",
        pattern,
        config,
        (call, planned) ->
            Explanation.of(planned.pattern, planned.plan, planned.candidates).stream());
  }

  /** A search that is planned and not run. */
  private record Planned(Pattern pattern, Candidates candidates, Plan plan) {}

  private <T> Stream<T> planned(
      String procedure,
      Object pattern,
      Map<String, Object> config,
      BiFunction<Call, Planned, Stream<T>> told) {
    Config checked = Config.of(procedure, KEYS, config);
    Pattern parsed = Patterns.parse(pattern);
    try (Call call = new Call(checked, transaction, guard, memory)) {
      Candidates candidates = call.candidates(parsed);
      try (Search search = call.search(parsed, candidates)) {
        return told.apply(call, new Planned(parsed, candidates, search.plan()));
      }
    } catch (BudgetSpent spent) {
      throw new IllegalStateException(procedure + ": " + spent.getMessage(), spent);
    }
  }
}
