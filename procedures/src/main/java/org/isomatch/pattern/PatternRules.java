package org.isomatch.pattern;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;

/** The rules of a pattern. Parsers check them first, to report the place in their own terms. */
final class PatternRules {
  private static final int LONGEST_QUOTE = 40;

  private final List<Node> nodes;
  private final List<Edge> edges;
  private final List<String> returns;
  private final Set<String> ids = new HashSet<>();
  private final Set<String> known = new HashSet<>();
  private final Set<String> touched = new HashSet<>();

  /** What a violation is about. */
  enum Part { PATTERN, NODES, EDGES, RETURN }

  /** A broken rule, and which node, edge or returned id breaks it. */
  record Violation(String problem, Part part, int index) {}

  private PatternRules(List<Node> nodes, List<Edge> edges, List<String> returns) {
    this.nodes = nodes;
    this.edges = edges;
    this.returns = returns;
    for (Node node : nodes) {
      ids.add(node.id());
      if (node.known()) {
        known.add(node.id());
      }
    }
    edges.forEach(edge -> touched.addAll(edge.nodes()));
  }

  /** The first rule that is broken; null if none is. */
  static Violation check(List<Node> nodes, List<Edge> edges, List<String> returns) {
    return new PatternRules(nodes, edges, returns).check();
  }

  /** A text of the caller as messages quote it: long ones are cut. */
  static String quoted(String text) {
    boolean isLong = text.codePointCount(0, text.length()) > LONGEST_QUOTE;
    String shown = isLong ? Scanner.first(text, LONGEST_QUOTE - 1) + "…" : text;
    return "'" + Scanner.printable(shown) + "'";
  }

  private Violation check() {
    if (edges.isEmpty()) {
      return new Violation("the pattern is empty: it has no edge", Part.PATTERN, 0);
    }
    if (edges.size() > Pattern.MAX_EDGES) {
      String problem = "the pattern has %d edges; at most %d are searched";
      return new Violation(
          problem.formatted(edges.size(), Pattern.MAX_EDGES), Part.EDGES, Pattern.MAX_EDGES);
    }
    Set<String> earlier = new HashSet<>();
    for (int i = 0; i < nodes.size(); i++) {
      String problem = problemOfNode(nodes.get(i), !earlier.add(nodes.get(i).id()));
      if (problem != null) {
        return new Violation(problem, Part.NODES, i);
      }
    }
    for (int i = 0; i < edges.size(); i++) {
      String problem = problemOfEdge(i);
      if (problem != null) {
        return new Violation(problem, Part.EDGES, i);
      }
    }
    for (int[] component : Pattern.components(edges)) {
      if (isUnknown(component)) {
        String problem = "a connected part of the pattern has no known node and no known relation";
        return new Violation(problem, Part.EDGES, component[0]);
      }
    }
    earlier.clear();
    for (int i = 0; i < returns.size(); i++) {
      String problem = problemOfReturn(returns.get(i), !earlier.add(returns.get(i)));
      if (problem != null) {
        return new Violation(problem, Part.RETURN, i);
      }
    }
    return null;
  }

  private String problemOfNode(Node node, boolean isDuplicate) {
    String id = quoted(node.id());
    if (isDuplicate) {
      return "two nodes share the id " + id;
    }
    if (node.id().isEmpty() || !node.id().codePoints().allMatch(Scanner::isWord)) {
      return id + " is no node id: use letters, digits and underscores";
    }
    String name = problemOfText(node.text());
    String type = problemOfText(node.type());
    if (name != null || type != null) {
      return (name != null ? "the name" : "the type")
          + " of the node %s %s".formatted(id, name != null ? name : type);
    }
    return touched.contains(node.id()) ? null : "the node " + id + " has no edge";
  }

  private String problemOfEdge(int index) {
    Edge edge = edges.get(index);
    for (String id : edge.nodes()) {
      if (!ids.contains(id)) {
        return "an edge names the node " + quoted(id) + ", which the pattern does not have";
      }
    }
    String problem = problemOfText(edge.relation());
    if (problem != null) {
      return "the relation between %s and %s %s"
          .formatted(quoted(edge.source()), quoted(edge.target()), problem);
    }
    String value = edge.value();
    if (value == null) {
      return null;
    }
    if (edges.stream().anyMatch(e -> value.equals(e.source()) || value.equals(e.target()))) {
      return "the node %s is a value of an edge and an end of one; use two ids"
          .formatted(quoted(value));
    }
    if (edges.subList(0, index).stream().anyMatch(e -> value.equals(e.value()))) {
      return "the node %s is the value of two edges; two values need two ids"
          .formatted(quoted(value));
    }
    return null;
  }

  private boolean isUnknown(int[] component) {
    for (int index : component) {
      Edge edge = edges.get(index);
      if (edge.relation() != null || edge.nodes().stream().anyMatch(known::contains)) {
        return false;
      }
    }
    return true;
  }

  private String problemOfReturn(String id, boolean isDuplicate) {
    String names = "return names " + quoted(id);
    if (!ids.contains(id)) {
      return names + ", which the pattern does not have";
    }
    if (known.contains(id)) {
      return names + ", which is known already; ask for an unknown node";
    }
    return isDuplicate ? names + " twice" : null;
  }

  private static String problemOfText(String text) {
    if (text == null) {
      return null;
    }
    if (text.codePoints().allMatch(Scanner::isSpace)) {
      return "is empty; leave it out if it is unknown";
    }
    return text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE)
        ? "is not valid Unicode: it has half a surrogate pair"
        : null;
  }
}
