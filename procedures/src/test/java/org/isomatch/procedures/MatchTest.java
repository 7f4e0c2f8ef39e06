package org.isomatch.procedures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

class MatchTest {
  private static final String FILM = "(?film:Film)-[directed]-(\"Michael Mann\")";

  @BeforeAll
  static void films() {
    TestDatabase.empty();
    TestDatabase.write(
        """
        CREATE (mann:Person {name: 'Michael Mann'}),
          (pacino:Person {name: 'Al Pacino', born: 1940}),
          (de:Person {name: 'Robert De Niro', born: 1943}),
          (heat:Film {title: 'Heat', released: 1995}),
          (insider:Film {title: 'The Insider', released: 1999}),
          (mann)-[:DIRECTED]->(heat), (mann)-[:DIRECTED]->(insider),
          (pacino)-[:ACTED_IN {role: 'Hanna'}]->(heat), (de)-[:ACTED_IN {role: 'Neil'}]->(heat),
          (pacino)-[:ACTED_IN {role: 'Bergman'}]->(insider)
        """);
  }

  private static List<Map<String, Object>> match(String pattern, String config, String returned) {
    return TestDatabase.rows(
        "CALL isomatch.match.stream($pattern, " + config + ") YIELD rank, gsd, bindings, nodes,"
            + " relationships, interpretation, certificate RETURN " + returned,
        Map.of("pattern", pattern));
  }

  @Test
  void equalNamesAreFound() {
    assertThat(match(FILM, "{}", "rank, gsd, bindings.film.title AS film"))
        .containsExactlyInAnyOrder(
            Map.of("rank", 1L, "gsd", 0.0, "film", "Heat"),
            Map.of("rank", 1L, "gsd", 0.0, "film", "The Insider"));
  }

  @Test
  void aNameThatNoNodeHasIsSaidInARowWithoutRank() {
    assertThat(
            match("(?film)-[directed]-(\"Micheal Mann\")", "{}", "rank, certificate.notes AS notes"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.get("rank")).isNull();
              assertThat(row.get("notes").toString())
                  .contains("no node is named 'Micheal Mann'");
            });
  }

  @Test
  void propertiesAndTheirValuesAreEdgesAndNodes() {
    assertThat(match("(?film)-[released]-(\"1995\")", "{}", "bindings.film.title AS film, nodes"))
        .singleElement()
        .satisfies(row -> assertThat(row.get("film")).isEqualTo("Heat"));
    assertThat(match("(\"Heat\")-[released]-(?year)", "{}", "bindings.year AS year"))
        .containsExactly(Map.of("year", 1995L));
  }

  @Test
  void valuesOnRelationshipsAreMatched() {
    assertThat(
            match(
                "(\"Heat\")-[acted in: ?role]-(?actor)",
                "{}",
                "bindings.actor.name AS actor, bindings.role AS role"))
        .containsExactlyInAnyOrder(
            Map.of("actor", "Al Pacino", "role", "Hanna"),
            Map.of("actor", "Robert De Niro", "role", "Neil"));
  }

  @Test
  void theBestInterpretationsComeFirst() {
    String config =
        """
        {k: 2, candidates: {nodes: {who: [['Al Pacino', 0.4], ['Robert De Niro', 0.1]]},
          relations: {`0`: [['DIRECTED', 0.1], ['ACTED_IN', 0.2]]}}}
        """;
    List<Map<String, Object>> rows =
        match(
            "(?film)-[played]-(who \"Bob\")",
            config,
            "rank, gsd, bindings.film.title AS film,"
                + " interpretation.relations.`0`.id AS relation, certificate.exact AS exact");
    assertThat(rows.get(0).get("gsd")).isEqualTo(0.1 + 0.2);
    assertThat(rows.get(0)).containsEntry("film", "Heat").containsEntry("relation", ":ACTED_IN");
    assertThat(rows).extracting(row -> row.get("rank")).containsExactly(1L, 2L, 2L);
    assertThat(rows).allSatisfy(row -> assertThat(row.get("exact")).isEqualTo(true));
  }

  @Test
  void anIndexOrTheWholeListCertifies() {
    String lists =
        "candidates: {nodes: {who: {ids: [], distances: [], frontier: 0.0/0.0 }}}";
    assertThatThrownBy(() -> match("(?film)-[]-(who \"Bob\")", "{" + lists + "}", "rank"))
        .rootCause()
        .hasMessageContaining("candidates.nodes.who.frontier");
  }

  @Test
  void whatNamesNodesIsFoundWithoutBeingToldAlsoBesideOneLongText() {
    TestDatabase.write(
        "UNWIND range(1, 20) AS i CREATE (:Customer {customerID: 'C' + i, companyName: 'Shop ' + i,"
            + " phone: '030-' + i})-[:PURCHASED]->(:Order {orderID: toString(10000 + i)})");
    TestDatabase.write(
        "CREATE (:Customer {companyName: reduce(t = '', i IN range(1, 7000) | t + 'x')})");
    TestDatabase.write("CREATE CONSTRAINT shops FOR (c:Customer) REQUIRE c.companyName IS UNIQUE");
    try {
      List<Map<String, Object>> rows =
          match("(?o:order)-[purchased]-(\"Shop 7\")", "{}", "certificate.notes AS notes");
      assertThat(rows).hasSize(1);
      assertThat(rows.get(0).get("notes").toString()).doesNotContain("Customer");
    } finally {
      TestDatabase.write("MATCH (n) WHERE n:Customer OR n:Order DETACH DELETE n");
      TestDatabase.write("DROP CONSTRAINT shops");
    }
  }

  @Test
  void aWordThatIsNothingInTheDatabaseIsTold() {
    List<Map<String, Object>> rows =
        match("(?film)-[painted by]-(\"Al Pacino\")", "{}", "rank, certificate.notes AS notes");
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0).get("rank")).isNull();
    assertThat(rows.get(0).get("notes").toString()).contains("is called 'painted by'");
  }

  @Test
  void whatIsAsNearAsTheLastResultIsTold() {
    String both =
        "candidates: {nodes: {who: [['Al Pacino', 0.5], ['Michael Mann', 0.5], ['x', 0.5]]}}";
    String ties = "rank, certificate.ties AS ties";
    for (String results : List.of("interpretations", "matches")) {
      for (int k = 1; k <= 2; k++) {
        String config = "{k: %d, limit: 1, results: '%s', %s}".formatted(k, results, both);
        List<Map<String, Object>> rows = match("(?film:film)-[]-(who \"Al\")", config, ties);
        assertThat(rows).hasSize(k);
        boolean more = k == 1 || results.equals("matches");
        assertThat(rows.get(k - 1)).containsEntry("ties", more);
      }
    }
  }

  @Test
  void goneCandidatesAreCounted() {
    String config =
        """
        {summary: true, candidates: {nodes: {who: [
          ['4:00000000-0000-0000-0000-000000000000:7', 0.0], ['Al Pacino', 0.5]]}}}
        """;
    List<Map<String, Object>> rows =
        match("(?film)-[acted in]-(who \"Al\")", config, "rank, certificate.gone AS gone");
    assertThat(rows).hasSize(3);
    assertThat(rows.get(2).get("rank")).isNull();
    assertThat(rows.get(2)).containsEntry("gone", 1L);
  }

  @Test
  void theLimitIsToldWhereItCuts() {
    assertThat(match(FILM, "{limit: 1}", "certificate.cut AS cut"))
        .containsExactly(Map.of("cut", true));
    assertThat(match(FILM, "{limit: 2}", "certificate.cut AS cut"))
        .allSatisfy(row -> assertThat(row.get("cut")).isEqualTo(false));
  }

  @Test
  void aBudgetEndsTheSearchAndIsTold() {
    List<Map<String, Object>> rows =
        match(FILM, "{budget_rows: 1, summary: true}", "rank, certificate.ended_by AS ended");
    assertThat(rows).hasSize(2);
    assertThat(rows.get(1).get("ended")).isEqualTo("rows");
  }

  @Test
  void rowsComposeWithCypher() {
    assertThat(
            TestDatabase.rows(
                "CALL isomatch.match.stream('" + FILM + "') YIELD bindings WITH bindings.film AS f"
                    + " MATCH (f)<-[:ACTED_IN]-(p) RETURN f.title AS film, count(p) AS actors"
                    + " ORDER BY film"))
        .containsExactly(
            Map.of("film", "Heat", "actors", 2L), Map.of("film", "The Insider", "actors", 1L));
  }

  @Test
  void theFirstRowComesBeforeTheLastIsFound() {
    TestDatabase.write(
        "CREATE (h:Hub {name: 'hub'}) WITH h UNWIND range(1, 20000) AS i"
            + " CREATE (h)-[:TO]->(:Leaf)");
    try (Transaction tx = TestDatabase.database().beginTx();
        Result result =
            tx.execute(
                "MATCH (h:Hub) CALL isomatch.match.stream('(\"hub\")-[to]-(?leaf)', {limit: 20000,"
                    + " candidates: {nodes: {hub: [[h, 0]]}}})"
                    + " YIELD certificate RETURN certificate.read AS read")) {
      assertThat((Long) result.next().get("read")).isLessThan(1000);
    } finally {
      TestDatabase.write("MATCH (n) WHERE n:Hub OR n:Leaf DETACH DELETE n");
    }
  }

  @Test
  void estimateAndExplainDoNotSearch() {
    Map<String, Object> estimate =
        TestDatabase.rows("CALL isomatch.match.estimate($p)", Map.of("p", FILM)).get(0);
    assertThat(estimate.get("interpretations")).isEqualTo(2.0); // a node and a text
    assertThat((Double) estimate.get("expected_rows")).isBetween(0.5, 2.0);
    assertThat((Long) estimate.get("bytes_max")).isGreaterThan((Long) estimate.get("bytes_min"));
    List<Map<String, Object>> steps =
        TestDatabase.rows("CALL isomatch.match.explain($p)", Map.of("p", FILM));
    assertThat(steps.get(0)).containsEntry("operation", "choose");
    assertThat(steps).extracting(s -> s.get("step")).startsWith(1L, 2L, 3L);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{kk: 1}|unknown config key 'kk'; did you mean 'k'?",
        "{k: 'three'}|config key 'k' must be a whole number from 1 on, not 'three' (text)",
        "{nodes: 'some'}|config key 'nodes' must be one of 'distinct', 'anchored', 'repeat'",
        "{properties: {released: 1}}|'properties.released' must be a map",
        "{client: '9.1.0'}|the client is 9.1.0",
        "{candidates: {nodes: {nobody: []}}}|'nobody' is no node of the pattern",
      })
  void badConfigurationIsRefused(String config, String message) {
    assertThatThrownBy(() -> match(FILM, config, "rank"))
        .rootCause()
        .hasMessageContaining("isomatch.match.stream")
        .hasMessageContaining(message);
  }

  @Test
  void aMalformedPatternIsRefusedWithItsPlace() {
    assertThatThrownBy(() -> match("(?film)-[directed by]-(\"Mann\"", "{}", "rank"))
        .rootCause()
        .hasMessageContaining("expected ) after the node, found the end (line 1, column 30)")
        .hasMessageContaining("A correct pattern: ");
  }

  @Test
  void matchesOfDifferentInterpretationsCountOneByOneWherePlain() {
    List<Map<String, Object>> rows = match(FILM, "{k: 1, results: 'matches'}", "rank");
    assertThat(rows).containsExactly(Map.of("rank", 1L));
    assertThat(IntStream.range(0, 2).mapToObj(i -> match(FILM, "{results: 'matches'}", "rank")))
        .allSatisfy(all -> assertThat(all).hasSize(2));
  }
}
