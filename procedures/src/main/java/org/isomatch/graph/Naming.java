package org.isomatch.graph;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.MatchKeys;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;

/**
 * Which property names the nodes of each label: what they are called, and no relation of them. The
 * caller says so, or {@link NameProperties}.
 */
public final class Naming {
  private final Map<String, String> keyOfLabel;
  private final Set<String> keys;

  /** The naming property of each label that has one, best label first. */
  public Naming(Map<String, String> keyOfLabel) {
    this.keyOfLabel = keyOfLabel;
    this.keys = Set.copyOf(keyOfLabel.values());
  }

  /** As config key {@code names} says; ConfigException if a value is no property key. */
  public static Naming from(Config config, Transaction transaction) {
    Map<String, Object> given = config.get(MatchKeys.NAMES);
    if (given == null) {
      return NameProperties.find(transaction);
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

  /** The property that names the nodes of a label; null for none. */
  public String key(String label) {
    return keyOfLabel.get(label);
  }

  /** Whether a property is the name of the nodes of some label. */
  public boolean isNaming(String key) {
    return keys.contains(key);
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
    List<?> members = Value.members(property);
    Object value = members == null ? property : members.stream().findFirst().orElse(null);
    return value == null || value.toString().isBlank() ? null : value.toString();
  }
}
