package org.isomatch.walk;

import java.util.Arrays;
import java.util.Map;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/**
 * Personalised PageRank: how likely a walk that begins at the seeds is at each node, if at each
 * step it goes on along any relationship with probability {@code damping}, and else begins again.
 *
 * <p>The scores are the fixed point of {@code p = damping · P p + (1 - damping) · s} (Page, Brin,
 * Motwani and Winograd, The PageRank Citation Ranking, 1999, section 6; OKGQA, arXiv 2410.08085,
 * appendix A.5, equation 3), as {@code networkx.pagerank} has it: parallel relationships count as
 * often as they are there, and a walk at a node that nothing leads away from begins again.
 *
 * <p>It is found by passing mass on: in an iteration each node settles {@code 1 - damping} of its
 * pending mass and passes the rest to its neighbours (Andersen, Chung and Lang, Local Graph
 * Partitioning using PageRank Vectors, FOCS 2006, section 3, but all nodes at once). Settled and
 * pending mass together are the vector of a power iteration that began at the seeds; with pending
 * mass r it is off by at most {@code damping / (1 - damping) · |P r - r|}, all nodes in sum.
 *
 * <p>Reading is the dear part, so a node is read when it matters:
 *
 * <ul>
 *   <li>Nodes are read one by one, those with the most pending mass, until all others hold less
 *       than half the tolerance together.
 *   <li>Where that comes to an eighth of the database, all of it is read instead, in the order in
 *       which it is stored, if it fits into the memory.
 *   <li>Where it does not fit, and {@value #CHEAP} relationships are read, then from there on only
 *       nodes are read that hold as much as the tolerance each.
 * </ul>
 *
 * <p><b>Tolerance</b> bounds the errors of all nodes in sum, and so of each one. networkx ends when
 * the changes of an iteration are in sum below the tolerance times the number of nodes, which for a
 * million nodes they always are. {@link Scores#residual} is the bound that was reached; it is above
 * the tolerance in the third case, or where the number of iterations or the time ended the work.
 */
public final class PersonalisedPageRank {
  private static final int CHEAP = 200_000;
  private static final int SHARE = 8; // of the database, from which on all of it is read
  private static final int ASK = 1 << 12; // reads before the database is asked for its size
  private static final int STEP = 1 << 14; // nodes between two looks at the meter
  private static final int BYTES_PER_NODE = 4 * Double.BYTES;

  /**
   * @param damping from 0, below 1
   * @param tolerance above 0; see above
   * @param iterations at most, from 1 on
   * @param reach which relationships are walked
   * @param memory bytes of heap that the meter allows
   */
  public record Parameters(
      double damping, double tolerance, int iterations, Reach reach, long memory) {}

  private final Transaction transaction;
  private final Parameters parameters;
  private final double damping;
  private final double tolerance;
  private final int cheap;
  private final Meter meter;
  private final NodeNumbers numbers;
  private final ReadPart part;
  private final int[] seeds;
  private final double[] weights; // of the seeds, 1 in sum
  private WholeGraph whole; // null until it is read
  private int relationships = -1; // of the database; -1: not asked yet
  private boolean fits; // whether the database fits into the memory
  private int known; // nodes that the arrays below hold
  private double[] settled = {};
  private double[] pending = {};
  private double[] arriving = {};
  private double[] shares = {};

  private PersonalisedPageRank(
      Transaction transaction,
      Map<Node, Double> seeds,
      Parameters parameters,
      int cheap,
      Meter meter) {
    this.transaction = transaction;
    this.parameters = parameters;
    this.damping = parameters.damping();
    this.tolerance = parameters.tolerance();
    this.cheap = cheap;
    this.meter = meter;
    this.numbers = new NodeNumbers(meter);
    this.part = new ReadPart(transaction, parameters.reach(), numbers, meter);
    double sum = seeds.values().stream().mapToDouble(Double::doubleValue).sum();
    this.seeds = seeds.keySet().stream().mapToInt(numbers::number).toArray();
    this.weights = seeds.values().stream().mapToDouble(weight -> weight / sum).toArray();
  }

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
    return new PersonalisedPageRank(transaction, seeds, parameters, cheap, meter).run();
  }

  private Scores run() {
    makeRoom();
    for (int i = 0; i < seeds.length; i++) {
      pending[seeds[i]] = weights[i];
    }
    int iterations = 0;
    try {
      while (true) {
        boolean ready = whole != null || readOn();
        if (whole == null) {
          passOn();
        } else {
          passOnInWhole();
        }
        iterations++;
        double error = change() / (1 - damping);
        double residual = error + damping * held();
        if (residual <= tolerance || ready && error <= tolerance / 2) {
          return scores(iterations, residual, null);
        } else if (iterations == parameters.iterations()) {
          return scores(iterations, residual, "iterations");
        }
        settle();
      }
    } catch (BudgetSpent spent) {
      if (!spent.which().equals("time")) {
        throw spent;
      }
      return scores(iterations, 2 * Arrays.stream(pending, 0, known).sum(), spent.which());
    }
  }

  // -- reading -----------------------------------------------------------------------

  /** Reads nodes, or the whole database; true where none is left that matters. */
  private boolean readOn() {
    int holders = 0;
    for (int node = 0; node < known; node++) {
      holders += !isRead(node) && pending[node] > 0 ? 1 : 0;
    }
    if (damping * held() <= tolerance / 2) {
      return true;
    }
    boolean none = true;
    for (int node = 0; node < known; node++) {
      double least = part.size() < cheap ? tolerance / 2 / holders : tolerance;
      if (pending[node] >= least && !isRead(node)) {
        none = false;
        if (shouldReadAll()) {
          whole = WholeGraph.read(
              transaction, parameters.reach(), numbers, relationships, meter);
          break;
        }
        part.read(node);
      }
    }
    makeRoom();
    return none;
  }

  private boolean shouldReadAll() {
    if (part.size() < ASK) {
      return false;
    }
    if (relationships < 0) {
      long nodes = count("MATCH (n) RETURN count(n)");
      long all = count("MATCH ()-[r]->() RETURN count(r)");
      long bytes = WholeGraph.bytes(nodes, all) + nodes * (NodeNumbers.BYTES + BYTES_PER_NODE);
      fits = all < Integer.MAX_VALUE / 2 && bytes < parameters.memory() - meter.peak();
      relationships = (int) Math.min(all, Integer.MAX_VALUE);
    }
    return fits && part.size() >= relationships / SHARE;
  }

  private long count(String query) {
    try (Result result = transaction.execute(query)) {
      return (long) result.next().values().iterator().next();
    }
  }

  private boolean isRead(int node) {
    return whole != null || part.isRead(node);
  }

  private void makeRoom() {
    known = numbers.size();
    int old = settled.length;
    if (known > old) {
      int room = Math.max(known, 2 * old);
      meter.allocate((long) room * BYTES_PER_NODE);
      settled = Arrays.copyOf(settled, room);
      pending = Arrays.copyOf(pending, room);
      arriving = new double[room];
      shares = new double[room];
      meter.release((long) old * BYTES_PER_NODE);
    }
  }

  // -- passing on --------------------------------------------------------------------

  /** Fills `arriving` from the nodes that were read one by one. */
  private void passOn() {
    Arrays.fill(arriving, 0, known, 0);
    double ended = 0;
    for (int node = 0; node < known; node++) {
      if (node % STEP == 0) {
        meter.check();
      }
      if (pending[node] > 0 && part.isRead(node)) {
        double passed = damping * pending[node];
        ended += part.passOn(node, passed, arriving);
      }
    }
    beginAgain(ended);
  }

  /** The same in rows by the node that is led to, which is faster by half. */
  private void passOnInWhole() {
    double ended = 0;
    for (int node = 0; node < known; node++) {
      double passed = damping * pending[node];
      int degree = whole.degree(node);
      ended += degree == 0 ? passed : 0;
      shares[node] = degree == 0 ? 0 : passed / degree;
    }
    for (int node = 0; node < known; node++) {
      if (node % STEP == 0) {
        meter.check();
      }
      arriving[node] = whole.sum(shares, node);
    }
    beginAgain(ended);
  }

  private void beginAgain(double mass) {
    for (int i = 0; i < seeds.length; i++) {
      arriving[seeds[i]] += mass * weights[i];
    }
  }

  /** How far what arrives is from what was passed on, in sum. */
  private double change() {
    double change = 0;
    for (int node = 0; node < known; node++) {
      change += Math.abs(arriving[node] - (isRead(node) ? damping * pending[node] : 0));
    }
    return change;
  }

  /** What is pending at nodes that were not read. */
  private double held() {
    double held = 0;
    for (int node = 0; whole == null && node < known; node++) {
      held += part.isRead(node) ? 0 : pending[node];
    }
    return held;
  }

  private void settle() {
    for (int node = 0; node < known; node++) {
      if (isRead(node)) {
        settled[node] += (1 - damping) * pending[node];
        pending[node] = arriving[node];
      } else {
        pending[node] += arriving[node];
      }
    }
  }

  private Scores scores(int iterations, double residual, String endedBy) {
    for (int node = 0; node < known; node++) {
      settled[node] += (isRead(node) ? 1 : 1 - damping) * pending[node];
    }
    return new Scores(numbers, meter, settled, known, iterations, residual, endedBy);
  }
}
