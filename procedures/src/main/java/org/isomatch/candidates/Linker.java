package org.isomatch.candidates;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.MatchKeys;
import org.isomatch.config.Nearest;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Naming;
import org.isomatch.graph.Value;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.NotFoundException;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

/**
 * Finds candidates for the known parts of a pattern.
 *
 * <p>A part's list is the caller's; else nodes are found through an index or by equal name, and
 * also the values that their text can mean, and relations and types by equal words.
 */
public final class Linker {
  static final List<String> LITERALS =
      List.of("literal:number", "literal:text", "literal:date", "literal:boolean");

  private final Config config;
  private final Pattern pattern;
  private final CandidateParser given;
  private final NodeIndexes indexes;
  private final NodesByName byName;
  private final Naming naming;
  private static final String UNNAMED = "no node is named ";
  private static final String NAMES = "a name is no relation: ";
  private static final String NAMED_BY =
      NAMES + "some nodes are called by '%s'; write (\"Heat\") and no edge to it";

  private final List<String> notes = new ArrayList<>();
  private final Transaction transaction;
  private final Map<String, Set<String>> schema = new HashMap<>(); // read only if needed

  private Linker(
      Config config, Pattern pattern, Naming naming, Transaction transaction, Meter meter) {
    this.config = config;
    this.pattern = pattern;
    this.transaction = transaction;
    this.naming = naming;
    given = new CandidateParser(config, pattern, this::relationNamed);
    notes.addAll(given.notes);
    indexes = new NodeIndexes(config, transaction, meter);
    byName = new NodesByName(naming, transaction, meter);
  }

  /**
   * Finds candidates for every known node, known relation and type of a pattern.
   *
   * @throws ConfigException for lists, vectors, indexes or properties on edges that do not fit
   */
  public static Candidates link(
      Config config, Pattern pattern, Naming naming, Transaction transaction, Meter meter) {
    Linker linker = new Linker(config, pattern, naming, transaction, meter);
    Set<String> keys = linker.propertyKeys();
    for (String key : pattern.edges().stream().map(Edge::key).filter(Objects::nonNull).toList()) {
      if (!keys.contains(key)) {
        String near = Nearest.of(key, keys).map("; did you mean '%s'?"::formatted).orElse("");
        throw new ConfigException(
            "%s: the database has no property '%s'%s".formatted(config.procedure(), key, near));
      }
    }
    return new Candidates(
        linker.nodes(), linker.relations(), linker.types(), List.copyOf(linker.notes));
  }

  /** The same for a pattern in the pattern: the nearest candidates alone, which it means. */
  public static Candidates linkPart(
      Config config, Pattern pattern, int number, Naming naming, Transaction transaction,
      Meter meter) {
    Config own = CandidateParser.ofPart(config, number);
    Pattern part = pattern.without().get(number).pattern();
    return link(own, part, naming, transaction, meter).nearest();
  }

  /** Whether a note says why there may be nothing: of a name that is none, or is no relation. */
  public static boolean isWarning(String note) {
    return note.startsWith(UNNAMED) || note.startsWith(NAMES);
  }

  /** Ids of nodes with a name to look for. */
  static List<String> knownNodes(Pattern pattern) {
    return pattern.nodes().stream().filter(Node::known).map(Node::id).toList();
  }

  static List<String> typedNodes(Pattern pattern) {
    return pattern.nodes().stream().filter(n -> n.type() != null).map(Node::id).toList();
  }

  /** Numbers of edges with a relation to look for, as texts. */
  static List<String> knownEdges(Pattern pattern) {
    return IntStream.range(0, pattern.edges().size())
        .filter(e -> pattern.edges().get(e).relation() != null)
        .mapToObj(String::valueOf)
        .toList();
  }

  /** Whether a node stands on an edge, and so can only be a value. */
  private boolean isOnEdge(Node node) {
    return pattern.edges().stream().map(Edge::value).anyMatch(node.id()::equals);
  }

  private Map<String, CandidateList> nodes() {
    Map<String, Object> vectors = vectors();
    Map<Node, ListBuilder> builders = new LinkedHashMap<>();
    Set<String> names = new LinkedHashSet<>();
    for (Node node : pattern.nodes()) {
      if (!node.known()) {
        continue;
      }
      ListBuilder builder = given.nodes.get(node.id());
      if (builder == null && node.identity() != null) {
        builder = identified(node);
      } else if (builder == null) {
        builder = isOnEdge(node) ? new ListBuilder() : lookedUp(node, vectors.get(node.id()));
        for (Object value : Literals.of(node.text())) {
          builder.add(new Value(value), 0);
        }
      }
      builder.collectNames(names);
      builders.put(node, builder);
    }
    Map<String, List<org.neo4j.graphdb.Node>> nodesByName = byName.search(names);
    names.stream()
        .filter(name -> !nodesByName.containsKey(name))
        .forEach(name -> notes.add(UNNAMED + "'%s'".formatted(name)));
    if (!byName.scanned().isEmpty()) {
      String read =
          "names were looked up without an index on every naming property: all nodes of %s were "
              + "read";
      notes.add(read.formatted(String.join(", ", byName.scanned())));
    }
    Map<String, CandidateList> lists = new LinkedHashMap<>();
    builders.forEach(
        (node, builder) -> {
          builder.resolve(nodesByName);
          lists.put(
              node.id(), builder.build(node.text(), Kind.NODE, config.get(MatchKeys.K_NODES)));
        });
    return lists;
  }

  /** The node itself, and nothing else. */
  private ListBuilder identified(Node node) {
    ListBuilder builder = new ListBuilder();
    builder.frontier = Double.POSITIVE_INFINITY;
    try {
      builder.add(transaction.getNodeByElementId(node.identity()), 0);
    } catch (NotFoundException | IllegalArgumentException unknown) {
      notes.add("the database has no node " + node.text());
    }
    return builder;
  }

  private ListBuilder lookedUp(Node node, Object vector) {
    Long most = config.get(MatchKeys.K_NODES);
    if (vector != null) {
      String index = config.get(MatchKeys.VECTOR_INDEX);
      notes.add("node '%s' through vector index '%s'".formatted(node.id(), index));
      return indexes.byVector(node.id(), vector, most);
    }
    String index = config.get(MatchKeys.FULLTEXT_INDEX);
    if (index != null) {
      notes.add(
          "node '%s' through full-text index '%s', whose distances are not of embeddings"
              .formatted(node.id(), index));
      return indexes.byWords(node.text(), most);
    }
    notes.add("node '%s' by equal name".formatted(node.id()));
    ListBuilder builder = new ListBuilder();
    builder.add(new ListBuilder.Named(node.text()), 0);
    return builder;
  }

  private Map<String, Object> vectors() {
    Map<String, Object> vectors = config.get(MatchKeys.VECTORS);
    List<String> known = knownNodes(pattern);
    vectors.forEach(
        (id, vector) -> {
          if (!known.contains(id)) {
            throw ConfigException.unknown(config.procedure(), "vectors." + id, id, known);
          }
          if (vector == null) {
            throw config.wrong("vectors." + id, "a list of numbers, not all 0", null);
          }
        });
    if (!vectors.isEmpty() && config.get(MatchKeys.VECTOR_INDEX) == null) {
      throw config.wrong("vector_index", "given where vectors are", null);
    }
    return vectors;
  }

  private Map<Integer, CandidateList> relations() {
    Map<Integer, CandidateList> lists = new LinkedHashMap<>();
    for (String number : knownEdges(pattern)) {
      int e = Integer.parseInt(number);
      String words = Words.of(pattern.edges().get(e).relation());
      ListBuilder builder = given.relations.get(number);
      if (builder == null) {
        builder = new ListBuilder();
        addEqual(builder, ":", relationTypes(), words);
        addEqual(builder, ".", propertyKeys(), words);
        noteWords("edge " + e, builder, words, "relationship type or property key");
        propertyKeys().stream()
            .filter(key -> Words.of(key).equals(words) && naming.isNaming(key))
            .map(NAMED_BY::formatted)
            .forEach(notes::add);
      }
      lists.put(e, builder.build(words, Kind.RELATION, config.get(MatchKeys.K_RELATIONS)));
    }
    return lists;
  }

  private Map<String, CandidateList> types() {
    Map<String, CandidateList> lists = new LinkedHashMap<>();
    for (Node node : pattern.nodes()) {
      if (node.type() == null) {
        continue;
      }
      String words = Words.of(node.type());
      ListBuilder builder = given.types.get(node.id());
      if (builder == null) {
        builder = new ListBuilder();
        addEqual(builder, ":", isOnEdge(node) ? List.of() : labels(), words);
        if (LITERALS.contains("literal:" + words)) {
          builder.add("literal:" + words, 0);
        }
        if (labels().isEmpty() && builder.isEmpty()) {
          notes.add("the graph has no types: \"%s\" ignored".formatted(words));
          continue;
        }
        noteWords("type of '" + node.id() + "'", builder, words, "label");
      }
      lists.put(node.id(), builder.build(words, Kind.TYPE, config.get(MatchKeys.K_TYPES)));
    }
    return lists;
  }

  private static void addEqual(
      ListBuilder builder, String prefix, Collection<String> names, String words) {
    names.stream()
        .filter(name -> Words.of(name).equals(words))
        .forEach(name -> builder.add(prefix + name, 0));
  }

  private void noteWords(String part, ListBuilder builder, String words, String what) {
    notes.add(
        builder.isEmpty()
            ? "%s: no %s is called '%s'".formatted(part, what, words)
            : part + " by equal name");
  }

  /** The id of the relation with exactly this name, a type before a key; null for none. */
  private String relationNamed(String name) {
    if (relationTypes().contains(name)) {
      return ":" + name;
    }
    return propertyKeys().contains(name) ? "." + name : null;
  }

  private Set<String> relationTypes() {
    return schema.computeIfAbsent(
        "types", k -> names(transaction.getAllRelationshipTypes(), RelationshipType::name));
  }

  private Set<String> propertyKeys() {
    return schema.computeIfAbsent("keys", k -> names(transaction.getAllPropertyKeys(), n -> n));
  }

  private Set<String> labels() {
    return schema.computeIfAbsent(
        "labels", k -> names(transaction.getAllLabelsInUse(), Label::name));
  }

  /** The names of the database's labels, types or keys, in its order. */
  public static <T> Set<String> names(Iterable<T> all, Function<T, String> name) {
    return StreamSupport.stream(all.spliterator(), false)
        .map(name)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
