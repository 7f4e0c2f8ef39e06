package org.isomatch.pattern;

import static org.isomatch.pattern.Excerpt.shown;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The rules of a pattern. The input forms ask for a fault before they build a {@link Pattern}, to
 * point at the place in their own terms.
 */
final class Faults {
  private final List<Node> nodes;
  private final List<Edge> edges;
  private final List<String> returns;
  private final Set<String> ids = new HashSet<>();
  private final Set<String> known = new HashSet<>();
  private final Set<String> touched = new HashSet<>();

  private Faults(List<Node> nodes, List<Edge> edges, List<String> returns) {
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

  /** The first rule that these parts of a pattern break; null where they are one. */
  static Fault find(List<Node> nodes, List<Edge> edges, List<String> returns) {
    return new Faults(nodes, edges, returns).first();
  }

  private Fault first() {
    if (edges.isEmpty()) {
      return new Fault("the pattern is empty: it has no edge", Fault.Part.WHOLE, 0);
    }
    if (edges.size() > Pattern.MAX_EDGES) {
      String problem =
          "the pattern has %d edges; at most %d are searched"
              .formatted(edges.size(), Pattern.MAX_EDGES);
      return new Fault(problem, Fault.Part.EDGES, Pattern.MAX_EDGES);
    }
    Set<String> earlier = new HashSet<>();
    for (int i = 0; i < nodes.size(); i++) {
      String problem = ofNode(nodes.get(i), !earlier.add(nodes.get(i).id()));
      if (problem != null) {
        return new Fault(problem, Fault.Part.NODES, i);
      }
    }
    for (int i = 0; i < edges.size(); i++) {
      String problem = ofEdge(edges.get(i));
      if (problem == null) {
        problem = ofValue(i);
      }
      if (problem != null) {
        return new Fault(problem, Fault.Part.EDGES, i);
      }
    }
    for (int[] component : Pattern.components(edges)) {
      if (nothingKnown(component)) {
        String problem = "a connected part of the pattern has no known node and no known relation";
        return new Fault(problem, Fault.Part.EDGES, component[0]);
      }
    }
    earlier.clear();
    for (int i = 0; i < returns.size(); i++) {
      String problem = ofReturn(returns.get(i), !earlier.add(returns.get(i)));
      if (problem != null) {
        return new Fault(problem, Fault.Part.RETURNS, i);
      }
    }
    return null;
  }

  private String ofNode(Node node, boolean again) {
    if (again) {
      return "two nodes share the id " + shown(node.id());
    }
    if (node.id().isEmpty() || !node.id().codePoints().allMatch(Characters::isWord)) {
      return shown(node.id()) + " is no node id: use letters, digits and underscores";
    }
    String problem = ofText(node.text());
    if (problem != null) {
      return "the name of the node " + shown(node.id()) + " " + problem;
    }
    problem = ofText(node.type());
    if (problem != null) {
      return "the type of the node " + shown(node.id()) + " " + problem;
    }
    return touched.contains(node.id()) ? null : "the node " + shown(node.id()) + " has no edge";
  }

  private String ofEdge(Edge edge) {
    for (String id : edge.nodes()) {
      if (!ids.contains(id)) {
        return "an edge names the node " + shown(id) + ", which the pattern does not have";
      }
    }
    String problem = ofText(edge.relation());
    return problem == null
        ? null
        : "the relation between %s and %s %s"
            .formatted(shown(edge.source()), shown(edge.target()), problem);
  }

  private String ofValue(int index) {
    String value = edges.get(index).value();
    if (value == null) {
      return null;
    }
    if (edges.stream().anyMatch(e -> value.equals(e.source()) || value.equals(e.target()))) {
      return "the node " + shown(value) + " is a value of an edge and an end of one; use two ids";
    }
    if (edges.subList(0, index).stream().anyMatch(e -> value.equals(e.value()))) {
      return "the node " + shown(value) + " is the value of two edges; two values need two ids";
    }
    return null;
  }

  private boolean nothingKnown(int[] component) {
    for (int index : component) {
      Edge edge = edges.get(index);
      if (edge.relation() != null || edge.nodes().stream().anyMatch(known::contains)) {
        return false;
      }
    }
    return true;
  }

  private String ofReturn(String id, boolean again) {
    if (!ids.contains(id)) {
      return "return names " + shown(id) + ", which the pattern does not have";
    }
    if (known.contains(id)) {
      return "return names " + shown(id) + ", which is known already; ask for an unknown node";
    }
    return again ? "return names " + shown(id) + " twice" : null;
  }

  private static String ofText(String text) {
    if (text == null) {
      return null;
    }
    if (Characters.strip(text).isEmpty()) {
      return "is empty; leave it out if it is unknown";
    }
    return Characters.hasHalfPair(text)
        ? "is not valid Unicode: it has half a surrogate pair"
        : null;
  }
}
