package org.isomatch.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.isomatch.compare.Comparison;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.Without;

/**
 * What {@code without} leaves out: the answers of its pattern, which is searched by itself and
 * means its nearest interpretation, whether or not that has matches; where several are equally
 * near, all of them.
 */
public final class Exclusion implements AutoCloseable {
  private final int[] columns;
  private final int[] places;
  private final Search search;
  private final Meter meter;
  private final Set<List<Long>> answers = new HashSet<>();
  /** By column: the answers' nodes and values, and what those that were compared are equal to. */
  private final List<Set<Long>> nodes = new ArrayList<>();
  private final List<Set<Long>> values = new ArrayList<>();
  private final List<Map<Long, Equals>> known = new ArrayList<>();

  /** The elements that one is equal to; whether it could be compared with all of them. */
  private record Equals(List<Long> elements, boolean told) {}

  /**
   * Plans to read the answers.
   *
   * @param search for the pattern of {@code part}, over its nearest candidates alone
   */
  public Exclusion(Pattern pattern, Without part, Search search, Meter meter) {
    this.search = search;
    this.meter = meter;
    columns = part.nodes().stream().mapToInt(pattern::indexOf).toArray();
    places = part.pattern().answers().stream().mapToInt(part.pattern()::indexOf).toArray();
    for (int column : columns) {
      nodes.add(new HashSet<>());
      values.add(new HashSet<>());
      known.add(new HashMap<>());
    }
  }

  /** Reads the answers; false where a budget ended that, so that nothing is known of others. */
  boolean read() {
    for (Found found = search.next(); found != null; found = search.next()) {
      long[] bound = found.nodes();
      List<Long> answer = IntStream.of(places).mapToObj(place -> bound[place]).toList();
      if (answers.add(answer)) {
        meter.allocate(96 + 96L * places.length);
        for (int c = 0; c < columns.length; c++) {
          (Graph.isValue(answer.get(c)) ? values : nodes).get(c).add(answer.get(c));
        }
      }
    }
    return certificate().endedBy() == null;
  }

  Certificate certificate() {
    return search.certificate();
  }

  Search search() {
    return search;
  }

  /** Why it is not known what is left out, once the answers are read; null where it is. */
  String lacking() {
    String why = null;
    if (answers.isEmpty() && search.namesNothing()) {
      why = "as a part of it is nothing in the database";
    } else if (search.meetsOtherDates()) {
      why = "as dates in it are not read";
    }
    return why == null ? null : "what without leaves out is not known, " + why;
  }

  /** Whether binding a node decides it. */
  boolean isDecided(int node, boolean[] isBound) {
    return IntStream.of(columns).anyMatch(column -> column == node)
        && IntStream.of(columns).allMatch(column -> isBound[column]);
  }

  /** Whether a match is none of the answers; what cannot be compared is told, and is not let in. */
  boolean allows(long[] bound, Conditions conditions) {
    meter.tick();
    if (answers.isEmpty()) {
      return true;
    }
    List<Equals> equal = new ArrayList<>();
    for (int c = 0; c < columns.length; c++) {
      equal.add(equalTo(c, bound[columns[c]], conditions));
    }
    if (isAnswer(equal, new ArrayList<>())) {
      return false;
    }
    boolean told = true;
    for (int c = 0; c < columns.length; c++) {
      if (!equal.get(c).told) {
        conditions.tellUncompared(bound[columns[c]]);
        told = false;
      }
    }
    return told;
  }

  private boolean isAnswer(List<Equals> equal, List<Long> begun) {
    if (begun.size() == columns.length) {
      return answers.contains(begun);
    }
    for (Long element : equal.get(begun.size()).elements) {
      List<Long> longer = new ArrayList<>(begun);
      longer.add(element);
      if (isAnswer(equal, longer)) {
        return true;
      }
    }
    return false;
  }

  private Equals equalTo(int column, long element, Conditions conditions) {
    if (!Graph.isValue(element)) {
      boolean isThere = nodes.get(column).contains(element);
      return new Equals(isThere ? List.of(element) : List.of(), values.get(column).isEmpty());
    }
    Equals found = known.get(column).get(element);
    if (found != null) {
      return found;
    }
    List<Long> equal = new ArrayList<>();
    boolean told = nodes.get(column).isEmpty();
    for (Long other : values.get(column)) {
      meter.tick();
      Boolean same = conditions.compare(Comparison.EQUAL, element, other);
      told &= same != null;
      if (Boolean.TRUE.equals(same) || other == element) {
        equal.add(other);
      }
    }
    Equals made = new Equals(equal, told);
    long size = 96 + 24L * equal.size();
    if (meter.hasRoom(size)) {
      meter.allocate(size);
      known.get(column).put(element, made);
    }
    return made;
  }

  @Override
  public void close() {
    search.close();
  }
}
