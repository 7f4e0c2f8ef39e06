package org.isomatch.walk;

import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;

/** What personalised PageRank found. */
public final class Scores {
  private static final long BYTES_PER_ROW = 24; // of a number that is sorted
  private static final int COMPARED = 1 << 12; // between two looks at the guard

  private final IntToLongFunction ids;
  private final Meter meter;
  private final double[] scores;
  private final int size;
  private final int iterations;
  private final double residual;
  private final String endedBy;
  private int compared;

  /**
   * @param ids the {@link NodeIds id} of each place
   * @param scores by place; more than {@code size} may be there
   * @param meter of the memory that rows take
   */
  Scores(
      IntToLongFunction ids,
      double[] scores,
      int size,
      int iterations,
      double residual,
      String endedBy,
      Meter meter) {
    this.ids = ids;
    this.meter = meter;
    this.scores = scores;
    this.size = size;
    this.iterations = iterations;
    this.residual = residual;
    this.endedBy = endedBy;
  }

  /**
   * A node's probability.
   *
   * @param value of all nodes, 1 in sum
   */
  public record Score(Node node, double value) {}

  /**
   * By descending score, then by age; nodes are fetched as they are asked for.
   *
   * @param guard looked at while they are sorted
   * @throws BudgetSpent {@code memory}
   */
  public Stream<Score> from(double threshold, Transaction transaction, TerminationGuard guard) {
    IntPredicate given = place -> scores[place] > 0 && scores[place] >= threshold;
    meter.allocate(IntStream.range(0, size).filter(given).count() * BYTES_PER_ROW);
    return IntStream.range(0, size)
        .filter(given)
        .boxed()
        .sorted((one, other) -> order(one, other, guard))
        .map(place -> new Score(NodeIds.node(transaction, ids.applyAsLong(place)), scores[place]));
  }

  private int order(int one, int other, TerminationGuard guard) {
    if (++compared % COMPARED == 0) {
      guard.check();
    }
    int byScore = Double.compare(scores[other], scores[one]);
    return byScore != 0 ? byScore : Long.compare(ids.applyAsLong(one), ids.applyAsLong(other));
  }

  /** How often mass was passed on. */
  public int iterations() {
    return iterations;
  }

  /** No score is further than this from the true one, nor are all together. */
  public double residual() {
    return residual;
  }

  /** What ended it early: {@code iterations} or {@code time}; null for nothing. */
  public String endedBy() {
    return endedBy;
  }
}
