package org.isomatch.pattern;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.isomatch.compare.Comparison;

/**
 * What the value of an unknown node must be.
 *
 * @param node id of the node
 * @param comparison how it is compared
 * @param values the constants; none where it is compared with another node
 * @param other id of that node; null for none
 * @param either further conditions on the node, of which one is enough instead
 */
public record Condition(
    String node, Comparison comparison, List<String> values, String other, List<Condition> either) {
  /** Constants that {@code in} takes. */
  static final int MOST_CONSTANTS = 1000;

  public Condition {
    values = List.copyOf(values);
    either = List.copyOf(either);
  }

  /** Itself, and what it has in {@link #either}. */
  public List<Condition> alternatives() {
    return Stream.concat(Stream.of(this), either.stream()).toList();
  }

  @Override
  public String toString() {
    return alternatives().stream()
        .map(
            one ->
                "?%s %s %s"
                    .formatted(
                        node, one.comparison.symbol(),
                        one.other == null ? String.join(", ", one.values) : "?" + one.other))
        .collect(Collectors.joining(" or "));
  }
}
