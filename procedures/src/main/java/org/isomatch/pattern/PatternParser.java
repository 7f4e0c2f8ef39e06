package org.isomatch.pattern;

import java.util.List;
import java.util.Map;
import org.isomatch.graph.Value;

/**
 * Parses patterns from Cypher values. The text syntax and its rules and ids are the same as in
 * Python: {@code tests/vectors/patterns.json} is for both.
 */
public final class PatternParser {
  private PatternParser() {}

  /** Parses a text, a map ({@link MapParser}), or a list of triples ({@link TripleParser}). */
  public static Pattern parse(Object value) {
    List<?> triples = Value.members(value); // of an array, too, as stored properties are
    if (triples != null) {
      return TripleParser.parse(triples);
    }
    if (value instanceof Map<?, ?> map) {
      return MapParser.parse(map);
    }
    if (!(value instanceof String text)) {
      String type = value == null ? "null" : value.getClass().getSimpleName();
      throw new PatternException(
          "a pattern is a text, a map or a list of triples, not %s. A correct pattern: %s"
              .formatted(type, Pattern.EXAMPLE));
    }
    String start = text.stripLeading();
    if (start.startsWith("{") || start.startsWith("[")) {
      throw new PatternException(
          "a pattern in JSON is passed as a Cypher map or list, without quotes around it."
              + " A correct pattern: "
              + MapParser.EXAMPLE);
    }
    return TextParser.parse(text);
  }
}
