package org.isomatch.graph;

/** Which property values are one: those that are equal in Cypher, as 5 and 5.0 are. */
public final class Equality {
  private static final double EXACT = 1L << 53;

  private Equality() {}

  /**
   * A key for a value: the keys of two values are equal where the values are equal in Cypher.
   *
   * @param value a single property value, no list
   * @return whole numbers as {@code Long}, also of doubles up to 2^53; characters as text
   */
  public static Object of(Object value) {
    if (value instanceof Character) {
      return value.toString();
    }
    if (value instanceof Float || value instanceof Double) {
      double number = ((Number) value).doubleValue();
      boolean whole = number == Math.rint(number) && Math.abs(number) <= EXACT;
      return whole ? (Object) (long) number : number;
    }
    return value instanceof Number number ? (Object) number.longValue() : value;
  }
}
