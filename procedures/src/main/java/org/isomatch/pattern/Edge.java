package org.isomatch.pattern;

import java.util.List;

/**
 * An edge of a pattern, from node id to node id. Direction counts only where the search is told
 * so.
 *
 * @param source id of the node that it leaves
 * @param relation the relation in words; null for an unknown one
 * @param target id of the node that it enters
 * @param value id of a node that stands for a value on the edge itself, some property of the
 *     matched relationship: the role that an actor played, the stars that a rating gave; null for
 *     none
 */
public record Edge(String source, String relation, String target, String value) {
  /** Ids of the nodes that the edge touches: its ends, then its value. */
  public List<String> nodes() {
    return value == null ? List.of(source, target) : List.of(source, target, value);
  }
}
