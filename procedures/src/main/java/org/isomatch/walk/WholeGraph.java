package org.isomatch.walk;

import java.util.Arrays;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;

/**
 * All relationships of a database, in rows by the node that they lead to.
 *
 * <p>Read in the order in which they are stored, which takes a tenth of the time of reading them
 * node by node.
 */
final class WholeGraph {
  private static final long BYTES_PER_RELATIONSHIP = 4L * Integer.BYTES;

  private final int[] first; // of each node's row in `sources`; one more at the end
  private final int[] sources;
  private final int[] degrees;

  private WholeGraph(int[] first, int[] sources, int[] degrees) {
    this.first = first;
    this.sources = sources;
    this.degrees = degrees;
  }

  /** Bytes of heap that it takes to read that much. */
  static long bytes(long nodes, long relationships) {
    return relationships * BYTES_PER_RELATIONSHIP + nodes * 2 * Integer.BYTES;
  }

  /** The sum of values of the nodes that lead to one, each as often as it does. */
  double sum(double[] values, int node) {
    double sum = 0;
    for (int i = first[node], end = first[node + 1]; i < end; i++) {
      sum += values[sources[i]];
    }
    return sum;
  }

  /** How many relationships lead on from a node. */
  int degree(int node) {
    return degrees[node];
  }

  /**
   * Reads everything.
   *
   * @param numbers gets all nodes that have relationships
   * @param expected about how many relationships there are
   */
  static WholeGraph read(
      Transaction transaction, Reach reach, NodeNumbers numbers, int expected, Meter meter) {
    int room = Math.max(expected, 1);
    meter.allocate(2L * room * Integer.BYTES);
    int[] from = new int[room];
    int[] to = new int[room];
    int size = 0;
    try (ResourceIterable<Relationship> all = transaction.getAllRelationships();
        ResourceIterator<Relationship> each = all.iterator()) {
      while (each.hasNext()) {
        meter.tick();
        Relationship relationship = each.next();
        if (!reach.takes(relationship)) {
          continue;
        }
        if (size == room) { // others write meanwhile
          int more = room / 8 + 1024;
          meter.allocate(2L * more * Integer.BYTES);
          room += more;
          from = Arrays.copyOf(from, room);
          to = Arrays.copyOf(to, room);
        }
        from[size] = numbers.number(relationship.getStartNode());
        to[size++] = numbers.number(relationship.getEndNode());
      }
    }
    boolean backwards = reach.direction() == Direction.INCOMING;
    boolean bothWays = reach.direction() == Direction.BOTH;
    WholeGraph whole =
        rows(backwards ? to : from, backwards ? from : to, size, bothWays, numbers.size(), meter);
    meter.release(2L * room * Integer.BYTES);
    return whole;
  }

  private static WholeGraph rows(
      int[] from, int[] to, int size, boolean bothWays, int nodes, Meter meter) {
    meter.allocate(2L * nodes * Integer.BYTES);
    int[] first = new int[nodes + 1];
    int[] degrees = new int[nodes];
    for (int i = 0; i < size; i++) {
      first[to[i]]++;
      degrees[from[i]]++;
      if (bothWays && from[i] != to[i]) {
        first[from[i]]++;
        degrees[to[i]]++;
      }
    }
    meter.check();
    int total = 0;
    for (int node = 0; node <= nodes; node++) {
      total += first[node];
      first[node] = total; // where its row ends, until it is filled from there
    }
    meter.allocate((long) total * Integer.BYTES);
    int[] sources = new int[total];
    for (int i = 0; i < size; i++) {
      if ((i & 0xFFFFF) == 0) {
        meter.check();
      }
      sources[--first[to[i]]] = from[i];
      if (bothWays && from[i] != to[i]) {
        sources[--first[from[i]]] = to[i];
      }
    }
    return new WholeGraph(first, sources, degrees);
  }
}
