package org.isomatch.pattern;

import java.util.List;

/**
 * What unknown nodes must not be: together an answer of another pattern.
 *
 * @param nodes ids of nodes of the pattern that has it, one for each answer of the other
 * @param pattern the other one, with nodes of its own
 */
public record Without(List<String> nodes, Pattern pattern) {
  public Without {
    nodes = List.copyOf(nodes);
  }
}
