package org.isomatch.pattern;

import static org.isomatch.pattern.PatternRules.quoted;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.isomatch.config.Nearest;
import org.isomatch.graph.Value;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;

/**
 * Parses a Cypher map with {@code nodes} (id, text, type), {@code edges} (source, relation, target,
 * value, key, directed), {@code return}, {@code where} ({@link ConditionMaps}) and {@code parts}
 * (nodes, operator, pattern): the keys of the JSON form.
 */
final class MapParser {
  static final String EXAMPLE =
      "{nodes: [{id: 'film', type: 'film'}, {id: 'mann', text: 'Michael Mann'}],"
          + " edges: [{source: 'film', relation: 'directed by', target: 'mann'}],"
          + " return: ['film']}";

  private static final List<String> PATTERN_KEYS =
      List.of("nodes", "edges", "return", "where", "parts");
  private static final List<String> CYPHERS =
      List.of("count", "sum", "avg", "min", "max", "ask", "each", "order", "optional");
  private static final List<String> NODE_KEYS = List.of("id", "text", "type");
  private static final List<String> EDGE_KEYS =
      List.of("source", "relation", "target", "value", "key", "directed");

  private static final String ONLY_NOT_IN =
      " is searched here for 'not in' alone: write the rest in Cypher behind YIELD, as in WHERE"
          + " EXISTS { … }";

  private MapParser() {}

  static Pattern parse(Map<?, ?> map) {
    return parse(map, false);
  }

  private static Pattern parse(Map<?, ?> map, boolean nested) {
    // All keys first: an unknown one explains why another is missing.
    checkItemKeys(map, "nodes", NODE_KEYS);
    checkItemKeys(map, "edges", EDGE_KEYS);
    for (String key : CYPHERS) {
      Object value = map.get(key);
      if (value != null && !Boolean.FALSE.equals(value) && !List.of().equals(value)) {
        throw error(ClauseParser.isCyphers(key));
      }
    }
    checkKeys(
        map, "", Stream.concat(PATTERN_KEYS.stream(), CYPHERS.stream()).toList());
    List<Node> nodes = new ArrayList<>();
    for (Object item : list(map, "nodes")) {
      String path = "nodes[" + nodes.size() + "]";
      nodes.add(
          new Node(
              text(item, path, "id", true), text(item, path, "text", false), text(item, path,
              "type", false)));
    }
    List<Edge> edges = new ArrayList<>();
    for (Object item : list(map, "edges")) {
      String path = "edges[" + edges.size() + "]";
      edges.add(
          new Edge(
              text(item, path, "source", true), text(item, path, "relation", false), text(item,
              path, "target", true), text(item, path, "value", false), directed(item, path),
              text(item, path, "key", false)));
    }
    List<String> returns = texts(map, "return", "");
    List<Condition> where = ConditionMaps.parse(optional(map, "where", ""), "where");
    List<Without> without = new ArrayList<>();
    for (Object item : optional(map, "parts", "")) {
      without.add(part(item, "parts[" + without.size() + "]", nested));
    }
    PatternRules.Violation violation =
        PatternRules.check(nodes, edges, returns, where, without);
    if (violation != null) {
      boolean whole = violation.part() == PatternRules.Part.PATTERN;
      String part = violation.part().name().toLowerCase(Locale.ROOT);
      String path = whole ? "" : "%s[%d]: ".formatted(part, violation.index());
      throw error(path + violation.problem());
    }
    return new Pattern(nodes, edges, returns, where, without);
  }

  private static Without part(Object item, String path, boolean nested) {
    String operator = text(item, path, "operator", true);
    Map<?, ?> map = (Map<?, ?>) item;
    if (!operator.equals("not in") || Boolean.TRUE.equals(map.get("alternative"))) {
      throw error(path + ONLY_NOT_IN);
    }
    if (nested) {
      throw error(path + ": a pattern in a part has none of its own here: write that in Cypher");
    }
    checkKeys(map, " in " + path, List.of("nodes", "operator", "pattern", "alternative"));
    if (!(map.get("pattern") instanceof Map<?, ?> within)) {
      throw error(path + ".pattern must be a map");
    }
    return new Without(texts(map, "nodes", path + "."), parse(within, true));
  }

  /** A list, empty where there is none. */
  static List<?> optional(Map<?, ?> map, String key, String path) {
    List<?> items = map.containsKey(key) ? Value.members(map.get(key)) : List.of();
    if (items == null) {
      throw error(path + key + " must be a list");
    }
    return items;
  }

  private static List<String> texts(Map<?, ?> map, String key, String path) {
    List<String> texts = new ArrayList<>();
    for (Object item : optional(map, key, path)) {
      if (!(item instanceof String text)) {
        throw error("%s%s[%d] must be a text".formatted(path, key, texts.size()));
      }
      texts.add(text);
    }
    return texts;
  }

  private static List<?> list(Map<?, ?> map, String key) {
    List<?> items = Value.members(map.get(key));
    if (items == null) {
      throw error(key + (map.containsKey(key) ? " must be a list" : " is missing"));
    }
    return items;
  }

  static String text(Object item, String path, String key, boolean required) {
    if (!(item instanceof Map<?, ?> map)) {
      throw error(path + " must be a map");
    }
    Object value = map.get(key);
    if (value instanceof String || (value == null && !required)) {
      return (String) value;
    }
    throw error(path + "." + key + (map.containsKey(key) ? " must be a text" : " is missing"));
  }

  private static boolean directed(Object item, String path) {
    Object value = ((Map<?, ?>) item).get("directed");
    if (value == null || value instanceof Boolean) {
      return Boolean.TRUE.equals(value);
    }
    throw error(path + ".directed must be true or false");
  }

  private static void checkItemKeys(Map<?, ?> map, String part, List<String> allowed) {
    List<?> items = Value.members(map.get(part));
    for (int i = 0; items != null && i < items.size(); i++) {
      if (items.get(i) instanceof Map<?, ?> item) {
        checkKeys(item, " in " + part + "[" + i + "]", allowed);
      }
    }
  }

  static void checkKeys(Map<?, ?> map, String place, List<String> allowed) {
    for (Object key : map.keySet()) {
      if (!allowed.contains(key)) {
        String name = String.valueOf(key);
        String remedy =
            Nearest.of(name, allowed)
                .map("did you mean '%s'?"::formatted)
                .orElse("the keys here are " + String.join(", ", allowed));
        throw error("unknown key %s%s; %s".formatted(quoted(name), place, remedy));
      }
    }
  }

  static PatternException error(String problem) {
    return new PatternException(problem + "\nA correct pattern: " + EXAMPLE);
  }
}
