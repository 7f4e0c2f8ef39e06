package org.isomatch.graph;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.MatchKeys;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;

/**
 * Which property names a node: what it is called, and no relation of it.
 *
 * <p>Either the caller says so for each label that has names, or it is the first of {@code name},
 * {@code title} and {@code label} that the node has.
 */
public final class Naming {
  /** Property keys that usually name a node, best first. */
  public static final List<String> USUAL = List.of("name", "title", "label");

  private final Map<String, String> keyOfLabel;
  private final Set<String> keys;

  /** The naming property of each label that has one, best label first; null for the usual. */
  public Naming(Map<String, String> keyOfLabel) {
    this.keyOfLabel = keyOfLabel;
    this.keys = new LinkedHashSet<>(keyOfLabel == null ? USUAL : keyOfLabel.values());
  }

  /** As config key {@code names} says; ConfigException if a value is no property key. */
  public static Naming from(Config config) {
    Map<String, Object> given = config.get(MatchKeys.NAMES);
    if (given == null) {
      return new Naming(null);
    }
    Map<String, String> keys = new LinkedHashMap<>();
    given.forEach(
        (label, key) -> {
          if (key instanceof String text && !text.isEmpty()) {
            keys.put(label, text);
          } else if (key != null) { // null: the label has no names
            throw config.wrong("names." + label, "a property key, or null", key);
          }
        });
    return new Naming(keys);
  }

  /** Labels whose nodes have names; null where those of any label may. */
  public Set<String> labels() {
    return keyOfLabel == null ? null : keyOfLabel.keySet();
  }

  /** Keys that may name the nodes of a label, best first. */
  public List<String> keys(String label) {
    if (keyOfLabel == null) {
      return USUAL;
    }
    String key = keyOfLabel.get(label);
    return key == null ? List.of() : List.of(key);
  }

  /** Whether a property is the name of a node, under one of its labels. */
  public boolean isNaming(Node node, String key) {
    return keys.contains(key) && keys(node).contains(key);
  }

  /** What a node is called; null where nothing names it, or only blanks do. */
  public String nameOf(Node node) {
    List<String> keys = keys(node);
    if (keys.size() > 1) {
      return nameOfBestLabel(node);
    }
    return keys.isEmpty() ? null : text(node.getProperty(keys.get(0), null));
  }

  /** Whether a value is a text that names a node, letter for letter, under one of its labels. */
  public boolean isNamed(Node node, Object value) {
    return value instanceof String
        && keys(node).stream().anyMatch(key -> value.equals(node.getProperty(key, null)));
  }

  private List<String> keys(Node node) {
    if (keyOfLabel == null) {
      return USUAL.stream().filter(node::hasProperty).limit(1).toList();
    }
    List<String> found = new ArrayList<>(1);
    for (Label label : node.getLabels()) {
      String key = keyOfLabel.get(label.name());
      if (key != null && !found.contains(key)) {
        found.add(key);
      }
    }
    return found;
  }

  private String nameOfBestLabel(Node node) {
    for (Map.Entry<String, String> place : keyOfLabel.entrySet()) {
      if (node.hasLabel(Label.label(place.getKey()))) {
        String text = text(node.getProperty(place.getValue(), null));
        if (text != null) {
          return text;
        }
      }
    }
    return null;
  }

  /** A property as a name; of a list, its first member. */
  private static String text(Object property) {
    Object value = property;
    if (value != null && value.getClass().isArray()) {
      value = Array.getLength(value) == 0 ? null : Array.get(value, 0);
    }
    return value == null || value.toString().isBlank() ? null : value.toString();
  }
}
