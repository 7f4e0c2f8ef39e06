package org.isomatch.pattern;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Reads patterns in every form in which they are written. The same forms, rules, ids and messages
 * as in Python: {@code tests/vectors/patterns.json} holds both to it.
 */
public final class Patterns {
  private Patterns() {}

  /**
   * The pattern that a value of any accepted form describes.
   *
   * @param value a {@link Pattern}, a map (the JSON form), a list of triples (lists of three or
   *     four texts, the relation may be null), or a text. A text that begins with <code>{</code> is
   *     JSON; one that begins like a triple (or {@code [[}, a JSON list of them), triples; any
   *     other, the short form.
   * @throws PatternException where no pattern can be made of it
   */
  public static Pattern parse(Object value) {
    if (value instanceof Pattern pattern) {
      return pattern;
    }
    if (value instanceof Map<?, ?> map) {
      return JsonForm.parse(map, null);
    }
    if (value instanceof String text) {
      Scanner scanner = new Scanner(text, Pattern.EXAMPLE);
      if (scanner.take('{')) {
        return JsonForm.parse(text);
      }
      if (scanner.take('[') && scanner.take('[')) {
        return jsonRows(text);
      }
      return TriplesForm.begins(text) ? TriplesForm.parse(text) : TextForm.parse(text);
    }
    List<?> triples = asList(value);
    if (triples != null) {
      return TriplesForm.parse(triples);
    }
    throw new PatternException(
        "a pattern is text, a mapping or a sequence of triples, not %s. A correct pattern: %s"
            .formatted(
                value == null ? "null" : value.getClass().getSimpleName(), Pattern.EXAMPLE));
  }

  /** A list, or the list of an array's elements (as stored properties arrive); null for others. */
  static List<?> asList(Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    return value instanceof Object[] array ? Arrays.asList(array) : null;
  }

  private static Pattern jsonRows(String text) {
    try {
      return parse(Json.read(text));
    } catch (PatternException e) {
      throw new PatternException(e.getMessage(), text, null, e);
    } catch (Json.SyntaxException e) {
      throw new PatternException(
          "this begins like triples in JSON, but is none: %s. A correct pattern: %s"
              .formatted(e.getMessage(), Pattern.EXAMPLE),
          text,
          null,
          e);
    }
  }
}
