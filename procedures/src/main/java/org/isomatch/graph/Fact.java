package org.isomatch.graph;

import org.neo4j.graphdb.Relationship;

/**
 * What links two elements: a relationship, or a property of a node, which links it to its value.
 * One of relationship and key is null.
 *
 * @param near the element that it was found from, or where it begins
 * @param far the element at the other end; the same one for a loop
 */
public record Fact(long near, long far, Relationship relationship, String key) {
  public Fact reversed() {
    return new Fact(far, near, relationship, key);
  }

  /** The relation's id, {@code :TYPE} or {@code .key}. */
  public String relation() {
    return relationship == null ? "." + key : ":" + relationship.getType().name();
  }

  /** Whether two are one fact, from whichever end. */
  public boolean isSame(Fact other) {
    return relationship != null
        ? relationship.equals(other.relationship)
        : equals(other) || reversed().equals(other);
  }
}
