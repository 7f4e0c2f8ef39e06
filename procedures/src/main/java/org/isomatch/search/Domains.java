package org.isomatch.search;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.graph.Cursor;
import org.isomatch.graph.Fact;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Longs;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Relation;
import org.neo4j.graphdb.Direction;

/**
 * What a choice leaves of the domains, by expansion from the side that costs less. Domains only
 * ever hold too much, so one may be left open where it would grow beyond {@link #REACH}.
 */
final class Domains {
  /** Elements that one domain holds at most. */
  static final int REACH = 1 << 16;
  /** Elements at which it is looked which types there are, before any is tried. */
  private static final int LOOKED_AT = 1024;
  /** Values whose nodes are looked up one by one. */
  private static final int FEW_VALUES = 4;
  /** Relationships of a domain above which a known node is reached from its candidates. */
  private static final int HUB = 4096;
  /** Candidates of a node that are looked for one by one in the domain. */
  private static final int FEW = 256;
  /** Instead of the ends of a relationship type that has too many. */
  private static final long[] TOO_MANY = {};

  private final Plan plan;
  private final Shape shape;
  private final Graph graph;
  private final Meter meter;
  private final int reach;
  /**
   * Elements at which it is looked which relations there are; of more, the ends of one relationship
   * type after the other are read instead, which takes longer than one element, by about so much.
   */
  private final int read;
  /** Ends of the relationships of a type, by its id. */
  private final Map<String, long[]> scanned = new HashMap<>();
  /** By edge: the slot after which it is followed. */
  private final int[] followedAfter;

  Domains(Plan plan, Graph graph, Meter meter, int reach) {
    this.reach = reach;
    read = reach / 16;
    this.plan = plan;
    this.shape = plan.shape;
    this.graph = graph;
    this.meter = meter;
    followedAfter = new int[shape.edges];
    for (int s = 0; s < plan.slots.size(); s++) {
      for (int e : plan.follow.get(s)) {
        followedAfter[e] = s;
      }
    }
  }

  /** Narrow the domains by the choice made last; false when it cannot have a match. */
  boolean narrow(State state) {
    int at = state.depth - 1;
    Slot slot = plan.slots.get(at);
    boolean alive =
        switch (slot.kind) {
          case NODE -> node(state, slot, at);
          case TYPE -> type(state, slot.index, slot.type(state.entry));
          case RELATION -> true;
        };
    for (int e : plan.follow.get(at)) {
      alive = alive && follow(state, e, at);
    }
    return alive;
  }

  private boolean node(State state, Slot slot, int at) {
    long number = slot.number(state.entry);
    int n = slot.index;
    if (number == Graph.NONE
        || (state.domains[n] != null && !Longs.contains(state.domains[n], number))) {
      return false;
    }
    for (int other = 0; other < shape.nodes; other++) {
      boolean bound = plan.nodeSlot[other] < at && state.domains[other] != null;
      if (bound && shape.apart(n, other) && shape.known[other]) {
        long there = state.domains[other][0];
        if (there == number || (shape.unnamed(n, other) && graph.isNamed(there, number))) {
          return false;
        }
      }
    }
    state.restrict(n, new long[] {number});
    for (int e : plan.order) {
      if (followedAfter[e] < at && shape.touches(e, n) && !follow(state, e, at)) {
        return false;
      }
    }
    return true;
  }

  private boolean type(State state, int n, String type) {
    return state.domains[n] == null || keep(state, n, element -> graph.hasType(element, type));
  }

  /** Narrows a domain to the elements of which something holds; false if nothing is left. */
  private static boolean keep(State state, int node, LongPredicate holds) {
    long[] domain = state.domains[node];
    long[] kept = Arrays.stream(domain).filter(holds).toArray();
    return kept.length == domain.length || state.restrict(node, kept);
  }

  private boolean follow(State state, int e, int at) {
    int slot = plan.relationSlot[e];
    Relation relation = slot < 0 ? null : plan.slots.get(slot).relation(state.entry(slot));
    int a = shape.source[e];
    int b = shape.target[e];
    if (state.domains[a] == null && state.domains[b] == null && !scan(state, e, relation)) {
      return true;
    }
    if (state.domains[a] != null && state.domains[a].length == 0) {
      return false;
    }
    int near = cheaper(state, a, b);
    int far = shape.other(e, near);
    if (state.domains[far] == null && areManyValues(state.domains[near])) {
      return true; // each would have to be looked up in the graph
    }
    if (state.domains[far] == null
        && plan.nodeSlot[far] >= state.depth
        && isHub(state.domains[near])) {
      Slot there = plan.slots.get(plan.nodeSlot[far]);
      if (there.size() <= LOOKED_AT) {
        return fromCandidates(state, e, near, far, relation, there);
      }
    }
    boolean last = plan.order[plan.lastUse[far]] == e;
    boolean leaf = state.domains[far] == null && !shape.known[far] && last && near != far;
    if (leaf && plan.typeSlot[far] < 0) {
      // Just now it was looked which relations there are at each element.
      boolean looked = at == slot && isLookedAt(state.domains[near]);
      return looked
          ? keepLookedAt(state, near, plan.slots.get(slot))
              && (!shape.directed[e] || keepSources(state, e, near, relation))
          : keepSources(state, e, near, relation);
    }
    return expand(state, e, near, far, relation);
  }

  /** Whether {@link #relations} has looked at a domain, element by element. */
  private boolean isLookedAt(long[] domain) {
    return domain.length <= read && !Graph.isValue(domain[0]);
  }

  private static boolean areManyValues(long[] domain) {
    return Graph.isValue(domain[0]) && domain.length > FEW_VALUES;
  }

  /** Whether more facts leave a domain than there are candidates to look at instead. */
  private boolean isHub(long[] domain) {
    long degrees = 0;
    for (long element : domain) {
      degrees += graph.degree(element);
      if (degrees > HUB) {
        return true;
      }
    }
    return false;
  }

  /** The candidates at the far end that have a fact with the domain at the near end. */
  private boolean fromCandidates(
      State state, int e, int near, int far, Relation relation, Slot slot) {
    Longs found = new Longs();
    for (int i = 0; i < slot.size(); i++) {
      long number = slot.number(i);
      if (number == Graph.NONE || isTaken(state, far, number)) {
        continue;
      }
      meter.tick();
      try (Cursor<Fact> facts = graph.facts(number, relation, shape.direction(e, far))) {
        Fact fact = facts.next();
        while (fact != null && !Longs.contains(state.domains[near], fact.far())) {
          fact = facts.next();
        }
        if (fact != null) {
          found.add(number);
        }
      }
    }
    return state.restrict(far, found.toSet());
  }

  /** The end to expand from: nodes before values, then the one with fewer elements. */
  private int cheaper(State state, int a, int b) {
    long[] first = state.domains[a];
    long[] second = state.domains[b];
    if (first == null || second == null) {
      return first == null ? b : a;
    }
    if (Graph.isValue(first[0]) != Graph.isValue(second[0])) {
      return Graph.isValue(first[0]) ? b : a;
    }
    return second.length < first.length ? b : a;
  }

  /** Only which of the elements have such a fact at all: nothing else needs the other end. */
  private boolean keepSources(State state, int e, int near, Relation relation) {
    Direction direction = shape.direction(e, near);
    long[] domain = state.domains[near];
    if (domain.length > read && !Graph.isValue(domain[0]) && isType(relation)) {
      long[] ends = ends(relation, direction);
      if (ends != TOO_MANY) {
        return keep(state, near, element -> Longs.contains(ends, element));
      }
    }
    return keep(
        state,
        near,
        element -> {
          meter.tick();
          return graph.hasFact(element, relation, direction);
        });
  }

  /** The same by what {@link #relations} has read, for any direction. */
  private static boolean keepLookedAt(State state, int near, Slot slot) {
    return keep(
        state, near, element -> Arrays.binarySearch(slot.placesAt(element), state.entry) >= 0);
  }

  private boolean expand(State state, int e, int near, int far, Relation relation) {
    long[] from = state.domains[near];
    long[] to = state.domains[far];
    Direction direction = shape.direction(e, near);
    BitSet kept = new BitSet(from.length);
    Longs reached = new Longs();
    boolean open = false;
    for (int i = 0; i < from.length; i++) {
      meter.tick();
      try (Cursor<Fact> facts = graph.facts(from[i], relation, direction)) {
        for (Fact fact = facts.next(); fact != null; fact = facts.next()) {
          long other = fact.far();
          if ((to != null && !Longs.contains(to, other))
              || (near == far && other != from[i])
              || isTaken(state, far, other)) {
            continue;
          }
          kept.set(i);
          if (open) {
            break;
          }
          reached.add(other);
          if (reached.size() > 2 * reach) {
            reached.distinct();
            open = reached.size() > reach;
          }
        }
      }
    }
    if (kept.cardinality() < from.length
        && !state.restrict(near, kept.stream().mapToLong(i -> from[i]).toArray())) {
      return false;
    }
    return open || near == far || state.restrict(far, reached.toSet());
  }

  /** Whether an element is bound already to a known node that must be another one. */
  private boolean isTaken(State state, int node, long element) {
    for (int other = 0; other < shape.nodes; other++) {
      long[] domain = state.domains[other];
      boolean bound = shape.known[other] && plan.nodeSlot[other] < state.depth;
      if (bound && shape.apart(node, other) && Arrays.equals(domain, new long[] {element})) {
        return true;
      }
    }
    return false;
  }

  /** The ends of all relationships of a type as a domain, unless there are too many. */
  private boolean scan(State state, int e, Relation relation) {
    int source = shape.source[e];
    long[] found = isType(relation) ? ends(relation, shape.direction(e, source)) : TOO_MANY;
    if (found != TOO_MANY) {
      state.restrict(source, found);
    }
    return found != TOO_MANY;
  }

  private static boolean isType(Relation relation) {
    return relation != null && relation.type() != null;
  }

  /** The elements that have a relationship of a type in a direction; or {@link #TOO_MANY}. */
  private long[] ends(Relation relation, Direction direction) {
    return scanned.computeIfAbsent(
        relation.id() + " " + direction, key -> scanned(relation, direction));
  }

  private long[] scanned(Relation relation, Direction direction) {
    Longs found = new Longs();
    try (Cursor<Fact> all = graph.scan(relation)) {
      for (Fact fact = all.next(); fact != null; fact = all.next()) {
        if (direction != Direction.INCOMING) {
          found.add(fact.near());
        }
        if (direction != Direction.OUTGOING) {
          found.add(fact.far());
        }
        if (found.size() > 2 * reach) {
          return TOO_MANY; // not read to its end, so it says nothing
        }
      }
    }
    long[] ends = found.toSet();
    if (ends.length > reach || !meter.hasRoom(16 + 8L * ends.length)) {
      return TOO_MANY;
    }
    meter.allocate(16 + 8L * ends.length);
    return ends;
  }

  /** Entries of the next slot that may have a match, ascending; null where all may. */
  int[] entries(State state) {
    int at = state.depth;
    Slot slot = plan.slots.get(at);
    if (slot.kind == Kind.TYPE) {
      return types(state.domains[slot.index], slot);
    }
    if (slot.kind == Kind.NODE) {
      return nodes(state.domains[slot.index], slot);
    }
    return relations(state, slot);
  }

  private int[] nodes(long[] domain, Slot slot) {
    if (domain == null) {
      return null;
    }
    if (domain.length <= FEW && domain.length < slot.size()) {
      return places(Arrays.stream(domain).mapToInt(slot::place));
    }
    return IntStream.range(0, slot.size())
        .filter(i -> Longs.contains(domain, slot.number(i)))
        .toArray();
  }

  private int[] types(long[] domain, Slot slot) {
    if (domain == null || domain.length > LOOKED_AT) {
      return null;
    }
    return places(
        Arrays.stream(domain).mapToObj(graph::types).flatMap(List::stream).mapToInt(slot::place));
  }

  private static int[] places(IntStream found) {
    return found.filter(place -> place >= 0).sorted().distinct().toArray();
  }

  private int[] relations(State state, Slot slot) {
    int e = slot.index;
    long[] first = state.domains[shape.source[e]];
    long[] second = state.domains[shape.target[e]];
    long[] domain =
        first == null || (second != null && second.length < first.length) ? second : first;
    if (domain == null || !isLookedAt(domain)) {
      return null; // a value may be one of any property
    }
    return places(Arrays.stream(domain).mapToObj(slot::placesAt).flatMapToInt(IntStream::of));
  }
}
