package org.isomatch.walk;

import java.util.Arrays;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;

/** The part of a graph that was read node by node: the other ends of each node's relationships. */
final class ReadPart {
  private static final int UNREAD = -1;

  private final Transaction transaction;
  private final Reach reach;
  private final NodeNumbers numbers;
  private final Meter meter;
  private int[] first = {};
  private int[] degree = {};
  private int[] ends = new int[1 << 10];
  private int size;

  ReadPart(Transaction transaction, Reach reach, NodeNumbers numbers, Meter meter) {
    this.transaction = transaction;
    this.reach = reach;
    this.numbers = numbers;
    this.meter = meter;
  }

  /** How many ends were read. */
  int size() {
    return size;
  }

  boolean isRead(int node) {
    return node < degree.length && degree[node] != UNREAD;
  }

  /**
   * Passes mass on in equal parts along all relationships of a node that was read.
   *
   * @param arriving by node; gets the parts
   * @return what cannot be passed on: all of it where none leads on
   */
  double passOn(int node, double mass, double[] arriving) {
    if (degree[node] == 0) {
      return mass;
    }
    double share = mass / degree[node];
    for (int i = first[node], end = i + degree[node]; i < end; i++) {
      arriving[ends[i]] += share;
    }
    return 0;
  }

  /**
   * Reads a node; what is met for the first time gets a number.
   *
   * @throws BudgetSpent and the node counts as not read
   */
  void read(int number) {
    makeRoom(number);
    int begin = size;
    try {
      Node node = NodeIds.node(transaction, numbers.id(number));
      try (ResourceIterable<Relationship> all = reach.of(node);
          ResourceIterator<Relationship> each = all.iterator()) {
        meter.tick();
        while (each.hasNext()) {
          add(numbers.number(each.next().getOtherNode(node)));
          meter.tick();
        }
      }
    } catch (BudgetSpent spent) {
      size = begin;
      throw spent;
    }
    first[number] = begin;
    degree[number] = size - begin;
  }

  private void add(int end) {
    if (size == ends.length) {
      meter.allocate(2L * size * Integer.BYTES);
      ends = Arrays.copyOf(ends, 2 * size);
      meter.release((long) size * Integer.BYTES);
    }
    ends[size++] = end;
  }

  private void makeRoom(int number) {
    int old = degree.length;
    if (number >= old) {
      int room = Math.max(2 * old, number + (1 << 10));
      meter.allocate(2L * room * Integer.BYTES);
      first = Arrays.copyOf(first, room);
      degree = Arrays.copyOf(degree, room);
      Arrays.fill(degree, old, room, UNREAD);
      meter.release(2L * old * Integer.BYTES);
    }
  }
}
