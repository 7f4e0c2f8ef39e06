package org.isomatch.procedures;

import java.util.Map;
import java.util.stream.Stream;
import org.isomatch.config.Config;
import org.isomatch.config.Keys;
import org.isomatch.config.WalkKeys;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank;
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
  public static final Keys KEYS = WalkKeys.PPR;

  private static final String NAME = "isomatch.ppr.stream";

  @Context public Transaction transaction;
  @Context public TerminationGuard guard;
  @Context public ProcedureMemory memory;

  /** A node and its score; the others are of the whole result, in every row. */
  public static final class Row {
    @Description("The node.")
    public final Node node;

    @Description("Its probability; those of all nodes are 1 in sum.")
    public final double score;

    @Description("How often mass was passed on; the same in all rows.")
    public final long iterations;

    @Description("No score is further than this from the true one, nor are all together.")
    public final double residual;

    @Description("What ended it before the tolerance was reached: iterations or time; else null.")
    public final String ended_by; // as the column is called

    Row(Scores.Score score, Scores all) {
      this.node = score.node();
      this.score = score.value();
      this.iterations = all.iterations();
      this.residual = all.residual();
      this.ended_by = all.endedBy();
    }
  }

  /**
   * Nodes by personalised PageRank, best first.
   *
   * @param seeds see {@link Seeds#read}
   * @param config see {@link WalkKeys#PPR}
   * @return none without seeds
   */
  @Procedure(name = NAME, mode = Mode.READ)
  @Description(
      "Nodes by personalised PageRank from seeds (nodes, element ids, pairs with weights), best"
          + " first. No score is further than `residual` from the true one.")
  public Stream<Row> stream(
      @Name(value = "seeds", description = "Nodes, element ids, or pairs of those and weights.")
          Object seeds,
      @Name(value = "config", defaultValue = "{}", description = "See the configuration below.")
          Map<String, Object> config) {
    Config checked = Config.of(NAME, KEYS, config);
    Map<Node, Double> weights = Seeds.read(NAME, seeds, transaction);
    PersonalisedPageRank.Parameters parameters =
        new PersonalisedPageRank.Parameters(
            checked.get(WalkKeys.DAMPING),
            checked.get(WalkKeys.TOLERANCE),
            checked.get(WalkKeys.ITERATIONS).intValue(),
            Walks.reach(checked, transaction),
            checked.get(WalkKeys.MEMORY));
    if (weights.isEmpty()) {
      return Stream.empty();
    }
    Meter meter = Walks.meter(checked, guard, memory);
    Stream<Row> rows = null;
    try {
      Scores scores = PersonalisedPageRank.of(transaction, weights, parameters, meter);
      rows =
          scores
              .from(checked.get(WalkKeys.THRESHOLD), transaction, guard)
              .map(score -> new Row(score, scores));
    } catch (BudgetSpent spent) {
      throw Walks.outOfMemory(checked, "raise 'tolerance'");
    } finally {
      if (rows == null) {
        meter.close();
      }
    }
    Long limit = checked.get(WalkKeys.LIMIT);
    return (limit == null ? rows : rows.limit(limit)).onClose(meter::close);
  }
}
