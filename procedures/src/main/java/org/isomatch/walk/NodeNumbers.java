package org.isomatch.walk;

import java.util.Arrays;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Node;

/**
 * Numbers the nodes that a walk meets, 0, 1, 2, …, so that arrays can hold what is known of them.
 *
 * <p>A hash table with open addressing, at most half full: a map of objects would take ten times
 * the memory.
 */
final class NodeNumbers {
  private static final int LEAST = 1 << 10;
  private static final long MIXER = 0x9E3779B97F4A7C15L; // Knuth's: 2^64 by the golden ratio
  private static final int BYTES = Long.BYTES + 2 * Integer.BYTES; // of one node

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

  /** The {@link NodeIds id} of a numbered node. */
  long id(int number) {
    return ids[number];
  }

  /** The number of a node, a new one where it has none yet. */
  int number(Node node) {
    return number(NodeIds.of(node));
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
