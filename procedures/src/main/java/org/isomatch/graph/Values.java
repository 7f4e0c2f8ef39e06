package org.isomatch.graph;

import java.lang.reflect.Array;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.temporal.Temporal;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.neo4j.graphdb.spatial.Point;

/**
 * Property values as negative numbers, so that a set of things at hand is an array of longs.
 *
 * <p>Numbers are equal as Cypher has it: 5 and 5.0 are one value. Bytes and vectors are no values
 * that a pattern could name, and have no number.
 */
final class Values {
  private final Map<Object, Long> numbers = new HashMap<>();
  private final List<Object> values = new ArrayList<>();
  private final Meter meter;

  Values(Meter meter) {
    this.meter = meter;
  }

  /** The number of a single value. */
  long number(Object value) {
    Object key = Equality.of(value);
    Long known = numbers.get(key);
    if (known == null) {
      meter.allocate(value instanceof String text ? 160 + 2L * text.length() : 160);
      values.add(value);
      known = (long) -values.size();
      numbers.put(key, known);
    }
    return known;
  }

  Object value(long number) {
    return values.get((int) (-number - 1));
  }

  /** What a property holds, one by one: a value, or the members of a list. */
  static List<Object> members(Object property) {
    if (property == null || property instanceof byte[]) {
      return List.of();
    }
    if (!property.getClass().isArray()) {
      return isValue(property) ? List.of(property) : List.of();
    }
    List<Object> found = new ArrayList<>();
    for (int i = 0; i < Array.getLength(property); i++) {
      Object member = Array.get(property, i);
      if (isValue(member)) {
        found.add(member);
      }
    }
    return found;
  }

  /** Whether a property holds a value, as itself or as a member of its list. */
  static boolean holds(Object property, Object value) {
    Object wanted = Equality.of(value);
    for (Object member : members(property)) {
      if (Equality.of(member).equals(wanted)) {
        return true;
      }
    }
    return false;
  }

  /** The kind of a literal as a type's id; null for one that has none. */
  static String kind(Object value) {
    if (value instanceof String || value instanceof Character) {
      return "literal:text";
    }
    if (value instanceof Number) {
      return "literal:number";
    }
    if (value instanceof Boolean) {
      return "literal:boolean";
    }
    if (value instanceof LocalDate
        || value instanceof LocalDateTime
        || value instanceof ZonedDateTime) {
      return "literal:date";
    }
    return null;
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
