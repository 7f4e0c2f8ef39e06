package org.isomatch.walk;

import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;
import org.neo4j.graphdb.Direction;

/** Personalised PageRank over a whole graph that is in memory. */
abstract class WholeSolver implements Solver {
  /** Of heap, the most for what is kept of a node while it runs. */
  static final int BYTES_PER_NODE = 4 * Double.BYTES + Float.BYTES;

  final WholeGraph graph;
  final Parameters parameters;
  final double damping;
  final int[] seeds;
  final double[] weights;
  final Meter meter;
  double[] scores;
  double residual = 2; // the scores are 1 in sum, and so are the true ones
  int iterations;

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
  public Scores scores(String endedBy) {
    return new Scores(id -> id, scores, scores.length, iterations, residual, endedBy, meter);
  }
}
