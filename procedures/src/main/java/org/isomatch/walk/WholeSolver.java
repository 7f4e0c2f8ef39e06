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
 */
abstract class WholeSolver {
  /** The most heap that is held per node. */
  static final int BYTES_PER_NODE = 3 * Double.BYTES + 3 * Float.BYTES;

  /** Nodes between two checks of the meter. */
  static final int STEP = 1 << 14;

  private static final double ROUNDING = 0x1p-22; // of the floats of one step

  final WholeGraph graph;
  final double damping;
  final int[] seeds;
  final double[] weights;
  final Meter meter;
  final double[] scores;
  final double[] residuals;
  final float[] shares; // of a node's value, along one relationship
  double change; // of the scores by the last step, in sum
  double left; // sum of the residuals after the last step
  private final Parameters parameters;
  private double error = 2; // the scores are 1 in sum, and so are the true ones
  private int iterations;

  /** The places of seeds with weights, and approximate scores by place; each 1 in sum. */
  record Start(int[] seeds, double[] weights, double[] scores, int iterations) {}

  private WholeSolver(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
    this.graph = graph;
    this.parameters = parameters;
    this.damping = parameters.damping();
    this.seeds = start.seeds;
    this.weights = start.weights;
    this.scores = start.scores;
    this.iterations = start.iterations;
    this.meter = meter;
    residuals = new double[scores.length];
    shares = new float[scores.length];
  }

  /** The solver that suits the direction; the meter has allowed {@link #BYTES_PER_NODE}. */
  static WholeSolver of(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
    return parameters.reach().direction() == Direction.BOTH
        ? new ConjugateGradient(graph, parameters, start, meter)
        : new PowerIteration(graph, parameters, start, meter);
  }

  /** Works until the tolerance or the number of iterations is reached; whether the tolerance. */
  final boolean run() {
    double tolerance = parameters.tolerance();
    computeResiduals();
    while (error > tolerance && iterations < parameters.iterations()) {
      double aim = Math.max(tolerance / 2, error * ROUNDING / 16);
      double estimate = error;
      double changes = 0;
      boolean first = true;
      while (estimate > aim && iterations < parameters.iterations()) {
        step(first);
        first = false;
        iterations++;
        changes += change;
        estimate = left / (1 - damping);
        error = estimate + changes * ROUNDING / (1 - damping);
      }
      computeResiduals();
    }
    return error <= tolerance;
  }

  /**
   * Changes scores and residuals, and sets {@link #change} and {@link #left}.
   *
   * @param first whether the residuals were computed anew since the last step
   */
  abstract void step(boolean first);

  final Scores scores(String endedBy) {
    return new Scores(node -> node, scores, scores.length, iterations, error, endedBy, meter);
  }

  private void computeResiduals() {
    double[] exact = new double[scores.length]; // as `shares`
    double again = 1 - damping;
    for (int node = 0; node < scores.length; node++) {
      int degree = graph.degree(node);
      exact[node] = degree == 0 ? 0 : scores[node] / degree;
      again += degree == 0 ? damping * scores[node] : 0;
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

  /** The steps of a power iteration, for any direction: residuals are changes. */
  private static final class PowerIteration extends WholeSolver {
    PowerIteration(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
      super(graph, parameters, start, meter);
    }

    @Override
    void step(boolean first) {
      double changes = 0;
      double ended = 0;
      for (int node = 0; node < residuals.length; node++) {
        int degree = graph.degree(node);
        scores[node] += residuals[node];
        shares[node] = degree == 0 ? 0 : (float) (residuals[node] / degree);
        ended += degree == 0 ? residuals[node] : 0;
        changes += Math.abs(residuals[node]);
      }
      double sum = 0;
      for (int node = 0; node < residuals.length; node++) {
        if (node % STEP == 0) {
          meter.check();
        }
        residuals[node] = damping * graph.sum(shares, node);
        sum += Math.abs(residuals[node]);
      }
      for (int i = 0; i < seeds.length; i++) {
        sum -= Math.abs(residuals[seeds[i]]);
        residuals[seeds[i]] += damping * ended * weights[i];
        sum += Math.abs(residuals[seeds[i]]);
      }
      change = changes;
      left = sum;
    }
  }

  /**
   * Conjugate gradients (Hestenes and Stiefel, 1952), for relationships that count in both
   * directions: P is symmetric there in the inner product that divides by degrees. They solve
   * {@code A x = c · s}, A = 1 - damping · P, in a quarter to two thirds of the steps.
   */
  private static final class ConjugateGradient extends WholeSolver {
    private final float[] p; // search direction
    private final float[] Ap;
    private double rrBefore; // inner product of the residuals with themselves at the last step
    private double rrAfter;

    /**
     * A node without relationships occurs only as a seed, and what comes to it begins again: so c
     * is {@code 1 - damping} and more, and its score c times its weight.
     */
    ConjugateGradient(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
      super(graph, parameters, start, meter);
      p = new float[scores.length];
      Ap = new float[scores.length];
      double isolated = 0;
      for (int i = 0; i < seeds.length; i++) {
        isolated += graph.degree(seeds[i]) == 0 ? weights[i] : 0;
      }
      for (int i = 0; i < seeds.length; i++) {
        if (graph.degree(seeds[i]) == 0) {
          scores[seeds[i]] = (1 - damping) / (1 - damping * isolated) * weights[i];
        }
      }
    }

    @Override
    void step(boolean first) {
      double beta = first ? 0 : rrAfter / rrBefore;
      double rr = 0;
      for (int node = 0; node < residuals.length; node++) {
        double inverse = inverseDegree(node);
        p[node] = (float) (residuals[node] + beta * p[node]);
        shares[node] = (float) (p[node] * inverse);
        rr += residuals[node] * residuals[node] * inverse;
      }
      double pAp = 0;
      for (int node = 0; node < residuals.length; node++) {
        if (node % STEP == 0) {
          meter.check();
        }
        Ap[node] = (float) (p[node] - damping * graph.sum(shares, node));
        pAp += (double) p[node] * Ap[node] * inverseDegree(node);
      }
      double alpha = rr / pAp;
      rrBefore = rr;
      rr = 0;
      double changes = 0;
      double sum = 0;
      for (int node = 0; node < residuals.length; node++) {
        scores[node] += alpha * p[node];
        residuals[node] -= alpha * Ap[node];
        changes += Math.abs(alpha * p[node]);
        sum += Math.abs(residuals[node]);
        rr += residuals[node] * residuals[node] * inverseDegree(node);
      }
      rrAfter = rr;
      change = changes;
      left = sum;
    }

    private double inverseDegree(int node) {
      int degree = graph.degree(node);
      return degree == 0 ? 0 : 1.0 / degree;
    }
  }
}
