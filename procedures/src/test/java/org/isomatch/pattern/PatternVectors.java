package org.isomatch.pattern;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The vectors that every implementation of the input forms shares. */
final class PatternVectors {
  private static final Path FILE = Path.of("..", "tests", "vectors", "patterns.json");
  private static final ObjectMapper JSON = new ObjectMapper();

  private PatternVectors() {}

  /** The entries of {@code good} or {@code bad}. */
  static List<Map<String, Object>> of(String part) {
    try {
      return JSON.convertValue(
          JSON.readTree(FILE.toFile()).get(part),
          new TypeReference<List<Map<String, Object>>>() {});
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A list of texts in an entry. */
  @SuppressWarnings("unchecked")
  static List<String> texts(Map<String, Object> vector, String key) {
    return (List<String>) vector.get(key);
  }

  /** A JSON text as Cypher's maps and lists. */
  static Object json(String text) {
    try {
      return JSON.readValue(text, Object.class);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
