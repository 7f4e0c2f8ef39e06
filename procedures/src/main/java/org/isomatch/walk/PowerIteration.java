package org.isomatch.walk;

import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;

/** The steps of a power iteration, for any direction: what is left is the next change. */
final class PowerIteration extends WholeSolver {
  private double[] next;

  PowerIteration(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
    super(graph, parameters, start, meter);
    this.next = new double[scores.length];
  }

  @Override
  double step(boolean first) {
    double ended = graph.passOnRoughly(rest, damping, next, meter);
    for (int i = 0; i < seeds.length; i++) {
      next[seeds[i]] += ended * weights[i];
    }
    for (int node = 0; node < rest.length; node++) {
      scores[node] += rest[node];
    }
    double[] change = rest;
    rest = next;
    next = change;
    return sum(change);
  }
}
