package org.isomatch.search;

import java.util.Arrays;
import java.util.List;
import org.isomatch.graph.Cursor;
import org.isomatch.graph.Fact;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Longs;
import org.isomatch.graph.Relation;
import org.neo4j.graphdb.Direction;

/**
 * The matches that the nearest interpretation may have: fan-outs edge by edge, in the order of the
 * search. How many facts there are is counted; what they lead to is a sample.
 */
final class Sample {
  private static final int STARTS = 16;
  private static final int SIZE = 256;
  /** Facts that are read where the database cannot count them. */
  private static final int MOST_READ = 10_000;

  private final Plan plan;
  private final Shape shape;
  private final Graph graph;
  /** By node: some of the elements that it may be; null before an edge led there. */
  private final long[][] at;

  Sample(Plan plan, Graph graph) {
    this.plan = plan;
    this.graph = graph;
    shape = plan.shape;
    at = new long[shape.nodes][];
  }

  double rows() {
    double rows = 1;
    for (int e : plan.order) {
      int slot = plan.relationSlot[e];
      Relation relation = slot < 0 ? null : plan.slots.get(slot).relation(0);
      int near = isBegun(e, shape.source[e], relation) ? shape.source[e] : shape.target[e];
      rows *= isBegun(e, near, relation) ? fanOut(e, near, relation) : all(e, relation);
    }
    return rows;
  }

  /** Whether elements of a node are at hand: an edge led there, or it has candidates. */
  private boolean isBegun(int e, int node, Relation relation) {
    if (at[node] == null && plan.nodeSlot[node] >= 0) {
      Slot slot = plan.slots.get(plan.nodeSlot[node]);
      Direction direction = shape.direction(e, node);
      // The nearest with a fact: of a node and a text of one name, mostly one has any.
      long chosen = Graph.NONE;
      for (int i = 0; i < Math.min(slot.size(), STARTS); i++) {
        long number = slot.number(i);
        if (number != Graph.NONE && graph.hasFact(number, relation, direction)) {
          chosen = number;
          break;
        }
      }
      at[node] = chosen == Graph.NONE ? new long[0] : new long[] {chosen};
    }
    return at[node] != null;
  }

  /** The facts of an edge, both ends of which are open. */
  private double all(int e, Relation relation) {
    int a = shape.source[e];
    int b = shape.target[e];
    Longs sources = new Longs(16);
    Longs targets = new Longs(16);
    long count = graph.count(relation);
    long most = count < 0 ? MOST_READ : SIZE;
    long read = 0;
    long fitting = 0;
    boolean whole = false;
    try (Cursor<Fact> facts = graph.scan(relation)) {
      while (read < most && !whole) {
        Fact fact = facts.next();
        whole = fact == null;
        if (whole) {
          break;
        }
        read++;
        List<Fact> ways = shape.directed[e] ? List.of(fact) : List.of(fact, fact.reversed());
        for (Fact way : ways) {
          if ((a != b || way.near() == way.far()) && fits(a, way.near()) && fits(b, way.far())) {
            fitting++;
            sources.add(way.near());
            targets.add(way.far());
          }
        }
      }
    }
    at[a] = first(sources);
    at[b] = first(targets);
    return whole || read == 0 ? fitting : (double) fitting / read * Math.max(count, read);
  }

  /** The facts of an edge at one of its ends, on average. */
  private double fanOut(int e, int near, Relation relation) {
    int far = shape.other(e, near);
    boolean closing = isBegun(e, far, relation);
    Direction direction = shape.direction(e, near);
    Longs reached = new Longs(16);
    double sum = 0;
    double closed = 0;
    for (long element : at[near]) {
      long degree = graph.degree(element, relation, direction);
      long most = degree < 0 ? MOST_READ : SIZE;
      long read = 0;
      long fitting = 0;
      try (Cursor<Fact> facts = graph.facts(element, relation, direction)) {
        Fact fact;
        while (read < most && (fact = facts.next()) != null) {
          read++;
          if (fits(far, fact.far())) {
            fitting++;
            reached.add(fact.far());
            closed += closing && Longs.contains(at[far], fact.far()) ? 1 : 0;
          }
        }
      }
      sum += read == 0 ? 0 : (double) fitting / read * Math.max(degree, read);
    }
    int starts = Math.max(at[near].length, 1);
    double fanOut = sum / starts;
    if (at[far] == null) {
      at[far] = first(reached);
    }
    return closing ? Math.max(Math.min(fanOut, 1), closed / starts) : fanOut;
  }

  /** Whether an element has the nearest of a node's types. */
  private boolean fits(int node, long element) {
    int slot = plan.typeSlot[node];
    return slot < 0 || graph.hasType(element, plan.slots.get(slot).type(0));
  }

  private static long[] first(Longs found) {
    long[] all = found.toSet();
    return all.length <= SIZE ? all : Arrays.copyOf(all, SIZE);
  }
}
