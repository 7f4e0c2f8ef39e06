package org.isomatch.pattern;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.isomatch.compare.Comparison;

/** Parses maps of conditions: node, operator, values, other, or. */
final class ConditionMaps {
  private static final List<String> KEYS =
      List.of("node", "operator", "values", "other", "or", "counted", "function");

  private ConditionMaps() {}

  static List<Condition> parse(List<?> items, String path) {
    List<Condition> found = new ArrayList<>();
    for (Object item : items) {
      found.add(condition(item, path + "[" + found.size() + "]"));
    }
    return found;
  }

  private static Condition condition(Object item, String path) {
    String node = MapParser.text(item, path, "node", true);
    Map<?, ?> map = (Map<?, ?>) item;
    MapParser.checkKeys(map, " in " + path, KEYS);
    if (Boolean.TRUE.equals(map.get("counted"))) {
      throw MapParser.error(path + "." + ClauseParser.isCyphers("counted"));
    }
    String function = MapParser.text(item, path, "function", false);
    if (function != null) {
      throw MapParser.error(path + ".function: " + ClauseParser.isCyphers(function));
    }
    Comparison comparison = Comparison.of(MapParser.text(item, path, "operator", true));
    if (comparison == null) {
      String all = String.join("', '", Comparison.symbols(false));
      throw MapParser.error(path + ".operator must be '" + all + "'");
    }
    List<String> values = new ArrayList<>();
    for (Object value : MapParser.optional(map, "values", path + ".")) {
      values.add(constant(value, path + ".values[" + values.size() + "]"));
    }
    List<?> or = MapParser.optional(map, "or", path + ".");
    String other = MapParser.text(item, path, "other", false);
    return new Condition(node, comparison, values, other, parse(or, path + ".or"));
  }

  /** A constant as a text; Cypher has numbers, dates and truth values, too. */
  private static String constant(Object value, String path) {
    if (value instanceof String
        || value instanceof Number
        || value instanceof Boolean
        || value instanceof LocalDate) {
      return value.toString();
    }
    throw MapParser.error(path + " must be a text, a number, true, false or a date");
  }
}
