package org.isomatch.walk;

import java.util.List;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterable;

/**
 * Which relationships of a node a walk follows.
 *
 * @param direction as seen from the node that is left
 * @param types any of these; none stands for all types
 */
public record Reach(Direction direction, List<RelationshipType> types) {
  /** All relationships, either way. */
  public static final Reach ALL = new Reach(Direction.BOTH, List.of());

  public Reach {
    types = List.copyOf(types);
  }

  /** The node's relationships that are followed, to be closed; a loop is there once. */
  ResourceIterable<Relationship> of(Node node) {
    return types.isEmpty()
        ? node.getRelationships(direction)
        : node.getRelationships(direction, types.toArray(RelationshipType[]::new));
  }

  /** How many {@link #of} gives. */
  int degree(Node node) {
    if (types.isEmpty()) {
      return node.getDegree(direction);
    }
    return types.stream().mapToInt(type -> node.getDegree(type, direction)).sum();
  }

  /** Whether the relationship is of one of the types. */
  boolean takes(Relationship relationship) {
    return types.isEmpty() || types.stream().anyMatch(relationship::isType);
  }
}
