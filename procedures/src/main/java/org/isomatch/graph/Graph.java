package org.isomatch.graph;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.schema.IndexDefinition;
import org.neo4j.graphdb.schema.IndexType;
import org.neo4j.graphdb.schema.Schema;

/**
 * The caller's transaction as the search reads it. Nodes are their internal numbers, which never
 * leave the search; values have negative ones. What links two elements is a {@link Fact}: also a
 * node's property, unless it names the node. Every read is counted by the {@link Meter}.
 */
@SuppressWarnings({"deprecation", "removal"}) // internal numbers; see above
public final class Graph {
  /** No element: it is not in the graph any more. */
  public static final long NONE = Long.MIN_VALUE;

  private static final long BYTES_PER_VALUE = 160;

  private final Transaction transaction;
  private final Naming naming;
  private final SchemaHints hints;
  private final Meter meter;
  private final Map<Object, Long> numbersOfValues = new HashMap<>();
  private final List<Value> values = new ArrayList<>();

  public Graph(Transaction transaction, Naming naming, SchemaHints hints, Meter meter) {
    this.transaction = transaction;
    this.naming = naming;
    this.hints = hints;
    this.meter = meter;
  }

  // -- elements --------------------------------------------------------------------

  /** The server's internal number of a node: compact, and never given to a caller. */
  public static long id(Node node) {
    return node.getId();
  }

  public static Node node(Transaction transaction, long id) {
    return transaction.getNodeById(id);
  }

  /** The number of a candidate's item: an element id, a node or a {@link Value}. */
  public long number(Object item) {
    meter.tick();
    if (item instanceof Value value) {
      return numberOf(value);
    }
    String id = item instanceof Node node ? node.getElementId() : (String) item;
    try {
      return transaction.getNodeByElementId(id).getId();
    } catch (NotFoundException | IllegalArgumentException gone) {
      return NONE; // deleted, or of another database: the caller counts it
    }
  }

  private long numberOf(Value value) {
    return numbersOfValues.computeIfAbsent(
        value.key(),
        key -> {
          int length = value.value() instanceof String text ? text.length() : 0;
          meter.allocate(BYTES_PER_VALUE + 2L * length);
          values.add(value);
          return (long) -values.size();
        });
  }

  private Value value(long number) {
    return values.get((int) (-number - 1));
  }

  public static boolean isValue(long element) {
    return element < 0;
  }

  /** A node, or a value as Neo4j's API has it. */
  public Object element(long number) {
    return isValue(number) ? value(number).value() : transaction.getNodeById(number);
  }

  /** The node; null if it is a value, or was deleted meanwhile. */
  private Node node(long number) {
    try {
      return isValue(number) ? null : transaction.getNodeById(number);
    } catch (NotFoundException gone) {
      return null;
    }
  }

  /** The text by which Neo4j names a node. */
  public String elementId(long number) {
    Node node = node(number);
    return node == null ? "" : node.getElementId();
  }

  /** Whether an element has a type: a label, {@code :} for none, or the kind of a literal. */
  public boolean hasType(long number, String type) {
    meter.tick();
    if (isValue(number)) {
      return type.equals(value(number).kind());
    }
    Node node = node(number);
    if (node == null || type.charAt(0) != ':') {
      return false;
    }
    return type.length() == 1
        ? !node.getLabels().iterator().hasNext()
        : node.hasLabel(Label.label(type.substring(1)));
  }

  /** The ids of an element's types. */
  public List<String> types(long number) {
    meter.tick();
    if (isValue(number)) {
      return Stream.ofNullable(value(number).kind()).toList();
    }
    Node node = node(number);
    if (node == null) {
      return List.of();
    }
    List<String> types = new ArrayList<>();
    node.getLabels().forEach(label -> types.add(":" + label.name()));
    return types.isEmpty() ? List.of(":") : types;
  }

  /** Whether one of two elements is a text and the other one the node that it names. */
  public boolean isNamed(long one, long other) {
    if (isValue(one) == isValue(other)) {
      return false;
    }
    Node node = node(Math.max(one, other));
    return node != null && naming.isNamed(node, value(Math.min(one, other)).value());
  }

  /** How many relationships a node has; 0 for a value. */
  public int degree(long number) {
    meter.tick();
    Node node = node(number);
    return node == null ? 0 : node.getDegree();
  }

  /**
   * How many facts of a relation a node has, without reading them; -1 where they must be read.
   *
   * @param relation null for every relation
   */
  public long degree(long number, Relation relation, Direction direction) {
    Node node = node(number);
    if (node == null || relation == null || relation.type() == null) {
      return -1;
    }
    meter.tick();
    return node.getDegree(relation.type(), direction);
  }

  /** How many facts a relation has in all, without reading them; -1 where they must be read. */
  public long count(Relation relation) {
    boolean counted = relation != null && relation.type() != null;
    return counted ? countOfRelationships(transaction, relation.type().name()) : -1;
  }

  /** Nodes of a label, of any for null; of the count store, if the user may read everything. */
  public static long countOfNodes(Transaction transaction, String label) {
    return count(transaction, "MATCH (n" + quoted(label) + ") RETURN count(n)");
  }

  /** The same for relationships of a type. */
  public static long countOfRelationships(Transaction transaction, String type) {
    return count(transaction, "MATCH ()-[r" + quoted(type) + "]->() RETURN count(r)");
  }

  private static String quoted(String name) {
    // A backslash by its code: Cypher reads an escaped backtick even between backticks.
    return name == null ? "" : ":`" + name.replace("\\", "\\u005C").replace("`", "``") + "`";
  }

  private static long count(Transaction transaction, String query) {
    try (Result result = transaction.execute(query)) {
      return (Long) result.next().values().iterator().next();
    }
  }

  // -- facts -----------------------------------------------------------------------

  /**
   * The facts of a relation at an element.
   *
   * @param relation null for every relation that an unknown one may be
   * @param direction as seen from the element
   */
  public Cursor<Fact> facts(long element, Relation relation, Direction direction) {
    if (isValue(element)) {
      return direction == Direction.OUTGOING ? Cursor.of() : holders(element, relation);
    }
    Node node = node(element);
    if (node == null) {
      return Cursor.of();
    }
    if (relation != null && relation.type() != null) {
      return relationships(node, direction, relation.type());
    }
    if (direction == Direction.INCOMING) {
      return relation == null ? relationships(node, direction) : Cursor.of();
    }
    return relation != null
        ? property(node, relation.key())
        : Cursor.of(true, false)
            .flatMap(first -> first ? relationships(node, direction) : properties(node));
  }

  public boolean hasFact(long element, Relation relation, Direction direction) {
    if (relation != null && relation.type() != null) {
      meter.tick();
      Node node = node(element);
      return node != null && node.hasRelationship(direction, relation.type());
    }
    try (Cursor<Fact> facts = facts(element, relation, direction)) {
      return facts.next() != null;
    }
  }

  /** All facts of a relation, each from its start; null for any relation that is allowed. */
  public Cursor<Fact> scan(Relation relation) {
    if (relation == null) {
      return allNodes().flatMap(node -> facts(node.getId(), null, Direction.OUTGOING));
    }
    if (relation.type() != null) {
      return counted(
          transaction.findRelationships(relation.type()),
          r -> new Fact(r.getStartNodeId(), r.getEndNodeId(), r, null));
    }
    return nodesWith(relation.key(), null).flatMap(node -> property(node, relation.key()));
  }

  /** The values of a relationship's properties, or of one if a key is given, each once. */
  public List<Long> valuesOn(Relationship relationship, String key) {
    Set<Long> found = new LinkedHashSet<>();
    (key == null ? relationship.getAllProperties() : relationship.getProperties(key))
        .values().stream().flatMap(property -> Value.of(property).stream()).map(this::numberOf)
        .forEach(found::add);
    meter.tick();
    return List.copyOf(found);
  }

  /** The ids of a node's relations, with properties also of one that names it. */
  public List<String> relations(long number, boolean properties) {
    List<String> ids = new ArrayList<>();
    Node node = node(number);
    if (node != null) {
      node.getRelationshipTypes().forEach(type -> ids.add(":" + type.name()));
      if (properties) {
        node.getPropertyKeys().forEach(key -> ids.add("." + key));
      }
      ids.forEach(id -> meter.tick());
    }
    return ids;
  }

  private Cursor<Fact> relationships(Node node, Direction direction, RelationshipType... types) {
    boolean all = types.length == 0;
    long here = node.getId();
    return counted(
        (all ? node.getRelationships(direction) : node.getRelationships(direction, types))
            .iterator(),
        r ->
            !all || hints.unknown() == null || hints.allows(":" + r.getType().name())
                ? new Fact(here, r.getOtherNodeId(here), r, null)
                : null);
  }

  private Cursor<Fact> properties(Node node) {
    return Cursor.of(node.getPropertyKeys().iterator())
        .flatMap(key -> hints.allows("." + key) ? property(node, key) : Cursor.of());
  }

  private Cursor<Fact> property(Node node, String key) {
    meter.tick();
    Object held = node.getProperty(key, null);
    if (held == null || naming.isNaming(node, key)) {
      return Cursor.of();
    }
    long here = node.getId();
    return counted(
        Value.of(held).iterator(), value -> new Fact(here, numberOf(value), null, key));
  }

  /** The facts from a value to the nodes that hold it, by a relation or by any allowed one. */
  private Cursor<Fact> holders(long number, Relation relation) {
    Value value = value(number);
    if (relation != null && relation.key() == null) {
      return Cursor.of();
    }
    List<String> keys = new ArrayList<>();
    if (relation != null) {
      keys.add(relation.key());
    } else {
      transaction.getAllPropertyKeys().forEach(keys::add);
      keys.removeIf(key -> !hints.allows("." + key));
    }
    if (relation != null || hints.properties().keySet().containsAll(keys)) {
      return Cursor.of(keys.iterator())
          .flatMap(
              key ->
                  nodesWith(key, value).map(node -> new Fact(number, node.getId(), null, key)));
    }
    // A key without hints reads all nodes anyway: so once for all keys.
    return allNodes()
        .flatMap(
            node ->
                Cursor.of(node.getPropertyKeys().iterator())
                    .map(
                        key ->
                            hints.allows("." + key) && holds(node, key, value)
                                ? new Fact(number, node.getId(), null, key)
                                : null));
  }

  /** The nodes with a property, or with a value of it if one is given. */
  private Cursor<Node> nodesWith(String key, Value value) {
    SchemaHints.Holders known = hints.properties().get(key);
    Cursor<Node> nodes =
        known == null
            ? allNodes()
            : Cursor.of(known.labels().stream().distinct().map(Label::label).iterator())
                .flatMap(label -> nodesOf(label, key, known.lists() ? null : value));
    return nodes.map(node -> holds(node, key, value) ? node : null);
  }

  /** The nodes of a label, only those with a value if an index finds them. */
  private Cursor<Node> nodesOf(Label label, String key, Value value) {
    // Without an index the server would read the label in one go, unmetered.
    return value != null && isIndexed(transaction, label, key, value.value())
        ? counted(transaction.findNodes(label, key, value.value()), node -> node)
        : counted(transaction.findNodes(label), node -> node);
  }

  private boolean holds(Node node, String key, Value value) {
    Object property = node.getProperty(key, null);
    return property != null
        && (value == null || value.isIn(property))
        && !naming.isNaming(node, key);
  }

  private Cursor<Node> allNodes() {
    return counted(transaction.getAllNodes().iterator(), node -> node);
  }

  private <S, T> Cursor<T> counted(Iterator<S> items, Function<S, T> function) {
    return Cursor.of(items)
        .map(
            item -> {
              meter.tick();
              return function.apply(item);
            });
  }

  /** Whether an index finds the nodes of a label with a value of a property. */
  public static boolean isIndexed(
      Transaction transaction, Label label, String key, Object value) {
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
}
