package org.isomatch.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.isomatch.TestDatabase;
import org.isomatch.TestMeter;
import org.isomatch.candidates.CandidateList;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.candidates.Candidates;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Fact;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Naming;
import org.isomatch.graph.SchemaHints;
import org.isomatch.graph.Value;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;
import org.isomatch.pattern.PatternException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.isomatch.search.Search.Options;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

/** The search finds what brute force finds, over random graphs; a failing seed is in the name. */
class RandomOracleTest {
  private static final int CASES = 300;
  private static final long SEED = 20_140_601;
  /** How far domains go: as ever, and so little that they are left open nearly always. */
  private static final int[] REACHES = {Domains.REACH, 2, 0};

  private static final List<String> RELATIONS = List.of(":A", ":B", ":C", ".year", ".tag");
  private static final List<String> LABELS = List.of(":X", ":Y");

  private static int withMatches;

  @BeforeAll
  static void nothing() {
    TestDatabase.empty();
  }

  @AfterAll
  static void isNotIdle() {
    assertThat(withMatches).isGreaterThan(CASES / 4);
  }

  @TestFactory
  Stream<DynamicTest> bruteForce() {
    return LongStream.range(SEED, SEED + CASES)
        .mapToObj(seed -> DynamicTest.dynamicTest("seed " + seed, () -> new Case(seed).check()));
  }

  /** One graph, pattern and lists. The graph is never committed. */
  private static final class Case {
    private final Random random;
    private final List<BruteForce.Fact> facts = new ArrayList<>();
    private final Map<String, Set<String>> types = new HashMap<>();
    private final Map<String, org.neo4j.graphdb.Node> nodes = new LinkedHashMap<>();
    private final Map<String, Object> values = new HashMap<>();
    private final Map<Relationship, Integer> numbers = new HashMap<>();

    Case(long seed) {
      random = new Random(seed);
    }

    void check() {
      try (Transaction tx = TestDatabase.database().beginTx()) {
        graph(tx);
        Pattern pattern = pattern();
        BruteForce.Lists lists = lists(pattern);
        Options options = options();
        List<BruteForce.Reading> truth =
            new BruteForce(facts, types, pattern, lists, options).readings();
        Meter meter = TestMeter.unlimited();
        Graph graph = new Graph(tx, new Naming(Map.of()), new SchemaHints(null, Map.of()), meter);
        for (int reach : REACHES) {
          Map<Integer, Double> gsds = new TreeMap<>();
          Map<Integer, Set<List<String>>> matches = new TreeMap<>();
          try (Search search =
              new Search(pattern, candidates(lists), List.of(), options, graph, meter, reach)) {
            for (Found found = search.next(); found != null; found = search.next()) {
              gsds.put(found.rank(), found.gsd());
              boolean fresh =
                  matches
                      .computeIfAbsent(found.rank(), r -> new HashSet<>())
                      .add(told(found, pattern, graph));
              assertThat(fresh).isTrue();
            }
            assertThat(search.certificate().exact()).isTrue();
            assertThat(search.certificate().complete()).isTrue();
            int k = options.k();
            boolean tied =
                truth.size() > k && truth.get(k).gsd() < truth.get(k - 1).gsd() + 1e-9;
            assertThat(search.certificate().ties()).isIn(tied, null);
          }
          compare(truth, gsds, matches, options);
        }
        withMatches += truth.isEmpty() ? 0 : 1;
        endsWithoutMemory(truth, pattern, lists, options, graph);
      }
    }

    private static void compare(
        List<BruteForce.Reading> truth,
        Map<Integer, Double> gsds,
        Map<Integer, Set<List<String>>> matches,
        Options options) {
      assertThat(gsds).hasSize(Math.min(options.k(), truth.size()));
      List<BruteForce.Reading> left = new ArrayList<>(truth);
      gsds.forEach(
          (rank, gsd) -> {
            assertThat(gsd).isCloseTo(truth.get(rank - 1).gsd(), within(1e-9));
            BruteForce.Reading reading =
                left.stream()
                    .filter(one -> Math.abs(one.gsd() - gsd) < 1e-9)
                    .filter(one -> one.matches().containsAll(matches.get(rank)))
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("no such reading: " + gsd));
            left.remove(reading);
            int expected = Math.min(options.limit(), reading.matches().size());
            assertThat(matches.get(rank)).hasSize(expected);
          });
    }

    /** With too little memory a search ends, says so, and holds nothing afterwards. */
    private void endsWithoutMemory(
        List<BruteForce.Reading> truth,
        Pattern pattern,
        BruteForce.Lists lists,
        Options options,
        Graph graph) {
      Meter small = TestMeter.of(400 + random.nextInt(4000));
      try (Search search = new Search(pattern, candidates(lists), List.of(), options, graph, small)) {
        double last = -1;
        int given = 0;
        for (Found one = search.next(); one != null; one = search.next()) {
          last = one.gsd();
          given = one.rank();
        }
        Certificate certificate = search.certificate();
        assertThat(certificate.exact()).isEqualTo(certificate.endedBy() == null);
        // Nothing that was not given is better than the bound says.
        for (BruteForce.Reading reading : truth.subList(given, truth.size())) {
          assertThat(reading.gsd()).isGreaterThan(Math.min(certificate.bound(), last) - 1e-9);
        }
        if (certificate.endedBy() != null && given < options.k()) {
          assertThat(certificate.complete() && given < truth.size()).isFalse();
        }
      } catch (BudgetSpent spent) {
        assertThat(spent.which()).isEqualTo("memory");
      }
    }

    // -- drawing -----------------------------------------------------------------------

    private void graph(Transaction tx) {
      int size = 2 + random.nextInt(5);
      for (int i = 0; i < size; i++) {
        org.neo4j.graphdb.Node node = tx.createNode();
        Set<String> labels = new HashSet<>();
        for (String label : LABELS) {
          if (random.nextInt(2) == 0) {
            node.addLabel(Label.label(label.substring(1)));
            labels.add(label);
          }
        }
        nodes.put("n" + i, node);
        types.put("n" + i, labels.isEmpty() ? Set.of(":") : labels);
        if (random.nextInt(2) == 0) {
          property(node, "n" + i, "year", (long) random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
          property(node, "n" + i, "tag", "t" + random.nextInt(2));
        }
      }
      List<String> names = new ArrayList<>(nodes.keySet());
      for (int i = 0; i < random.nextInt(12); i++) {
        String source = pick(names);
        String target = pick(names);
        String type = RELATIONS.get(random.nextInt(3));
        Relationship made =
            nodes
                .get(source)
                .createRelationshipTo(
                    nodes.get(target), RelationshipType.withName(type.substring(1)));
        numbers.put(made, i);
        facts.add(new BruteForce.Fact(source, type, target, i));
      }
    }

    private void property(org.neo4j.graphdb.Node node, String name, String key, Object value) {
      node.setProperty(key, value);
      values.put("=" + value, value);
      types.put("=" + value, Set.of(value instanceof Long ? "literal:number" : "literal:text"));
      facts.add(new BruteForce.Fact(name, "." + key, "=" + value, -1));
    }

    private Pattern pattern() {
      while (true) {
        int size = 1 + random.nextInt(4);
        List<Edge> edges = new ArrayList<>();
        Set<String> touched = new LinkedHashSet<>();
        for (int e = 0; e < 1 + random.nextInt(3); e++) {
          String source = "p" + random.nextInt(size);
          String target = "p" + random.nextInt(size);
          touched.add(source);
          touched.add(target);
          edges.add(
              new Edge(
                  source, random.nextInt(4) > 0 ? "r" : null, target, null,
                  random.nextInt(4) == 0, null));
        }
        List<Node> made = new ArrayList<>();
        for (String id : touched) {
          String type = random.nextInt(4) == 0 ? "type" : null;
          made.add(new Node(id, random.nextInt(3) == 0 ? id : null, type));
        }
        try {
          return new Pattern(made, edges, List.of());
        } catch (PatternException refused) {
          continue; // a part with nothing known: draw again
        }
      }
    }

    private BruteForce.Lists lists(Pattern pattern) {
      List<String> elements = new ArrayList<>(nodes.keySet());
      elements.addAll(values.keySet().stream().sorted().toList());
      List<String> kinds = new ArrayList<>(LABELS);
      kinds.addAll(List.of(":", "literal:number", "literal:text"));
      Map<String, Map<String, Double>> ofNodes = new LinkedHashMap<>();
      Map<String, Map<String, Double>> ofTypes = new LinkedHashMap<>();
      Map<Integer, Map<String, Double>> ofRelations = new LinkedHashMap<>();
      for (Node node : pattern.nodes()) {
        if (node.known()) {
          ofNodes.put(node.id(), drawn(elements));
        }
        if (node.type() != null) {
          ofTypes.put(node.id(), drawn(kinds));
        }
      }
      for (int e = 0; e < pattern.edges().size(); e++) {
        if (pattern.edges().get(e).relation() != null) {
          ofRelations.put(e, drawn(RELATIONS));
        }
      }
      return new BruteForce.Lists(ofNodes, ofRelations, ofTypes);
    }

    private Map<String, Double> drawn(List<String> items) {
      Map<String, Double> list = new LinkedHashMap<>();
      for (String item : items) {
        if (random.nextInt(3) > 0) {
          list.put(item, random.nextInt(8) / 4.0); // equal distances are common
        }
      }
      return list;
    }

    private Options options() {
      return new Options(
          1 + random.nextInt(5),
          random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 1000,
          Options.Nodes.values()[random.nextInt(3)],
          random.nextBoolean() ? null : Boolean.valueOf(random.nextInt(3) == 0),
          random.nextInt(3) / 2.0,
          false,
          true,
          null);
    }

    private String pick(List<String> items) {
      return items.get(random.nextInt(items.size()));
    }

    private Candidates candidates(BruteForce.Lists lists) {
      Map<String, CandidateList> ofNodes = new HashMap<>();
      lists.nodes().forEach((id, list) -> ofNodes.put(id, list(list, Kind.NODE)));
      Map<Integer, CandidateList> ofRelations = new HashMap<>();
      lists.relations().forEach((e, list) -> ofRelations.put(e, list(list, Kind.RELATION)));
      Map<String, CandidateList> ofTypes = new HashMap<>();
      lists.types().forEach((id, list) -> ofTypes.put(id, list(list, Kind.TYPE)));
      return new Candidates(ofNodes, ofRelations, ofTypes, List.of());
    }

    private CandidateList list(Map<String, Double> entries, Kind kind) {
      List<String> order = new ArrayList<>(entries.keySet());
      order.sort((a, b) -> Double.compare(entries.get(a), entries.get(b)));
      Object[] items = order.stream().map(item -> item(item, kind)).toArray();
      double[] distances = order.stream().mapToDouble(entries::get).toArray();
      return new CandidateList("", kind, items, distances, Double.POSITIVE_INFINITY, false);
    }

    private Object item(String item, Kind kind) {
      if (kind != Kind.NODE) {
        return item;
      }
      return values.containsKey(item)
          ? new Value(values.get(item))
          : random.nextBoolean() ? nodes.get(item) : nodes.get(item).getElementId();
    }

    private List<String> told(Found found, Pattern pattern, Graph graph) {
      List<String> match = new ArrayList<>();
      for (int n = 0; n < pattern.nodes().size(); n++) {
        Object element = graph.element(found.nodes()[n]);
        match.add(
            nodes.entrySet().stream()
                .filter(entry -> entry.getValue().equals(element))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("=" + element));
      }
      for (Fact fact : found.facts()) {
        Relationship relationship = fact.relationship();
        match.add(fact.relation() + (relationship == null ? -1 : numbers.get(relationship)));
      }
      return match;
    }
  }
}
