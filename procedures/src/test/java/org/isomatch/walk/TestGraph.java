package org.isomatch.walk;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.isomatch.TestDatabase;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

/** A small graph, in the test database and in lists; a node's number is its property `n`. */
final class TestGraph {
  static final List<String> TYPES = List.of("A", "B", "C");

  /** A relationship between numbered nodes. */
  record Link(int source, int target, String type) {}

  final List<Link> links = new ArrayList<>();
  private final int nodes;
  private final Map<Integer, String> ids = new HashMap<>();

  TestGraph(int nodes) {
    this.nodes = nodes;
  }

  /** With loops, parallel relationships, and nodes of few and of many. */
  static TestGraph random(Random random, int nodes, int links) {
    TestGraph graph = new TestGraph(nodes);
    for (int i = 0; i < links; i++) {
      int target = (int) (nodes * Math.pow(random.nextDouble(), 2));
      graph.relate(random.nextInt(nodes), target, TYPES.get(random.nextInt(TYPES.size())));
    }
    graph.write();
    return graph;
  }

  int nodes() {
    return nodes;
  }

  void relate(int source, int target, String type) {
    links.add(new Link(source, target, type));
  }

  /** Into the database, which has nothing else then. */
  void write() {
    TestDatabase.empty();
    try (Transaction tx = TestDatabase.database().beginTx()) {
      List<Node> made = new ArrayList<>();
      for (int n = 0; n < nodes; n++) {
        Node node = tx.createNode();
        node.setProperty("n", (long) n);
        made.add(node);
        ids.put(n, node.getElementId());
      }
      for (Link link : links) {
        made.get(link.source())
            .createRelationshipTo(made.get(link.target()), RelationshipType.withName(link.type()));
      }
      TYPES.forEach(
          type -> { // so that the database has every type
            made.get(0).createRelationshipTo(made.get(0), RelationshipType.withName(type)).delete();
          });
      tx.commit();
    }
  }

  String id(int node) {
    return ids.get(node);
  }

  /** Where a walk may go from each node, as often as there are relationships. */
  List<List<Integer>> ends(String direction, List<String> types) {
    List<List<Integer>> ends = new ArrayList<>();
    for (int n = 0; n < nodes; n++) {
      ends.add(new ArrayList<>());
    }
    for (Link link : links) {
      if (types != null && !types.contains(link.type())) {
        continue;
      }
      if (!direction.equals("in")) {
        ends.get(link.source()).add(link.target());
      }
      if (direction.equals("in") || direction.equals("any") && link.source() != link.target()) {
        ends.get(link.target()).add(link.source());
      }
    }
    return ends;
  }
}
