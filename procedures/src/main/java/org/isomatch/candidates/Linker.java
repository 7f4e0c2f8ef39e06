package org.isomatch.candidates;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.MatchKeys;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Naming;
import org.isomatch.pattern.Node;
import org.isomatch.pattern.Pattern;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

/**
 * From a pattern to candidates for its known parts.
 *
 * <p>A part's list is the caller's; else nodes are found through the vector index, the full-text
 * index, or by equal name, and relations and types by equal words. To nodes that are not the
 * caller's the values that their text can mean are added. Notes say how each part was found.
 */
public final class Linker {
  private static final List<String> LITERALS = List.of("number", "text", "date", "boolean");

  private final Config config;
  private final Pattern pattern;
  private final Transaction tx;
  private final CallersLists given;
  private final NodeIndexes indexes;
  private final NodesByName byName;
  private final List<String> notes = new ArrayList<>();
  private Set<String> relationTypes; // all are read where they are needed: there can be many
  private Set<String> propertyKeys;
  private List<String> labels;

  private Linker(Config config, Pattern pattern, Naming naming, Transaction tx, Meter meter) {
    this.config = config;
    this.pattern = pattern;
    this.tx = tx;
    given = new CallersLists(config, pattern, this::relationNamed);
    notes.addAll(given.notes);
    indexes = new NodeIndexes(config, tx, meter);
    byName = new NodesByName(naming, tx, meter);
  }

  /**
   * Candidates for every known node, known relation and type of a pattern.
   *
   * @param config with the keys of {@link MatchKeys} that concern candidates
   * @param naming see {@link Naming#from(Config)}
   * @param tx the caller's
   * @param meter counts what is read
   * @throws ConfigException for lists, vectors or indexes that do not fit
   * @throws org.isomatch.graph.BudgetSpent where the meter's budget ends it
   */
  public static Candidates link(
      Config config, Pattern pattern, Naming naming, Transaction tx, Meter meter) {
    Linker linker = new Linker(config, pattern, naming, tx, meter);
    return new Candidates(
        linker.nodes(), linker.relations(), linker.types(), List.copyOf(linker.notes));
  }

  // -- nodes -----------------------------------------------------------------------

  private Map<String, CandidateList> nodes() {
    Map<String, Object> vectors = vectors();
    Set<String> onEdges = Parts.onEdges(pattern);
    Map<String, ListBuilder> drafts = new LinkedHashMap<>();
    Set<String> names = new LinkedHashSet<>();
    for (Node node : pattern.nodes()) {
      if (!node.known()) {
        continue;
      }
      ListBuilder draft = given.ofNodes.get(node.id());
      if (draft == null) {
        draft = onEdges.contains(node.id()) ? new ListBuilder(2) : found(node, vectors);
        for (Object value : Literals.of(node.text())) {
          draft.add(new Value(value), 0);
        }
      }
      draft.names(names);
      drafts.put(node.id(), draft);
    }
    Map<String, List<org.neo4j.graphdb.Node>> named = byName.search(names);
    noteNames(names, named);
    Map<String, CandidateList> lists = new LinkedHashMap<>();
    Long most = config.get(MatchKeys.K_NODES);
    drafts.forEach(
        (id, draft) -> {
          String text = pattern.nodes().get(pattern.indexOf(id)).text();
          lists.put(id, draft.resolved(named).build(text, Kind.NODE, most));
        });
    return lists;
  }

  private ListBuilder found(Node node, Map<String, Object> vectors) {
    Long most = config.get(MatchKeys.K_NODES);
    Object vector = vectors.get(node.id());
    if (vector != null) {
      String index = config.get(MatchKeys.VECTOR_INDEX);
      notes.add("node '%s' through vector index '%s'".formatted(node.id(), index));
      return indexes.nearest(node.id(), vector, most);
    }
    String index = config.get(MatchKeys.FULLTEXT_INDEX);
    if (index != null) {
      notes.add(
          "node '%s' through full-text index '%s', whose distances are not of embeddings"
              .formatted(node.id(), index));
      return indexes.byWords(node.text(), most);
    }
    notes.add("node '%s' by equal name".formatted(node.id()));
    ListBuilder draft = new ListBuilder(4);
    draft.add(new ListBuilder.Named(node.text()), 0);
    return draft;
  }

  private Map<String, Object> vectors() {
    Map<String, Object> vectors = config.get(MatchKeys.VECTORS);
    List<String> known = Parts.knownNodes(pattern);
    for (Map.Entry<String, Object> vector : vectors.entrySet()) {
      String id = vector.getKey();
      if (!known.contains(id)) {
        throw ConfigException.unknown(config.procedure(), "vectors." + id, id, known);
      }
      if (vector.getValue() == null) {
        throw config.wrong("vectors." + id, "a list of numbers, not all 0", null);
      }
    }
    if (!vectors.isEmpty() && config.get(MatchKeys.VECTOR_INDEX) == null) {
      throw config.wrong("vector_index", "given where vectors are", null);
    }
    return vectors;
  }

  private void noteNames(Set<String> names, Map<String, ?> named) {
    for (String name : names) {
      if (!named.containsKey(name)) {
        notes.add("no node is named '%s'".formatted(name));
      }
    }
    if (!byName.scanned().isEmpty()) {
      notes.add(
          ("names were looked up without an index on every naming property: "
                  + "all nodes of %s were read")
              .formatted(String.join(", ", byName.scanned())));
    }
  }

  // -- relations and types -----------------------------------------------------------

  private Map<Integer, CandidateList> relations() {
    Map<Integer, CandidateList> lists = new LinkedHashMap<>();
    for (int e = 0; e < pattern.edges().size(); e++) {
      String relation = pattern.edges().get(e).relation();
      if (relation == null) {
        continue;
      }
      ListBuilder draft = given.ofRelations.get(e);
      if (draft == null) {
        draft = relationsCalled(relation);
        notes.add(byWords("edge " + e, draft, relation, "relationship type or property key"));
      }
      Long most = config.get(MatchKeys.K_RELATIONS);
      lists.put(e, draft.build(Words.of(relation), Kind.RELATION, most));
    }
    return lists;
  }

  private ListBuilder relationsCalled(String text) {
    String wanted = Words.of(text);
    ListBuilder draft = new ListBuilder(2);
    for (String type : relationTypes()) {
      if (Words.of(type).equals(wanted)) {
        draft.add(":" + type, 0);
      }
    }
    for (String key : propertyKeys()) {
      if (Words.of(key).equals(wanted)) {
        draft.add("." + key, 0);
      }
    }
    return draft;
  }

  private Map<String, CandidateList> types() {
    Map<String, CandidateList> lists = new LinkedHashMap<>();
    Set<String> onEdges = Parts.onEdges(pattern);
    for (Node node : pattern.nodes()) {
      if (node.type() == null) {
        continue;
      }
      ListBuilder draft = given.ofTypes.get(node.id());
      if (draft == null) {
        draft = typesCalled(node.type(), onEdges.contains(node.id()) ? List.of() : labels());
        if (labels().isEmpty() && draft.isEmpty()) {
          notes.add("the graph has no types: \"%s\" ignored".formatted(Words.of(node.type())));
          continue;
        }
        notes.add(byWords("type of '" + node.id() + "'", draft, node.type(), "label"));
      }
      lists.put(
          node.id(), draft.build(Words.of(node.type()), Kind.TYPE, config.get(MatchKeys.K_TYPES)));
    }
    return lists;
  }

  private static ListBuilder typesCalled(String text, List<String> labels) {
    String wanted = Words.of(text);
    ListBuilder draft = new ListBuilder(2);
    for (String label : labels) {
      if (Words.of(label).equals(wanted)) {
        draft.add(":" + label, 0);
      }
    }
    if (LITERALS.contains(wanted)) {
      draft.add("literal:" + wanted, 0);
    }
    return draft;
  }

  private Set<String> relationTypes() {
    if (relationTypes == null) {
      relationTypes = new LinkedHashSet<>();
      for (RelationshipType type : tx.getAllRelationshipTypes()) {
        relationTypes.add(type.name());
      }
    }
    return relationTypes;
  }

  private Set<String> propertyKeys() {
    if (propertyKeys == null) {
      propertyKeys = new LinkedHashSet<>();
      tx.getAllPropertyKeys().forEach(propertyKeys::add);
    }
    return propertyKeys;
  }

  /** The id of the relation that is called exactly so, a type before a key; null for none. */
  private String relationNamed(String name) {
    if (relationTypes().contains(name)) {
      return ":" + name;
    }
    return propertyKeys().contains(name) ? "." + name : null;
  }

  private List<String> labels() {
    if (labels == null) {
      labels = new ArrayList<>();
      for (Label label : tx.getAllLabelsInUse()) {
        labels.add(label.name());
      }
    }
    return labels;
  }

  private static String byWords(String part, ListBuilder found, String text, String what) {
    return found.isEmpty()
        ? "%s: no %s is called '%s'".formatted(part, what, Words.of(text))
        : part + " by equal name";
  }
}
