package org.isomatch.graph;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a caller knows of the graph, so that less of it must be read.
 *
 * @param unknown ids of the relations that an unknown relation may be; null for all
 * @param properties by key, where nodes with it are; a look-up of any other key reads all nodes
 */
public record SchemaHints(Set<String> unknown, Map<String, Holders> properties) {
  /** The labels of nodes with a property, and whether some of its values are lists. */
  public record Holders(List<String> labels, boolean lists) {}

  /** Whether an unknown relation may be this one. */
  public boolean allows(String relation) {
    return unknown == null || unknown.contains(relation);
  }
}
