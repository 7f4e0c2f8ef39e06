package org.isomatch.graph;

import org.neo4j.graphdb.RelationshipType;

/**
 * A relation of the graph: a relationship type, or a property key, whose targets are its values.
 * The id is {@code :TYPE} or {@code .key}; one of type and key is null.
 */
public record Relation(String id, RelationshipType type, String key) {
  /** From an id of either form; IllegalArgumentException for any other text. */
  public static Relation of(String id) {
    if (id.length() > 1 && id.charAt(0) == ':') {
      return new Relation(id, RelationshipType.withName(id.substring(1)), null);
    }
    if (id.length() > 1 && id.charAt(0) == '.') {
      return new Relation(id, null, id.substring(1));
    }
    throw new IllegalArgumentException(
        "'" + id + "' is no relation: write :TYPE for a relationship type, .key for a property");
  }
}
