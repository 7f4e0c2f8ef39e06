package org.isomatch.candidates;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.isomatch.TestDatabase;
import org.isomatch.TestMeter;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.MatchKeys;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Naming;
import org.isomatch.graph.Value;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Transaction;

class LinkerTest {
  private static final String NAME = "isomatch.match.stream";

  /** (?film:movie)-[shot by]-("Michael Mann"), (?film)-[]-("1995") */
  private static final Pattern PATTERN =
      new Pattern(
          List.of(
              new Node("film", null, "movie"),
              new Node("mann", "Michael Mann", null),
              new Node("year", "1995", null)),
          List.of(
              new Edge("film", "shot by", "mann", null), new Edge("film", null, "year", null)),
          List.of());

  private static final String ID = "4:01234567-89ab-cdef-0123-456789abcdef:7";

  @BeforeAll
  static void films() {
    TestDatabase.empty();
    TestDatabase.write(
        """
        CREATE
          (:Movie {title: 'Heat', released: 1995, v: [1.0, 0.0]}),
          (:Movie {title: 'The Heat', released: 2013, v: [0.0, 3.0]}),
          (:Movie {title: 'Nothing', v: [0.0, 0.0]}),
          (:Person {name: 'Michael Mann', movie: 'x'})-[:SHOT_BY {shotBy: 1}]->(:Film),
          (:Person {name: 'Michael Mann', born: 1960})
        """);
    TestDatabase.write("CREATE VECTOR INDEX movie_vectors FOR (m:Movie) ON m.v");
    TestDatabase.write(
        "CREATE FULLTEXT INDEX names FOR (n:Movie|Person) ON EACH [n.title, n.name]");
    TestDatabase.write("CREATE INDEX titles FOR (m:Movie) ON m.title");
    try (Transaction tx = TestDatabase.database().beginTx()) {
      tx.schema().awaitIndexesOnline(1, TimeUnit.MINUTES);
    }
  }

  private static Candidates link(Pattern pattern, Map<String, Object> config) {
    return link(pattern, config, TestMeter.unlimited());
  }

  private static Candidates link(Pattern pattern, Map<String, Object> config, Meter meter) {
    try (Transaction tx = TestDatabase.database().beginTx()) {
      Config checked = new Config(NAME, MatchKeys.ALL, config);
      return Linker.link(checked, pattern, Naming.from(checked, tx), tx, meter);
    }
  }

  private static Map<String, Object> nodes(Object list) {
    return Map.of("candidates", Map.of("nodes", Map.of("mann", list)));
  }

  private static List<Object> items(CandidateList list) {
    List<Object> items = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      Object item = list.item(i);
      items.add(item instanceof org.neo4j.graphdb.Node node ? called(node) : item);
    }
    return items;
  }

  private static String called(org.neo4j.graphdb.Node node) {
    try (Transaction tx = TestDatabase.database().beginTx()) {
      org.neo4j.graphdb.Node here = tx.getNodeByElementId(node.getElementId());
      return (String) here.getProperty("title", here.getProperty("name", null));
    }
  }

  private static List<Double> distances(CandidateList list) {
    List<Double> distances = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      distances.add(list.distance(i));
    }
    return distances;
  }

  private static Pattern known(String text) {
    return new Pattern(
        List.of(new Node("x", text, null), new Node("y", null, null)),
        List.of(new Edge("x", null, "y", null)),
        List.of());
  }

  // -- the caller's lists ------------------------------------------------------------

  @Test
  void compactListsAreTakenAsTheyAre() {
    CandidateList list =
        link(
                PATTERN,
                nodes(
                    Map.of(
                        "ids",
                        List.of("a", List.of(1995L), "b"),
                        "distances",
                        List.of(0.0, 0.25, 1L),
                        "frontier",
                        1.5,
                        "approximate",
                        true)))
            .nodes()
            .get("mann");

    assertThat(items(list)).containsExactly("a", new Value(1995L), "b");
    assertThat(distances(list)).containsExactly(0.0, 0.25, 1.0);
    assertThat(list.frontier()).isEqualTo(1.5);
    assertThat(list.approximate()).isTrue();
    assertThat(list.text()).isEqualTo("Michael Mann");
    assertThat(list.kind()).isEqualTo(Kind.NODE);
  }

  @Test
  void pairsAreTakenSortedAndOnce() {
    CandidateList list =
        link(
                PATTERN,
                nodes(
                    List.of(
                        List.of(ID, 0.5),
                        List.of("Heat", 0.2),
                        List.of(7L, 0.1),
                        List.of(ID, 0.4),
                        List.of(List.of("Heat"), 0.6))))
            .nodes()
            .get("mann");

    assertThat(items(list)).containsExactly(new Value(7L), "Heat", ID, new Value("Heat"));
    assertThat(list.item(1)).isInstanceOf(org.neo4j.graphdb.Node.class);
    assertThat(distances(list)).containsExactly(0.1, 0.2, 0.4, 0.6);
    assertThat(list.frontier()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(list.approximate()).isFalse();
  }

  @Test
  void anElementIsInAListOnceHoweverItIsWritten() {
    try (Transaction tx = TestDatabase.database().beginTx()) {
      org.neo4j.graphdb.Node heat =
          tx.findNode(Label.label("Movie"), "title", "Heat");
      Config checked =
          new Config(
              NAME,
              MatchKeys.ALL,
              nodes(
                  List.of(
                      List.of(heat, 0.1),
                      List.of(heat.getElementId(), 0.2),
                      List.of("Heat", 0.3),
                      List.of(5L, 0.4),
                      List.of(5.0, 0.5),
                      List.of(List.of("5"), 0.6))));
      CandidateList list =
          Linker.link(checked, PATTERN, Naming.from(checked, tx), tx, TestMeter.unlimited())
              .nodes()
              .get("mann");

      assertThat(distances(list)).containsExactly(0.1, 0.4, 0.6);
      assertThat(list.item(0)).isEqualTo(heat);
      assertThat(List.of(list.id(0), list.id(1), list.id(2)))
          .isEqualTo(List.of(heat.getElementId(), 5L, "5"));
    }
  }

  @Test
  void aRelationThatThereIsNotIsNotedAndLeftOut() {
    Candidates found =
        link(
            PATTERN,
            Map.of(
                "candidates",
                Map.of(
                    "relations",
                    Map.of("0", List.of(List.of("SHOTBY", 0.0), List.of("SHOT_BY", 0.1))))));

    assertThat(items(found.relations().get(0))).containsExactly(":SHOT_BY");
    assertThat(distances(found.relations().get(0))).containsExactly(0.1);
    assertThat(found.notes())
        .contains(
            "relation 'SHOTBY' of candidates.relations.0[0][0] is no relationship type or "
                + "property key");
  }

  @Test
  void aNameIsEveryNodeThatHasIt() {
    Candidates found = link(PATTERN, nodes(List.of(List.of("Michael Mann", 0.1))));

    assertThat(items(found.nodes().get("mann"))).containsExactly("Michael Mann", "Michael Mann");
  }

  @Test
  void relationsAndTypesMayBeBare() {
    Candidates found =
        link(
            PATTERN,
            Map.of(
                "candidates",
                Map.of(
                    "relations",
                    Map.of(
                        "0",
                        List.of(
                            List.of("SHOT_BY", 0.0),
                            List.of("born", 0.1),
                            List.of(":born", 0.2),
                            List.of(".SHOT_BY", 0.3))),
                    "types",
                    Map.of(
                        "film",
                        Map.of(
                            "ids",
                            List.of("Movie", ":", ":Film", "literal:date"),
                            "distances",
                            List.of(0.0, 0.1, 0.2, 0.3))))));

    assertThat(items(found.relations().get(0)))
        .containsExactly(":SHOT_BY", ".born", ":born", ".SHOT_BY");
    assertThat(items(found.types().get("film")))
        .containsExactly(":Movie", ":", ":Film", "literal:date");
    assertThat(found.relations()).containsOnlyKeys(0);
  }

  @Test
  void aCutListEndsBeforeWhatWasCut() {
    Map<String, Object> list =
        Map.of("ids", List.of("a", "a", "b", "c"), "distances", List.of(0.1, 0.2, 0.3, 0.4));
    Map<String, Object> whole = new HashMap<>(list);
    whole.put("frontier", Double.POSITIVE_INFINITY);

    for (long k : new long[] {2, 3}) {
      Map<String, Object> config = new HashMap<>(nodes(whole));
      config.put("k_nodes", k);
      CandidateList found = link(PATTERN, config).nodes().get("mann");
      assertThat(items(found)).isEqualTo(List.of("a", "b", "c").subList(0, (int) k));
      assertThat(found.frontier()).isEqualTo(k == 2 ? 0.4 : Double.POSITIVE_INFINITY);
    }
  }

  static Stream<Arguments> wrongLists() {
    Map<String, Object> compact = Map.of("ids", List.of("a"), "distances", List.of(0.5));
    return Stream.of(
        wrong("nodes", 7L, "config key 'candidates.nodes' must be a map, not 7 (whole number)"),
        wrong(
            "node",
            Map.of(),
            "unknown config key 'candidates.node'; did you mean 'nodes'? "
                + "The keys are nodes, relations, types, parts"),
        node(
            "man",
            List.of(),
            "config key 'candidates.nodes.man': 'man' is no node of the pattern. "
                + "The known nodes are: mann, year"),
        node(
            "film",
            List.of(),
            "config key 'candidates.nodes.film': 'film' is an unknown node of the pattern. "
                + "The known nodes are: mann, year"),
        wrong(
            "relations",
            Map.of("1", List.of()),
            "config key 'candidates.relations.1': '1' is an edge with an unknown relation in the "
                + "pattern. The known ones are: 0"),
        wrong(
            "relations",
            Map.of("07", List.of()),
            "config key 'candidates.relations.07': '07' is no edge's number in the pattern. "
                + "The known ones are: 0"),
        wrong(
            "types",
            Map.of("mann", List.of()),
            "config key 'candidates.types.mann': 'mann' is a node without a type in the pattern. "
                + "The typed nodes are: film"),
        node(
            "mann",
            "4:7",
            "config key 'candidates.nodes.mann' must be a list of [item, distance], or "
                + "{ids: [], distances: []}, not '4:7' (text)"),
        node(
            "mann",
            List.of(List.of("a", 0.1), "b"),
            "config key 'candidates.nodes.mann[1]' must be [item, distance], not 'b' (text)"),
        node(
            "mann",
            List.of(List.of("a", -0.1)),
            "config key 'candidates.nodes.mann[0][1]' must be a number from 0 on, "
                + "not -0.1 (number)"),
        node(
            "mann",
            List.of(List.of("a", Double.NaN)),
            "config key 'candidates.nodes.mann[0][1]' must be a number from 0 on, "
                + "not NaN (number)"),
        node(
            "mann",
            List.of(List.of(Map.of(), 0.1)),
            "config key 'candidates.nodes.mann[0][0]' must be an id, a name, a node or a "
                + "property's value, not {} (map)"),
        node(
            "mann",
            Map.of("ids", List.of("a")),
            "config key 'candidates.nodes.mann.distances' must be a list, not null"),
        node(
            "mann",
            Map.of("ids", List.of("a"), "distances", List.of()),
            "config key 'candidates.nodes.mann.distances' must be as long as ids, 1, not 0"),
        node(
            "mann",
            Map.of("ids", List.of("a", "b"), "distances", List.of(0.1, "far")),
            "config key 'candidates.nodes.mann.distances[1]' must be a number from 0 on, "
                + "not 'far' (text)"),
        node(
            "mann",
            with(compact, "frontier", Double.NaN),
            "config key 'candidates.nodes.mann.frontier' must be a number, not NaN (number)"),
        node(
            "mann",
            with(compact, "approximate", 1L),
            "config key 'candidates.nodes.mann.approximate' must be true or false, "
                + "not 1 (whole number)"),
        node(
            "mann",
            with(compact, "distance", 1L),
            "unknown config key 'candidates.nodes.mann.distance'; did you mean 'distances'? "
                + "The keys are ids, distances, frontier, approximate"),
        wrong(
            "relations",
            Map.of("0", List.of(List.of(":", 0.1))),
            "config key 'candidates.relations.0[0][0]' must be :TYPE, .key, or the name of one, "
                + "not ':' (text)"),
        wrong(
            "relations",
            Map.of("0", Map.of("ids", List.of("."), "distances", List.of(0.1))),
            "config key 'candidates.relations.0.ids[0]' must be :TYPE, .key, or the name of one, "
                + "not '.' (text)"),
        wrong(
            "relations",
            Map.of("0", List.of(List.of(7L, 0.1))),
            "config key 'candidates.relations.0[0][0]' must be a text, not 7 (whole number)"));
  }

  private static Arguments wrong(String part, Object lists, String message) {
    return Arguments.of(Map.of(part, lists), message);
  }

  private static Arguments node(String id, Object list, String message) {
    return wrong("nodes", Map.of(id, list), message);
  }

  private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
    Map<String, Object> more = new HashMap<>(map);
    more.put(key, value);
    return more;
  }

  @ParameterizedTest
  @MethodSource("wrongLists")
  void aWrongListIsRefusedWithItsPath(Map<String, Object> candidates, String message) {
    assertThatThrownBy(() -> link(PATTERN, Map.of("candidates", candidates)))
        .isInstanceOf(ConfigException.class)
        .hasMessage("isomatch.match.stream: " + message);
  }

  // -- by equal name -----------------------------------------------------------------

  @Test
  void withoutListsPartsAreFoundByEqualName() {
    Candidates found = link(PATTERN, Map.of());

    CandidateList mann = found.nodes().get("mann");
    assertThat(items(mann))
        .containsExactly("Michael Mann", "Michael Mann", new Value("Michael Mann"));
    assertThat(distances(mann)).containsOnly(0.0);
    assertThat(mann.frontier()).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(items(found.nodes().get("year")))
        .containsExactly(new Value("1995"), new Value(1995L));
    assertThat(items(found.relations().get(0))).containsExactly(":SHOT_BY", ".shotBy");
    assertThat(items(found.types().get("film"))).containsExactly(":Movie");
    assertThat(found.notes())
        .containsExactly(
            "node 'mann' by equal name",
            "node 'year' by equal name",
            "no node is named '1995'",
            "names were looked up without an index on every naming property: "
                + "all nodes of Person were read",
            "edge 0 by equal name",
            "type of 'film' by equal name");
  }

  @Test
  void whatHasNoEqualHasAnEmptyListAndANote() {
    Pattern pattern =
        new Pattern(
            List.of(new Node("film", null, "song"), new Node("x", null, null)),
            List.of(new Edge("film", "sung by", "x", null)),
            List.of());

    Candidates found = link(pattern, Map.of());

    assertThat(found.types().get("film").size()).isZero();
    assertThat(found.relations().get(0).size()).isZero();
    assertThat(found.notes())
        .containsExactly(
            "edge 0: no relationship type or property key is called 'sung by'",
            "type of 'film': no label is called 'song'");
  }

  @Test
  void namesThatTheCallerSaysAreLookedUpAlone() {
    Pattern pattern = known("2013");

    Candidates found = link(pattern, Map.of("names", Map.of("Movie", "released")));

    assertThat(items(found.nodes().get("x")))
        .containsExactly("The Heat", new Value("2013"), new Value(2013L));
    assertThat(found.notes()).anyMatch(note -> note.endsWith("all nodes of Movie were read"));
    assertThatThrownBy(() -> link(pattern, Map.of("names", Map.of("Movie", 7L))))
        .hasMessage(
            "isomatch.match.stream: config key 'names.Movie' must be a property key, or null, "
                + "not 7 (whole number)");
  }

  @Test
  void anIndexSparesReadingTheLabel() {
    Candidates found =
        link(known("Heat"), Map.of("names", Map.of("Movie", "title")));

    assertThat(items(found.nodes().get("x"))).containsExactly("Heat", new Value("Heat"));
    assertThat(found.notes()).containsExactly("node 'x' by equal name");
  }

  @Test
  void anIndexOnAnotherNameHidesNothing() {
    CandidateList before = link(known("Michael Mann"), Map.of()).nodes().get("x");
    TestDatabase.write("CREATE INDEX other_names FOR (p:Person) ON p.title");
    TestDatabase.write("CREATE INDEX of_films FOR (m:Movie) ON m.name");
    try (Transaction tx = TestDatabase.database().beginTx()) {
      tx.schema().getIndexByName("titles").drop();
      tx.commit();
    }
    try (Transaction tx = TestDatabase.database().beginTx()) {
      tx.schema().awaitIndexesOnline(1, TimeUnit.MINUTES);
    }

    try {
      assertThat(items(link(known("Heat"), Map.of()).nodes().get("x")))
          .containsExactly("Heat", new Value("Heat"));
      assertThat(items(link(known("Michael Mann"), Map.of()).nodes().get("x")))
          .isEqualTo(items(before));
    } finally {
      TestDatabase.write("DROP INDEX other_names");
      TestDatabase.write("DROP INDEX of_films");
      TestDatabase.write("CREATE INDEX titles FOR (m:Movie) ON m.title");
      try (Transaction tx = TestDatabase.database().beginTx()) {
        tx.schema().awaitIndexesOnline(1, TimeUnit.MINUTES);
      }
    }
  }

  @Test
  void aNodeOfTwoLabelsHasTheNameOfEachWithAnIndexOrWithout() {
    TestDatabase.write("CREATE (:Person:Author {name: 'Eric Blair', pen: 'George Orwell'})");
    Map<String, Object> names = new LinkedHashMap<>();
    names.put("Person", "name");
    names.put("Author", "pen");

    try {
      assertThat(items(link(known("George Orwell"), Map.of("names", names)).nodes().get("x")))
          .containsExactly("Eric Blair", new Value("George Orwell"));
    } finally {
      TestDatabase.write("MATCH (n:Author) DELETE n");
    }
  }

  @Test
  void whatStandsOnAnEdgeIsAValue() {
    Pattern pattern =
        new Pattern(
            List.of(
                new Node("a", null, null),
                new Node("b", null, null),
                new Node("role", "Heat", "movie")),
            List.of(new Edge("a", "shot by", "b", "role")),
            List.of());

    Candidates found = link(pattern, Map.of());

    assertThat(items(found.nodes().get("role"))).containsExactly(new Value("Heat"));
    assertThat(found.types().get("role").size()).isZero();
  }

  @Test
  void aTerminatedTransactionEndsAScan() {
    TestDatabase.write("UNWIND range(1, 500) AS i CREATE (:Many {name: toString(i)})");
    int[] checks = {0};
    Meter meter =
        TestMeter.guarded(
            () -> {
              if (++checks[0] == 3) {
                throw new IllegalStateException("terminated");
              }
            });

    assertThatThrownBy(() -> link(known("no such name"), Map.of(), meter))
        .hasMessage("terminated");
    TestDatabase.write("MATCH (n:Many) DELETE n");
  }

  // -- by the database's indexes -----------------------------------------------------

  @Test
  void theVectorIndexGivesDistancesOfVectorsOfLengthOne() {
    CandidateList found =
        link(
                known("Hitze"),
                Map.of(
                    "vectors", Map.of("x", List.of(2L, 0.0)), "vector_index", "movie_vectors"))
            .nodes()
            .get("x");

    assertThat(items(found)).containsExactly("Heat", new Value("Hitze"), "The Heat");
    assertThat(found.distance(2)).isCloseTo(Math.sqrt(2), within(1e-3));
    assertThat(found.approximate()).isTrue();
    assertThat(found.frontier()).isEqualTo(Double.NEGATIVE_INFINITY);
  }

  @Test
  void theFulltextIndexGivesSharesOfTheBestScore() {
    Candidates found = link(known("the heat"), Map.of("fulltext_index", "names"));

    CandidateList list = found.nodes().get("x");
    assertThat(items(list)).containsExactly("The Heat", new Value("the heat"), "Heat");
    assertThat(list.distance(0)).isZero();
    assertThat(list.distance(2)).isBetween(0.01, 0.99);
    assertThat(list.approximate()).isTrue();
    assertThat(found.notes())
        .containsExactly(
            "node 'x' through full-text index 'names', whose distances are not of embeddings");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "heat AND", "OR heat", "NOT heat", "heat:", "(heat", "he\"at", "heat^", "[heat TO",
        "heat && ||", "/heat", "heat\\", "*", "~", "heat!"
      })
  void aTextIsNeverReadAsLucenesQueryLanguage(String text) {
    Candidates found = link(known(text), Map.of("fulltext_index", "names"));

    assertThat(items(found.nodes().get("x"))).contains(new Value(text));
  }

  static Stream<Arguments> wrongIndexes() {
    return Stream.of(
        Arguments.of(
            Map.of("fulltext_index", "nams"),
            "config key 'fulltext_index' must be a full-text index over nodes (names), "
                + "not 'nams' (text)"),
        Arguments.of(
            Map.of("vectors", Map.of("x", List.of(1.0, 0.0)), "vector_index", "names"),
            "config key 'vector_index' must be a vector index over nodes (movie_vectors), "
                + "not 'names' (text)"),
        Arguments.of(
            Map.of("vectors", Map.of("x", List.of(1.0, 0.0))),
            "config key 'vector_index' must be given where vectors are, not null"),
        Arguments.of(
            Map.of("vectors", Map.of("z", List.of(1.0)), "vector_index", "movie_vectors"),
            "unknown config key 'vectors.z'. The keys are x"),
        Arguments.of(
            Map.of("vectors", Collections.singletonMap("x", null)),
            "config key 'vectors.x' must be a list of numbers, not all 0, not null"),
        Arguments.of(
            Map.of("vectors", Map.of("x", List.of(0.0)), "vector_index", "movie_vectors"),
            "config key 'vectors.x' must be a list of numbers, not all 0, not [0.0] (list)"));
  }

  @ParameterizedTest
  @MethodSource("wrongIndexes")
  void anIndexThatDoesNotSuitIsRefused(Map<String, Object> config, String message) {
    assertThatThrownBy(() -> link(known("heat"), config))
        .isInstanceOf(ConfigException.class)
        .hasMessage("isomatch.match.stream: " + message);
  }
}
