package org.isomatch.procedures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Transaction;

/** What callers of the walks write, and what they are told. */
class WalksTest {
  private static final String PPR = "isomatch.ppr.stream";
  private static final String SUBGRAPH = "isomatch.subgraph.stream";

  @BeforeEach
  void films() {
    TestDatabase.empty();
    TestDatabase.write(
        "CREATE (h:Film {name: 'Heat'}), (m:Person {name: 'Mann'}), (p:Person {name: 'Pacino'}), "
            + "(c:Film {name: 'Collateral'}), (h)-[:DIRECTED_BY]->(m), (c)-[:DIRECTED_BY]->(m), "
            + "(h)-[:STARS]->(p), (:Alone {name: 'Alone'})");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "m",
        "[m]",
        "elementId(m)",
        "[elementId(m)]",
        "[[m, 2]]",
        "[[elementId(m), 0.5]]",
        "[m, m]",
        "[m, [m, 3]]"
      })
  void formsOfSeeds(String seeds) {
    for (String procedure : List.of(PPR, SUBGRAPH)) {
      String call = "MATCH (m {name: 'Mann'}) CALL %s(%s) YIELD node RETURN node.name AS name";
      assertThat(TestDatabase.rows(call.formatted(procedure, seeds)))
          .extracting(row -> row.get("name"))
          .contains("Mann", "Heat", "Collateral")
          .doesNotContain("Alone");
    }
  }

  @Test
  void weights() {
    String ids = "MATCH (n) RETURN n.name AS name, elementId(n) AS id";
    Map<String, Object> byName = new HashMap<>();
    TestDatabase.rows(ids).forEach(row -> byName.put((String) row.get("name"), row.get("id")));
    Map<String, Object> seeds =
        Map.of((String) byName.get("Alone"), 3, (String) byName.get("Heat"), 1.0);
    String call = "CALL isomatch.ppr.stream($seeds) YIELD node, score RETURN node.name AS n, score";
    Map<String, Object> best = TestDatabase.rows(call, Map.of("seeds", seeds)).get(0);
    assertThat(best).containsEntry("n", "Alone");
    // What is at Alone begins again: x = 0.15 * 0.75 + 0.85 * 0.75 * x.
    assertThat((double) best.get("score")).isCloseTo(0.1125 / (1 - 0.6375), within(1e-6));
  }

  @Test
  void noSeedsNoRows() {
    assertThat(TestDatabase.rows("CALL isomatch.ppr.stream([])")).isEmpty();
    assertThat(TestDatabase.rows("CALL isomatch.subgraph.stream([])")).isEmpty();
  }

  @Test
  void typesAndDirections() {
    String call = "MATCH (m {name: 'Heat'}) CALL %s(m, %s) YIELD node RETURN node.name AS name";
    for (String procedure : List.of(PPR, SUBGRAPH)) {
      for (String given : List.of("STARS", ":STARS")) {
        String config = "{relations: ['%s']}".formatted(given);
        assertThat(TestDatabase.rows(call.formatted(procedure, config)))
            .extracting(row -> row.get("name"))
            .containsExactlyInAnyOrder("Heat", "Pacino");
      }
      assertThat(TestDatabase.rows(call.formatted(procedure, "{direction: 'out'}")))
          .extracting(row -> row.get("name"))
          .containsExactlyInAnyOrder("Heat", "Mann", "Pacino");
      assertThat(TestDatabase.rows(call.formatted(procedure, "{direction: 'in'}")))
          .extracting(row -> row.get("name"))
          .containsExactly("Heat");
    }
  }

  @Test
  void thresholdAndLimit() {
    String call =
        "MATCH (m {name: 'Mann'}) CALL isomatch.ppr.stream(m, %s) YIELD score RETURN score";
    assertThat(TestDatabase.rows(call.formatted("{}"))).hasSize(4);
    assertThat(TestDatabase.rows(call.formatted("{limit: 2}"))).hasSize(2);
    assertThat(TestDatabase.rows(call.formatted("{threshold: 0.2}")))
        .hasSizeBetween(1, 3)
        .allMatch(row -> (double) row.get("score") >= 0.2);
  }

  @Test
  void composes() {
    String call =
        "MATCH (m {name: 'Mann'}) CALL isomatch.ppr.stream(m) YIELD node, score "
            + "MATCH (node)-[:STARS]->(actor) RETURN actor.name AS name ORDER BY score";
    assertThat(TestDatabase.rows(call)).containsExactly(Map.of("name", "Pacino"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "7            | seeds must be a node",
        "null         | seeds must be a node",
        "[1.5]        | seeds[0] must be a node",
        "['x']        | seeds[0] must be the element id of a node that is there, not 'x' (text)",
        "['4:no:1']   | seeds[0] must be the element id of a node",
        "[[m, -1]]    | seeds[0] must have a weight above 0, not -1",
        "[m, [m, 0]]  | seeds[1] must have a weight above 0, not 0",
        "[[m, 'x']]   | seeds[0] must have a weight above 0, not 'x'",
      })
  void badSeeds(String seeds, String message) {
    for (String procedure : List.of(PPR, SUBGRAPH)) {
      refused(procedure, seeds, "{}", procedure + ": " + message);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{dampin: 0.5}         | unknown config key 'dampin'; did you mean 'damping'?",
        "{damping: 1}          | config key 'damping' must be a number from 0, below 1",
        "{tolerance: 0}        | config key 'tolerance' must be a number from 0.000000000001 on",
        "{iterations: 0}       | config key 'iterations' must be a whole number from 1",
        "{threshold: 'x'}      | config key 'threshold' must be a number",
        "{direction: 'both'}   | config key 'direction' must be one of 'any', 'out', 'in'",
        "{relations: ['NO']}   | config key 'relations[0]' must be a relationship type of this",
        "{relations: []}       | config key 'relations' must be a list of one type or more",
        "{memory: 1}           | config key 'memory' must be a whole number from 1048576 on",
      })
  void badConfigOfPpr(String config, String message) {
    refused(PPR, "m", config, PPR + ": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{hop: 2}              | unknown config key 'hop'; did you mean 'hops'?",
        "{hops: -1}            | config key 'hops' must be a whole number from 0",
        "{max_nodes: 0}        | config key 'max_nodes' must be a whole number from 1",
        "{hub: 2.5}            | config key 'hub' must be a whole number from 1",
        "{relations: 'STARS'}  | config key 'relations' must be a list of texts",
      })
  void badConfigOfSubgraph(String config, String message) {
    refused(SUBGRAPH, "m", config, SUBGRAPH + ": " + message);
  }

  private static void refused(String procedure, String seeds, String config, String message) {
    String call = "MATCH (m {name: 'Mann'}) CALL %s(%s, %s) YIELD node RETURN node";
    assertThatThrownBy(() -> TestDatabase.rows(call.formatted(procedure, seeds, config)))
        .hasMessageContaining(message);
  }

  @Test
  void timeEndsItWithWhatThereIs() {
    for (String procedure : List.of(PPR, SUBGRAPH)) {
      String said = procedure.equals(PPR) ? "ended_by" : "cut";
      String call =
          "MATCH (m {name: 'Mann'}) CALL %s(m, {budget_seconds: 1e-9}) YIELD node, %s AS said "
              + "RETURN node.name AS name, said";
      assertThat(TestDatabase.rows(call.formatted(procedure, said)))
          .containsExactly(Map.of("name", "Mann", "said", "time"));
    }
  }

  @Test
  void memoryEndsItWithAnErrorAndTheNextCallWorks() {
    TestDatabase.write("CREATE (a:Hub) WITH a UNWIND range(1, 50000) AS i CREATE (a)-[:HAS]->()");
    for (String procedure : List.of(PPR, SUBGRAPH)) {
      String more =
          procedure.equals(PPR)
              ? ", threshold: 0"
              : ", hub: 100000, max_nodes: 100000, max_relationships: 100000";
      String call = "MATCH (a:Hub) CALL %s(a, {memory: %d%s}) YIELD node RETURN count(*) AS nodes";
      assertThatThrownBy(() -> TestDatabase.rows(call.formatted(procedure, 1 << 20, more)))
          .hasMessageContaining(
              procedure + ": more memory is needed than config key 'memory' allows, 1048576 bytes");
      assertThat(TestDatabase.rows(call.formatted(procedure, 1 << 28, more)))
          .containsExactly(Map.of("nodes", 50001L));
    }
  }

  @Test
  void terminationEndsIt() throws Exception {
    // A walk that hardly ever begins again, to be followed for a million iterations.
    String call =
        "MATCH (m {name: 'Mann'}) CALL isomatch.ppr.stream(m, {damping: 0.99999999, tolerance: "
            + "1e-12, iterations: 1000000, budget_seconds: null}) YIELD node RETURN node";
    TestDatabase.write("UNWIND range(1, 900) AS i CREATE (:Film)-[:STARS]->(:Person)");
    TestDatabase.write("MATCH (m {name: 'Mann'}), (f:Film) CREATE (f)-[:DIRECTED_BY]->(m)");
    try (Transaction tx = TestDatabase.database().beginTx()) {
      CompletableFuture<Long> running =
          CompletableFuture.supplyAsync(() -> tx.execute(call).stream().count());
      assertThatThrownBy(() -> running.get(2, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);
      tx.terminate();
      assertThatThrownBy(() -> running.get(60, TimeUnit.SECONDS))
          .hasMessageContaining("terminated");
    }
    String next = "MATCH (m {name: 'Mann'}) CALL isomatch.ppr.stream(m) YIELD score RETURN score";
    assertThat(TestDatabase.rows(next)).isNotEmpty();
  }
}
