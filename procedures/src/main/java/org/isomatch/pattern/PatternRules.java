package org.isomatch.pattern;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;

/** The rules of a pattern. Parsers check them first, to report the place in their own terms. */
final class PatternRules {
  private static final int LONGEST_QUOTE = 40;
  private static final String UNKNOWN =
      "a connected part of the pattern has no known node and no known relation";

  private final List<Node> nodes;
  private final List<Edge> edges;
  private final List<String> returns;
  private final Set<String> ids = new HashSet<>();
  private final Set<String> known = new HashSet<>();
  private final Set<String> touched = new HashSet<>();

  enum Part { PATTERN, NODES, EDGES, RETURN, WHERE, PARTS }

  /** A broken rule, and which node, edge or returned id breaks it. */
  record Violation(String problem, Part part, int index) {}

  private PatternRules(List<Node> nodes, List<Edge> edges, List<String> returns) {
    this.nodes = nodes;
    this.edges = edges;
    this.returns = returns;
    nodes.forEach(node -> ids.add(node.id()));
    nodes.stream().filter(Node::known).forEach(node -> known.add(node.id()));
    edges.forEach(edge -> touched.addAll(edge.nodes()));
  }

  /** The first rule that is broken; null if none is. */
  static Violation check(
      List<Node> nodes, List<Edge> edges, List<String> returns, List<Condition> where,
      List<Without> without) {
    PatternRules rules = new PatternRules(nodes, edges, returns);
    Violation violation = rules.check();
    return violation != null
        ? violation
        : Stream.of(
                first(
                    Part.WHERE, where.size(),
                    i -> ConditionRules.problemOf(where.get(i), rules.ids, rules.known)),
                first(Part.PARTS, without.size(), i -> rules.problemOfPart(without.get(i))))
            .flatMap(Optional::stream)
            .findFirst()
            .orElse(null);
  }

  /** A text of the caller as messages quote it: long ones are cut. */
  static String quoted(String text) {
    boolean isLong = text.codePointCount(0, text.length()) > LONGEST_QUOTE;
    String shown = isLong ? Scanner.first(text, LONGEST_QUOTE - 1) + "…" : text;
    return "'" + Scanner.printable(shown) + "'";
  }

  private Violation check() {
    if (edges.isEmpty() && nodes.size() == 1) {
      return new Violation(
          nodes.get(0).type() == null || nodes.get(0).known()
              ? "a node alone needs a type and no name, as in (?film:film)"
              : "a node alone is found by Cypher itself: MATCH (n:Label) RETURN n",
          Part.PATTERN,
          0);
    }
    if (edges.isEmpty()) {
      return new Violation("the pattern is empty: it has no edge", Part.PATTERN, 0);
    }
    if (edges.size() > Pattern.MAX_EDGES) {
      String problem = "the pattern has %d edges; at most %d are searched";
      return new Violation(
          problem.formatted(edges.size(), Pattern.MAX_EDGES), Part.EDGES, Pattern.MAX_EDGES);
    }
    List<String> nodeIds = nodes.stream().map(Node::id).toList();
    return Stream.of(
            first(Part.NODES, nodes.size(), i -> problemOfNode(i, nodeIds)),
            first(Part.EDGES, edges.size(), this::problemOfEdge),
            Pattern.components(edges).stream().filter(this::isUnknown).findFirst()
                .map(unknown -> new Violation(UNKNOWN, Part.EDGES, unknown[0])),
            first(Part.RETURN, returns.size(), this::problemOfReturn))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(null);
  }

  private static Optional<Violation> first(Part part, int size, IntFunction<String> problemOf) {
    return IntStream.range(0, size)
        .mapToObj(i -> new Violation(problemOf.apply(i), part, i))
        .filter(violation -> violation.problem != null)
        .findFirst();
  }

  private String problemOfNode(int index, List<String> nodeIds) {
    Node node = nodes.get(index);
    String id = quoted(node.id());
    if (nodeIds.indexOf(node.id()) < index) {
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
    if (edge.key() != null && problemOfText(edge.key()) != null) {
      return "the property on the edge " + problemOfText(edge.key());
    }
    if (value == null) {
      return edge.key() == null
          ? null
          : "the property %s has no value; give one, as {%s: ?x}"
              .formatted(quoted(edge.key()), edge.key());
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
    return IntStream.of(component)
        .mapToObj(edges::get)
        .allMatch(e -> e.relation() == null && e.nodes().stream().noneMatch(known::contains));
  }

  private String problemOfReturn(int index) {
    String id = returns.get(index);
    String names = "return names " + quoted(id);
    if (!ids.contains(id)) {
      return names + ", which the pattern does not have";
    }
    if (known.contains(id)) {
      return names + ", which is known already; ask for an unknown node";
    }
    return returns.indexOf(id) < index ? names + " twice" : null;
  }

  private String problemOfPart(Without part) {
    for (String id : part.nodes()) {
      if (!ids.contains(id) || known.contains(id)) {
        return "a part is on " + quoted(id) + ", which is no unknown node of the pattern";
      }
    }
    int answers = part.pattern().answers().size();
    return answers == part.nodes().size() && answers > 0
        ? null
        : ("a part gives %d nodes, and is compared with %d: its return says which, one for each"
                + " node")
            .formatted(answers, part.nodes().size());
  }

  static String problemOfText(String text) {
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
