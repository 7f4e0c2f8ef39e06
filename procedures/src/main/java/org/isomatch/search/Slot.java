package org.isomatch.search;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.isomatch.candidates.CandidateList;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Relation;
import org.isomatch.graph.Value;
import org.isomatch.search.Found.Choice;

/**
 * One choice of an interpretation: a part of the pattern and its list.
 *
 * <p>Ids of nodes are looked up in the graph when they are first needed: of 16,384 candidates most
 * are never reached.
 */
final class Slot {
  private static final long UNREAD = Long.MIN_VALUE + 1;

  final Kind kind;
  /** Number of the node (nodes, types) or of the edge (relations). */
  final int index;
  final CandidateList list;

  private final double weight;
  private final Graph graph;
  private final long[] numbers;
  private final Map<Long, int[]> placesOfNodes = new HashMap<>();
  private final Meter meter;
  private Map<Object, Integer> places;
  private Boolean hasProperties;
  /** Candidates that were looked for and are not in the graph any more. */
  int gone;

  Slot(Kind kind, int index, CandidateList list, double weight, Graph graph, Meter meter) {
    this.kind = kind;
    this.index = index;
    this.list = list;
    this.weight = weight;
    this.graph = graph;
    this.meter = meter;
    meter.allocate(16L + 8L * list.size());
    numbers = kind == Kind.NODE ? new long[list.size()] : null;
    if (numbers != null) {
      Arrays.fill(numbers, UNREAD);
    }
  }

  int size() {
    return list.size();
  }

  double distance(int entry) {
    return list.distance(entry) * weight;
  }

  /** The smallest distance; infinity for an empty list. */
  double least() {
    return size() == 0 ? Double.POSITIVE_INFINITY : distance(0);
  }

  /** No element outside the list is nearer. */
  double frontier() {
    return Double.isInfinite(list.frontier()) ? list.frontier() : list.frontier() * weight;
  }

  /** The element of a node's candidate; {@link Graph#NONE} where it is gone. */
  long number(int entry) {
    if (numbers[entry] == UNREAD) {
      numbers[entry] = graph.number(list.item(entry));
      if (numbers[entry] == Graph.NONE) {
        gone++;
      }
    }
    return numbers[entry];
  }

  Choice choice(int entry) {
    return new Choice(kind, index, list.id(entry), distance(entry));
  }

  Relation relation(int entry) {
    return Relation.of((String) list.item(entry));
  }

  String type(int entry) {
    return (String) list.item(entry);
  }

  /** The place in the list of a relation's or type's id; -1 where it is not in it. */
  int place(String id) {
    return places().getOrDefault(id, -1);
  }

  /** The same for an element of the graph, without looking up all others. */
  int place(long element) {
    Object id = Graph.isValue(element) ? (Object) element : graph.elementId(element);
    return places().getOrDefault(id, -1);
  }

  private Map<Object, Integer> places() {
    if (places == null) {
      places = new HashMap<>();
      meter.allocate(64L * size());
      for (int i = size() - 1; i >= 0; i--) {
        boolean isValue = list.item(i) instanceof Value;
        places.put(isValue ? (Object) number(i) : list.id(i), i);
      }
    }
    return places;
  }

  private boolean hasProperties() {
    if (hasProperties == null) {
      hasProperties = IntStream.range(0, size()).anyMatch(i -> ((String) list.id(i)).startsWith("."));
    }
    return hasProperties;
  }

  /** The places of the relations that a node has, ascending; hubs are met again and again. */
  int[] placesAt(long node) {
    int[] known = placesOfNodes.get(node);
    if (known == null) {
      known =
          graph.relations(node, hasProperties()).stream()
              .mapToInt(this::place)
              .filter(p -> p >= 0)
              .sorted()
              .toArray();
      long size = 96 + 4L * known.length;
      if (meter.hasRoom(size)) {
        meter.allocate(size);
        placesOfNodes.put(node, known);
      }
    }
    return known;
  }
}
