package org.isomatch.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.isomatch.TestDatabase;
import org.isomatch.TestMeter;
import org.isomatch.candidates.CandidateList;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.candidates.Candidates;
import org.isomatch.graph.Fact;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Naming;
import org.isomatch.graph.SchemaHints;
import org.isomatch.graph.Value;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;
import org.isomatch.search.Search.Options;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

/** A case of {@code searches.json}: its graph in the test database, and its search. */
final class VectorCase implements AutoCloseable {
  private final JsonNode given;
  private final Pattern pattern;
  private final Map<String, String> ids = new HashMap<>();
  private final Map<Object, String> names = new HashMap<>();
  private Transaction transaction;
  private Graph graph;
  private Certificate certificate;

  VectorCase(JsonNode given) {
    this.given = given;
    this.pattern = pattern(given.get("pattern"));
    TestDatabase.empty();
    load(given.get("graph"));
  }

  List<Found> search() {
    transaction = TestDatabase.database().beginTx();
    JsonNode options = given.get("options");
    Meter meter = TestMeter.unlimited();
    Map<String, String> naming = new HashMap<>();
    given.get("graph").get("naming").fields()
        .forEachRemaining(field -> naming.put(field.getKey(), field.getValue().asText()));
    graph = new Graph(transaction, new Naming(naming), new SchemaHints(null, Map.of()), meter);
    Options chosen =
        new Options(
            options.get("k").asInt(),
            options.get("limit").asInt(),
            Options.Nodes.valueOf(options.get("nodes").asText().toUpperCase()),
            options.get("direction").asText().equals("as written"),
            options.get("type_weight").asDouble(),
            options.get("results").asText().equals("matches"),
            true,
            null);
    List<Found> found = new ArrayList<>();
    Candidates lists = candidates(given.get("candidates"));
    try (Search search = new Search(pattern, lists, List.of(), chosen, graph, meter)) {
      for (Found one = search.next(); one != null; one = search.next()) {
        found.add(one);
      }
      certificate = search.certificate();
    }
    return found;
  }

  Certificate certificate() {
    return certificate;
  }

  /** What a match's nodes are bound to, as the vectors have it. */
  Map<String, Object> bindings(Found found) {
    Map<String, Object> bindings = new TreeMap<>();
    for (int n = 0; n < pattern.nodes().size(); n++) {
      bindings.put(pattern.nodes().get(n).id(), told(found.nodes()[n]));
    }
    return bindings;
  }

  /** Names of a match's relationships, as the vectors have them; empty for a property. */
  List<String> facts(Found found) {
    List<String> facts = new ArrayList<>();
    for (Fact fact : found.facts()) {
      boolean property = fact.relationship() == null;
      facts.add(property ? "" : names.get(fact.relationship().getElementId()));
    }
    return facts;
  }

  /** What an interpretation chose: nodes, relations and types, by part. */
  List<Map<String, Object>> choices(Found found) {
    Map<String, Object> nodes = new TreeMap<>();
    Map<String, Object> relations = new TreeMap<>();
    Map<String, Object> types = new TreeMap<>();
    for (int s = 0; s < found.entries().length; s++) {
      Slot slot = found.plan().slots.get(s);
      int entry = found.entries()[s];
      switch (slot.kind) {
        case NODE -> nodes.put(pattern.nodes().get(slot.index).id(), told(slot.number(entry)));
        case RELATION -> relations.put("" + slot.index, slot.relation(entry).id());
        case TYPE -> types.put(pattern.nodes().get(slot.index).id(), slot.type(entry));
      }
    }
    return List.of(nodes, relations, types);
  }

  /** The choices of a reading of the vectors, in the same form. */
  static List<Map<String, Object>> choices(JsonNode reading) {
    return List.of(
        map(reading.get("nodes")), map(reading.get("relations")), map(reading.get("types")));
  }

  static Map<String, Object> map(JsonNode object) {
    Map<String, Object> made = new TreeMap<>();
    object.fields().forEachRemaining(f -> made.put(f.getKey(), value(f.getValue())));
    return made;
  }

  /** Text as it is, a value in a list of one; numbers as doubles. */
  static Object value(JsonNode node) {
    return node.isArray() ? List.of(same(plain(node.get(0)))) : node.asText();
  }

  private Object told(long number) {
    Object element = graph.element(number);
    return element instanceof org.neo4j.graphdb.Node node
        ? names.get(node.getElementId())
        : List.of(same(element));
  }

  private static Object same(Object value) {
    return value instanceof Number number ? (Object) number.doubleValue() : value;
  }

  private static Object plain(JsonNode node) {
    if (node.isIntegralNumber()) {
      return node.asLong();
    }
    if (node.isNumber()) {
      return node.asDouble();
    }
    return node.isBoolean() ? (Object) node.asBoolean() : node.asText();
  }

  // -- reading ---------------------------------------------------------------------------

  private static Pattern pattern(JsonNode json) {
    List<Node> nodes = new ArrayList<>();
    for (JsonNode node : json.get("nodes")) {
      nodes.add(new Node(node.get("id").asText(), text(node, "text"), text(node, "type")));
    }
    List<Edge> edges = new ArrayList<>();
    for (JsonNode edge : json.get("edges")) {
      edges.add(
          new Edge(
              edge.get("source").asText(),
              text(edge, "relation"),
              edge.get("target").asText(),
              text(edge, "value"),
              edge.has("directed"),
              text(edge, "key")));
    }
    return new Pattern(nodes, edges, List.of());
  }

  private static String text(JsonNode node, String key) {
    return node.hasNonNull(key) ? node.get(key).asText() : null;
  }

  private Candidates candidates(JsonNode json) {
    Map<Integer, CandidateList> relations = new HashMap<>();
    lists(json.get("relations"), Kind.RELATION).forEach(
        (edge, list) -> relations.put(Integer.valueOf(edge), list));
    return new Candidates(
        lists(json.get("nodes"), Kind.NODE),
        relations,
        lists(json.get("types"), Kind.TYPE),
        List.of());
  }

  private Map<String, CandidateList> lists(JsonNode json, Kind kind) {
    Function<JsonNode, Object> item =
        node ->
            node.isArray()
                ? new Value(plain(node.get(0)))
                : kind == Kind.NODE
                    ? ids.getOrDefault(node.asText(), node.asText())
                    : node.asText();
    Map<String, CandidateList> made = new HashMap<>();
    json.fields()
        .forEachRemaining(
            field -> {
              Object[] items = new Object[field.getValue().size()];
              double[] distances = new double[items.length];
              for (int i = 0; i < items.length; i++) {
                items[i] = item.apply(field.getValue().get(i).get(0));
                distances[i] = field.getValue().get(i).get(1).asDouble();
              }
              made.put(
                  field.getKey(),
                  new CandidateList(
                      field.getKey(), kind, items, distances, Double.POSITIVE_INFINITY, false));
            });
    return made;
  }

  private void load(JsonNode json) {
    try (Transaction tx = TestDatabase.database().beginTx()) {
      Map<String, org.neo4j.graphdb.Node> made = new HashMap<>();
      for (JsonNode one : json.get("nodes")) {
        org.neo4j.graphdb.Node node = tx.createNode();
        one.get("labels").forEach(label -> node.addLabel(Label.label(label.asText())));
        properties(one.get("properties"), node);
        made.put(one.get("name").asText(), node);
        ids.put(one.get("name").asText(), node.getElementId());
        names.put(node.getElementId(), one.get("name").asText());
      }
      int number = 0;
      for (JsonNode one : json.get("relationships")) {
        org.neo4j.graphdb.Relationship relationship =
            made.get(one.get("source").asText())
                .createRelationshipTo(
                    made.get(one.get("target").asText()),
                    RelationshipType.withName(one.get("type").asText()));
        properties(one.get("properties"), relationship);
        names.put(relationship.getElementId(), "r" + ++number);
      }
      tx.commit();
    }
  }

  private static void properties(JsonNode json, org.neo4j.graphdb.Entity entity) {
    json.fields()
        .forEachRemaining(
            field -> entity.setProperty(field.getKey(), property(field.getValue())));
  }

  private static Object property(JsonNode json) {
    if (!json.isArray()) {
      return plain(json);
    }
    ArrayNode list = (ArrayNode) json;
    if (list.isEmpty()) {
      return new String[0];
    }
    Object first = plain(list.get(0));
    Object array = java.lang.reflect.Array.newInstance(first.getClass(), list.size());
    for (int i = 0; i < list.size(); i++) {
      Object member = plain(list.get(i));
      java.lang.reflect.Array.set(
          array, i, first instanceof Double ? ((Number) member).doubleValue() : member);
    }
    return array;
  }

  @Override
  public void close() {
    if (transaction != null) {
      transaction.close();
    }
  }
}
