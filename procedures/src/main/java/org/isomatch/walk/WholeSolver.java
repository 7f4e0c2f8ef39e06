package org.isomatch.walk;

import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;
import org.neo4j.graphdb.Direction;

/**
 * Personalised PageRank over a whole graph that is in memory.
 *
 * <p>With {@code rest = damping · P p + (1 - damping) · s - p}, scores p are off by at most {@code
 * |rest| / (1 - damping)}, all nodes in sum.
 *
 * <p>A step looks up a number for each relationship, which takes half the time where those are
 * floats. So steps use floats, the rest that they leave is computed anew with doubles, and where it
 * is still too large there are more steps from there (iterative refinement).
 */
abstract class WholeSolver implements Solver {
  /** Of heap, the most for what is kept of a node while it runs. */
  static final int BYTES_PER_NODE = 3 * Double.BYTES + 3 * Float.BYTES;

  /** Nodes between two looks at the meter. */
  static final int STEP = 1 << 14;

  private static final double ROUNDING = 0x1p-22; // of the floats of one step

  final WholeGraph graph;
  final Parameters parameters;
  final double damping;
  final int[] seeds;
  final double[] weights;
  final Meter meter;
  final double[] scores;
  final double[] rest;
  final float[] shares; // of a node's value, that go along one relationship
  private double residual = 2; // the scores are 1 in sum, and so are the true ones
  private int iterations;

  /**
   * @param start where to begin
   * @param meter has allowed {@link #BYTES_PER_NODE}
   */
  WholeSolver(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
    this.graph = graph;
    this.parameters = parameters;
    this.damping = parameters.damping();
    this.seeds = start.seeds();
    this.weights = start.weights();
    this.meter = meter;
    this.scores = start.scores();
    this.rest = new double[scores.length];
    this.shares = new float[scores.length];
    this.iterations = start.iterations();
  }

  /**
   * What is there when all of the graph has been read.
   *
   * @param seeds their places
   * @param weights of the seeds, 1 in sum
   * @param scores about what they are, by place, 1 in sum
   * @param iterations that led to them
   */
  record Start(int[] seeds, double[] weights, double[] scores, int iterations) {}

  /** The one that suits the direction. */
  static WholeSolver of(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
    return parameters.reach().direction() == Direction.BOTH
        ? new ConjugateGradient(graph, parameters, start, meter)
        : new PowerIteration(graph, parameters, start, meter);
  }

  @Override
  public final boolean run() {
    while (true) {
      computeRest();
      if (residual <= parameters.tolerance()) {
        return true;
      } else if (isOver()) {
        return false;
      }
      double aim = Math.max(parameters.tolerance() / 2, residual * ROUNDING / 16);
      double error = residual;
      double changes = 0;
      for (boolean first = true; error > aim && !isOver(); first = false) {
        Step step = step(first);
        iterations++;
        changes += step.change();
        error = step.rest() / (1 - damping);
        residual = error + changes * ROUNDING / (1 - damping);
      }
    }
  }

  /**
   * @param change of the scores, in sum
   * @param rest that is left, in sum
   */
  record Step(double change, double rest) {}

  /**
   * Changes scores and rest.
   *
   * @param first whether the rest was computed anew since the last step
   */
  abstract Step step(boolean first);

  @Override
  public final Scores scores(String endedBy) {
    return new Scores(place -> place, scores, scores.length, iterations, residual, endedBy, meter);
  }

  private boolean isOver() {
    return iterations >= parameters.iterations();
  }

  private void computeRest() {
    double[] exact = new double[scores.length]; // as `shares`
    double again = 1 - damping; // not of what the scores are in sum, which floats change
    for (int node = 0; node < scores.length; node++) {
      int degree = graph.degree(node);
      exact[node] = degree == 0 ? 0 : scores[node] / degree;
      again += degree == 0 ? damping * scores[node] : 0;
    }
    for (int node = 0; node < scores.length; node++) {
      if (node % STEP == 0) {
        meter.check();
      }
      rest[node] = damping * graph.sum(exact, node) - scores[node];
    }
    for (int i = 0; i < seeds.length; i++) {
      rest[seeds[i]] += again * weights[i];
    }
    double sum = 0;
    for (double value : rest) {
      sum += Math.abs(value);
    }
    residual = sum / (1 - damping);
  }
}
