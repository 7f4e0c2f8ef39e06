package org.isomatch.pattern;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The vectors that every implementation of the input forms shares. */
final class PatternVectors {
  private static final Path FILE = Path.of("..", "tests", "vectors", "patterns.json");

  private PatternVectors() {}

  /** The entries of {@code good} or {@code bad}. */
  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> of(String part) {
    try {
      Object all = Json.read(Files.readString(FILE));
      return ((Map<String, List<Map<String, Object>>>) all).get(part);
    } catch (Exception e) {
      throw new IllegalStateException("the vectors cannot be read: " + FILE, e);
    }
  }

  /** A list of texts in an entry. */
  @SuppressWarnings("unchecked")
  static List<String> texts(Map<String, Object> vector, String key) {
    return (List<String>) vector.get(key);
  }

  /** Reads a text in one form, whatever it begins with. */
  static Pattern read(String form, String text) {
    return switch (form) {
      case "text" -> TextForm.parse(text);
      case "triples" -> TriplesForm.parse(text);
      case "json" -> JsonForm.parse(text);
      default -> throw new IllegalArgumentException(form);
    };
  }
}
