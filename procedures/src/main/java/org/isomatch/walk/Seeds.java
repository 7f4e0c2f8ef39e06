package org.isomatch.walk;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.isomatch.config.ConfigException;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Transaction;

/** The nodes at which a walk begins, as callers write them. */
public record Seeds(String procedure, Transaction transaction, Map<Node, Double> weights) {
  private static final String FORMS =
      "a node, an element id, a list of those or of pairs [node, weight], or a map from element"
          + " ids to weights";

  /**
   * Reads seeds: weights by node, 1 if none is given, added for a node that occurs twice.
   *
   * @throws ConfigException for any other form, or if there is no such node
   */
  public static Map<Node, Double> read(String procedure, Object given, Transaction transaction) {
    Seeds seeds = new Seeds(procedure, transaction, new LinkedHashMap<>());
    if (given instanceof List<?> items) {
      for (int i = 0; i < items.size(); i++) {
        boolean isPair = items.get(i) instanceof List<?> pair && pair.size() == 2;
        List<?> pair = isPair ? (List<?>) items.get(i) : Arrays.asList(items.get(i), 1L);
        seeds.add("seeds[" + i + "]", pair.get(0), pair.get(1));
      }
    } else if (given instanceof Map<?, ?> map) {
      map.forEach((id, weight) -> seeds.add("seeds." + id, id, weight));
    } else {
      seeds.add("seeds", given, 1L);
    }
    return seeds.weights;
  }

  private void add(String path, Object item, Object weight) {
    double value = weight instanceof Number number ? number.doubleValue() : Double.NaN;
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw wrong(path, "have a weight above 0", weight);
    }
    weights.merge(node(path, item), value, Double::sum);
  }

  private Node node(String path, Object item) {
    if (item instanceof Node node) {
      return node;
    } else if (!(item instanceof String id)) {
      throw wrong(path, "be " + FORMS, item);
    } else {
      try {
        return transaction.getNodeByElementId(id);
      } catch (NotFoundException | IllegalArgumentException none) {
        throw wrong(path, "be the element id of a node that is there", item);
      }
    }
  }

  private ConfigException wrong(String path, String expected, Object given) {
    return new ConfigException(
        "%s: %s must %s, not %s"
            .formatted(procedure, path, expected, ConfigException.shown(given)));
  }
}
