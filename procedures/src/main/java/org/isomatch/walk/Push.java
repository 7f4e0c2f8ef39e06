package org.isomatch.walk;

import java.util.Arrays;
import java.util.Map;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/**
 * Personalised PageRank by passing mass on, over a graph that is read node by node as far as it
 * matters.
 *
 * <p>In an iteration each node that was read settles {@code 1 - damping} of its pending mass, and
 * passes the rest to its neighbours (Andersen, Chung and Lang, Local Graph Partitioning using
 * PageRank Vectors, FOCS 2006, section 3, but all nodes at once). Settled and pending mass together
 * are then a power iteration's vector; with pending mass r they are off by at most {@code damping |P
 * r - r| / (1 - damping)}, all nodes in sum. What is pending at nodes that were not read counts as
 * theirs as far as they would settle it, and adds the rest to the error.
 */
final class Push implements Solver {
  // Of the database, from which on all is read: what hangs together is small, or most of it.
  private static final int SHARE = 32;
  private static final int ASK = 1 << 12; // relationships before the database is asked for its size
  private static final int STEP = 1 << 14; // nodes between two looks at the meter
  private static final int BYTES_PER_NODE = 3 * Double.BYTES;

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
  private long nodes = -1; // of the database; -1: not asked yet
  private long relationships;
  private double degree; // of the database's nodes on average
  private boolean fits; // whether there is memory for all of it
  private WholeGraph whole; // null as long as it is not read
  private int iterations;
  private double residual = 2; // both the scores and the true ones are 1 in sum
  private int known; // nodes that the arrays below hold
  private double[] settled = {};
  private double[] pending = {};
  private double[] arriving = {};

  /**
   * @param cheap relationships that are read before only nodes with much mass are
   */
  Push(
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
    makeRoom();
    for (int i = 0; i < weights.length; i++) {
      pending[this.seeds[i]] = weights[i];
    }
  }

  @Override
  public boolean run() {
    while (true) {
      boolean ready = !readOn();
      if (whole != null) {
        return false;
      }
      passOn();
      iterations++;
      double error = change() / (1 - damping);
      residual = error + damping * held();
      if (residual <= tolerance || ready && error <= tolerance / 2) {
        return true;
      } else if (iterations >= parameters.iterations()) {
        return false;
      }
      settle();
    }
  }

  /** Goes on over the whole graph; null where that was not read. */
  WholeSolver next() {
    if (whole == null) {
      return null;
    }
    meter.allocate((long) whole.size() * WholeSolver.BYTES_PER_NODE);
    double[] scores = new double[whole.size()];
    for (int node = 0; node < known; node++) {
      scores[(int) numbers.id(node)] = settled[node] + pending[node];
    }
    int[] places = Arrays.stream(seeds).map(seed -> (int) numbers.id(seed)).toArray();
    WholeSolver.Start start = new WholeSolver.Start(places, weights, scores, iterations);
    return WholeSolver.of(whole, parameters, start, meter);
  }

  // -- reading -----------------------------------------------------------------------

  /** Reads the nodes that hold too much to be left out, or the whole database; whether any. */
  private boolean readOn() {
    int holders = 0;
    for (int node = 0; node < known; node++) {
      holders += pending[node] > 0 && !part.isRead(node) ? 1 : 0;
    }
    if (damping * held() <= tolerance / 2) {
      return false;
    }
    double least = tolerance / 2 / holders; // those with less hold half the tolerance together
    boolean any = false;
    for (int node = 0; node < known; node++) {
      if (pending[node] < least || part.isRead(node)) {
        continue;
      }
      if (isMuch(holders--)) {
        readWhole();
        if (whole != null) {
          return true;
        }
      }
      if (fits || part.size() < cheap || pending[node] >= tolerance) {
        part.read(node);
        any = true;
      }
    }
    makeRoom();
    return any;
  }

  /** Whether what was read, with that many nodes more, is much of a database that fits. */
  private boolean isMuch(int more) {
    if (nodes < 0 && part.size() + more >= ASK) {
      nodes = count("MATCH (n) RETURN count(n)");
      relationships = count("MATCH ()-[r]->() RETURN count(r)");
      boolean bothWays = parameters.reach().direction() == Direction.BOTH;
      degree = (bothWays ? 2.0 : 1.0) * relationships / Math.max(nodes, 1);
      fits = room() >= nodes;
    }
    return fits && part.size() + more * degree >= relationships / SHARE;
  }

  private long count(String query) {
    try (Result result = transaction.execute(query)) {
      return (long) result.next().values().iterator().next();
    }
  }

  /** For how many nodes there is memory if all relationships are read. */
  private long room() {
    long free = parameters.memory() - meter.peak();
    return WholeGraph.room(free, relationships, WholeSolver.BYTES_PER_NODE);
  }

  private void readWhole() {
    long last = 0;
    for (int node = 0; node < known; node++) {
      last = Math.max(last, numbers.id(node));
    }
    fits = room() >= nodes;
    if (fits) {
      Reach reach = parameters.reach();
      whole = WholeGraph.read(transaction, reach, (int) relationships, last, room(), meter);
      fits = whole != null;
    }
  }

  private void makeRoom() {
    known = numbers.size();
    int old = settled.length;
    if (known > old) {
      int places = Math.max(known, 2 * old);
      meter.allocate((long) places * BYTES_PER_NODE);
      settled = Arrays.copyOf(settled, places);
      pending = Arrays.copyOf(pending, places);
      arriving = new double[places];
      meter.release((long) old * BYTES_PER_NODE);
    }
  }

  // -- passing on --------------------------------------------------------------------

  private void passOn() {
    Arrays.fill(arriving, 0, known, 0);
    double ended = 0;
    for (int node = 0; node < known; node++) {
      if (node % STEP == 0) {
        meter.check();
      }
      if (pending[node] > 0 && part.isRead(node)) {
        ended += part.passOn(node, damping * pending[node], arriving);
      }
    }
    for (int i = 0; i < seeds.length; i++) {
      arriving[seeds[i]] += ended * weights[i];
    }
  }

  /** How far what arrives is from what was passed on, in sum. */
  private double change() {
    double change = 0;
    for (int node = 0; node < known; node++) {
      double passed = part.isRead(node) ? damping * pending[node] : 0;
      change += Math.abs(arriving[node] - passed);
    }
    return change;
  }

  /** What is pending at nodes that were not read. */
  private double held() {
    double held = 0;
    for (int node = 0; node < known; node++) {
      held += part.isRead(node) ? 0 : pending[node];
    }
    return held;
  }

  private void settle() {
    double sum = 0;
    for (int node = 0; node < known; node++) {
      if (part.isRead(node)) {
        settled[node] += (1 - damping) * pending[node];
        pending[node] = arriving[node];
      } else {
        pending[node] += arriving[node];
      }
      sum += pending[node];
    }
    residual = 2 * sum; // until more is known
  }

  @Override
  public Scores scores(String endedBy) {
    for (int node = 0; node < known; node++) {
      settled[node] += (part.isRead(node) ? 1 : 1 - damping) * pending[node];
    }
    return new Scores(numbers::id, settled, known, iterations, residual, endedBy, meter);
  }
}
