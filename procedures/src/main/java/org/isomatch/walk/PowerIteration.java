package org.isomatch.walk;

import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;

/** The steps of a power iteration, for any direction: the rest is the change. */
final class PowerIteration extends WholeSolver {
  PowerIteration(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
    super(graph, parameters, start, meter);
  }

  @Override
  Step step(boolean first) {
    double change = 0;
    double again = 0;
    for (int node = 0; node < rest.length; node++) {
      int degree = graph.degree(node);
      scores[node] += rest[node];
      shares[node] = degree == 0 ? 0 : (float) (rest[node] / degree);
      again += degree == 0 ? rest[node] : 0;
      change += Math.abs(rest[node]);
    }
    double left = 0;
    for (int node = 0; node < rest.length; node++) {
      if (node % STEP == 0) {
        meter.check();
      }
      rest[node] = damping * graph.sum(shares, node);
      left += Math.abs(rest[node]);
    }
    for (int i = 0; i < seeds.length; i++) {
      left -= Math.abs(rest[seeds[i]]);
      rest[seeds[i]] += damping * again * weights[i];
      left += Math.abs(rest[seeds[i]]);
    }
    return new Step(change, left);
  }
}
