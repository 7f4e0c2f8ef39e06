package org.isomatch.candidates;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.isomatch.candidates.ListBuilder.Named;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.MatchKeys;
import org.isomatch.pattern.Pattern;
import org.neo4j.graphdb.Entity;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;

/** Reads config key {@code candidates}: the lists that a caller gives. */
final class CallersLists {
  private static final String KEY = "candidates";
  private static final List<String> PARTS = List.of("nodes", "relations", "types");
  private static final List<String> COMPACT =
      List.of("ids", "distances", "frontier", "approximate");
  private static final List<String> LITERALS =
      List.of("literal:number", "literal:text", "literal:date", "literal:boolean");

  private final Config config;
  private final Pattern pattern;
  private final UnaryOperator<String> relations;

  final Map<String, ListBuilder> ofNodes = new LinkedHashMap<>();
  final Map<Integer, ListBuilder> ofRelations = new TreeMap<>();
  final Map<String, ListBuilder> ofTypes = new LinkedHashMap<>();
  /** Names that are nothing in the database, in words. */
  final List<String> notes = new ArrayList<>();

  /**
   * Reads all of them.
   *
   * @param relations from a bare name to the relation's id; null where there is no such relation
   * @throws ConfigException where one is of no form that we know, with its path
   */
  CallersLists(Config config, Pattern pattern, UnaryOperator<String> relations) {
    this.config = config;
    this.pattern = pattern;
    this.relations = relations;
    config.get(MatchKeys.CANDIDATES).forEach(this::part);
  }

  private void part(String part, Object lists) {
    String path = KEY + "." + part;
    if (!PARTS.contains(part)) {
      throw ConfigException.unknown(config.procedure(), path, part, PARTS);
    }
    if (!(lists instanceof Map<?, ?> byPart)) {
      throw config.wrong(path, "a map", lists);
    }
    byPart.forEach(
        (name, list) -> {
          String id = String.valueOf(name);
          String here = path + "." + id;
          switch (part) {
            case "nodes" -> ofNodes.put(node(id, here), list(here, list, Kind.NODE));
            case "types" -> ofTypes.put(typed(id, here), list(here, list, Kind.TYPE));
            default -> ofRelations.put(edge(id, here), list(here, list, Kind.RELATION));
          }
        });
  }

  // -- parts of the pattern --------------------------------------------------------

  private String node(String id, String path) {
    List<String> known = Parts.knownNodes(pattern);
    if (!known.contains(id)) {
      String why = pattern.indexOf(id) < 0 ? "is no node" : "is an unknown node";
      throw refused(path, "'" + id + "' " + why + " of the pattern", "known nodes", known);
    }
    return id;
  }

  private String typed(String id, String path) {
    List<String> typed = Parts.typedNodes(pattern);
    if (!typed.contains(id)) {
      String why = pattern.indexOf(id) < 0 ? "is no node" : "is a node without a type";
      throw refused(path, "'" + id + "' " + why + " in the pattern", "typed nodes", typed);
    }
    return id;
  }

  private int edge(String number, String path) {
    List<String> known = Parts.knownEdges(pattern);
    if (!known.contains(number)) {
      boolean there = Parts.isEdge(pattern, number);
      String why = there ? "is an edge with an unknown relation" : "is no edge's number";
      throw refused(path, "'" + number + "' " + why + " in the pattern", "known ones", known);
    }
    return Integer.parseInt(number);
  }

  private ConfigException refused(String path, String why, String what, List<String> valid) {
    return new ConfigException(
        "%s: config key '%s': %s. The %s are: %s"
            .formatted(
                config.procedure(),
                path,
                why,
                what,
                valid.isEmpty() ? "none" : String.join(", ", valid)));
  }

  // -- lists -----------------------------------------------------------------------

  private ListBuilder list(String path, Object given, Kind kind) {
    if (given instanceof List<?> entries) {
      ListBuilder list = new ListBuilder(entries.size());
      int i = 0;
      for (Object entry : entries) {
        entry(path, i++, entry, kind, list);
      }
      return list;
    }
    if (given instanceof Map<?, ?> map) {
      return compact(path, map, kind);
    }
    throw config.wrong(path, "a list of [item, distance], or {ids: [], distances: []}", given);
  }

  private ListBuilder compact(String path, Map<?, ?> map, Kind kind) {
    map.keySet().forEach(key -> known(path, key, COMPACT));
    List<?> ids = listAt(path, map, "ids");
    List<?> distances = listAt(path, map, "distances");
    if (ids.size() != distances.size()) {
      throw new ConfigException(
          "%s: config key '%s.distances' must be as long as ids, %d, not %d"
              .formatted(config.procedure(), path, ids.size(), distances.size()));
    }
    ListBuilder list = new ListBuilder(ids.size());
    Iterator<?> ahead = distances.iterator();
    int i = 0;
    for (Object id : ids) {
      Object item = kind == Kind.NODE && id instanceof String ? id : null;
      if (item == null) {
        item = item(path + ".ids[" + i + "]", id, kind);
      }
      Object distance = ahead.next();
      add(
          list,
          item,
          isDistance(distance)
              ? ((Number) distance).doubleValue()
              : distance(path + ".distances[" + i + "]", distance));
      i++;
    }
    if (map.containsKey("frontier")) {
      list.frontier(frontier(path + ".frontier", map.get("frontier")));
    }
    if (map.containsKey("approximate")) {
      if (!(map.get("approximate") instanceof Boolean approximate)) {
        throw config.wrong(path + ".approximate", "true or false", map.get("approximate"));
      }
      list.approximate(approximate);
    }
    return list;
  }

  private List<?> listAt(String path, Map<?, ?> map, String key) {
    if (map.get(key) instanceof List<?> list) {
      return list;
    }
    throw config.wrong(path + "." + key, "a list", map.get(key));
  }

  private void entry(String path, int number, Object entry, Kind kind, ListBuilder list) {
    String here = path + "[" + number + "]";
    if (entry instanceof List<?> pair && pair.size() == 2) {
      Object item = item(here + "[0]", pair.get(0), kind);
      if (kind == Kind.NODE && item instanceof String text && !isElementId(text)) {
        item = new Named(text);
      }
      add(list, item, distance(here + "[1]", pair.get(1)));
    } else if (entry instanceof Map<?, ?> map) {
      add(list, named(here, map, kind), distance(here + ".distance", map.get("distance")));
    } else {
      throw config.wrong(here, "[item, distance] or {" + keys(kind) + "}", entry);
    }
  }

  private static void add(ListBuilder list, Object item, double distance) {
    if (item != null) { // null: noted as nothing in the database
      list.add(item, distance);
    }
  }

  /** The item of an entry that is a map. */
  private Object named(String path, Map<?, ?> map, Kind kind) {
    List<String> valid = List.of(keys(kind).split(", "));
    map.keySet().forEach(key -> known(path, key, valid));
    if (map.size() != 2 || !map.containsKey("distance")) {
      String one = keys(kind).replace(", distance", "").replace(", ", " or ");
      throw config.wrong(path, "a map of " + one + ", and distance", map);
    }
    Map.Entry<?, ?> entry =
        map.entrySet().stream().filter(e -> !e.getKey().equals("distance")).findFirst().get();
    String key = (String) entry.getKey();
    String here = path + "." + key;
    Object given = entry.getValue();
    if (kind != Kind.NODE) {
      return item(here, given, kind);
    }
    return switch (key) {
      case "value" -> value(here, given);
      case "name" -> new Named(text(here, given));
      case "id" -> text(here, given);
      default -> {
        if (given instanceof Node) {
          yield given;
        }
        throw config.wrong(here, "a node", given);
      }
    };
  }

  private static String keys(Kind kind) {
    return kind == Kind.NODE ? "id, node, name, value, distance" : "id, name, distance";
  }

  private void known(String path, Object key, List<String> valid) {
    if (!valid.contains(key)) {
      String name = String.valueOf(key);
      throw ConfigException.unknown(config.procedure(), path + "." + name, name, valid);
    }
  }

  // -- items and numbers -----------------------------------------------------------

  /** An item; texts for nodes as they are; null for a relation that there is not. */
  private Object item(String path, Object given, Kind kind) {
    if (kind == Kind.RELATION) {
      return relation(path, text(path, given));
    }
    if (kind == Kind.TYPE) {
      return type(text(path, given));
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
    String id = relations.apply(text);
    if (id == null) {
      notes.add(
          "relation '%s' of %s is no relationship type or property key".formatted(text, path));
    }
    return id;
  }

  private static String type(String text) {
    return text.startsWith(":") || LITERALS.contains(text) ? text : ":" + text;
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

  private double distance(String path, Object given) {
    if (!isDistance(given)) {
      throw config.wrong(path, "a number from 0 on", given);
    }
    return ((Number) given).doubleValue();
  }

  private static boolean isDistance(Object given) {
    return given instanceof Number n && n.doubleValue() >= 0 && Double.isFinite(n.doubleValue());
  }

  private double frontier(String path, Object given) {
    if (given instanceof Number n && !Double.isNaN(n.doubleValue())) {
      return n.doubleValue();
    }
    throw config.wrong(path, "a number", given);
  }

  /** Whether a text has the form of Neo4j's element ids: {@code 4:<UUID>:7}. */
  static boolean isElementId(String text) {
    return text.length() > 39 && text.charAt(1) == ':' && text.charAt(38) == ':';
  }
}
