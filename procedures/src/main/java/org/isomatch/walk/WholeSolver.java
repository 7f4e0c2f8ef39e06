package org.isomatch.walk;

import java.util.Arrays;
import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;
import org.isomatch.walk.PersonalisedPageRank.Scores;
import org.neo4j.graphdb.Direction;

/**
 * Personalised PageRank over a whole graph in memory. With the residual {@code r = damping · P p +
 * (1 - damping) · s - p}, scores p are off by at most {@code |r| / (1 - damping)} in sum. Steps use
 * floats, which takes half the time; the residual is then computed anew with doubles, and more
 * steps follow if it is still too large (iterative refinement).
 *
 * <p>Where relationships count in both directions, steps are those of conjugate gradients (Hestenes
 * and Stiefel, 1952), a quarter to two thirds of the others: P is symmetric there in the inner
 * product that divides by degrees. Else they are those of a power iteration.
 */
final class WholeSolver {
  /** Heap that is held per node. */
  static final int BYTES_PER_NODE = 3 * Double.BYTES + 3 * Float.BYTES;

  /** Nodes between two checks of the meter. */
  static final int STEP = 1 << 14;

  private static final double ROUNDING = 0x1p-22; // of the floats of one step

  private final WholeGraph graph;
  private final Parameters parameters;
  private final double damping;
  private final boolean symmetric;
  private final int[] seeds;
  private final double[] weights;
  private final Meter meter;
  private final double[] scores;
  private final double[] residuals;
  private final float[] p; // the direction of a step
  private final float[] Ap; // A = 1 - damping · P
  private final float[] shares; // of p, along one relationship
  private double rrBefore; // inner product of the residuals with themselves at the last step
  private double change; // of the scores by the last step, in sum
  private double left; // sum of the residuals after the last step
  private double error = 2; // the scores are 1 in sum, and so are the true ones
  private int iterations;

  /**
   * The meter has allowed {@link #BYTES_PER_NODE}.
   *
   * @param seeds their places, with weights that are 1 in sum
   * @param scores approximate ones by place, which are changed
   */
  WholeSolver(
      WholeGraph graph, Parameters parameters, int[] seeds, double[] weights, double[] scores,
      int iterations, Meter meter) {
    this.graph = graph;
    this.parameters = parameters;
    this.damping = parameters.damping();
    this.symmetric = parameters.reach().direction() == Direction.BOTH;
    this.seeds = seeds;
    this.weights = weights;
    this.scores = scores;
    this.iterations = iterations;
    this.meter = meter;
    residuals = new double[scores.length];
    p = new float[scores.length];
    Ap = new float[scores.length];
    shares = new float[scores.length];
    if (symmetric) {
      solveIsolated();
    }
  }

  /**
   * A node without relationships occurs only as a seed, and what comes to it begins again: so the
   * others solve {@code A x = c · s} with a c above {@code 1 - damping}, and its score is c times
   * its weight.
   */
  private void solveIsolated() {
    double isolated = 0;
    for (int i = 0; i < seeds.length; i++) {
      isolated += graph.degrees()[seeds[i]] == 0 ? weights[i] : 0;
    }
    for (int i = 0; i < seeds.length; i++) {
      if (graph.degrees()[seeds[i]] == 0) {
        scores[seeds[i]] = (1 - damping) / (1 - damping * isolated) * weights[i];
      }
    }
  }

  /** Works until the tolerance or the number of iterations is reached; whether the tolerance. */
  boolean run() {
    double tolerance = parameters.tolerance();
    computeResiduals();
    while (error > tolerance && iterations < parameters.iterations()) {
      double aim = Math.max(tolerance / 2, error * ROUNDING / 16);
      double estimate = error;
      double changes = 0;
      rrBefore = Double.POSITIVE_INFINITY; // the direction begins anew with the residuals
      while (estimate > aim && iterations < parameters.iterations()) {
        step();
        iterations++;
        changes += change;
        estimate = left / (1 - damping);
        error = estimate + changes * ROUNDING / (1 - damping);
      }
      computeResiduals();
    }
    return error <= tolerance;
  }

  Scores scores(String endedBy) {
    return new Scores(node -> node, scores, scores.length, iterations, error, endedBy, meter);
  }

  private void computeResiduals() {
    double[] exact = new double[scores.length]; // as `shares`
    double again = 1 - damping;
    for (int node = 0; node < scores.length; node++) {
      exact[node] = scores[node] * inverseDegree(node);
      again += graph.degrees()[node] == 0 ? damping * scores[node] : 0;
    }
    for (int node = 0; node < scores.length; node++) {
      if (node % STEP == 0) {
        meter.check();
      }
      residuals[node] = damping * graph.sum(exact, node) - scores[node];
    }
    for (int i = 0; i < seeds.length; i++) {
      residuals[seeds[i]] += again * weights[i];
    }
    error = Arrays.stream(residuals).map(Math::abs).sum() / (1 - damping);
  }

  /** Changes scores and residuals, and sets {@link #change} and {@link #left}. */
  private void step() {
    double rr = 0;
    for (int node = 0; symmetric && node < residuals.length; node++) {
      rr += residuals[node] * residuals[node] * inverseDegree(node);
    }
    double beta = symmetric ? rr / rrBefore : 0;
    double ended = 0;
    for (int node = 0; node < residuals.length; node++) {
      p[node] = (float) (residuals[node] + beta * p[node]);
      shares[node] = (float) (p[node] * inverseDegree(node));
      ended += graph.degrees()[node] == 0 ? p[node] : 0;
    }
    double pAp = 0;
    for (int node = 0; node < residuals.length; node++) {
      if (node % STEP == 0) {
        meter.check();
      }
      Ap[node] = (float) (p[node] - damping * graph.sum(shares, node));
      pAp += symmetric ? (double) p[node] * Ap[node] * inverseDegree(node) : 0;
    }
    for (int i = 0; i < seeds.length; i++) { // where nothing leads on, it begins again
      Ap[seeds[i]] -= (float) (damping * ended * weights[i]);
    }
    double alpha = symmetric ? rr / pAp : 1;
    rrBefore = rr;
    double changes = 0;
    double sum = 0;
    for (int node = 0; node < residuals.length; node++) {
      scores[node] += alpha * p[node];
      residuals[node] -= alpha * Ap[node];
      changes += Math.abs(alpha * p[node]);
      sum += Math.abs(residuals[node]);
    }
    change = changes;
    left = sum;
  }

  private double inverseDegree(int node) {
    int degree = graph.degrees()[node];
    return degree == 0 ? 0 : 1.0 / degree;
  }
}
