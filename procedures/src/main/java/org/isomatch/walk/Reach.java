package org.isomatch.walk;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.WalkKeys;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.Transaction;

/**
 * Which relationships of a node a walk follows.
 *
 * @param direction as seen from the node that is left
 * @param types any of these; empty for all types
 */
public record Reach(Direction direction, List<RelationshipType> types) {
  /** As the configuration says; ConfigException for a type that the database does not have. */
  public static Reach from(Config config, Transaction transaction) {
    Direction direction =
        switch (config.get(WalkKeys.DIRECTION)) {
          case "out" -> Direction.OUTGOING;
          case "in" -> Direction.INCOMING;
          default -> Direction.BOTH;
        };
    List<String> names = config.get(WalkKeys.RELATIONS);
    if (names == null) {
      return new Reach(direction, List.of());
    } else if (names.isEmpty()) {
      throw config.wrong("relations", "a list of one type or more, or null", names);
    }
    Set<String> existing = new HashSet<>();
    transaction.getAllRelationshipTypes().forEach(type -> existing.add(type.name()));
    List<RelationshipType> types = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String type = names.get(i).replaceFirst("^:", "");
      if (!existing.contains(type)) {
        throw config.wrong(
            "relations[" + i + "]", "a relationship type of this database", names.get(i));
      }
      types.add(RelationshipType.withName(type));
    }
    return new Reach(direction, types);
  }

  /** The node's relationships that are followed, to be closed; a loop occurs once. */
  ResourceIterable<Relationship> of(Node node) {
    return types.isEmpty()
        ? node.getRelationships(direction)
        : node.getRelationships(direction, types.toArray(RelationshipType[]::new));
  }

  /** How many {@link #of} gives. */
  int degree(Node node) {
    return types.isEmpty()
        ? node.getDegree(direction)
        : types.stream().mapToInt(type -> node.getDegree(type, direction)).sum();
  }

  boolean includes(Relationship relationship) {
    return types.isEmpty() || types.stream().anyMatch(relationship::isType);
  }
}
