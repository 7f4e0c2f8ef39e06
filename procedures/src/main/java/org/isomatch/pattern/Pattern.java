package org.isomatch.pattern;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Matcher;
import java.util.Set;

/**
 * A small graph of known and unknown nodes and relations: what the subgraph of an answer should
 * look like (SimGRAG, arXiv 2412.15272, sections 4.1 and 4.3). {@link PatternParser} reads one. A
 * {@link PatternException} refuses what breaks a rule: no edge, more than {@link #MAX_EDGES}, an
 * edge without its node, a value that is an end too, a component with nothing known.
 *
 * @param nodes in order of first mention
 * @param edges in order as written; parallel edges and loops are allowed
 * @param returns ids of the unknown nodes that are returned, as written
 * @param where conditions that every match satisfies
 * @param without what no match has besides
 */
public record Pattern(
    List<Node> nodes, List<Edge> edges, List<String> returns, List<Condition> where, List<Without>
    without) {
  public static final int MAX_EDGES = 32;

  /** A correct pattern in the text syntax, for messages. */
  public static final String EXAMPLE =
      "(?film:film)-[directed by]-(\"Michael Mann\") return ?film";

  /**
   * A node of a pattern.
   *
   * @param id unique in the pattern; letters, digits and underscores
   * @param text the name to look for; null for an unknown node
   * @param type the kind of thing it should be, in words; null for any
   */
  public record Node(String id, String text, String type) {
    public boolean known() {
      return text != null;
    }

    /** The id of the node that the text stands for; null where it is a name. */
    public String identity() {
      Matcher matcher = text == null ? null : Scanner.IDENTITY.matcher(text);
      return matcher != null && matcher.matches() ? matcher.group(1) : null;
    }
  }

  /**
   * An edge of a pattern.
   *
   * @param source id of the node that it leaves
   * @param relation the relation in words; null for an unknown one
   * @param target id of the node that it enters
   * @param value id of a node that stands for a property value of the matched relationship, such
   *     as the role that an actor played; null for none
   * @param directed whether it is drawn as an arrow; the configuration may decide for all edges
   * @param key the property that the value is of; null for any
   */
  public record Edge(
      String source, String relation, String target, String value, boolean directed, String key) {
    /** An edge that is no arrow. */
    public Edge(String source, String relation, String target, String value) {
      this(source, relation, target, value, false, null);
    }

    /** Ids of the nodes that the edge touches: its ends, then its value. */
    public List<String> nodes() {
      return value == null ? List.of(source, target) : List.of(source, target, value);
    }
  }

  public Pattern {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
    returns = List.copyOf(returns);
    where = List.copyOf(where);
    without = List.copyOf(without);
    PatternRules.Violation violation =
        PatternRules.check(nodes, edges, returns, where, without);
    if (violation != null) {
      throw new PatternException(violation.problem() + ". A correct pattern: " + EXAMPLE);
    }
  }

  /** A pattern without conditions. */
  public Pattern(List<Node> nodes, List<Edge> edges, List<String> returns) {
    this(nodes, edges, returns, List.of(), List.of());
  }

  /** Ids of the unknown nodes that are the answer: those that are returned, or all. */
  public List<String> answers() {
    return returns.isEmpty()
        ? nodes.stream().filter(node -> !node.known()).map(Node::id).toList()
        : returns;
  }

  /** The number of the node with that id; -1 if there is none. */
  public int indexOf(String id) {
    return nodes.stream().map(Node::id).toList().indexOf(id);
  }

  /** Edge numbers, grouped into connected components, in order. */
  public static List<int[]> components(List<Edge> edges) {
    List<Set<String>> nodesOf = new ArrayList<>();
    List<List<Integer>> edgesOf = new ArrayList<>();
    for (int e = 0; e < edges.size(); e++) {
      Set<String> touched = new HashSet<>(edges.get(e).nodes());
      List<Integer> members = new ArrayList<>();
      for (int c = nodesOf.size() - 1; c >= 0; c--) {
        if (nodesOf.get(c).stream().anyMatch(touched::contains)) {
          touched.addAll(nodesOf.remove(c));
          members.addAll(edgesOf.remove(c));
        }
      }
      members.add(e);
      nodesOf.add(touched);
      edgesOf.add(members);
    }
    return edgesOf.stream()
        .map(members -> members.stream().mapToInt(Integer::intValue).sorted().toArray())
        .sorted((a, b) -> Integer.compare(a[0], b[0]))
        .toList();
  }
}
