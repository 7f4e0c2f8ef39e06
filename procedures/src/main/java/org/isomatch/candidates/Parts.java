package org.isomatch.candidates;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.isomatch.pattern.Node;
import org.isomatch.pattern.Pattern;

/** Which parts of a pattern have candidates. */
final class Parts {
  private Parts() {}

  /** Ids of nodes with a name to look for. */
  static List<String> knownNodes(Pattern pattern) {
    return pattern.nodes().stream().filter(Node::known).map(Node::id).toList();
  }

  /** Ids of nodes with a type. */
  static List<String> typedNodes(Pattern pattern) {
    return pattern.nodes().stream().filter(n -> n.type() != null).map(Node::id).toList();
  }

  /** Numbers of edges with a relation to look for, as texts. */
  static List<String> knownEdges(Pattern pattern) {
    return IntStream.range(0, pattern.edges().size())
        .filter(e -> pattern.edges().get(e).relation() != null)
        .mapToObj(String::valueOf)
        .toList();
  }

  static boolean isEdge(Pattern pattern, String number) {
    return IntStream.range(0, pattern.edges().size())
        .anyMatch(e -> String.valueOf(e).equals(number));
  }

  /** Ids of nodes that stand on an edge, and so can only be values. */
  static Set<String> onEdges(Pattern pattern) {
    Set<String> found = new HashSet<>();
    pattern.edges().forEach(edge -> found.add(edge.value()));
    return found;
  }
}
