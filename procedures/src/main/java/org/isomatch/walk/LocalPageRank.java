package org.isomatch.walk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;
import org.isomatch.walk.PersonalisedPageRank.Scores;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;

/**
 * Personalised PageRank by pushing mass, over a graph that is read node by node as far as needed.
 *
 * <p>In an iteration each node that was read settles {@code 1 - damping} of its pending mass, and
 * passes the rest to its neighbours (Andersen, Chung and Lang, FOCS 2006, section 3, but all nodes
 * at once). Settled and pending mass together are a power iteration's vector; with pending mass r
 * they are off by at most {@code damping |P r - r| / (1 - damping)} in sum, and by what unread
 * nodes would pass on.
 */
final class LocalPageRank {
  /** A part of 1 / {@value} of the database: if more is needed, all is read. */
  private static final int SHARE = 32;

  /** Relationships that are read before the database is asked for its size. */
  private static final int SMALL = 1 << 12;

  private static final int BYTES_PER_NODE = 160; // in the map, the lists and the arrays
  private static final int BYTES_PER_READ_NODE = 16;

  private final Transaction transaction;
  private final Parameters parameters;
  private final double damping;
  private final double tolerance;
  private final Meter meter;
  private final Map<Long, Integer> numbers = new HashMap<>();
  private final List<Long> ids = new ArrayList<>();
  private final List<int[]> ends = new ArrayList<>(); // null for a node that was not read
  private final int[] seeds;
  private final double[] weights; // of the seeds, 1 in sum
  private double[] settled = new double[1 << 10];
  private double[] pending = new double[1 << 10];
  private double[] arriving = new double[1 << 10];
  private int endsRead;
  private int iterations;
  private double error = 2; // both the scores and the true ones are 1 in sum
  private long nodes = -1; // of the database; -1 if not asked yet
  private long relationships;
  private boolean fits; // whether there is memory for the whole graph
  private WholeGraph whole; // null as long as it is not read

  LocalPageRank(
      Transaction transaction, Map<Node, Double> seeds, Parameters parameters, Meter meter) {
    this.transaction = transaction;
    this.parameters = parameters;
    this.damping = parameters.damping();
    this.tolerance = parameters.tolerance();
    this.meter = meter;
    double sum = seeds.values().stream().mapToDouble(weight -> weight).sum();
    this.seeds = seeds.keySet().stream().mapToInt(this::number).toArray();
    this.weights = seeds.values().stream().mapToDouble(weight -> weight / sum).toArray();
    for (int i = 0; i < weights.length; i++) {
      pending[this.seeds[i]] = weights[i];
    }
  }

  /**
   * Works until the tolerance is reached, nothing more is to be read, or the whole graph is read.
   * False if the iterations are used up or {@link #next} goes on. What was found stays valid if a
   * budget ends it.
   */
  boolean run() {
    while (true) {
      boolean ready = !readNodes();
      if (whole != null) {
        return false;
      }
      push();
      iterations++;
      double change = change() / (1 - damping);
      error = change + damping * pendingAtUnread();
      if (error <= tolerance || (ready && change <= tolerance / 2)) {
        return true;
      } else if (iterations >= parameters.iterations()) {
        return false;
      }
      settle();
    }
  }

  /** The scores, where pending mass counts as far as it would stay at its node. */
  Scores scores(String endedBy) {
    for (int node = 0; node < ids.size(); node++) {
      settled[node] += (ends.get(node) != null ? 1 : 1 - damping) * pending[node];
    }
    return new Scores(ids::get, settled, ids.size(), iterations, error, endedBy, meter);
  }

  /** Goes on over the whole graph; null if it was not read. */
  WholeSolver next() {
    if (whole == null) {
      return null;
    }
    int size = whole.degrees().length;
    meter.allocate((long) size * WholeSolver.BYTES_PER_NODE);
    double[] start = new double[size];
    for (int node = 0; node < ids.size(); node++) {
      start[ids.get(node).intValue()] = settled[node] + pending[node];
    }
    int[] places = Arrays.stream(seeds).map(seed -> ids.get(seed).intValue()).toArray();
    return new WholeSolver(whole, parameters, places, weights, start, iterations, meter);
  }

  private void push() {
    Arrays.fill(arriving, 0);
    double ended = 0;
    for (int node = 0; node < ids.size(); node++) {
      if (node % WholeSolver.STEP == 0) {
        meter.check();
      }
      int[] there = ends.get(node);
      if (there == null || pending[node] == 0) {
        continue;
      }
      double passed = damping * pending[node];
      ended += there.length == 0 ? passed : 0;
      for (int end : there) {
        arriving[end] += passed / there.length;
      }
    }
    for (int i = 0; i < seeds.length; i++) { // where nothing leads on, it begins again
      arriving[seeds[i]] += ended * weights[i];
    }
  }

  /** How far what arrives is from what was passed on, in sum. */
  private double change() {
    return IntStream.range(0, ids.size())
        .mapToDouble(n -> arriving[n] - (ends.get(n) == null ? 0 : damping * pending[n]))
        .map(Math::abs)
        .sum();
  }

  private void settle() {
    double sum = 0;
    for (int node = 0; node < ids.size(); node++) {
      if (ends.get(node) != null) {
        settled[node] += (1 - damping) * pending[node];
        pending[node] = 0;
      }
      pending[node] += arriving[node];
      sum += pending[node];
    }
    error = 2 * sum; // until more is known
  }

  private boolean isUnread(int node) {
    return pending[node] > 0 && ends.get(node) == null;
  }

  private double pendingAtUnread() {
    return IntStream.range(0, ids.size())
        .filter(this::isUnread)
        .mapToDouble(node -> pending[node])
        .sum();
  }

  /** Reads the nodes with too much pending mass, or the whole graph; whether it read any. */
  private boolean readNodes() {
    if (damping * pendingAtUnread() <= tolerance / 2) {
      return false;
    }
    int[] unread = IntStream.range(0, ids.size()).filter(this::isUnread).toArray();
    double least = tolerance / 2 / unread.length; // smaller ones are half the tolerance in sum
    int left = unread.length;
    boolean any = false;
    for (int node : unread) {
      if (pending[node] < least) {
        continue;
      }
      if (isMuch(left--)) {
        readWhole();
        if (whole != null) {
          return true;
        }
      }
      if (fits || endsRead < parameters.cheap() || pending[node] >= tolerance) {
        read(node);
        any = true;
      }
    }
    return any;
  }

  private void read(int number) {
    Node node = Graph.node(transaction, ids.get(number));
    IntStream.Builder found = IntStream.builder();
    try (ResourceIterable<Relationship> all = parameters.reach().of(node);
        ResourceIterator<Relationship> each = all.iterator()) {
      meter.tick();
      while (each.hasNext()) {
        found.add(number(each.next().getOtherNode(node)));
        meter.tick();
      }
    }
    int[] read = found.build().toArray();
    meter.allocate(BYTES_PER_READ_NODE + (long) read.length * Integer.BYTES);
    ends.set(number, read);
    endsRead += read.length;
  }

  private int number(Node node) {
    Long id = Graph.id(node);
    Integer known = numbers.get(id);
    if (known != null) {
      return known;
    }
    meter.allocate(BYTES_PER_NODE);
    int number = ids.size();
    numbers.put(id, number);
    ids.add(id);
    ends.add(null);
    if (number == settled.length) {
      settled = Arrays.copyOf(settled, 2 * number);
      pending = Arrays.copyOf(pending, 2 * number);
      arriving = new double[2 * number];
    }
    return number;
  }

  /** Whether what was read, with that many nodes more, is much of a database that fits. */
  private boolean isMuch(int more) {
    if (nodes < 0 && endsRead + more >= SMALL) {
      nodes = Graph.countOfNodes(transaction, null);
      relationships = Graph.countOfRelationships(transaction, null);
      fits = room() >= nodes;
    }
    int ways = parameters.reach().direction() == Direction.BOTH ? 2 : 1;
    double degree = (double) ways * relationships / Math.max(nodes, 1);
    return fits && endsRead + more * degree >= relationships / SHARE;
  }

  /** For how many nodes there is memory if all relationships are read. */
  private long room() {
    long free = parameters.memory() - meter.peak();
    return WholeGraph.room(free, relationships, WholeSolver.BYTES_PER_NODE);
  }

  private void readWhole() {
    fits = room() >= nodes;
    if (fits) {
      long last = ids.stream().mapToLong(Long::longValue).max().orElse(0);
      whole =
          WholeGraph.read(
              transaction, parameters.reach(), (int) relationships, last, room(), meter);
      fits = whole != null;
    }
  }
}
