package org.isomatch.config;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.function.Function;

/**
 * A declared configuration key. The methods that change one give a copy.
 *
 * @param <T> Long, Double, String, Boolean, {@code Map<String, Object>} or {@code List<String>}
 * @param fallback the value if none is given; if it is null, null is a value
 * @param type the name of the type in Cypher
 * @param words the type and range in words, with an article
 * @param reader gives the value as T; null if it does not fit
 * @param meaning in one sentence, for the reference
 */
public record Key<T>(
    String name, T fallback, String type, String words, Function<Object, T> reader, boolean
    nullable, String meaning) {

  private static <T> Key<T> key(
      String name, T fallback, String type, String words, Function<Object, T> reader) {
    return new Key<>(name, fallback, type, words, reader, fallback == null, "");
  }

  /** A whole number; one that is sent as a float (as JavaScript's driver does) is one too. */
  public static Key<Long> wholeNumber(String name, Long fallback) {
    return key(name, fallback, "INTEGER", "a whole number", Key::readWholeNumber);
  }

  public static Key<Double> number(String name, Double fallback) {
    return key(
        name, fallback, "FLOAT", "a number",
        v -> v instanceof Number n && Double.isFinite(n.doubleValue()) ? n.doubleValue() : null);
  }

  public static Key<String> choice(String name, String fallback, String... allowed) {
    List<String> all = List.of(allowed);
    String words = "one of '" + String.join("', '", all) + "'";
    return key(
        name, fallback, "STRING", words, v -> v instanceof String s && all.contains(s) ? s : null);
  }

  public static Key<Boolean> flag(String name, Boolean fallback) {
    return key(
        name, fallback, "BOOLEAN", "true or false", v -> v instanceof Boolean b ? b : null);
  }

  /** A text that is not empty. */
  public static Key<String> text(String name, String fallback) {
    return key(
        name, fallback, "STRING", "a text", v -> v instanceof String s && !s.isBlank() ? s : null);
  }

  /** A map; its content is checked by who reads it. */
  @SuppressWarnings("unchecked") // Cypher's maps have text keys only
  public static Key<Map<String, Object>> map(String name, Map<String, Object> fallback) {
    return key(
        name, fallback, "MAP", "a map",
        v -> v instanceof Map<?, ?> map ? (Map<String, Object>) map : null);
  }

  public static Key<List<String>> texts(String name, List<String> fallback) {
    return key(name, fallback, "LIST<STRING>", "a list of texts", Key::readTexts);
  }

  private static Long readWholeNumber(Object given) {
    if (given instanceof Double d) {
      return d == Math.rint(d) && Math.abs(d) < 1L << 53 ? d.longValue() : null;
    }
    return given instanceof Number n && !(given instanceof Float) ? (Long) n.longValue() : null;
  }

  private static List<String> readTexts(Object given) {
    return given instanceof List<?> list && list.stream().allMatch(String.class::isInstance)
        ? list.stream().map(String.class::cast).toList()
        : null;
  }

  public Key<T> from(double least) {
    return within(v -> v >= least, " from %s on", least);
  }

  /** With a lower bound, which is not allowed itself. */
  public Key<T> above(double bound) {
    return within(v -> v > bound, " above %s", bound);
  }

  public Key<T> to(double most) {
    return within(v -> v <= most, " up to %s", most);
  }

  /** With an upper bound, which is not allowed itself. */
  public Key<T> below(double bound) {
    return within(v -> v < bound, " below %s", bound);
  }

  private Key<T> within(DoublePredicate range, String phrase, double bound) {
    boolean second = words.contains(" from ") || words.contains(" above ");
    String first = words.replaceFirst(" on$", "") + (second ? "," : "");
    String number = BigDecimal.valueOf(bound).stripTrailingZeros().toPlainString();
    Function<Object, T> within =
        given -> {
          T value = reader.apply(given);
          return value instanceof Number n && range.test(n.doubleValue()) ? value : null;
        };
    return new Key<>(
        name, fallback, type, first + phrase.formatted(number), within, nullable, meaning);
  }

  public Key<T> orNull() {
    return new Key<>(name, fallback, type, words, reader, true, meaning);
  }

  /** With another default; for procedures that share a key. */
  public Key<T> withDefault(T other) {
    return new Key<>(name, other, type, words, reader, nullable, meaning);
  }

  public Key<T> means(String sentence) {
    return new Key<>(name, fallback, type, words, reader, nullable, sentence);
  }

  /** What a value must be, such as "a whole number from 1 on, or null". */
  public String expected() {
    return words + (nullable ? ", or null" : "");
  }

  /** The key as signatures write parameters, such as {@code k = 3 :: INTEGER}. */
  public String signature() {
    String value = fallback instanceof String text ? "'" + text + "'" : String.valueOf(fallback);
    return "%s = %s :: %s".formatted(name, value, type);
  }

  /** A given value as this key's type; ConfigException if it does not fit. */
  T read(String procedure, Object given) {
    T value = given == null ? null : reader.apply(given);
    if (value == null && !(given == null && nullable)) {
      throw ConfigException.wrong(procedure, name, expected(), given);
    }
    return value;
  }
}
