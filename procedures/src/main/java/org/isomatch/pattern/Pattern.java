package org.isomatch.pattern;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A small graph of known and unknown nodes and relations: what the subgraph of an answer should
 * look like (SimGRAG, arXiv 2412.15272, sections 4.1 and 4.3). {@link Patterns} reads one. A
 * {@link PatternException} refuses what breaks a rule: no edge, more than {@link #MAX_EDGES}, an
 * edge without its node, a value that is an end too, a component with nothing known.
 *
 * @param nodes in order of first mention
 * @param edges in order as written; parallel edges and loops are allowed
 * @param returns ids of the unknown nodes that are asked for, as written
 */
public record Pattern(List<Node> nodes, List<Edge> edges, List<String> returns) {
  /** The most edges that are searched. */
  public static final int MAX_EDGES = 32;

  /** A correct pattern in the short text form, for messages. */
  public static final String EXAMPLE =
      "(?film:film)-[directed by]-(\"Michael Mann\") return ?film";

  public Pattern {
    nodes = List.copyOf(nodes);
    edges = List.copyOf(edges);
    returns = List.copyOf(returns);
    Fault fault = Faults.find(nodes, edges, returns);
    if (fault != null) {
      throw new PatternException(fault.problem() + ". A correct pattern: " + EXAMPLE);
    }
  }

  /** The number of the node of that id; -1 where there is none. */
  public int indexOf(String id) {
    for (int i = 0; i < nodes.size(); i++) {
      if (nodes.get(i).id().equals(id)) {
        return i;
      }
    }
    return -1;
  }

  /** Ids of the nodes asked for: {@link #returns}, else every unknown node. */
  public List<String> answers() {
    if (!returns.isEmpty()) {
      return returns;
    }
    return nodes.stream().filter(n -> !n.known()).map(Node::id).toList();
  }

  /** Numbers of edges, grouped into connected components, in order. */
  public List<int[]> components() {
    return components(edges);
  }

  static List<int[]> components(List<Edge> edges) {
    List<Set<String>> names = new ArrayList<>();
    List<List<Integer>> members = new ArrayList<>();
    for (int e = 0; e < edges.size(); e++) {
      Set<String> touched = new HashSet<>(edges.get(e).nodes());
      List<Integer> here = new ArrayList<>();
      for (int g = names.size() - 1; g >= 0; g--) {
        if (names.get(g).stream().anyMatch(touched::contains)) {
          touched.addAll(names.remove(g));
          here.addAll(members.remove(g));
        }
      }
      here.add(e);
      names.add(touched);
      members.add(here);
    }
    return members.stream()
        .map(group -> group.stream().mapToInt(Integer::intValue).sorted().toArray())
        .sorted((a, b) -> Integer.compare(a[0], b[0]))
        .toList();
  }
}
