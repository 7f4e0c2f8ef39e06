package org.isomatch.candidates;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Naming;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.schema.IndexDefinition;
import org.neo4j.graphdb.schema.IndexType;
import org.neo4j.graphdb.schema.Schema;

/**
 * Finds the nodes that are called exactly so.
 *
 * <p>Under a label, by index where every property that may name its nodes has one. Else all nodes
 * of the label are read, once for all names: an index on one property says nothing of the nodes
 * that another one names. Nodes without a label are not found.
 */
final class NodesByName {
  private static final long BYTES_A_NODE = 128;

  private final Naming naming;
  private final Transaction tx;
  private final Meter meter;
  private final Map<String, Set<Node>> found = new HashMap<>();
  private final List<String> scanned = new ArrayList<>();

  /**
   * @param meter counts the nodes that are read, and ends it where a budget says so
   */
  NodesByName(Naming naming, Transaction tx, Meter meter) {
    this.naming = naming;
    this.tx = tx;
    this.meter = meter;
  }

  /** By name, its nodes in order of their element ids; names that no node has are left out. */
  Map<String, List<Node>> search(Collection<String> names) {
    if (!names.isEmpty()) {
      Map<String, Set<String>> indexed = indexed();
      Set<String> there = new HashSet<>();
      tx.getAllPropertyKeys().forEach(there::add);
      for (Label label : tx.getAllLabelsInUse()) {
        if (naming.labels() == null || naming.labels().contains(label.name())) {
          List<String> keys =
              naming.keys(label.name()).stream().filter(there::contains).toList();
          search(label, keys, indexed.getOrDefault(label.name(), Set.of()), names);
        }
      }
    }
    Map<String, List<Node>> ordered = new HashMap<>();
    found.forEach(
        (name, nodes) ->
            ordered.put(
                name,
                nodes.stream().sorted(Comparator.comparing(Node::getElementId)).toList()));
    return ordered;
  }

  /** Labels that had to be read whole, for want of indexes. */
  List<String> scanned() {
    return scanned.stream().sorted().toList(); // the database has them in order of creation
  }

  private void search(
      Label label, List<String> keys, Set<String> indexed, Collection<String> names) {
    if (!indexed.containsAll(keys)) {
      scan(label, keys, names);
      return;
    }
    for (String name : names) {
      for (Object value : Literals.of(name)) {
        for (String key : keys) {
          seek(label, key, value, name);
        }
      }
    }
  }

  private void seek(Label label, String key, Object value, String name) {
    try (ResourceIterator<Node> nodes = tx.findNodes(label, key, value)) {
      while (nodes.hasNext()) {
        meter.tick();
        Node node = nodes.next();
        if (isCalled(node, name)) {
          add(name, node);
        }
      }
    }
  }

  private void scan(Label label, List<String> keys, Collection<String> names) {
    scanned.add(label.name());
    Set<String> wanted = new HashSet<>(names);
    try (ResourceIterator<Node> nodes = tx.findNodes(label)) {
      while (nodes.hasNext()) {
        meter.tick();
        Node node = nodes.next();
        String name = naming.nameOf(node);
        if (name != null && wanted.contains(name)) {
          add(name, node);
        }
        // Where `names` says what names a label, a node has a name of each of its labels.
        if (naming.labels() != null
            && node.getProperty(keys.get(0), null) instanceof String text
            && wanted.contains(text)) {
          add(text, node);
        }
      }
    }
  }

  /** Also under another of its labels than the one that its best name comes from. */
  private boolean isCalled(Node node, String name) {
    return naming.named(node, name) || name.equals(naming.nameOf(node));
  }

  private void add(String name, Node node) {
    if (found.computeIfAbsent(name, n -> new LinkedHashSet<>()).add(node)) {
      meter.allocate(BYTES_A_NODE);
    }
  }

  /** By label, the keys that an index finds equal values of. */
  private Map<String, Set<String>> indexed() {
    Map<String, Set<String>> keys = new HashMap<>();
    Schema schema = tx.schema();
    for (IndexDefinition index : schema.getIndexes()) {
      boolean suits =
          (index.getIndexType() == IndexType.RANGE || index.getIndexType() == IndexType.TEXT)
              && index.isNodeIndex()
              && !index.isCompositeIndex()
              && schema.getIndexState(index) == Schema.IndexState.ONLINE;
      if (suits) {
        String label = index.getLabels().iterator().next().name();
        keys.computeIfAbsent(label, l -> new HashSet<>())
            .add(index.getPropertyKeys().iterator().next());
      }
    }
    return keys;
  }
}
