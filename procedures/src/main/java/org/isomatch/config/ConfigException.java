package org.isomatch.config;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;

/** A configuration that a procedure refuses; the message names the key and says what fits. */
public final class ConfigException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 40;

  public ConfigException(String message) {
    super(message);
  }

  /** A value of the wrong type or out of range; {@code expected} says what fits. */
  public static ConfigException wrong(
      String procedure, String path, String expected, Object given) {
    return new ConfigException(
        "%s: config key '%s' must be %s, not %s"
            .formatted(procedure, path, expected, shown(given)));
  }

  /** A key that does not exist; {@code key} is the last part of its path. */
  public static ConfigException unknown(
      String procedure, String path, String key, Collection<String> valid) {
    String hint = Nearest.of(key, valid).map("; did you mean '%s'?"::formatted).orElse("");
    String listed =
        valid.isEmpty() ? "There are none here" : "The keys are " + String.join(", ", valid);
    return new ConfigException(
        "%s: unknown config key '%s'%s %s"
            .formatted(procedure, path, hint.isEmpty() ? "." : hint, listed));
  }

  /** A value and its type in words, for messages. */
  public static String shown(Object value) {
    if (value == null) {
      return "null";
    }
    if (value instanceof String text) {
      return "'" + cut(text) + "' (text)";
    }
    return cut(String.valueOf(value)) + " (" + type(value) + ")";
  }

  private static String cut(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN - 1) + "…";
  }

  private static String type(Object value) {
    if (value instanceof Number) {
      return value instanceof Long || value instanceof Integer ? "whole number" : "number";
    } else if (value instanceof Map) {
      return "map";
    } else if (value instanceof Collection) {
      return "list";
    } else if (value instanceof Node) {
      return "node";
    } else if (value instanceof Relationship) {
      return "relationship";
    }
    return value.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
