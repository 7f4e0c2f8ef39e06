package org.isomatch.compare;

import java.util.List;
import java.util.stream.Stream;
import org.isomatch.compare.Meaning.Kind;

/** How a condition compares values; what cannot be compared is told, by null, and never true. */
public enum Comparison {
  EQUAL("="),
  UNEQUAL("!="),
  LESS("<"),
  AT_MOST("<="),
  GREATER(">"),
  AT_LEAST(">="),
  BETWEEN("between"),
  IN("in"),
  CONTAINS("contains"),
  STARTS_WITH("starts with");

  private final String symbol;

  Comparison(String symbol) {
    this.symbol = symbol;
  }

  /** As it is written. */
  public String symbol() {
    return symbol;
  }

  /** The one that is written so; null for none. */
  public static Comparison of(String symbol) {
    return Stream.of(values()).filter(one -> one.symbol.equals(symbol)).findFirst().orElse(null);
  }

  /** All that there are, or those between two values only, for messages. */
  public static List<String> symbols(boolean ofTwo) {
    return Stream.of(values())
        .filter(one -> !ofTwo || one.comparesTwo())
        .map(Comparison::symbol)
        .toList();
  }

  /** Whether it may stand between two values of a pattern. */
  public boolean comparesTwo() {
    return ordinal() <= AT_LEAST.ordinal();
  }

  /** Whether it needs numbers or dates. */
  public boolean orders() {
    return ordinal() >= LESS.ordinal() && ordinal() <= BETWEEN.ordinal();
  }

  /** Whether two that it holds for may be one value. */
  public boolean mayBeEqual() {
    return this == EQUAL || this == AT_MOST || this == AT_LEAST;
  }

  /** Whether it holds between a value and constants: any of them, or both of between. */
  public Boolean holds(Meaning value, List<Meaning> constants) {
    if (this == BETWEEN) {
      Boolean from = AT_LEAST.holds(value, constants.get(0));
      Boolean to = AT_MOST.holds(value, constants.get(1));
      return from == null || to == null ? null : (Boolean) (from && to);
    }
    boolean told = true;
    for (Meaning constant : constants) {
      Boolean one = holds(value, constant);
      if (Boolean.TRUE.equals(one)) {
        return true;
      }
      told &= one != null;
    }
    return told ? false : null;
  }

  /** Whether it holds between two values; null where they cannot be compared. */
  public Boolean holds(Meaning left, Meaning right) {
    if (this == CONTAINS || this == STARTS_WITH) {
      if (left.kind != Kind.TEXT) {
        return null;
      }
      String text = NormalForm.folded(left.text);
      String part = NormalForm.folded(right.text);
      return this == CONTAINS ? text.contains(part) : text.startsWith(part);
    }
    if (left.kind == Kind.BOOLEAN) {
      return right.truth == null ? null : same(left.truth.equals(right.truth));
    }
    if (left.number != null && right.number != null) {
      int order = left.number.compareTo(right.number);
      return ordered(order);
    }
    if (left.period != null && right.period != null) {
      return placed(left.period, right.period);
    }
    // A date in another notation is not sure to be unequal to one in ISO 8601.
    boolean alien = left.isOtherDate() && right.period != null;
    return left.kind == Kind.TEXT && !alien ? same(left.normal().equals(right.normal())) : null;
  }

  /** What equality says; nothing is less or greater than a text or a truth value. */
  private Boolean same(boolean equal) {
    return switch (this) {
      case EQUAL, IN -> equal;
      case UNEQUAL -> !equal;
      default -> null;
    };
  }

  private boolean ordered(int order) {
    return switch (this) {
      case UNEQUAL -> order != 0;
      case LESS -> order < 0;
      case AT_MOST -> order <= 0;
      case GREATER -> order > 0;
      case AT_LEAST -> order >= 0;
      default -> order == 0;
    };
  }

  /** Equal is what lies in the other; less what ends before the other begins. */
  private boolean placed(Period one, Period other) {
    return switch (this) {
      case UNEQUAL -> one.endsBefore(other.start()) || one.beginsFrom(other.end());
      case LESS -> one.endsBefore(other.start());
      case AT_MOST -> one.endsBefore(other.end());
      case GREATER -> one.beginsFrom(other.end());
      case AT_LEAST -> one.beginsFrom(other.start());
      default -> one.beginsFrom(other.start()) && one.endsBefore(other.end());
    };
  }
}
