package org.isomatch.procedures;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.WalkKeys;
import org.isomatch.graph.Meter;
import org.isomatch.walk.Reach;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

/** What the configurations of walks have in common. */
final class Walks {
  private Walks() {}

  /** @throws ConfigException for a type that the database does not have */
  static Reach reach(Config config, Transaction transaction) {
    Direction direction =
        switch (config.get(WalkKeys.DIRECTION)) {
          case "out" -> Direction.OUTGOING;
          case "in" -> Direction.INCOMING;
          default -> Direction.BOTH;
        };
    List<String> relations = config.get(WalkKeys.RELATIONS);
    if (relations == null) {
      return new Reach(direction, List.of());
    } else if (relations.isEmpty()) {
      throw config.wrong("relations", "a list of one type or more, or null", relations);
    }
    List<RelationshipType> types = new ArrayList<>();
    for (int i = 0; i < relations.size(); i++) {
      types.add(type(config, i, relations.get(i), transaction));
    }
    return new Reach(direction, types);
  }

  private static RelationshipType type(
      Config config, int index, String given, Transaction transaction) {
    String name = given.startsWith(":") ? given.substring(1) : given;
    return StreamSupport.stream(transaction.getAllRelationshipTypes().spliterator(), false)
        .filter(type -> type.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                config.wrong(
                    "relations[" + index + "]", "a relationship type of this database", given));
  }

  static Meter meter(Config config, TerminationGuard guard, ProcedureMemory memory) {
    return new Meter(
        guard, memory, config.get(WalkKeys.BUDGET_SECONDS), config.get(WalkKeys.MEMORY));
  }

  /**
   * @param instead what else makes it need less
   */
  static ConfigException outOfMemory(Config config, String instead) {
    return new ConfigException(
        "%s: more memory is needed than config key 'memory' allows, %d bytes; raise it, or %s"
            .formatted(config.procedure(), config.get(WalkKeys.MEMORY), instead));
  }
}
