package org.isomatch.candidates;

import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.isomatch.graph.Equality;
import org.neo4j.graphdb.Node;

/** A candidate list in the making. */
final class ListBuilder {
  /** The nodes of this name; an item until they are found. */
  record Named(String name) {}

  private Object[] items;
  private double[] distances;
  private int size;
  private double frontier = Double.NEGATIVE_INFINITY;
  private boolean approximate;

  ListBuilder(int capacity) {
    items = new Object[capacity];
    distances = new double[capacity];
  }

  void add(Object item, double distance) {
    if (size == items.length) {
      int larger = Math.max(8, size * 2);
      items = Arrays.copyOf(items, larger);
      distances = Arrays.copyOf(distances, larger);
    }
    items[size] = item;
    distances[size++] = distance;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Nothing outside the list is nearer than this; not known where it is not said. */
  void frontier(double least) {
    frontier = least;
  }

  void approximate(boolean whether) {
    approximate = whether;
  }

  /** The names among the items. */
  void names(Set<String> into) {
    for (int i = 0; i < size; i++) {
      if (items[i] instanceof Named named) {
        into.add(named.name());
      }
    }
  }

  /** The same list with the nodes in place of their names. */
  ListBuilder resolved(Map<String, List<Node>> nodes) {
    Set<String> names = new HashSet<>();
    names(names);
    if (names.isEmpty()) {
      return this;
    }
    ListBuilder found = new ListBuilder(size);
    found.frontier = frontier;
    found.approximate = approximate;
    for (int i = 0; i < size; i++) {
      if (items[i] instanceof Named named) {
        for (Node node : nodes.getOrDefault(named.name(), List.of())) {
          found.add(node, distances[i]);
        }
      } else {
        found.add(items[i], distances[i]);
      }
    }
    return found;
  }

  /**
   * The list: ascending, each element once, with its least distance.
   *
   * @param most entries; null for all. What is cut off moves the frontier down.
   */
  CandidateList build(String text, Kind kind, Long most) {
    sort();
    int kept = 0;
    double least = frontier;
    Set<Object> seen = new HashSet<>(size * 2);
    for (int i = 0; i < size; i++) {
      if (!seen.add(identity(items[i]))) {
        continue;
      }
      if (most != null && kept == most) {
        least = Math.min(least, distances[i]);
        break;
      }
      items[kept] = items[i];
      distances[kept++] = distances[i];
    }
    return new CandidateList(
        text,
        kind,
        Arrays.copyOf(items, kept),
        Arrays.copyOf(distances, kept),
        least,
        approximate);
  }

  /** Equal for items that are one element: a node and its id, or values equal in Cypher. */
  private static Object identity(Object item) {
    if (item instanceof Value value) {
      return new Value(Equality.of(value.value()));
    }
    return item instanceof Node node ? node.getElementId() : item;
  }

  private void sort() {
    int i = 1;
    while (i < size && distances[i - 1] <= distances[i]) {
      i++;
    }
    if (i >= size) {
      return;
    }
    int[] order =
        IntStream.range(0, size)
            .boxed()
            .sorted(Comparator.comparingDouble(at -> distances[at]))
            .mapToInt(Integer::intValue)
            .toArray();
    Object[] before = items;
    double[] far = distances;
    items = new Object[size];
    distances = new double[size];
    for (int to = 0; to < size; to++) {
      items[to] = before[order[to]];
      distances[to] = far[order[to]];
    }
  }
}
