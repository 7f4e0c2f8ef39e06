package org.isomatch.search;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import org.isomatch.candidates.Candidates;
import org.isomatch.candidates.Linker;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Fact;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.pattern.Pattern;

/**
 * The exact top-k search, best first, one match at a time. GSD depends on the interpretation alone
 * (SimGRAG, arXiv 2412.15272, equation 3), so prefixes of interpretations are taken by the least
 * GSD that they can still have (ranked enumeration; Tziavelis et al., PVLDB 2020), and further only
 * by entries that the graph has there. The first k with a match are the best k.
 */
public final class Search implements AutoCloseable {
  /** GSDs nearer than this are equal: the order of a sum changes its last bits. */
  static final double TOLERANCE = 1e-9;

  private static final long ENTRY = 48;
  /** Steps that the search for a tie may take. */
  private static final int TIE_STEPS = 256;

  final Plan plan;
  private final Options options;
  final Candidates candidates;
  private final Domains domains;
  final Graph graph;
  private final Meter meter;
  private final double[] rest;
  private final PriorityQueue<Entry> heap = new PriorityQueue<>();
  final List<Exclusion> exclusions;
  private final Conditions conditions; // null for none
  private final Set<Matcher.Key> seen; // plain matches: one may come again under another type

  private State at;
  private Matcher matcher;
  private int rank;
  private int given;
  private long rows;
  private long examined;
  private long pushed;
  private double last = Double.NEGATIVE_INFINITY;
  private boolean cut;
  private boolean begun;
  private int unsatisfied;
  private String lacking; // a part of a pattern of which it is not known what it leaves out
  private boolean ended;
  private Boolean ties = false;
  private String endedBy;
  private double endBound = Double.NaN;
  /** The least GSD of the prefix that is out of the heap. */
  private double taken = Double.POSITIVE_INFINITY;

  /**
   * How to search; the same as Python's {@code Options}.
   *
   * @param k how many interpretations, or matches where {@code plain}
   * @param directed whether edges are matched from source to target only; null for arrows only
   * @param typeWeight factor on a type's distance; 0 is the published definition
   * @param plain whether results are the papers' plain top-k matches
   * @param parallel whether other relationships between the same nodes make a match of their own
   * @param rows most rows in all; null for no limit
   */
  public record Options(
      int k, int limit, Nodes nodes, Boolean directed, double typeWeight, boolean plain,
      boolean parallel, Long rows) {
    /** For a part of the pattern: all matches of all interpretations. */
    public Options ofPart() {
      int all = Integer.MAX_VALUE;
      return new Options(all, all, nodes, directed, typeWeight, false, false, rows);
    }

    /** Which pattern nodes may coincide: none, unknown ones with each other, or any. */
    public enum Nodes { DISTINCT, ANCHORED, REPEAT }
  }

  /** A choice that may be made next. */
  private record Entry(double bound, State state, int[] entries, int place, long number)
      implements Comparable<Entry> {
    int entry() {
      return entries == null ? place : entries[place];
    }

    @Override
    public int compareTo(Entry other) {
      int order = Double.compare(bound, other.bound);
      // Of equal ones the deeper first, which is nearer to a match; then as they came.
      order = order != 0 ? order : Integer.compare(other.state.depth, state.depth);
      return order != 0 ? order : Long.compare(number, other.number);
    }
  }

  /** BudgetSpent if there is not even memory for the lists. */
  public Search(
      Pattern pattern, Candidates candidates, List<Exclusion> exclusions, Options options,
      Graph graph, Meter meter) {
    this(pattern, candidates, exclusions, options, graph, meter, Domains.REACH);
  }

  Search(
      Pattern pattern, Candidates candidates, List<Exclusion> exclusions, Options options,
      Graph graph, Meter meter, int reach) {
    this.options = options;
    this.exclusions = exclusions;
    boolean plain = pattern.where().isEmpty() && exclusions.isEmpty();
    conditions = plain ? null : new Conditions(pattern, exclusions, graph, meter);
    seen = options.plain() ? new HashSet<>() : null;
    this.candidates = candidates;
    this.graph = graph;
    this.meter = meter;
    plan = new Plan(pattern, candidates, options, graph, meter);
    domains = new Domains(plan, graph, meter, reach);
    rest = new double[plan.slots.size() + 1];
    for (int s = plan.slots.size() - 1; s >= 0; s--) {
      rest[s] = rest[s + 1] + plan.slots.get(s).least();
    }
    if (rest[0] < Double.POSITIVE_INFINITY) {
      State root = new State(plan.shape.nodes, meter);
      push(root, null, 0);
      root.release();
    }
  }

  /**
   * The next match, best first; null if there is no more, or a budget is spent: see the
   * {@link #certificate}.
   */
  public Found next() {
    if (ended) {
      return null;
    }
    try {
      Found found = begun || begin() ? find() : null;
      if (found == null && !ended) {
        ended = true;
        endBound = bound();
        lookForTies();
      }
      return found;
    } catch (BudgetSpent spent) {
      endBy(spent);
      return null;
    }
  }

  /** Reads what is left out; false where that cannot be known, and nothing can be given. */
  private boolean begin() {
    begun = true;
    for (Exclusion exclusion : exclusions) {
      if (!exclusion.read()) {
        endBy(new BudgetSpent(exclusion.certificate().endedBy()));
        return false;
      }
      lacking = lacking == null ? exclusion.lacking() : lacking;
    }
    if (lacking != null) {
      ended = true;
      endBound = 0;
    }
    return lacking == null;
  }

  /** Whether a part of the pattern is nothing in the database. */
  boolean namesNothing() {
    return hasEmptyList() || lacksName();
  }

  /** Whether dates were met that are not read. */
  boolean meetsOtherDates() {
    return conditions != null && conditions.meetOtherDates();
  }

  private boolean lacksName() {
    return candidates.notes().stream().anyMatch(Linker::isWarning);
  }

  private Found find() {
    while (true) {
      if (matcher == null && !nextInterpretation()) {
        return null;
      }
      if (options.plain() && rank == options.k()) {
        hasTie(matcher);
        leave();
        return null;
      }
      if (!matcher.next()) {
        if (given == 0 && conditions != null && !options.plain() && isMatched()) {
          rank++; // a less likely one does not answer in its place
          unsatisfied++;
          last = at.sum;
        }
        leave();
        continue;
      }
      if (options.rows() != null && rows == options.rows()) {
        throw new BudgetSpent("rows");
      }
      rank += options.plain() || given == 0 ? 1 : 0;
      given++;
      rows++;
      last = at.sum;
      long[] nodes = matcher.bound();
      Fact[] facts = matcher.facts();
      boolean full = !options.plain() && given == options.limit();
      boolean more = full && hasMore();
      Found found = new Found(rank, at.sum, plan, at.entries(), nodes, facts, more);
      if (full) {
        cut = cut || found.cut();
        leave();
      }
      return found;
    }
  }

  /** Whether the interpretation has a match that the conditions may leave out. */
  private boolean isMatched() {
    try (Matcher any = new Matcher(plan, at, null, null, graph, meter)) {
      return any.next();
    }
  }

  /** Whether there is one more match; a budget that ends here does not cost the one at hand. */
  private boolean hasMore() {
    try {
      return matcher.next();
    } catch (BudgetSpent spent) {
      endBy(spent);
      return true;
    }
  }

  private void endBy(BudgetSpent spent) {
    endBound = Math.min(bound(), taken);
    endedBy = spent.which();
    ended = true;
    ties = rank >= options.k() ? null : ties;
  }

  /** Looks whether one of the next interpretations is as near as the last one. */
  private void lookForTies() {
    double limit = last + TOLERANCE;
    if (rank < options.k() || ties == null || ties) {
      return;
    }
    try {
      for (int i = 0; i < TIE_STEPS && isNext(limit); i++) {
        Entry entry = heap.poll();
        State state = chosen(entry);
        meter.release(ENTRY);
        try {
          if (domains.narrow(state) && isTie(state)) {
            return;
          }
        } finally {
          state.release();
        }
      }
      ties = isNext(limit) ? null : ties;
    } catch (BudgetSpent spent) {
      ties = null; // what was found is proven without this
    }
  }

  /** Whether a prefix is an interpretation with a match; else its next choices come. */
  private boolean isTie(State state) {
    if (state.depth < plan.slots.size()) {
      push(state, domains.entries(state), 0);
      return false;
    }
    Conditions judged = options.plain() ? conditions : null;
    try (Matcher other = new Matcher(plan, state, seen, judged, graph, meter)) {
      return hasTie(other);
    }
  }

  private boolean isNext(double limit) {
    return !heap.isEmpty() && heap.peek().bound() <= limit;
  }

  /** Whether there is a match that was not given. */
  private boolean hasTie(Matcher other) {
    try {
      if (!other.next()) {
        return false;
      }
      ties = true;
    } catch (BudgetSpent spent) {
      ties = null; // what was found is proven without this
    }
    return true;
  }

  private void leave() {
    matcher.close();
    matcher = null;
    at.release();
    at = null;
    taken = Double.POSITIVE_INFINITY;
    given = 0;
  }

  /** Go to the next interpretation that may have a match; false at the end. */
  private boolean nextInterpretation() {
    if (rank >= options.k()) {
      return false;
    }
    while (!heap.isEmpty()) {
      Entry entry = heap.poll();
      taken = entry.bound(); // until it is back in the heap, or has given its matches
      meter.tick();
      at = chosen(entry);
      meter.release(ENTRY);
      if (domains.narrow(at)) {
        if (at.depth == plan.slots.size()) {
          examined++;
          matcher = new Matcher(plan, at, seen, conditions, graph, meter);
          return true;
        }
        push(at, domains.entries(at), 0);
      }
      at.release();
      at = null;
      taken = Double.POSITIVE_INFINITY;
    }
    return false;
  }

  /** The prefix that an entry of the heap stands for; its sibling takes its place there. */
  private State chosen(Entry entry) {
    State parent = entry.state();
    Slot slot = plan.slots.get(parent.depth);
    State state =
        new State(parent, entry.entry(), parent.sum + slot.distance(entry.entry()), meter);
    push(parent, entry.entries(), entry.place() + 1);
    parent.release();
    return state;
  }

  private void push(State state, int[] entries, int place) {
    Slot slot = plan.slots.get(state.depth);
    int size = entries == null ? slot.size() : entries.length;
    long held = entries == null ? 0 : 4L * entries.length;
    if (place < size) {
      meter.allocate(ENTRY + (place == 0 ? held : 0));
      int entry = entries == null ? place : entries[place];
      double bound = state.sum + slot.distance(entry) + rest[state.depth + 1];
      state.hold();
      heap.add(new Entry(bound, state, entries, place, pushed++));
    } else if (place > 0) {
      meter.release(held);
    }
  }

  /** No interpretation that was not examined has a smaller GSD. */
  private double bound() {
    double least = heap.isEmpty() ? Double.POSITIVE_INFINITY : heap.peek().bound();
    return Math.min(least, outside());
  }

  /** No interpretation with an element outside the lists has a smaller GSD. */
  private double outside() {
    double least = Double.POSITIVE_INFINITY;
    for (Slot slot : plan.slots) {
      double others = 0;
      for (Slot other : plan.slots) {
        // What is outside of one list may come together with what is outside of another.
        others += other == slot ? 0 : Math.max(0, Math.min(other.least(), other.frontier()));
      }
      // Where another list is empty, and all there is, nothing can match at all.
      least = Double.isInfinite(others) ? least : Math.min(least, slot.frontier() + others);
    }
    return least;
  }

  /** Whether a part of the pattern has no candidates at all. */
  private boolean hasEmptyList() {
    return rest[0] == Double.POSITIVE_INFINITY;
  }

  /** Whether the notes say why nothing is given. */
  public boolean isExplained() {
    boolean judged = unsatisfied > 0 || options.plain();
    boolean alien = judged && conditions != null && conditions.lacks();
    return endedBy != null || namesNothing() || lacking != null || alien;
  }

  /** What is proven by now; of the whole result once {@link #next} has given null. */
  public Certificate certificate() {
    boolean enough = !ended || rank >= options.k();
    double bound = Double.isNaN(endBound) ? bound() : endBound;
    boolean complete =
        enough ? last <= bound + TOLERANCE : bound == Double.POSITIVE_INFINITY;
    List<String> notes = new ArrayList<>(candidates.notes());
    if (unsatisfied > 0) {
      notes.add(
          "the conditions hold for no match of %s"
              .formatted(
                  unsatisfied == 1 ? "an interpretation" : unsatisfied + " interpretations"));
    }
    notes.addAll(conditions == null ? List.of() : conditions.notes());
    if (lacking != null) {
      notes.add(lacking);
    }
    int gone = plan.slots.stream().mapToInt(slot -> slot.gone).sum();
    if (gone > 0) {
      notes.add(
          (gone == 1 ? "1 candidate is" : gone + " candidates are") + " not in the graph any more");
    }
    boolean approximate = plan.slots.stream().anyMatch(s -> s.list.approximate());
    Certificate own =
        new Certificate(
            endedBy == null, complete && lacking == null, bound, approximate, endedBy, notes, gone,
            examined, meter.reads(), meter.peak(), cut, ties);
    for (Exclusion exclusion : exclusions) {
      own = own.with(exclusion.certificate());
    }
    return own;
  }

  @Override
  public void close() {
    exclusions.forEach(Exclusion::close);
    if (matcher != null) {
      matcher.close();
      matcher = null;
    }
    heap.clear();
  }
}
