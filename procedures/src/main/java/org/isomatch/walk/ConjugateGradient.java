package org.isomatch.walk;

import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;

/**
 * The scores over a whole graph whose relationships count either way.
 *
 * <p>P is symmetric there in the inner product that divides by degrees, and so conjugate gradients
 * (Hestenes and Stiefel, 1952) solve {@code (1 - damping · P) p = c · s}: in two thirds of a power
 * iteration's steps, and in a quarter where a small part of the graph is bipartite, in which that
 * one swings. With rest r, p is off by at most {@code |r| / (1 - damping)}, all nodes in sum.
 *
 * <p>A step looks up a number for each relationship, which takes half the time where those are
 * floats. So the steps use floats, the rest that they leave is computed anew with doubles, and where
 * it is still too large there are more steps from there (iterative refinement).
 */
final class ConjugateGradient extends WholeSolver {
  private static final double ROUNDING = 0x1p-23; // of a float, and some more

  private final float[] shares;
  private final double[] rest;
  private final double[] way; // the direction in which is searched
  private final double[] bent; // (1 - damping · P) way

  ConjugateGradient(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
    super(graph, parameters, start, meter);
    this.shares = new float[scores.length];
    this.rest = new double[scores.length];
    this.way = new double[scores.length];
    this.bent = new double[scores.length];
  }

  @Override
  public boolean run() {
    while (true) {
      computeRest();
      residual = sum(rest) / (1 - damping);
      if (residual <= parameters.tolerance()) {
        return true;
      } else if (iterations >= parameters.iterations()) {
        return false;
      }
      search(Math.max(parameters.tolerance() / 2, residual * ROUNDING / 4));
    }
  }

  /** Goes on until the error seems to be that small. */
  private void search(double aim) {
    double old = Double.POSITIVE_INFINITY;
    double gone = 0; // the ways gone, each as long as its sum
    double error = residual;
    while (error > aim && iterations < parameters.iterations()) {
      double square = product(rest, rest);
      for (int node = 0; node < rest.length; node++) {
        way[node] = rest[node] + square / old * way[node];
      }
      old = square;
      graph.passOn(way, damping, shares, bent, meter);
      iterations++;
      for (int node = 0; node < rest.length; node++) {
        bent[node] = way[node] - bent[node];
      }
      double step = square / product(way, bent);
      for (int node = 0; node < rest.length; node++) {
        scores[node] += step * way[node];
        rest[node] -= step * bent[node];
      }
      gone += step * sum(way);
      error = sum(rest) / (1 - damping);
      residual = error + gone * ROUNDING / (1 - damping);
    }
  }

  /**
   * What the scores lack: {@code c · s - (1 - damping · P) p}. A node without relationships is only
   * there as a seed; what comes to it begins again, so that c is {@code 1 - damping} and more.
   */
  private void computeRest() {
    double alone = 0;
    for (int i = 0; i < seeds.length; i++) {
      alone += graph.degree(seeds[i]) == 0 ? weights[i] : 0;
    }
    double begin = (1 - damping) / (1 - damping * alone);
    for (int i = 0; i < seeds.length; i++) {
      if (graph.degree(seeds[i]) == 0) {
        scores[seeds[i]] = begin * weights[i];
      }
    }
    graph.passOn(scores, damping, rest, meter);
    iterations++;
    for (int node = 0; node < rest.length; node++) {
      rest[node] -= scores[node];
    }
    for (int i = 0; i < seeds.length; i++) {
      rest[seeds[i]] += begin * weights[i];
    }
  }

  private double product(double[] one, double[] other) {
    double product = 0;
    for (int node = 0; node < one.length; node++) {
      int degree = graph.degree(node);
      product += degree == 0 ? 0 : one[node] * other[node] / degree;
    }
    return product;
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += Math.abs(value);
    }
    return sum;
  }
}
