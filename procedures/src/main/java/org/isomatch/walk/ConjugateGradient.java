package org.isomatch.walk;

import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;

/**
 * The steps of conjugate gradients, where relationships count either way.
 *
 * <p>P is symmetric there in the inner product that divides by degrees, and so conjugate gradients
 * (Hestenes and Stiefel, 1952) solve {@code (1 - damping · P) p = c · s}: in two thirds of a power
 * iteration's steps, and in a quarter where a small part of the graph is bipartite, in which that
 * one swings.
 */
final class ConjugateGradient extends WholeSolver {
  private final float[] way; // the direction in which is searched
  private final float[] bent; // (1 - damping · P) way
  private double square; // of the rest in the inner product
  private double before; // the same a step before

  /**
   * A node without relationships is there only as a seed, and what comes to it begins again: so c
   * is {@code 1 - damping} and more, and its score c times its weight.
   */
  ConjugateGradient(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
    super(graph, parameters, start, meter);
    this.way = new float[scores.length];
    this.bent = new float[scores.length];
    double alone = 0;
    for (int i = 0; i < seeds.length; i++) {
      alone += graph.degree(seeds[i]) == 0 ? weights[i] : 0;
    }
    for (int i = 0; i < seeds.length; i++) {
      if (graph.degree(seeds[i]) == 0) {
        scores[seeds[i]] = (1 - damping) / (1 - damping * alone) * weights[i];
      }
    }
  }

  @Override
  Step step(boolean first) {
    double back = first ? 0 : square / before;
    before = 0;
    for (int node = 0; node < rest.length; node++) {
      double inverse = inverse(node);
      way[node] = (float) (rest[node] + back * way[node]);
      shares[node] = (float) (way[node] * inverse);
      before += rest[node] * rest[node] * inverse;
    }
    double bend = 0;
    for (int node = 0; node < rest.length; node++) {
      if (node % STEP == 0) {
        meter.check();
      }
      bent[node] = (float) (way[node] - damping * graph.sum(shares, node));
      bend += (double) way[node] * bent[node] * inverse(node);
    }
    double far = before / bend;
    double change = 0;
    double left = 0;
    square = 0;
    for (int node = 0; node < rest.length; node++) {
      scores[node] += far * way[node];
      rest[node] -= far * bent[node];
      change += Math.abs(far * way[node]);
      left += Math.abs(rest[node]);
      square += rest[node] * rest[node] * inverse(node);
    }
    return new Step(change, left);
  }

  private double inverse(int node) {
    int degree = graph.degree(node);
    return degree == 0 ? 0 : 1.0 / degree;
  }
}
