package org.isomatch.search;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.isomatch.compare.Comparison;
import org.isomatch.compare.Meaning;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.pattern.Condition;
import org.isomatch.pattern.Pattern;

/** The conditions of a pattern on the elements of a match, judged as soon as these are bound. */
final class Conditions {
  private static final long BYTES_PER_VALUE = 256;

  private final List<Judged> all = new ArrayList<>();
  private final List<Exclusion> exclusions;
  private final Graph graph;
  private final Meter meter;
  private final Map<Long, Meaning> meanings = new HashMap<>();
  private final Set<Long> uncompared = new HashSet<>();
  private String otherDate;

  /** One comparison: with constants, or with another node; -1 for none. */
  private record Alternative(Comparison comparison, List<Meaning> constants, int other) {}

  /** A condition on a node: one of its alternatives holds. */
  private record Judged(int node, List<Alternative> alternatives) {
    boolean isOf(int bound) {
      return node == bound || alternatives.stream().anyMatch(one -> one.other == bound);
    }

    boolean isDecided(boolean[] isBound) {
      return isBound[node]
          && alternatives.stream().allMatch(one -> one.other < 0 || isBound[one.other]);
    }
  }

  Conditions(Pattern pattern, List<Exclusion> exclusions, Graph graph, Meter meter) {
    this.exclusions = exclusions;
    this.graph = graph;
    this.meter = meter;
    for (Condition condition : pattern.where()) {
      List<Alternative> alternatives =
          condition.alternatives().stream()
              .map(
                  one ->
                      new Alternative(
                          one.comparison(), one.values().stream().map(Meaning::ofText).toList(),
                          one.other() == null ? -1 : pattern.indexOf(one.other())))
              .toList();
      all.add(new Judged(pattern.indexOf(condition.node()), alternatives));
    }
  }

  /** Whether all conditions that are decided once a node is bound hold. */
  boolean hold(int node, long[] bound, boolean[] isBound) {
    for (Judged one : all) {
      if (one.isOf(node) && one.isDecided(isBound) && !isSatisfied(one, bound)) {
        return false;
      }
    }
    for (Exclusion exclusion : exclusions) {
      if (exclusion.isDecided(node, isBound) && !exclusion.allows(bound, this)) {
        return false;
      }
    }
    return true;
  }

  private boolean isSatisfied(Judged judged, long[] bound) {
    meter.tick();
    boolean told = true;
    for (Alternative one : judged.alternatives) {
      Boolean holds = holds(one, bound[judged.node], bound);
      if (Boolean.TRUE.equals(holds)) {
        return true;
      }
      told &= holds != null;
    }
    if (!told) {
      tellUncompared(bound[judged.node]);
    }
    return false;
  }

  private Boolean holds(Alternative one, long element, long[] bound) {
    if (one.other >= 0) {
      return compare(one.comparison, element, bound[one.other]);
    }
    return Graph.isValue(element)
        ? one.comparison.holds(meaning(element), one.constants)
        : null;
  }

  /** Whether it holds between two elements: nodes are equal or not, by what they are. */
  Boolean compare(Comparison comparison, long left, long right) {
    if (Graph.isValue(left) && Graph.isValue(right)) {
      return comparison.holds(meaning(left), meaning(right));
    }
    boolean tellsNodes = comparison == Comparison.EQUAL || comparison == Comparison.UNEQUAL;
    boolean nodes = !Graph.isValue(left) && !Graph.isValue(right);
    return nodes && tellsNodes ? (left == right) == (comparison == Comparison.EQUAL) : null;
  }

  private Meaning meaning(long value) {
    Meaning known = meanings.get(value);
    if (known == null) {
      known = Meaning.of(graph.element(value));
      long size = BYTES_PER_VALUE + 4L * known.toString().length(); // with its normal form
      if (meter.hasRoom(size)) {
        meter.allocate(size);
        meanings.put(value, known);
      }
    }
    return known;
  }

  /** Counts what could not be compared, and so satisfies no condition. */
  void tellUncompared(long element) {
    if (uncompared.add(element)) {
      meter.allocate(48);
      boolean isOther = Graph.isValue(element) && meaning(element).isOtherDate();
      otherDate = otherDate == null && isOther ? meaning(element).toString() : otherDate;
    }
  }

  /** Whether that were dates in another notation, too. */
  boolean meetOtherDates() {
    return otherDate != null;
  }

  /** Whether something could not be compared. */
  boolean lacks() {
    return !uncompared.isEmpty();
  }

  /** What could not be compared, in words. */
  List<String> notes() {
    List<String> notes = new ArrayList<>();
    int count = uncompared.size();
    if (count > 0) {
      String note =
          "%d %s could not be compared with what a condition names, and so %s no condition"
              .formatted(
                  count, count > 1 ? "nodes or values" : "node or value",
                  count > 1 ? "satisfy" : "satisfies");
      boolean nodes = uncompared.stream().noneMatch(Graph::isValue);
      notes.add(
          nodes
              ? note + ". These are nodes: name one in the pattern, (\"Heat\"), and in no condition"
              : note);
    }
    if (otherDate != null) {
      notes.add(
          "texts such as '%s' are not read as dates here: compare them in Cypher behind YIELD"
              .formatted(otherDate));
    }
    return notes;
  }
}
