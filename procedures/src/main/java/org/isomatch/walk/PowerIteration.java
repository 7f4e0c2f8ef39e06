package org.isomatch.walk;

import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;

/**
 * The scores over a whole graph, whatever the direction.
 *
 * <p>With {@code next = damping · P p + (1 - damping) · s}, next is off by at most {@code damping
 * |next - p| / (1 - damping)}, all nodes in sum.
 */
final class PowerIteration extends WholeSolver {
  PowerIteration(WholeGraph graph, Parameters parameters, Start start, Meter meter) {
    super(graph, parameters, start, meter);
  }

  @Override
  public boolean run() {
    double[] next = new double[scores.length];
    while (iterations < parameters.iterations()) {
      double ended = graph.passOn(scores, damping, next, meter);
      for (int i = 0; i < seeds.length; i++) {
        next[seeds[i]] += (1 - damping + ended) * weights[i];
      }
      double change = 0;
      for (int node = 0; node < next.length; node++) {
        change += Math.abs(next[node] - scores[node]);
      }
      double[] old = scores;
      scores = next;
      next = old;
      iterations++;
      residual = damping * change / (1 - damping);
      if (residual <= parameters.tolerance()) {
        return true;
      }
    }
    return false;
  }
}
