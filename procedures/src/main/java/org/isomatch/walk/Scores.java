package org.isomatch.walk;

import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;

/** What personalised PageRank found. */
public final class Scores {
  private static final long BYTES_PER_ROW = 24; // of a number that is sorted

  private final NodeNumbers numbers;
  private final Meter meter;
  private final double[] scores;
  private final int size;
  private final int iterations;
  private final double residual;
  private final String endedBy;

  Scores(
      NodeNumbers numbers,
      Meter meter,
      double[] scores,
      int size,
      int iterations,
      double residual,
      String endedBy) {
    this.numbers = numbers;
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
   * @throws BudgetSpent {@code memory}
   */
  public Stream<Score> from(double threshold, Transaction transaction) {
    IntPredicate given = number -> scores[number] > 0 && scores[number] >= threshold;
    meter.allocate(IntStream.range(0, size).filter(given).count() * BYTES_PER_ROW);
    return IntStream.range(0, size)
        .filter(given)
        .boxed()
        .sorted(this::order)
        .map(number -> new Score(numbers.node(transaction, number), scores[number]));
  }

  private int order(int one, int other) {
    int byScore = Double.compare(scores[other], scores[one]);
    return byScore != 0 ? byScore : numbers.order(one, other);
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
