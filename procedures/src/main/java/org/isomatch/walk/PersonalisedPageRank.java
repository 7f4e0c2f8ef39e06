package org.isomatch.walk;

import java.util.Map;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;

/**
 * Personalised PageRank: how likely a walk that begins at the seeds is at each node, if at each
 * step it goes on along any relationship with probability {@code damping}, and else begins again.
 *
 * <p>The scores are the fixed point of {@code p = damping · P p + (1 - damping) · s} (Page, Brin,
 * Motwani and Winograd, The PageRank Citation Ranking, 1999, section 6; OKGQA, arXiv 2410.08085,
 * appendix A.5, equation 3), as {@code networkx.pagerank} has it: parallel relationships count as
 * often as they occur, and a walk begins again at a node that nothing leads away from.
 *
 * <p>Reading takes most of the time, so a node is read when it matters:
 *
 * <ul>
 *   <li>Nodes are read one by one until all others hold less than half the tolerance together
 *       ({@link LocalPageRank}).
 *   <li>If that comes to a good part of the database, all of it is read instead, in the order in
 *       which it is stored, if it fits into the memory ({@link WholeSolver}).
 *   <li>If it does not fit, and {@value #CHEAP} relationships are read, then only nodes are read
 *       that hold as much as the tolerance each.
 * </ul>
 *
 * <p><b>Tolerance</b> bounds the errors of all nodes in sum, and so of each one. networkx ends when
 * the changes of an iteration are in sum below the tolerance times the number of nodes, which for a
 * million nodes they always are. {@link Scores#residual} is the bound that was reached; it is above
 * the tolerance in the third case, or if the number of iterations or the time ended the work.
 */
public final class PersonalisedPageRank {
  private static final int CHEAP = 200_000;

  private PersonalisedPageRank() {}

  /**
   * The parameters of a call.
   *
   * @param damping from 0, below 1
   * @param tolerance above 0; see above
   * @param iterations at most, from 1 on
   * @param reach which relationships are walked
   * @param memory bytes of heap that the meter allows
   */
  public record Parameters(
      double damping, double tolerance, int iterations, Reach reach, long memory) {}

  /**
   * Scores of all nodes that a walk from the seeds comes to.
   *
   * @param seeds with weights above 0, of any sum; at least one
   * @param meter its time ends the work with what is reached then
   * @throws BudgetSpent {@code memory}
   */
  public static Scores of(
      Transaction transaction, Map<Node, Double> seeds, Parameters parameters, Meter meter) {
    return of(transaction, seeds, parameters, CHEAP, meter);
  }

  /** The same with another number of relationships that are read before the third case holds. */
  static Scores of(
      Transaction transaction,
      Map<Node, Double> seeds,
      Parameters parameters,
      int cheap,
      Meter meter) {
    LocalPageRank local = new LocalPageRank(transaction, seeds, parameters, cheap, meter);
    WholeSolver whole = null;
    String endedBy;
    try {
      boolean reached = local.run();
      whole = reached ? null : local.next();
      if (whole != null) {
        reached = whole.run();
      }
      endedBy = reached ? null : "iterations";
    } catch (BudgetSpent spent) {
      if (!spent.which().equals("time")) {
        throw spent;
      }
      endedBy = spent.which();
    }
    return whole != null ? whole.scores(endedBy) : local.scores(endedBy);
  }
}
