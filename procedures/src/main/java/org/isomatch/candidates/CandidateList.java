package org.isomatch.candidates;

import java.util.Arrays;
import org.isomatch.graph.Value;
import org.neo4j.graphdb.Node;

/**
 * Graph elements for one known part of a pattern, ascending by distance.
 *
 * <p>An item is, for nodes, an element id (text), a {@link Node} or a {@link Value}; for relations
 * {@code :TYPE} or {@code .key}; for types {@code :Label}, {@code :} (no label) or {@code
 * literal:number}, {@code literal:text}, {@code literal:date}, {@code literal:boolean}.
 *
 * @param text the pattern's words
 * @param items ascending by distance; not copied
 * @param distances L2, 0 to 2; as many as items
 * @param frontier no element outside the list is nearer: positive infinity if the list holds
 *     everything, negative infinity if nothing is known
 * @param approximate whether it came from an approximate index
 */
public record CandidateList(
    String text, Kind kind, Object[] items, double[] distances, double frontier, boolean
    approximate) {

  private static final double TOLERANCE = 1e-9;

  public enum Kind { NODE, RELATION, TYPE }

  public int size() {
    return items.length;
  }

  /** Those at the least distance, all of them where others are known to be farther. */
  CandidateList nearest() {
    double least = distances.length == 0 ? Double.POSITIVE_INFINITY : distances[0] + TOLERANCE;
    int near = (int) Arrays.stream(distances).filter(distance -> distance <= least).count();
    boolean all = near == 0 || frontier > least;
    return new CandidateList(
        text, kind, Arrays.copyOf(items, near), Arrays.copyOf(distances, near),
        all ? Double.POSITIVE_INFINITY : frontier, approximate);
  }

  public Object item(int index) {
    return items[index];
  }

  public double distance(int index) {
    return distances[index];
  }

  /** The item as results show it: an element id, a value, or the id of a relation or type. */
  public Object id(int index) {
    if (items[index] instanceof Value value) {
      return value.value();
    }
    return items[index] instanceof Node node ? node.getElementId() : items[index];
  }
}
