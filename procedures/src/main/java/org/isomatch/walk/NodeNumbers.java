package org.isomatch.walk;

import java.util.Arrays;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;

/**
 * Numbers the nodes that a walk meets, 0, 1, 2, …, so that arrays can hold what is known of them.
 *
 * <p>A hash table with open addressing, at most half full: a map of objects would take ten times
 * the memory.
 */
@SuppressWarnings({"deprecation", "removal"}) // internal ids: compact, and they never leave
final class NodeNumbers {
  private static final int LEAST = 1 << 10;
  private static final long MIXER = 0x9E3779B97F4A7C15L; // Knuth's: 2^64 by the golden ratio
  static final int BYTES = Long.BYTES + 2 * Integer.BYTES; // of one node

  private final Meter meter;
  private long[] ids = new long[LEAST];
  private int[] table = new int[2 * LEAST]; // number + 1; 0 is free
  private int shift = Long.SIZE - Integer.numberOfTrailingZeros(table.length);
  private int size;

  NodeNumbers(Meter meter) {
    this.meter = meter;
    meter.allocate((long) LEAST * BYTES);
  }

  int size() {
    return size;
  }

  /** The node of a number. */
  Node node(Transaction transaction, int number) {
    return transaction.getNodeById(ids[number]);
  }

  /** Less than 0 where the first is the older of two nodes, as the server numbers them. */
  int order(int one, int other) {
    return Long.compare(ids[one], ids[other]);
  }

  /** The number of a node, a new one where it has none yet. */
  int number(Node node) {
    return number(node.getId());
  }

  private int number(long id) {
    int place = place(id);
    if (table[place] == 0) {
      if (size == ids.length) {
        grow();
        place = place(id);
      }
      ids[size] = id;
      table[place] = ++size;
    }
    return table[place] - 1;
  }

  private int place(long id) {
    int place = (int) (id * MIXER >>> shift);
    while (table[place] != 0 && ids[table[place] - 1] != id) {
      place = place + 1 & table.length - 1;
    }
    return place;
  }

  private void grow() {
    int capacity = 2 * size;
    meter.allocate((long) capacity * BYTES);
    ids = Arrays.copyOf(ids, capacity);
    table = new int[2 * capacity];
    shift--;
    for (int number = 0; number < size; number++) {
      table[place(ids[number])] = number + 1;
    }
    meter.release((long) size * BYTES);
  }
}
