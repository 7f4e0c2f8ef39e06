package org.isomatch.search;

import java.util.List;
import org.isomatch.graph.Side;
import org.isomatch.pattern.Edge;
import org.isomatch.pattern.Node;
import org.isomatch.pattern.Pattern;

/** A pattern without its words: nodes and edges by number, and the rules of matching. */
final class Shape {
  final int nodes;
  final int edges;
  final int[] source;
  final int[] target;
  /** By edge: the node that is a value on it, or -1. */
  final int[] value;
  /** By node: whether it has candidates. */
  final boolean[] known;
  /** By edge: whether its relation has candidates. */
  final boolean[] named;
  /** By node: whether it is a value on an edge. */
  final boolean[] onEdge;

  private final boolean[][] apart;
  private final boolean[][] adjacent;
  private final boolean[][] conflicts;
  private final Options options;

  Shape(Pattern pattern, Options options) {
    this.options = options;
    nodes = pattern.nodes().size();
    edges = pattern.edges().size();
    source = new int[edges];
    target = new int[edges];
    value = new int[edges];
    known = new boolean[nodes];
    named = new boolean[edges];
    onEdge = new boolean[nodes];
    List<Node> all = pattern.nodes();
    for (int n = 0; n < nodes; n++) {
      known[n] = all.get(n).known();
    }
    adjacent = new boolean[nodes][nodes];
    for (int e = 0; e < edges; e++) {
      Edge edge = pattern.edges().get(e);
      source[e] = pattern.indexOf(edge.source());
      target[e] = pattern.indexOf(edge.target());
      value[e] = edge.value() == null ? -1 : pattern.indexOf(edge.value());
      named[e] = edge.relation() != null;
      adjacent[source[e]][target[e]] = true;
      adjacent[target[e]][source[e]] = true;
      if (value[e] >= 0) {
        onEdge[value[e]] = true;
      }
    }
    apart = new boolean[nodes][nodes];
    for (int a = 0; a < nodes; a++) {
      for (int b = 0; b < nodes; b++) {
        apart[a][b] = !mayCoincide(a, b);
      }
    }
    conflicts = new boolean[edges][edges];
    for (int e = 0; e < edges; e++) {
      for (int f = 0; f < edges; f++) {
        conflicts[e][f] = e != f && mayBeOneFact(e, f);
      }
    }
  }

  /** A value on an edge may be equal to anything: it says how, not what. */
  private boolean mayCoincide(int a, int b) {
    if (a == b || options.nodes() == Options.Nodes.REPEAT || onEdge[a] || onEdge[b]) {
      return true;
    }
    return options.nodes() == Options.Nodes.ANCHORED && !known[a] && !known[b];
  }

  private boolean mayBeOneFact(int e, int f) {
    boolean straight = mayCoincide(source[e], source[f]) && mayCoincide(target[e], target[f]);
    boolean turned = mayCoincide(source[e], target[f]) && mayCoincide(target[e], source[f]);
    return straight || (turned && !options.directed());
  }

  /** Whether two nodes must be different elements. */
  boolean apart(int a, int b) {
    return apart[a][b];
  }

  /**
   * Whether the two must not be a text and the node that it names either. A node may have its own
   * name as a property, so joined ones may.
   */
  boolean unnamed(int a, int b) {
    return apart[a][b] && !adjacent[a][b];
  }

  /** Whether two edges could be matched to one fact. */
  boolean conflict(int e, int f) {
    return conflicts[e][f];
  }

  /** Whether an edge could be matched to the fact of any other one. */
  boolean conflicts(int e) {
    for (boolean one : conflicts[e]) {
      if (one) {
        return true;
      }
    }
    return false;
  }

  int other(int edge, int end) {
    return source[edge] == end ? target[edge] : source[edge];
  }

  /** On which side of a fact the element of an end may stand. */
  Side side(int edge, int end) {
    if (!options.directed()) {
      return Side.EITHER;
    }
    return source[edge] == end ? Side.SOURCE : Side.TARGET;
  }

  /** Whether edges are matched as written only. */
  boolean directed() {
    return options.directed();
  }

  boolean touches(int edge, int node) {
    return source[edge] == node || target[edge] == node;
  }
}
