package org.isomatch.search;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.isomatch.candidates.CandidateList;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.candidates.Candidates;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.pattern.Pattern;
import org.isomatch.search.Search.Options;

/**
 * The order of the search: the choices of an interpretation, and which edges each of them decides.
 *
 * <p>Every connected part starts at the known node from which the fewest relationships leave, and
 * grows edge by edge: first edges that close a cycle, then those that lead to a known node.
 */
public final class Plan {
  private static final int SAMPLED = 4;

  final Shape shape;
  final List<Slot> slots = new ArrayList<>();
  /** By slot: edges that can be followed once it is chosen, in order. */
  final List<List<Integer>> follow = new ArrayList<>();
  /** Edges in the order of the search. */
  final int[] order;
  /** By node: its slot and its type's slot; -1 for none. */
  final int[] nodeSlot;
  final int[] typeSlot;
  /** By edge: the slot of its relation; -1 for an unknown one. */
  final int[] relationSlot;
  /** By node: the last place in {@link #order} of an edge that touches it. */
  final int[] lastUse;

  final Pattern pattern;
  private final Candidates candidates;
  private final Options options;
  private final Graph graph;
  private final Meter meter;

  Plan(Pattern pattern, Candidates candidates, Options options, Graph graph, Meter meter) {
    this.pattern = pattern;
    this.candidates = candidates;
    this.options = options;
    this.graph = graph;
    this.meter = meter;
    shape = new Shape(pattern, options);
    nodeSlot = filled(shape.nodes);
    typeSlot = filled(shape.nodes);
    relationSlot = filled(shape.edges);
    lastUse = filled(shape.nodes);
    List<Integer> ordered = new ArrayList<>();
    for (int[] component : Pattern.components(pattern.edges())) {
      component(component, ordered);
    }
    order = ordered.stream().mapToInt(Integer::intValue).toArray();
    for (int i = 0; i < order.length; i++) {
      lastUse[shape.source[order[i]]] = i;
      lastUse[shape.target[order[i]]] = i;
    }
  }

  String name(Slot slot) {
    return switch (slot.kind) {
      case NODE -> "node '" + pattern.nodes().get(slot.index).id() + "'";
      case TYPE -> "type of '" + pattern.nodes().get(slot.index).id() + "'";
      case RELATION -> "edge " + slot.index;
    };
  }

  private static int[] filled(int size) {
    int[] made = new int[size];
    Arrays.fill(made, -1);
    return made;
  }

  private void component(int[] edges, List<Integer> ordered) {
    BitSet visited = new BitSet();
    List<Integer> rest = IntStream.of(edges).boxed().collect(Collectors.toList());
    int start = start(edges);
    if (start >= 0) {
      visit(start, visited);
    }
    while (!rest.isEmpty()) {
      Integer edge = next(rest, visited);
      rest.remove(edge);
      ordered.add(edge);
      edge(edge, visited);
    }
  }

  /** The known node to start from; -1 where the component has none. */
  private int start(int[] edges) {
    int best = -1;
    double least = Double.POSITIVE_INFINITY;
    for (int e : edges) {
      for (int n : new int[] {shape.source[e], shape.target[e]}) {
        if (shape.known[n] && cost(n) < least) {
          least = cost(n);
          best = n;
        }
      }
    }
    return best;
  }

  /** Relationships that leave the candidates of a node, by a sample of the nearest. */
  private double cost(int node) {
    CandidateList list = candidates.nodes().get(pattern.nodes().get(node).id());
    int looked = Math.min(SAMPLED, list.size());
    double degrees = 0;
    for (int i = 0; i < looked; i++) {
      long number = graph.number(list.item(i));
      // The nodes of a value are only found by an index or by reading many.
      degrees += number == Graph.NONE ? 0 : Graph.isValue(number) ? 10_000 : graph.degree(number);
    }
    return looked == 0 ? 0 : list.size() * (1 + degrees / looked);
  }

  private int next(List<Integer> rest, BitSet visited) {
    return Collections.min(rest, Comparator.comparingInt(e -> cost(e, visited)));
  }

  private int cost(int e, BitSet visited) {
    boolean a = visited.get(shape.source[e]);
    boolean b = visited.get(shape.target[e]);
    int far = a ? shape.target[e] : shape.source[e];
    return (a && b ? 0 : !a && !b ? 8 : shape.known[far] ? 2 : 4) + (shape.named[e] ? 0 : 1);
  }

  private void edge(int e, BitSet visited) {
    int near = visited.get(shape.source[e]) ? shape.source[e] : shape.target[e];
    if (shape.named[e]) {
      relationSlot[e] = slots.size();
      add(Kind.RELATION, e, candidates.relations().get(e), 1.0);
    }
    if (!follow.isEmpty()) {
      follow.get(follow.size() - 1).add(e);
    }
    if (!visited.get(near)) { // the start of a component without known nodes
      visit(near, visited);
    }
    int far = shape.other(e, near);
    if (!visited.get(far)) {
      visit(far, visited);
    }
    if (shape.value[e] >= 0) {
      visit(shape.value[e], visited);
    }
  }

  private void visit(int node, BitSet visited) {
    visited.set(node);
    String id = pattern.nodes().get(node).id();
    if (shape.known[node]) {
      nodeSlot[node] = slots.size();
      add(Kind.NODE, node, candidates.nodes().get(id), 1.0);
    }
    CandidateList types = candidates.types().get(id);
    if (types != null) {
      typeSlot[node] = slots.size();
      add(Kind.TYPE, node, types, options.typeWeight());
    }
  }

  private void add(Kind kind, int index, CandidateList list, double weight) {
    slots.add(new Slot(kind, index, list, weight, graph, meter));
    follow.add(new ArrayList<>());
  }
}
