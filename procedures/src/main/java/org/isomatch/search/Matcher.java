package org.isomatch.search;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.graph.Cursor;
import org.isomatch.graph.Fact;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Longs;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Relation;
import org.neo4j.graphdb.Direction;

/**
 * The matches of one interpretation, one by one: backtracking over the facts of the graph.
 *
 * <p>It starts at the node of the pattern with the smallest domain and goes on to the smallest ones
 * that it can reach; domains cut what cannot be completed. What identifies a match is what its
 * nodes are bound to, and the relationships and properties of its edges; or only their types and
 * keys, where parallel relationships make no other match.
 */
final class Matcher implements AutoCloseable {
  private static final long ROW = 96;

  private final Plan plan;
  private final Shape shape;
  private final Graph graph;
  private final Meter meter;
  private final long[][] domains;
  private final Conditions conditions;
  private final Relation[] relations;
  private final String[] types;

  /** What to do, one step a pattern edge, and the node that each starts from. */
  private final int[] edges;
  private final int[] starts;
  private final long[] bound;
  private final boolean[] isBound;
  private final Fact[] facts;
  private final Step[] steps;
  private final Set<Key> seen;
  private final boolean shared; // whether others see what this one has seen
  private int depth;
  private long bytes;

  /** What identifies a match: elements of the nodes, and a relationship or a key for each edge. */
  record Key(List<Long> nodes, List<Object> facts) {
    static Key of(long[] nodes, Fact[] facts, boolean parallel) {
      Stream<Object> told =
          Stream.of(facts)
              .map(f -> parallel && f.key() == null ? f.relationship() : f.relation());
      return new Key(LongStream.of(nodes).boxed().toList(), told.toList());
    }
  }

  /**
   * Of an interpretation.
   *
   * @param seen matches that are passed over, to which it adds its own; null for none
   * @param conditions that its matches satisfy; null for none
   */
  Matcher(
      Plan plan, State state, Set<Key> seen, Conditions conditions, Graph graph, Meter meter) {
    this.plan = plan;
    this.shape = plan.shape;
    this.graph = graph;
    this.meter = meter;
    this.seen = seen == null ? new HashSet<>() : seen;
    shared = seen != null;
    this.conditions = conditions;
    this.domains = state.domains;
    int[] entries = state.entries();
    relations = new Relation[shape.edges];
    types = new String[shape.nodes];
    for (int s = 0; s < entries.length; s++) {
      Slot slot = plan.slots.get(s);
      if (slot.kind == Kind.RELATION) {
        relations[slot.index] = slot.relation(entries[s]);
      } else if (slot.kind == Kind.TYPE) {
        types[slot.index] = slot.type(entries[s]);
      }
    }
    edges = new int[shape.edges];
    starts = new int[shape.edges];
    order();
    bound = new long[shape.nodes];
    isBound = new boolean[shape.nodes];
    facts = new Fact[shape.edges];
    steps = new Step[shape.edges];
  }

  // -- order ---------------------------------------------------------------------------

  private void order() {
    boolean[] visited = new boolean[shape.nodes];
    boolean[] done = new boolean[shape.edges];
    for (int step = 0; step < edges.length; step++) {
      int best = -1;
      int from = -1;
      long least = Long.MAX_VALUE;
      for (int e = 0; e < shape.edges; e++) {
        if (done[e]) {
          continue;
        }
        for (int near : new int[] {shape.source[e], shape.target[e]}) {
          long cost = cost(e, near, visited);
          if (cost < least) {
            least = cost;
            best = e;
            from = near;
          }
        }
      }
      edges[step] = best;
      starts[step] = from;
      done[best] = true;
      visited[shape.source[best]] = true;
      visited[shape.target[best]] = true;
    }
  }

  /** Less is sooner: edges from where the match is, into the smallest domain. */
  private long cost(int e, int near, boolean[] visited) {
    int far = shape.other(e, near);
    if (visited[near]) {
      return visited[far] ? 0 : 1 + size(far);
    }
    if (visited[far]) {
      return Long.MAX_VALUE; // from the other end
    }
    long start = size(near);
    // A start of its own: where the fewest elements are, and a relation that is known.
    return (1L << 40) + start * 4 + (relations[e] == null ? 2 : 0) + (far < near ? 1 : 0);
  }

  private long size(int node) {
    if (domains[node] == null) {
      return 1L << 30;
    }
    // A value is looked up in the graph, so nodes go first.
    boolean value = domains[node].length > 0 && Graph.isValue(domains[node][0]);
    return domains[node].length + (value ? 1L << 20 : 0);
  }

  // -- search --------------------------------------------------------------------------

  /** Find the next match; false when there are no more. */
  boolean next() {
    if (steps.length > 0 && steps[0] == null) {
      steps[0] = new Step(0);
    }
    while (depth >= 0) {
      if (!steps[depth].advance()) {
        steps[depth].close();
        steps[depth] = null;
        depth--;
      } else if (depth + 1 < steps.length) {
        depth++;
        steps[depth] = new Step(depth);
      } else if (isNew()) {
        return true;
      }
    }
    return false;
  }

  private boolean isNew() {
    if (!seen.add(Key.of(bound, facts, shape.parallel))) {
      return false;
    }
    long size = ROW + 8L * bound.length + 48L * facts.length;
    meter.allocate(size);
    bytes += shared ? 0 : size;
    return true;
  }

  long[] bound() {
    return bound.clone();
  }

  Fact[] facts() {
    return facts.clone();
  }

  @Override
  public void close() {
    for (; depth >= 0; depth--) {
      if (steps[depth] != null) {
        steps[depth].close();
      }
    }
    meter.release(bytes);
    bytes = 0;
  }

  private boolean bind(int node, long element) {
    if (isBound[node]) {
      return bound[node] == element;
    }
    if (domains[node] != null && !Longs.contains(domains[node], element)) {
      return false;
    }
    if (types[node] != null && !graph.hasType(element, types[node])) {
      return false;
    }
    for (int other = 0; other < shape.nodes; other++) {
      if (isBound[other]
          && shape.apart(node, other)
          && (bound[other] == element
              || (shape.unnamed(node, other) && graph.isNamed(bound[other], element)))) {
        return false;
      }
    }
    bound[node] = element;
    isBound[node] = true;
    isBound[node] = conditions == null || conditions.hold(node, bound, isBound);
    return isBound[node];
  }

  private boolean isUsed(int edge, Fact fact) {
    return IntStream.range(0, shape.edges)
        .anyMatch(e -> facts[e] != null && shape.conflict(edge, e) && facts[e].isSame(fact));
  }

  /** One edge of the pattern, and the facts that it is tried with. */
  private final class Step implements AutoCloseable {
    private final int edge;
    private final int near;
    private final int far;
    private final int value;
    private final boolean newNear;
    private final boolean newFar;
    private final Cursor<Fact> candidates;
    private Iterator<Long> values = Collections.emptyIterator();

    Step(int number) {
      edge = edges[number];
      boolean closing = isBound[starts[number]] && isBound[shape.other(edge, starts[number])];
      near = closing ? withFewer(starts[number]) : starts[number];
      far = shape.other(edge, near);
      value = shape.value[edge];
      newNear = !isBound[near];
      newFar = !isBound[far] && far != near;
      candidates = candidates();
    }

    /** Of two bound ends the one with fewer relationships. */
    private int withFewer(int one) {
      int other = shape.other(edge, one);
      if (Graph.isValue(bound[one]) || Graph.isValue(bound[other])) {
        return Graph.isValue(bound[one]) ? other : one;
      }
      return graph.degree(bound[other]) < graph.degree(bound[one]) ? other : one;
    }

    /** The facts that the edge may be matched to, each from its near end. */
    private Cursor<Fact> candidates() {
      Relation relation = relations[edge];
      Direction direction = shape.direction(edge, near);
      if (!newNear) {
        return graph.facts(bound[near], relation, direction);
      }
      if (domains[near] != null) {
        return Cursor.of(Arrays.stream(domains[near]).iterator())
            .flatMap(element -> graph.facts(element, relation, direction));
      }
      return switch (direction) {
        case OUTGOING -> graph.scan(relation);
        case INCOMING -> graph.scan(relation).map(Fact::reversed);
        case BOTH -> graph.scan(relation).flatMap(fact -> Cursor.of(fact, fact.reversed()));
      };
    }

    /** Binds the edge to the next fact that fits; false if there is none. */
    boolean advance() {
      while (true) {
        while (values.hasNext()) {
          isBound[value] = false;
          if (bind(value, values.next())) {
            return true;
          }
        }
        undo();
        Fact fact = candidates.next();
        if (fact == null) {
          return false;
        }
        if (fits(fact)) {
          facts[edge] = fact;
          if (value < 0) {
            return true;
          }
          values = graph.valuesOn(fact.relationship(), shape.key[edge]).iterator();
        }
      }
    }

    private boolean fits(Fact fact) {
      return (!newNear || bind(near, fact.near()))
          && (far == near ? fact.far() == fact.near() : bind(far, fact.far()))
          && (value < 0 || fact.relationship() != null)
          && !isUsed(edge, fact);
    }

    private void undo() {
      facts[edge] = null;
      isBound[near] &= !newNear;
      isBound[far] &= !newFar;
      if (value >= 0) {
        isBound[value] = false;
      }
    }

    @Override
    public void close() {
      undo();
      candidates.close();
    }
  }
}
