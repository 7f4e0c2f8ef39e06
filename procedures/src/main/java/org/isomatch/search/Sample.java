package org.isomatch.search;

import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
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
      at[node] =
          IntStream.range(0, Math.min(slot.size(), STARTS))
              .mapToLong(slot::number)
              .filter(n -> n != Graph.NONE && graph.hasFact(n, relation, direction))
              .limit(1)
              .toArray();
    }
    return at[node] != null;
  }

  /** The facts of an edge, both ends of which are open. */
  private double all(int e, Relation relation) {
    int a = shape.source[e];
    int b = shape.target[e];
    Longs sources = new Longs();
    Longs targets = new Longs();
    ToIntFunction<Fact> fitting =
        fact -> {
          List<Fact> ways = shape.directed[e] ? List.of(fact) : List.of(fact, fact.reversed());
          int fit = 0;
          for (Fact way : ways) {
            if ((a != b || way.near() == way.far()) && fits(a, way.near()) && fits(b, way.far())) {
              fit++;
              sources.add(way.near());
              targets.add(way.far());
            }
          }
          return fit;
        };
    double facts = expected(graph.scan(relation), graph.count(relation), fitting);
    at[a] = first(sources);
    at[b] = first(targets);
    return facts;
  }

  /** How many facts fit, by the first of them; {@code count} is how many there are, or -1. */
  private static double expected(Cursor<Fact> all, long count, ToIntFunction<Fact> fitting) {
    long most = count < 0 ? MOST_READ : SIZE;
    long read = 0;
    long fit = 0;
    Fact fact = null;
    try (all) {
      while (read < most && (fact = all.next()) != null) {
        read++;
        fit += fitting.applyAsInt(fact);
      }
    }
    return fact == null ? fit : (double) fit / read * Math.max(count, read);
  }

  /** The facts of an edge at one of its ends, on average. */
  private double fanOut(int e, int near, Relation relation) {
    int far = shape.other(e, near);
    boolean closing = isBegun(e, far, relation);
    Direction direction = shape.direction(e, near);
    Longs reached = new Longs();
    double sum = 0;
    double[] closed = {0};
    ToIntFunction<Fact> fitting =
        fact -> {
          if (!fits(far, fact.far())) {
            return 0;
          }
          reached.add(fact.far());
          closed[0] += closing && Longs.contains(at[far], fact.far()) ? 1 : 0;
          return 1;
        };
    for (long element : at[near]) {
      long degree = graph.degree(element, relation, direction);
      sum += expected(graph.facts(element, relation, direction), degree, fitting);
    }
    int starts = Math.max(at[near].length, 1);
    double fanOut = sum / starts;
    if (at[far] == null) {
      at[far] = first(reached);
    }
    return closing ? Math.max(Math.min(fanOut, 1), closed[0] / starts) : fanOut;
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
