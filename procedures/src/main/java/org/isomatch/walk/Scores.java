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

/**
 * What personalised PageRank found.
 *
 * @param ids the {@link NodeIds id} of each place
 * @param values by place; the array may be longer than {@code size}
 * @param iterations how often mass was passed on
 * @param residual no score is further than this from the true one, nor are all together
 * @param endedBy what ended it early: {@code iterations} or {@code time}; null for nothing
 * @param meter of the memory that rows take
 */
public record Scores(
    IntToLongFunction ids,
    double[] values,
    int size,
    int iterations,
    double residual,
    String endedBy,
    Meter meter) {
  private static final long BYTES_PER_ROW = 24; // of a number that is sorted
  private static final int COMPARED = 1 << 12; // between two checks of the guard

  /**
   * A node's probability.
   *
   * @param value of all nodes, 1 in sum
   */
  public record Score(Node node, double value) {}

  /**
   * Nodes by descending score, then by age; they are fetched when the stream comes to them.
   *
   * @param guard checked while they are sorted
   * @throws BudgetSpent {@code memory}
   */
  public Stream<Score> from(double threshold, Transaction transaction, TerminationGuard guard) {
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
        .map(place -> new Score(NodeIds.node(transaction, ids.applyAsLong(place)), values[place]));
  }
}
