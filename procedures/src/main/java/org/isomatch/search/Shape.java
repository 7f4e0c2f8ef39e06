package org.isomatch.search;

import org.isomatch.pattern.Condition;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.search.Search.Options;
import org.neo4j.graphdb.Direction;

/** A pattern without its words: nodes and edges by number, and the rules of matching. */
final class Shape {
  final int nodes;
  final int edges;
  final int[] source;
  final int[] target;
  /** By edge: the node that is a value on it, or -1. */
  final int[] value;
  /** By edge: the property that the value is of; null for any. */
  final String[] key;
  /** By edge: whether it is matched from source to target only. */
  final boolean[] directed;
  /** By node: whether it has candidates. */
  final boolean[] known;
  /** By edge: whether its relation has candidates. */
  final boolean[] named;
  /** By node: whether it is a value on an edge. */
  final boolean[] onEdge;
  /** Whether other relationships between the same nodes make a match of their own. */
  final boolean parallel;

  private final boolean[][] adjacent;
  /** By two nodes: whether a condition allows them to be equal, and so to be one value. */
  private final boolean[][] alike;
  private final Options options;

  Shape(Pattern pattern, Options options) {
    this.options = options;
    parallel = options.parallel();
    nodes = pattern.nodes().size();
    edges = pattern.edges().size();
    source = new int[edges];
    target = new int[edges];
    value = new int[edges];
    key = new String[edges];
    directed = new boolean[edges];
    known = new boolean[nodes];
    named = new boolean[edges];
    onEdge = new boolean[nodes];
    for (int n = 0; n < nodes; n++) {
      known[n] = pattern.nodes().get(n).known();
    }
    alike = new boolean[nodes][nodes];
    for (Condition condition : pattern.where()) {
      for (Condition one : condition.alternatives()) {
        if (one.other() != null && one.comparison().mayBeEqual()) {
          alike[pattern.indexOf(one.node())][pattern.indexOf(one.other())] = true;
          alike[pattern.indexOf(one.other())][pattern.indexOf(one.node())] = true;
        }
      }
    }
    adjacent = new boolean[nodes][nodes];
    for (int e = 0; e < edges; e++) {
      Edge edge = pattern.edges().get(e);
      source[e] = pattern.indexOf(edge.source());
      target[e] = pattern.indexOf(edge.target());
      value[e] = edge.value() == null ? -1 : pattern.indexOf(edge.value());
      key[e] = edge.key();
      named[e] = edge.relation() != null;
      directed[e] = options.directed() == null ? edge.directed() : options.directed();
      adjacent[source[e]][target[e]] = true;
      adjacent[target[e]][source[e]] = true;
      if (value[e] >= 0) {
        onEdge[value[e]] = true;
      }
    }
  }

  /** Whether two nodes must be different elements. */
  boolean apart(int a, int b) {
    boolean repeat = a == b || options.nodes() == Options.Nodes.REPEAT;
    if (repeat || onEdge[a] || onEdge[b] || alike[a][b]) {
      return false; // a value on an edge may be equal to anything: it says how, not what
    }
    return options.nodes() == Options.Nodes.DISTINCT || known[a] || known[b];
  }

  /**
   * Whether the two must not be a text and the node that it names either. A node may have its own
   * name as a property, so joined ones may.
   */
  boolean unnamed(int a, int b) {
    return apart(a, b) && !adjacent[a][b];
  }

  /** Whether two edges could be matched to one fact. */
  boolean conflict(int e, int f) {
    boolean same = !apart(source[e], source[f]) && !apart(target[e], target[f]);
    boolean reversed = !apart(source[e], target[f]) && !apart(target[e], source[f]);
    return e != f && (same || (reversed && !(directed[e] && directed[f])));
  }

  int other(int edge, int end) {
    return source[edge] == end ? target[edge] : source[edge];
  }

  /** In which direction an edge's facts may run, as seen from one of its ends. */
  Direction direction(int edge, int end) {
    if (!directed[edge]) {
      return Direction.BOTH;
    }
    return source[edge] == end ? Direction.OUTGOING : Direction.INCOMING;
  }

  boolean touches(int edge, int node) {
    return source[edge] == node || target[edge] == node;
  }
}
