package org.isomatch.procedures;

import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.isomatch.config.Config;
import org.isomatch.config.WalkKeys;
import org.isomatch.graph.Meter;
import org.isomatch.walk.Neighbourhood;
import org.isomatch.walk.PersonalisedPageRank;
import org.isomatch.walk.PersonalisedPageRank.Scores;
import org.isomatch.walk.Reach;
import org.isomatch.walk.Seeds;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

/** {@code isomatch.ppr.stream} and {@code isomatch.subgraph.stream}. */
public final class Walks {
  static final String PPR = "isomatch.ppr.stream";
  static final String SUBGRAPH = "isomatch.subgraph.stream";

  @Context public Transaction transaction;
  @Context public TerminationGuard guard;
  @Context public ProcedureMemory memory;

  /** No rows without seeds; for the forms of seeds see {@link Seeds#read}. */
  @Procedure(name = PPR, mode = Mode.READ)
  @Description(
      "Nodes by personalised PageRank from seeds (nodes, element ids, pairs with weights), best"
          + " first. No score is further than `residual` from the true one.")
  public Stream<Scores.Row> pagerank(
      @Name(value = "seeds", description = "Nodes, element ids, or pairs of those and weights.")
          Object seeds,
      @Name(value = "config", defaultValue = "{}", description = WalkKeys.PPR_SIGNATURE)
          Map<String, Object> config) {
    Config checked = new Config(PPR, WalkKeys.PPR, config);
    Map<Node, Double> weights = Seeds.read(PPR, seeds, transaction);
    PersonalisedPageRank.Parameters parameters =
        new PersonalisedPageRank.Parameters(
            checked.get(WalkKeys.DAMPING), checked.get(WalkKeys.TOLERANCE),
            checked.get(WalkKeys.ITERATIONS).intValue(), Reach.from(checked, transaction),
            checked.get(WalkKeys.MEMORY), PersonalisedPageRank.CHEAP);
    if (weights.isEmpty()) {
      return Stream.empty();
    }
    Meter meter = Meter.of(checked, guard, memory, "raise 'tolerance'");
    Long limit = checked.get(WalkKeys.LIMIT);
    return closing(
        meter,
        () ->
            PersonalisedPageRank.of(transaction, weights, parameters, meter)
                .rows(checked.get(WalkKeys.THRESHOLD), transaction, guard)
                .limit(limit == null ? Long.MAX_VALUE : limit));
  }

  /** No rows without seeds; for the forms of seeds see {@link Seeds#read}. */
  @Procedure(name = SUBGRAPH, mode = Mode.READ)
  @Description(
      "The nodes around seeds, nearest first, each with its relationships to those before. `cut`"
          + " names the budget (hub, max_nodes, max_relationships, time) that left something out.")
  public Stream<Neighbourhood.Row> subgraph(
      @Name(value = "seeds", description = "Nodes or element ids.") Object seeds,
      @Name(value = "config", defaultValue = "{}", description = WalkKeys.SUBGRAPH_SIGNATURE)
          Map<String, Object> config) {
    Config checked = new Config(SUBGRAPH, WalkKeys.SUBGRAPH, config);
    Map<Node, Double> nodes = Seeds.read(SUBGRAPH, seeds, transaction);
    Reach reach = Reach.from(checked, transaction);
    Neighbourhood.Budget budget =
        new Neighbourhood.Budget(
            checked.get(WalkKeys.HOPS).intValue(), checked.get(WalkKeys.MAX_NODES),
            checked.get(WalkKeys.MAX_RELATIONSHIPS), checked.get(WalkKeys.HUB),
            checked.get(WalkKeys.OUTER));
    Meter meter = Meter.of(checked, guard, memory, "lower 'max_nodes'");
    return closing(
        meter, () -> new Neighbourhood(nodes.keySet(), reach, budget, meter).stream());
  }

  private static <T> Stream<T> closing(Meter meter, Supplier<Stream<T>> rows) {
    try {
      return rows.get().onClose(meter::close);
    } catch (RuntimeException failed) {
      meter.close();
      throw failed;
    }
  }
}
