package org.isomatch.candidates;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Naming;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;

/**
 * Finds the nodes with exactly these names: under a label, by index if the property that names its
 * nodes has one, else by reading them all once. Nodes without a label are not found.
 */
final class NodesByName {
  private static final long BYTES_PER_NODE = 128;

  private final Naming naming;
  private final Transaction transaction;
  private final Meter meter;
  private final Map<String, Set<Node>> found = new HashMap<>();
  private final List<String> scanned = new ArrayList<>();

  NodesByName(Naming naming, Transaction transaction, Meter meter) {
    this.naming = naming;
    this.transaction = transaction;
    this.meter = meter;
  }

  /** By name, its nodes in order of their element ids; names that no node has are left out. */
  Map<String, List<Node>> search(Set<String> names) {
    if (!names.isEmpty()) {
      Set<String> existing = new HashSet<>();
      transaction.getAllPropertyKeys().forEach(existing::add);
      for (Label label : transaction.getAllLabelsInUse()) {
        String key = naming.key(label.name());
        if (key == null || !existing.contains(key)) {
          continue;
        } else if (Graph.isIndexed(transaction, label, key, "")) {
          seek(label, key, names);
        } else {
          scan(label, key, names);
        }
      }
    }
    Map<String, List<Node>> ordered = new HashMap<>();
    Comparator<Node> byId = Comparator.comparing(Node::getElementId);
    found.forEach((name, nodes) -> ordered.put(name, nodes.stream().sorted(byId).toList()));
    return ordered;
  }

  /** Labels of which all nodes were read, for want of indexes. */
  List<String> scanned() {
    return scanned.stream().sorted().toList(); // the database has them in order of creation
  }

  private void seek(Label label, String key, Set<String> names) {
    for (String name : names) {
      for (Object value : Literals.of(name)) {
        read(
            transaction.findNodes(label, key, value),
            node -> {
              // Also under another of its labels than the one that its best name comes from.
              if (naming.isNamed(node, name) || name.equals(naming.nameOf(node))) {
                add(name, node);
              }
            });
      }
    }
  }

  private void scan(Label label, String key, Set<String> names) {
    scanned.add(label.name());
    read(
        transaction.findNodes(label),
        node -> {
          String name = naming.nameOf(node);
          if (name != null && names.contains(name)) {
            add(name, node);
          }
          // A node has a name of each of its labels.
          if (node.getProperty(key, null) instanceof String text && names.contains(text)) {
            add(text, node);
          }
        });
  }

  private void read(ResourceIterator<Node> nodes, Consumer<Node> consumer) {
    try (nodes) {
      while (nodes.hasNext()) {
        meter.tick();
        consumer.accept(nodes.next());
      }
    }
  }

  private void add(String name, Node node) {
    if (found.computeIfAbsent(name, n -> new LinkedHashSet<>()).add(node)) {
      meter.allocate(BYTES_PER_NODE);
    }
  }
}
