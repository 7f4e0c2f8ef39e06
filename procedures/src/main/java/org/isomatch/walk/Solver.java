package org.isomatch.walk;

import org.isomatch.graph.BudgetSpent;

/** A way to the scores of personalised PageRank. */
interface Solver {
  /**
   * Works until the tolerance or the number of iterations is reached, or it can do no more.
   *
   * @return whether it is the tolerance, or as near as it comes
   * @throws BudgetSpent and what was found until then stands
   */
  boolean run();

  /** What was found. */
  Scores scores(String endedBy);
}
