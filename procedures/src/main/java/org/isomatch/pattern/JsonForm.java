package org.isomatch.pattern;

import static org.isomatch.pattern.Excerpt.shown;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * The JSON form: an object with {@code nodes} (id, text, type), {@code edges} (source, relation,
 * target, value) and {@code return}, as a text or as the map that it stands for.
 */
final class JsonForm {
  static final String EXAMPLE =
      "{\"nodes\": [{\"id\": \"film\", \"type\": \"film\"},"
          + " {\"id\": \"mann\", \"text\": \"Michael Mann\"}],"
          + " \"edges\": [{\"source\": \"film\", \"relation\": \"directed by\","
          + " \"target\": \"mann\"}], \"return\": [\"film\"]}";

  private static final List<String> PATTERN_KEYS = List.of("nodes", "edges", "return");
  private static final List<String> NODE_KEYS = List.of("id", "text", "type");
  private static final List<String> EDGE_KEYS = List.of("source", "relation", "target", "value");

  /** The first mistake, in words; null where there is none yet. */
  private String problem;

  /** The first unknown key, in words: told before any other mistake, since it explains them. */
  private String unknownKey;

  private JsonForm() {}

  /** The pattern that a JSON text describes. */
  static Pattern parse(String text) {
    Object value;
    try {
      value = Json.read(text);
    } catch (Json.SyntaxException e) {
      if (e.offset() < 0) {
        throw error("not JSON that can be read: " + e.getMessage(), text, e);
      }
      throw Excerpt.error("not JSON from here on", text, e.offset(), EXAMPLE, e);
    }
    if (value instanceof Map<?, ?> map) {
      return parse(map, text);
    }
    throw error("a pattern in JSON is an object with nodes and edges", text, null);
  }

  /**
   * The pattern that a map describes.
   *
   * @param text that the map was read from; null where it was none
   */
  static Pattern parse(Map<?, ?> map, String text) {
    JsonForm form = new JsonForm();
    List<Node> nodes = form.objects(map, "nodes", form::node);
    List<Edge> edges = form.objects(map, "edges", form::edge);
    List<String> returns = form.returns(map);
    form.refuseUnknown(map, "", PATTERN_KEYS);
    if (form.unknownKey != null || form.problem != null) {
      throw error(form.unknownKey != null ? form.unknownKey : form.problem, text, null);
    }
    Fault fault = Faults.find(nodes, edges, returns);
    if (fault != null) {
      String place =
          switch (fault.part()) {
            case WHOLE -> "";
            case NODES -> "nodes[" + fault.index() + "]: ";
            case EDGES -> "edges[" + fault.index() + "]: ";
            case RETURNS -> "return[" + fault.index() + "]: ";
          };
      throw error(place + fault.problem(), text, null);
    }
    return new Pattern(nodes, edges, returns);
  }

  private Node node(Map<?, ?> map, String path) {
    Node node =
        new Node(
            required(map, path, "id"), optional(map, path, "text"), optional(map, path, "type"));
    refuseUnknown(map, path, NODE_KEYS);
    return node;
  }

  private Edge edge(Map<?, ?> map, String path) {
    Edge edge =
        new Edge(
            required(map, path, "source"),
            optional(map, path, "relation"),
            required(map, path, "target"),
            optional(map, path, "value"));
    refuseUnknown(map, path, EDGE_KEYS);
    return edge;
  }

  private <T> List<T> objects(Map<?, ?> map, String key, BiFunction<Map<?, ?>, String, T> read) {
    List<T> result = new ArrayList<>();
    List<?> items = list(map, key);
    for (int i = 0; i < items.size(); i++) {
      String path = key + "[" + i + "]";
      if (items.get(i) instanceof Map<?, ?> item) {
        result.add(read.apply(item, path));
      } else {
        note(path + " must be an object");
      }
    }
    return result;
  }

  private List<String> returns(Map<?, ?> map) {
    List<String> result = new ArrayList<>();
    List<?> items = map.containsKey("return") ? list(map, "return") : List.of();
    for (int i = 0; i < items.size(); i++) {
      result.add(text(items.get(i), "return[" + i + "]"));
    }
    return result;
  }

  /** The list of that key; empty, with a note, where there is none. */
  private List<?> list(Map<?, ?> map, String key) {
    List<?> items = Patterns.asList(map.get(key));
    if (items == null) {
      note(key + (map.containsKey(key) ? " must be a list" : " is missing"));
      return List.of();
    }
    return items;
  }

  private String required(Map<?, ?> map, String path, String key) {
    if (!map.containsKey(key)) {
      note(path + "." + key + " is missing");
      return null;
    }
    return text(map.get(key), path + "." + key);
  }

  private String optional(Map<?, ?> map, String path, String key) {
    return map.get(key) == null ? null : text(map.get(key), path + "." + key);
  }

  private String text(Object value, String path) {
    if (value instanceof String text) {
      return text;
    }
    note(path + " must be a text");
    return null;
  }

  private void refuseUnknown(Map<?, ?> map, String path, List<String> allowed) {
    for (Object key : map.keySet()) {
      if (unknownKey == null && !allowed.contains(key)) {
        String near = CloseMatch.of(String.valueOf(key), allowed);
        unknownKey =
            "unknown key %s%s; %s"
                .formatted(
                    shown(String.valueOf(key)),
                    path.isEmpty() ? "" : " in " + path,
                    near == null
                        ? "the keys here are " + String.join(", ", allowed)
                        : "did you mean '" + near + "'?");
      }
    }
  }

  private void note(String mistake) {
    if (problem == null) {
      problem = mistake;
    }
  }

  private static PatternException error(String problem, String text, Throwable cause) {
    return new PatternException(
        problem + "\nA correct pattern: " + EXAMPLE, text, null, cause);
  }
}
