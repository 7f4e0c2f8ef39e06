package org.isomatch.walk;

import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.TerminationGuard;

/**
 * Personalised PageRank: the fixed point of {@code p = damping · P p + (1 - damping) · s} (Page,
 * Brin, Motwani and Winograd, The PageRank Citation Ranking, 1999, section 6), as {@code
 * networkx.pagerank} has it: parallel relationships count as often as they occur, and a walk begins
 * again at a node that nothing leads away from.
 *
 * <p>Reading takes most of the time. So nodes are read one by one until all others hold less than
 * half the tolerance together ({@link LocalPageRank}). If that comes to a good part of the database
 * and memory suffices, all of it is read instead, as it is stored ({@link WholeSolver}). If memory
 * does not suffice, after {@value #CHEAP} relationships only nodes are read that hold as much as
 * the tolerance each; then {@link Scores#residual}, the bound of all errors in sum, is above it.
 */
public final class PersonalisedPageRank {
  public static final int CHEAP = 200_000;

  private PersonalisedPageRank() {}

  /**
   * The parameters of a call.
   *
   * @param memory what the meter allows, in bytes of heap
   * @param cheap {@link #CHEAP}, but in tests
   */
  public record Parameters(
      double damping, double tolerance, int iterations, Reach reach, long memory, int cheap) {}

  /** Scores of all nodes that a walk from the weighted seeds, at least one, comes to. */
  public static Scores of(
      Transaction transaction, Map<Node, Double> seeds, Parameters parameters, Meter meter) {
    LocalPageRank local = new LocalPageRank(transaction, seeds, parameters, meter);
    WholeSolver whole = null;
    String endedBy;
    try {
      boolean reached = local.run();
      whole = reached ? null : local.next();
      if (whole != null) {
        reached = whole.run();
      }
      endedBy = reached ? null : "iterations";
    } catch (BudgetSpent spent) {
      if (!spent.which().equals("time")) {
        throw spent;
      }
      endedBy = spent.which();
    }
    return whole != null ? whole.scores(endedBy) : local.scores(endedBy);
  }

  /**
   * What personalised PageRank found.
   *
   * @param ids the {@link Graph#id} of each place
   * @param values by place; the array may be longer than {@code size}
   * @param meter of the memory that rows take
   */
  public record Scores(
      IntToLongFunction ids, double[] values, int size, int iterations, double residual, String
      endedBy, Meter meter) {
    private static final long BYTES_PER_ROW = 24; // of a number that is sorted
    private static final int COMPARED = 1 << 12; // between two checks of the guard

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

    /** Nodes by descending score, then by age, fetched when the stream comes to them. */
    public Stream<Row> rows(double threshold, Transaction transaction, TerminationGuard guard) {
      IntPredicate isGiven = place -> values[place] > 0 && values[place] >= threshold;
      meter.allocate(IntStream.range(0, size).filter(isGiven).count() * BYTES_PER_ROW);
      int[] compared = {0};
      return IntStream.range(0, size)
          .filter(isGiven)
          .boxed()
          .sorted(
              (one, other) -> {
                if (++compared[0] % COMPARED == 0) {
                  guard.check();
                }
                int byScore = Double.compare(values[other], values[one]);
                return byScore != 0
                    ? byScore
                    : Long.compare(ids.applyAsLong(one), ids.applyAsLong(other));
              })
          .map(
              place ->
                  new Row(
                      Graph.node(transaction, ids.applyAsLong(place)), values[place], iterations,
                      residual, endedBy));
    }
  }
}
