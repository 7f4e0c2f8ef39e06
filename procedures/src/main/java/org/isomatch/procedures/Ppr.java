package org.isomatch.procedures;

import java.util.Map;
import java.util.stream.Stream;
import org.isomatch.config.Config;
import org.isomatch.config.WalkKeys;
import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank;
import org.isomatch.walk.Reach;
import org.isomatch.walk.Scores;
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

/** {@code isomatch.ppr.stream}. */
public final class Ppr {
  static final String NAME = "isomatch.ppr.stream";

  @Context public Transaction transaction;
  @Context public TerminationGuard guard;
  @Context public ProcedureMemory memory;

  /** A node and its score; the other columns are of the whole result, and equal in all rows. */
  public record Row(
      @Description("The node.") Node node,
      @Description("Its probability; those of all nodes are 1 in sum.") double score,
      @Description("How often mass was passed on; the same in all rows.") long iterations,
      @Description("No score is further than this from the true one, nor are all together.")
          double residual,
      @Description(
              "What ended it before the tolerance was reached: iterations or time; else null.")
          String ended_by) {}

  /** No rows without seeds; for the forms of seeds see {@link Seeds#read}. */
  @Procedure(name = NAME, mode = Mode.READ)
  @Description(
      "Nodes by personalised PageRank from seeds (nodes, element ids, pairs with weights), best"
          + " first. No score is further than `residual` from the true one.")
  public Stream<Row> stream(
      @Name(value = "seeds", description = "Nodes, element ids, or pairs of those and weights.")
          Object seeds,
      @Name(value = "config", defaultValue = "{}", description = WalkKeys.PPR_SIGNATURE)
          Map<String, Object> config) {
    Config checked = new Config(NAME, WalkKeys.PPR, config);
    Map<Node, Double> weights = Seeds.read(NAME, seeds, transaction);
    PersonalisedPageRank.Parameters parameters =
        new PersonalisedPageRank.Parameters(
            checked.get(WalkKeys.DAMPING),
            checked.get(WalkKeys.TOLERANCE),
            checked.get(WalkKeys.ITERATIONS).intValue(),
            Reach.from(checked, transaction),
            checked.get(WalkKeys.MEMORY));
    if (weights.isEmpty()) {
      return Stream.empty();
    }
    Meter meter = Meter.of(checked, guard, memory, "raise 'tolerance'");
    Long limit = checked.get(WalkKeys.LIMIT);
    try {
      Scores scores = PersonalisedPageRank.of(transaction, weights, parameters, meter);
      return scores
          .from(checked.get(WalkKeys.THRESHOLD), transaction, guard)
          .limit(limit == null ? Long.MAX_VALUE : limit)
          .map(
              score ->
                  new Row(
                      score.node(),
                      score.value(),
                      scores.iterations(),
                      scores.residual(),
                      scores.endedBy()))
          .onClose(meter::close);
    } catch (RuntimeException failed) {
      meter.close();
      throw failed;
    }
  }
}
