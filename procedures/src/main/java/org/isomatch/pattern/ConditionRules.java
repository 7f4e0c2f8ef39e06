package org.isomatch.pattern;

import static org.isomatch.pattern.PatternRules.quoted;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.isomatch.compare.Comparison;
import org.isomatch.compare.Meaning;

/** The rules of a condition. */
final class ConditionRules {
  private ConditionRules() {}

  /**
   * The first rule that a condition breaks; null for none.
   *
   * @param ids of all nodes of the pattern
   * @param known those of known nodes
   */
  static String problemOf(Condition condition, Set<String> ids, Set<String> known) {
    String problem =
        condition.alternatives().stream()
            .map(one -> problemOfOne(one, ids, known))
            .filter(Objects::nonNull)
            .findFirst()
            .orElse(null);
    return problem == null ? problemOfEither(condition) : problem;
  }

  private static String problemOfEither(Condition condition) {
    for (Condition one : condition.either()) {
      if (!one.node().equals(condition.node())) {
        return "or joins conditions on one value, as in ?x < 3 or ?x > 5; these are on ?%s and ?%s"
            .formatted(condition.node(), one.node());
      }
      if (!one.either().isEmpty()) {
        return "or is in or, in a condition on ?%s: write one list of them".formatted(one.node());
      }
    }
    return null;
  }

  private static String problemOfOne(Condition condition, Set<String> ids, Set<String> known) {
    for (String id : new String[] {condition.node(), condition.other()}) {
      if (id != null && !ids.contains(id)) {
        return "a condition names " + quoted(id) + ", which the pattern does not have";
      }
      if (id != null && known.contains(id)) {
        return "a condition names %s, which is known: conditions are on unknown nodes"
            .formatted(quoted(id));
      }
    }
    Comparison comparison = condition.comparison();
    String operator = comparison.symbol();
    String node = quoted(condition.node());
    if (condition.other() != null && !condition.values().isEmpty()) {
      return "the condition %s on %s compares with a value or a node, not both"
          .formatted(operator, node);
    }
    if (condition.other() != null) {
      return comparison.comparesTwo()
          ? null
          : "%s compares with values: use %s between two nodes"
              .formatted(operator, String.join(", ", Comparison.symbols(true)));
    }
    return problemOfValues(condition, comparison, node);
  }

  private static String problemOfValues(
      Condition condition, Comparison comparison, String node) {
    List<String> values = condition.values();
    int size = values.size();
    if (comparison == Comparison.BETWEEN && size != 2) {
      return "the condition between on " + node + " needs two values";
    }
    boolean many = comparison == Comparison.IN || comparison == Comparison.BETWEEN;
    if (size == 0 || (size > 1 && !many)) {
      return "the condition %s on %s needs one value".formatted(comparison.symbol(), node);
    }
    if (size > Condition.MOST_CONSTANTS) {
      return String.format(
          Locale.ROOT, "in takes at most %,d values, not %,d", Condition.MOST_CONSTANTS, size);
    }
    for (String value : values) {
      String problem = PatternRules.problemOfText(value);
      if (problem != null) {
        return "the value that " + node + " is compared with " + problem;
      }
      if (comparison.orders() && !Meaning.ofText(value).isOrdered()) {
        String named = "?" + condition.node() + " " + comparison.symbol();
        return ("%s %s: that is no number, and no date that exists. Write %1$s 2000, or 1995-07-01;"
                + " texts are compared by =, !=, in, contains and starts with")
            .formatted(named, quoted(value));
      }
    }
    return null;
  }
}
