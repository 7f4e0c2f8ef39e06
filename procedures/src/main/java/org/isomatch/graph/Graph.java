package org.isomatch.graph;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.isomatch.candidates.Value;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.schema.IndexDefinition;
import org.neo4j.graphdb.schema.IndexType;
import org.neo4j.graphdb.schema.Schema;

/**
 * The caller's transaction as the search reads it: elements are numbers, and everything that links
 * two of them is a fact.
 *
 * <p>Nodes have their internal number, from 0 on, which is compact and never leaves the search;
 * values have negative ones. A node's property is a fact from the node to its value, unless it
 * names the node. Every read is counted by the {@link Meter}.
 */
@SuppressWarnings({"deprecation", "removal"}) // internal numbers; see above
public final class Graph {
  /** No element: it is not in the graph any more. */
  public static final long NONE = Long.MIN_VALUE;

  private final Transaction transaction;
  private final Naming naming;
  private final Knowledge knowledge;
  private final Meter meter;
  private final Values values;

  public Graph(Transaction transaction, Naming naming, Knowledge knowledge, Meter meter) {
    this.transaction = transaction;
    this.naming = naming;
    this.knowledge = knowledge;
    this.meter = meter;
    this.values = new Values(meter);
  }

  // -- elements --------------------------------------------------------------------

  /** The number of a candidate's item: an element id, a node or a {@link Value}. */
  public long number(Object item) {
    meter.tick();
    if (item instanceof Value value) {
      return values.number(value.value());
    }
    String id = item instanceof Node node ? node.getElementId() : (String) item;
    try {
      return transaction.getNodeByElementId(id).getId();
    } catch (NotFoundException | IllegalArgumentException gone) {
      return NONE; // deleted, or of another database: the caller counts it
    }
  }

  public static boolean isValue(long element) {
    return element < 0;
  }

  /** A node, or a value as Neo4j's API has it. */
  public Object element(long number) {
    return isValue(number) ? values.value(number) : node(number);
  }

  private Node node(long number) {
    return transaction.getNodeById(number);
  }

  /** The node; null where somebody has deleted it since. */
  private Node nodeIfThere(long number) {
    try {
      return transaction.getNodeById(number);
    } catch (NotFoundException gone) {
      return null;
    }
  }

  /** The text by which Neo4j names a node. */
  public String elementId(long node) {
    Node found = nodeIfThere(node);
    return found == null ? "" : found.getElementId();
  }

  /** Whether an element has a type: a label, {@code :} for none, or the kind of a literal. */
  public boolean hasType(long number, String type) {
    meter.tick();
    if (isValue(number)) {
      return type.equals(Values.kind(values.value(number)));
    }
    Node node = nodeIfThere(number);
    if (node == null || type.charAt(0) != ':') {
      return false;
    }
    return type.length() == 1
        ? !node.getLabels().iterator().hasNext()
        : node.hasLabel(Label.label(type.substring(1)));
  }

  /** Ids of an element's types. */
  public List<String> types(long number) {
    meter.tick();
    if (isValue(number)) {
      String kind = Values.kind(values.value(number));
      return kind == null ? List.of() : List.of(kind);
    }
    Node node = nodeIfThere(number);
    if (node == null) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    for (Label label : node.getLabels()) {
      found.add(":" + label.name());
    }
    return found.isEmpty() ? List.of(":") : found;
  }

  /**
   * Whether two elements stand for the same thing: they are one, or a text and the node that it
   * names.
   */
  public boolean named(long one, long other) {
    if (isValue(one) == isValue(other)) {
      return false;
    }
    Node node = nodeIfThere(Math.max(one, other));
    return node != null && naming.named(node, values.value(Math.min(one, other)));
  }

  /** How many relationships a node has; 0 for a value. */
  public int degree(long number) {
    meter.tick();
    Node node = isValue(number) ? null : nodeIfThere(number);
    return node == null ? 0 : node.getDegree();
  }

  // -- facts -----------------------------------------------------------------------

  /**
   * The facts of a relation in which an element stands on a side.
   *
   * @param relation null for every relation that an unknown one may be
   */
  public Facts facts(long element, Relation relation, Side side) {
    if (isValue(element)) {
      return side == Side.SOURCE ? Facts.none() : holders(element, relation);
    }
    Node node = nodeIfThere(element);
    if (node == null) {
      return Facts.none();
    }
    if (relation == null) {
      return side == Side.TARGET
          ? relationships(node, side)
          : Facts.joined(relationships(node, side), properties(node));
    }
    if (relation.type() != null) {
      return relationships(node, side, relation.type());
    }
    return side == Side.TARGET ? Facts.none() : property(node, relation.key());
  }

  /** Whether there is such a fact. */
  public boolean hasFact(long element, Relation relation, Side side) {
    if (relation != null && relation.type() != null) {
      meter.tick();
      Node node = isValue(element) ? null : nodeIfThere(element);
      return node != null && node.hasRelationship(side.direction(), relation.type());
    }
    try (Facts facts = facts(element, relation, side)) {
      return facts.next();
    }
  }

  /** The values that a relationship carries, each once. */
  public List<Long> carried(Relationship relationship) {
    Set<Long> found = new LinkedHashSet<>();
    for (Object property : relationship.getAllProperties().values()) {
      meter.tick();
      for (Object member : Values.members(property)) {
        found.add(values.number(member));
      }
    }
    return List.copyOf(found);
  }

  /**
   * The relations that a node has, by name.
   *
   * @param types gets the names of its relationship types
   * @param keys gets those of its properties, even of one that names it
   */
  public void relations(long number, Consumer<String> types, Consumer<String> keys) {
    Node node = nodeIfThere(number);
    if (node == null) {
      return;
    }
    for (RelationshipType type : node.getRelationshipTypes()) {
      meter.tick();
      types.accept(type.name());
    }
    for (String key : node.getPropertyKeys()) {
      meter.tick();
      keys.accept(key);
    }
  }

  /**
   * All facts of a relation in the graph, each from its start.
   *
   * @param relation null for every relation that an unknown one may be
   */
  public Scan scan(Relation relation) {
    if (relation == null) {
      return new NodeScan(transaction.getAllNodes().iterator());
    }
    return relation.type() != null
        ? new RelationshipScan(transaction.findRelationships(relation.type()))
        : new PropertyScan(relation.key());
  }

  /** Facts of the whole graph; {@link #source} is the node that each begins at. */
  public abstract static class Scan extends Facts {
    long source;

    public long source() {
      return source;
    }
  }

  private final class RelationshipScan extends Scan {
    private final ResourceIterator<Relationship> all;

    RelationshipScan(ResourceIterator<Relationship> all) {
      this.all = all;
    }

    @Override
    public boolean next() {
      meter.tick();
      if (!all.hasNext()) {
        return false;
      }
      relationship = all.next();
      source = relationship.getStartNodeId();
      other = relationship.getEndNodeId();
      return true;
    }

    @Override
    public void close() {
      all.close();
    }
  }

  /** Node by node what begins there. */
  private abstract class NodesScan extends Scan {
    private Facts here = Facts.none();

    /** The facts of the next node; null where there is none. */
    abstract Facts nextNode();

    @Override
    public boolean next() {
      while (!here.next()) {
        here.close();
        here = nextNode();
        if (here == null) {
          here = Facts.none();
          return false;
        }
      }
      relationship = here.relationship;
      key = here.key;
      other = here.other;
      return true;
    }

    @Override
    public void close() {
      here.close();
    }
  }

  private final class NodeScan extends NodesScan {
    private final ResourceIterator<Node> nodes;

    NodeScan(ResourceIterator<Node> nodes) {
      this.nodes = nodes;
    }

    @Override
    Facts nextNode() {
      meter.tick();
      if (!nodes.hasNext()) {
        return null;
      }
      source = nodes.next().getId();
      return facts(source, null, Side.SOURCE);
    }

    @Override
    public void close() {
      super.close();
      nodes.close();
    }
  }

  private final class PropertyScan extends NodesScan {
    private final Holding holding;

    PropertyScan(String name) {
      this.holding = new Holding(name, null);
    }

    @Override
    Facts nextNode() {
      if (!holding.next()) {
        return null;
      }
      source = holding.other;
      Node node = nodeIfThere(source);
      return node == null ? Facts.none() : property(node, holding.key);
    }

    @Override
    public void close() {
      super.close();
      holding.close();
    }
  }

  private Facts relationships(Node node, Side side, RelationshipType... types) {
    Iterator<Relationship> all =
        types.length == 0
            ? node.getRelationships(side.direction()).iterator()
            : node.getRelationships(side.direction(), types).iterator();
    long here = node.getId();
    return new Facts() {
      @Override
      public boolean next() {
        while (all.hasNext()) {
          meter.tick();
          Relationship one = all.next();
          if (types.length > 0 || knowledge.allows(":" + one.getType().name())) {
            relationship = one;
            other = one.getOtherNodeId(here);
            return true;
          }
        }
        return false;
      }

      @Override
      public void close() {
        if (all instanceof ResourceIterator<?> resource) {
          resource.close();
        }
      }
    };
  }

  private Facts property(Node node, String name) {
    meter.tick();
    Object held = node.getProperty(name, null);
    if (held == null || naming.isNaming(node, name)) {
      return Facts.none();
    }
    Iterator<Object> members = Values.members(held).iterator();
    return new Facts() {
      @Override
      public boolean next() {
        if (!members.hasNext()) {
          return false;
        }
        meter.tick();
        key = name;
        other = values.number(members.next());
        return true;
      }
    };
  }

  private Facts properties(Node node) {
    List<Facts> found = new ArrayList<>();
    for (String key : node.getPropertyKeys()) {
      if (knowledge.allows("." + key)) {
        found.add(property(node, key));
      }
    }
    return Facts.joined(found.toArray(Facts[]::new));
  }

  /** The nodes that hold a value, by one property or by any that an unknown relation may be. */
  private Facts holders(long number, Relation relation) {
    Object value = values.value(number);
    if (relation != null) {
      return relation.key() == null ? Facts.none() : new Holding(relation.key(), value);
    }
    List<Facts> found = new ArrayList<>();
    for (String key : transaction.getAllPropertyKeys()) {
      if (knowledge.allows("." + key)) {
        if (!knowledge.properties().containsKey(key)) {
          return new AnyHolding(value); // all nodes are read anyway: once for all keys
        }
        found.add(new Holding(key, value));
      }
    }
    return Facts.joined(found.toArray(Facts[]::new));
  }

  /** Whether an index finds the nodes of a label with a value of a property. */
  private boolean isIndexed(Label label, String key, Object value) {
    for (IndexDefinition index : transaction.schema().getIndexes(label)) {
      boolean fits =
          index.getIndexType() == IndexType.RANGE
              || (index.getIndexType() == IndexType.TEXT && value instanceof String);
      if (fits
          && !index.isCompositeIndex()
          && index.getPropertyKeys().iterator().next().equals(key)
          && transaction.schema().getIndexState(index) == Schema.IndexState.ONLINE) {
        return true;
      }
    }
    return false;
  }

  /** All nodes that hold a value, by whichever property an unknown relation may be. */
  private final class AnyHolding extends Facts {
    private final Object value;
    private final ResourceIterator<Node> nodes = transaction.getAllNodes().iterator();
    private Node node;
    private Iterator<String> keys = Collections.emptyIterator();

    AnyHolding(Object value) {
      this.value = value;
    }

    @Override
    public boolean next() {
      while (true) {
        while (keys.hasNext()) {
          String held = keys.next();
          if (knowledge.allows("." + held)
              && Values.holds(node.getProperty(held, null), value)
              && !naming.isNaming(node, held)) {
            key = held;
            other = node.getId();
            return true;
          }
        }
        meter.tick();
        if (!nodes.hasNext()) {
          return false;
        }
        node = nodes.next();
        keys = node.getPropertyKeys().iterator();
      }
    }

    @Override
    public void close() {
      nodes.close();
    }
  }

  /** Nodes with a property, or with a value of it; with the help of indexes where that suffices. */
  private final class Holding extends Facts {
    private final String held;
    private final Object value;
    private final Iterator<String> labels;
    private ResourceIterator<Node> nodes;

    /** A null value stands for any. */
    Holding(String key, Object value) {
      this.held = key;
      this.value = value;
      Knowledge.Holders known = knowledge.properties().get(key);
      this.labels = known == null ? null : new LinkedHashSet<>(known.labels()).iterator();
    }

    @Override
    public boolean next() {
      while (true) {
        if (nodes == null && !open()) {
          return false;
        }
        while (nodes.hasNext()) {
          meter.tick();
          Node node = nodes.next();
          Object property = node.getProperty(held, null);
          if (property != null
              && (value == null || Values.holds(property, value))
              && !naming.isNaming(node, held)) {
            key = held;
            other = node.getId();
            return true;
          }
        }
        nodes.close();
        nodes = null;
        if (labels == null) {
          return false;
        }
      }
    }

    private boolean open() {
      if (labels == null) {
        nodes = transaction.getAllNodes().iterator();
        return true;
      }
      if (!labels.hasNext()) {
        return false;
      }
      Label label = Label.label(labels.next());
      boolean single = value != null && !knowledge.properties().get(held).lists();
      // Without an index the server would read the label in one go, past all our checks.
      nodes =
          single && isIndexed(label, held, value)
              ? transaction.findNodes(label, held, value)
              : transaction.findNodes(label);
      return true;
    }

    @Override
    public void close() {
      if (nodes != null) {
        nodes.close();
        nodes = null;
      }
    }
  }
}
