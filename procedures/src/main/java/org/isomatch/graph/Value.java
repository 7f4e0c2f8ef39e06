package org.isomatch.graph;

import java.lang.reflect.Array;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;
import java.util.List;
import java.util.stream.IntStream;
import org.neo4j.graphdb.spatial.Point;

/**
 * A single property value, as Neo4j's API gives it. Bytes and vectors are no values that a pattern
 * could name.
 */
public record Value(Object value) {
  private static final double EXACT = 1L << 53;

  /** Equal for values that are equal in Cypher: 5.0 up to 2^53 is a Long, a character a text. */
  public Object key() {
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

  /** The type id of a literal, such as {@code literal:text}; null if it has none. */
  String kind() {
    if (value instanceof String || value instanceof Character) {
      return "literal:text";
    } else if (value instanceof Number) {
      return "literal:number";
    } else if (value instanceof Boolean) {
      return "literal:boolean";
    }
    boolean date =
        value instanceof LocalDate
            || value instanceof LocalDateTime
            || value instanceof ZonedDateTime;
    return date ? "literal:date" : null;
  }

  /** What a property holds: one value, or the members of a list. */
  static List<Value> of(Object property) {
    if (property == null || property instanceof byte[]) {
      return List.of();
    }
    List<?> members = members(property);
    return (members == null ? List.of(property) : members)
        .stream().filter(Value::isValue).<Value>map(Value::new).toList();
  }

  /** The members of a list or an array; null for anything else. */
  public static List<?> members(Object given) {
    if (given instanceof List<?> list) {
      return list;
    }
    return given != null && given.getClass().isArray()
        ? IntStream.range(0, Array.getLength(given)).mapToObj(i -> Array.get(given, i)).toList()
        : null;
  }

  /** Whether a property holds this value, as itself or as a member of its list. */
  boolean isIn(Object property) {
    Object wanted = key();
    return of(property).stream().anyMatch(member -> member.key().equals(wanted));
  }

  private static boolean isValue(Object value) {
    return value instanceof String
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof Character
        || value instanceof Temporal
        || value instanceof TemporalAmount
        || value instanceof Point;
  }
}
