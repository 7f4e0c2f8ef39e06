package org.isomatch.graph;

import org.neo4j.graphdb.Direction;

/** On which side of a fact an element stands. */
public enum Side {
  SOURCE(Direction.OUTGOING),
  TARGET(Direction.INCOMING),
  EITHER(Direction.BOTH);

  private final Direction direction;

  Side(Direction direction) {
    this.direction = direction;
  }

  Direction direction() {
    return direction;
  }
}
