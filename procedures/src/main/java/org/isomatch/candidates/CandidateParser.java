package org.isomatch.candidates;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.candidates.ListBuilder.Named;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.MatchKeys;
import org.isomatch.graph.Value;
import org.isomatch.pattern.Pattern;
import org.neo4j.graphdb.Entity;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;

/** Parses config key {@code candidates}: the lists that a caller gives. */
final class CandidateParser {
  private static final String KEY = "candidates";
  private static final String OF_PARTS = "parts";
  private static final List<String> PARTS = List.of("nodes", "relations", "types", OF_PARTS);
  private static final List<String> COMPACT_KEYS =
      List.of("ids", "distances", "frontier", "approximate");

  private final Config config;
  private final Pattern pattern;
  private final UnaryOperator<String> relationIds;

  /** By node id; those of relations by edge number, as text. */
  final Map<String, ListBuilder> nodes = new LinkedHashMap<>();
  final Map<String, ListBuilder> relations = new LinkedHashMap<>();
  final Map<String, ListBuilder> types = new LinkedHashMap<>();

  /** Names that are nothing in the database, in words. */
  final List<String> notes = new ArrayList<>();

  /** With what gives a relation's id for a bare name; null if there is none. */
  CandidateParser(Config config, Pattern pattern, UnaryOperator<String> relationIds) {
    this.config = config;
    this.pattern = pattern;
    this.relationIds = relationIds;
    config.get(MatchKeys.CANDIDATES).forEach(this::part);
  }

  /** The configuration for the search of a part of the pattern, by its number. */
  static Config ofPart(Config config, int number) {
    Map<String, Object> own = new LinkedHashMap<>();
    if (config.get(MatchKeys.CANDIDATES).get(OF_PARTS) instanceof List<?> lists) {
      if (!(lists.get(number) instanceof Map<?, ?> map)) {
        String path = "%s.%s[%d]".formatted(KEY, OF_PARTS, number);
        throw config.wrong(path, "a map", lists.get(number));
      }
      map.forEach((key, value) -> own.put(String.valueOf(key), value));
    }
    // Names are equal ones there: nothing is left out for a name that is only similar.
    return config
        .with(MatchKeys.CANDIDATES, own)
        .with(MatchKeys.VECTORS, Map.of())
        .with(MatchKeys.FULLTEXT_INDEX, null);
  }

  private void part(String part, Object lists) {
    String path = KEY + "." + part;
    checkKey(path, part, PARTS);
    if (part.equals(OF_PARTS)) {
      int parts = pattern.without().size();
      if (!(lists instanceof List<?> list) || list.size() != parts) {
        throw config.wrong(path, "a list of a map for each without, %d".formatted(parts), lists);
      }
      return; // for the searches of these
    }
    if (!(lists instanceof Map<?, ?> byId)) {
      throw config.wrong(path, "a map", lists);
    }
    byId.forEach((id, list) -> list(part, String.valueOf(id), path + "." + id, list));
  }

  private void list(String part, String id, String path, Object list) {
    boolean isNode = pattern.indexOf(id) >= 0;
    switch (part) {
      case "nodes" -> {
        String problem = isNode ? "is an unknown node of" : "is no node of";
        check(Linker.knownNodes(pattern), "known nodes", id, path, problem);
        nodes.put(id, list(path, list, Kind.NODE));
      }
      case "types" -> {
        String problem = isNode ? "is a node without a type in" : "is no node in";
        check(Linker.typedNodes(pattern), "typed nodes", id, path, problem);
        types.put(id, list(path, list, Kind.TYPE));
      }
      default -> {
        boolean isEdge = id.matches("\\d\\d?") && Integer.parseInt(id) < pattern.edges().size();
        String problem = isEdge ? "is an edge with an unknown relation in" : "is no edge's number in";
        check(Linker.knownEdges(pattern), "known ones", id, path, problem);
        relations.put(id, list(path, list, Kind.RELATION));
      }
    }
  }

  private void check(List<String> valid, String what, String id, String path, String problem) {
    if (!valid.contains(id)) {
      String all = valid.isEmpty() ? "none" : String.join(", ", valid);
      throw new ConfigException(
          "%s: config key '%s': '%s' %s the pattern. The %s are: %s"
              .formatted(config.procedure(), path, id, problem, what, all));
    }
  }

  private ListBuilder list(String path, Object given, Kind kind) {
    if (given instanceof Map<?, ?> map) {
      return compact(path, map, kind);
    }
    if (!(given instanceof List<?> entries)) {
      throw config.wrong(path, "a list of [item, distance], or {ids: [], distances: []}", given);
    }
    ListBuilder list = new ListBuilder();
    int i = 0;
    for (Object entry : entries) {
      String here = path + "[" + i++ + "]";
      if (entry instanceof List<?> pair && pair.size() == 2) {
        Object item = item(here + "[0]", pair.get(0), kind);
        boolean name = kind == Kind.NODE && item instanceof String text && !isElementId(text);
        add(list, name ? new Named((String) item) : item, here + "[1]", pair.get(1));
      } else {
        throw config.wrong(here, "[item, distance]", entry);
      }
    }
    return list;
  }

  private ListBuilder compact(String path, Map<?, ?> map, Kind kind) {
    map.keySet().forEach(key -> checkKey(path + "." + key, key, COMPACT_KEYS));
    List<?> ids = listAt(path, map, "ids");
    List<?> distances = listAt(path, map, "distances");
    if (ids.size() != distances.size()) {
      throw new ConfigException(
          "%s: config key '%s.distances' must be as long as ids, %d, not %d"
              .formatted(config.procedure(), path, ids.size(), distances.size()));
    }
    ListBuilder list = new ListBuilder();
    Iterator<?> next = distances.iterator();
    int i = 0;
    for (Object id : ids) {
      Object distance = next.next();
      if (kind == Kind.NODE && id instanceof String && isDistance(distance)) {
        list.add(id, ((Number) distance).doubleValue()); // long lists: no paths are written
      } else {
        Object item = item(path + ".ids[" + i + "]", id, kind);
        add(list, item, path + ".distances[" + i + "]", distance);
      }
      i++;
    }
    Object frontier = map.get("frontier");
    if (frontier instanceof Number n && !Double.isNaN(n.doubleValue())) {
      list.frontier = n.doubleValue();
    } else if (map.containsKey("frontier")) {
      throw config.wrong(path + ".frontier", "a number", frontier);
    }
    if (map.get("approximate") instanceof Boolean approximate) {
      list.approximate = approximate;
    } else if (map.containsKey("approximate")) {
      throw config.wrong(path + ".approximate", "true or false", map.get("approximate"));
    }
    return list;
  }

  private List<?> listAt(String path, Map<?, ?> map, String key) {
    if (map.get(key) instanceof List<?> list) {
      return list;
    }
    throw config.wrong(path + "." + key, "a list", map.get(key));
  }

  private void add(ListBuilder list, Object item, String path, Object distance) {
    if (!isDistance(distance)) {
      throw config.wrong(path, "a number from 0 on", distance);
    }
    if (item != null) { // null: a note says that it is nothing in the database
      list.add(item, ((Number) distance).doubleValue());
    }
  }

  private static boolean isDistance(Object given) {
    return given instanceof Number n && n.doubleValue() >= 0 && Double.isFinite(n.doubleValue());
  }

  private void checkKey(String path, Object key, List<String> valid) {
    if (!valid.contains(key)) {
      throw ConfigException.unknown(config.procedure(), path, String.valueOf(key), valid);
    }
  }

  /** An item; a text for a node as it is; null for a relation that does not exist. */
  private Object item(String path, Object given, Kind kind) {
    if (kind == Kind.RELATION) {
      return relation(path, text(path, given));
    }
    if (kind == Kind.TYPE) {
      String type = text(path, given);
      return type.startsWith(":") || Linker.LITERALS.contains(type) ? type : ":" + type;
    }
    if (given instanceof String || given instanceof Node) {
      return given;
    }
    return value(path, given instanceof List<?> one && one.size() == 1 ? one.get(0) : given);
  }

  private String relation(String path, String text) {
    if (text.equals(":") || text.equals(".")) {
      throw config.wrong(path, ":TYPE, .key, or the name of one", text);
    }
    if (text.startsWith(":") || text.startsWith(".")) {
      return text;
    }
    String id = relationIds.apply(text);
    if (id == null) {
      notes.add(
          "relation '%s' of %s is no relationship type or property key".formatted(text, path));
    }
    return id;
  }

  private Value value(String path, Object given) {
    if (given == null
        || given instanceof Entity
        || given instanceof Path
        || given instanceof Map
        || given instanceof Collection) {
      throw config.wrong(path, "an id, a name, a node or a property's value", given);
    }
    return new Value(given);
  }

  private String text(String path, Object given) {
    if (given instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw config.wrong(path, "a text", given);
  }

  /** Whether a text has the form of Neo4j's element ids: {@code 4:<UUID>:7}. */
  private static boolean isElementId(String text) {
    return text.length() > 39 && text.charAt(1) == ':' && text.charAt(38) == ':';
  }
}
