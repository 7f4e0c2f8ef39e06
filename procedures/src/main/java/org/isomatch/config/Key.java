package org.isomatch.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A declared configuration key: its name, type, range, default and meaning. Immutable; the methods
 * that change one give a copy.
 *
 * @param <T> of its values: Long, Double, String, Boolean, {@code Map<String, Object>} or {@code
 *     List<String>}
 */
public final class Key<T> {
  private final String name;
  private final T fallback;
  private final Type<T> type;
  private final Range range;
  private final boolean nullable;
  private final String meaning;

  /**
   * @param cypher the type's name in Cypher
   * @param words the same in words, with an article
   * @param read gives the value as T; null where it does not fit
   */
  private record Type<T>(String cypher, String words, Function<Object, T> read) {}

  private Key(
      String name, T fallback, Type<T> type, Range range, boolean nullable, String meaning) {
    this.name = name;
    this.fallback = fallback;
    this.type = type;
    this.range = range;
    this.nullable = nullable;
    this.meaning = meaning;
  }

  private static <T> Key<T> key(String name, T fallback, Type<T> type) {
    return new Key<>(name, fallback, type, Range.ALL, false, "");
  }

  /**
   * A whole number; one that is sent as a float (as JavaScript's driver does) is one too.
   *
   * @param fallback null for a key that is {@link #nullable}
   */
  public static Key<Long> wholeNumber(String name, Long fallback) {
    return key(name, fallback, new Type<>("INTEGER", "a whole number", Key::whole));
  }

  /** A number, finite. */
  public static Key<Double> number(String name, Double fallback) {
    return key(name, fallback, new Type<>("FLOAT", "a number", Key::finite));
  }

  /** One of some texts. */
  public static Key<String> choice(String name, String fallback, String... allowed) {
    List<String> all = List.of(allowed);
    String words = "one of '" + String.join("', '", all) + "'";
    return key(
        name,
        fallback,
        new Type<>("STRING", words, v -> v instanceof String s && all.contains(s) ? s : null));
  }

  /** True or false. */
  public static Key<Boolean> flag(String name, Boolean fallback) {
    return key(
        name,
        fallback,
        new Type<>("BOOLEAN", "true or false", v -> v instanceof Boolean b ? b : null));
  }

  /** A text that is not empty. */
  public static Key<String> text(String name, String fallback) {
    return key(
        name,
        fallback,
        new Type<>("STRING", "a text", v -> v instanceof String s && !s.isBlank() ? s : null));
  }

  /** A map; what is in it is for its reader to check. */
  public static Key<Map<String, Object>> map(String name, Map<String, Object> fallback) {
    return key(name, fallback, new Type<>("MAP", "a map", Key::mapping));
  }

  /** A list of texts. */
  public static Key<List<String>> texts(String name, List<String> fallback) {
    return key(name, fallback, new Type<>("LIST<STRING>", "a list of texts", Key::listed));
  }

  /** The same with a least value, which is allowed. */
  public Key<T> from(double least) {
    return within(new Range(least, false, range.most(), range.belowMost()));
  }

  /** The same with a bound below, which is not allowed itself. */
  public Key<T> above(double bound) {
    return within(new Range(bound, true, range.most(), range.belowMost()));
  }

  /** The same with a greatest value, which is allowed. */
  public Key<T> to(double most) {
    return within(new Range(range.least(), range.aboveLeast(), most, false));
  }

  /** The same with a bound above, which is not allowed itself. */
  public Key<T> below(double bound) {
    return within(new Range(range.least(), range.aboveLeast(), bound, true));
  }

  /** The same, where null is a value. */
  public Key<T> nullable() {
    return new Key<>(name, fallback, type, range, true, meaning);
  }

  /** The same with another default; for procedures that share a key. */
  public Key<T> otherwise(T other) {
    return new Key<>(name, other, type, range, nullable, meaning);
  }

  /** The same with its meaning in one sentence, for the reference. */
  public Key<T> means(String sentence) {
    return new Key<>(name, fallback, type, range, nullable, sentence);
  }

  public String name() {
    return name;
  }

  /** The value where none is given. */
  public T fallback() {
    return fallback;
  }

  /** The type's name in Cypher. */
  public String type() {
    return type.cypher();
  }

  public String meaning() {
    return meaning;
  }

  /** What a value must be, such as "a whole number from 1 on, or null". */
  public String expected() {
    return type.words() + range.words() + (nullable ? ", or null" : "");
  }

  /**
   * The value as this key's type.
   *
   * @throws ConfigException where it is of another type, or out of range
   */
  T read(String procedure, Object given) {
    if (given == null && nullable) {
      return null;
    }
    T value = given == null ? null : type.read().apply(given);
    boolean outside = value instanceof Number n && !range.holds(n.doubleValue());
    if (value == null || outside) {
      throw ConfigException.wrong(procedure, name, expected(), given);
    }
    return value;
  }

  private Key<T> within(Range other) {
    return new Key<>(name, fallback, type, other, nullable, meaning);
  }

  private static Long whole(Object given) {
    if (given instanceof Double d) {
      return d == Math.rint(d) && Math.abs(d) < 1L << 53 ? d.longValue() : null;
    }
    return given instanceof Number n && !(given instanceof Float) ? (Long) n.longValue() : null;
  }

  private static Double finite(Object given) {
    return given instanceof Number n && Double.isFinite(n.doubleValue()) ? n.doubleValue() : null;
  }

  private static Map<String, Object> mapping(Object given) {
    if (!(given instanceof Map<?, ?> map)) {
      return null;
    }
    @SuppressWarnings("unchecked") // Cypher's maps have text keys only
    Map<String, Object> typed = (Map<String, Object>) map;
    return typed;
  }

  private static List<String> listed(Object given) {
    if (!(given instanceof List<?> list)) {
      return null;
    }
    List<String> texts = new ArrayList<>(list.size());
    for (Object item : list) {
      if (!(item instanceof String text)) {
        return null;
      }
      texts.add(text);
    }
    return List.copyOf(texts);
  }
}
