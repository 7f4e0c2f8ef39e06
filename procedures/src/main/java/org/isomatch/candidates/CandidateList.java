package org.isomatch.candidates;

import org.neo4j.graphdb.Node;

/**
 * Graph elements for one known part of a pattern, ascending by distance.
 *
 * <p>An item is, for nodes, an element id (text), a {@link Node} or a {@link
 * Value}; for relations {@code :TYPE} or {@code .key}; for types {@code :Label}, {@code :} (no
 * label) or {@code literal:number}, {@code literal:text}, {@code literal:date}, {@code
 * literal:boolean}.
 */
public final class CandidateList {
  private final String text;
  private final Kind kind;
  private final Object[] items;
  private final double[] distances;
  private final double frontier;
  private final boolean approximate;

  /**
   * @param text the pattern's words
   * @param items ascending by distance; not copied
   * @param distances L2, 0 to 2; as many as items
   * @param frontier no element outside the list is nearer: positive infinity when the list holds
   *     everything, negative infinity when nothing is known
   * @param approximate whether it came from an approximate index
   */
  public CandidateList(
      String text,
      Kind kind,
      Object[] items,
      double[] distances,
      double frontier,
      boolean approximate) {
    this.text = text;
    this.kind = kind;
    this.items = items;
    this.distances = distances;
    this.frontier = frontier;
    this.approximate = approximate;
  }

  public String text() {
    return text;
  }

  public Kind kind() {
    return kind;
  }

  public int size() {
    return items.length;
  }

  public Object item(int index) {
    return items[index];
  }

  /** The item as results show it: an element id, a value, or the id of a relation or type. */
  public Object id(int index) {
    Object item = items[index];
    if (item instanceof Value value) {
      return value.value();
    }
    return item instanceof Node node ? node.getElementId() : item;
  }

  public double distance(int index) {
    return distances[index];
  }

  public double frontier() {
    return frontier;
  }

  public boolean approximate() {
    return approximate;
  }
}
