package org.isomatch.procedures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How estimate and explain show the nearest candidates. */
class BeforehandTest {
  private static final String PATTERN = "(?film)-[released]-(\"1995\")";
  private static final String CALL =
      """
      MATCH (p:Person)
      CALL isomatch.match.%s($pattern, {candidates: {nodes: {`1995`: [[%s, 0.25]]}}})
      YIELD %s AS told
      RETURN told, elementId(p) AS id
      """;

  @BeforeEach
  void films() {
    TestDatabase.empty();
    TestDatabase.write("CREATE (:Person {name: 'P'}), (:Movie {title: 'Heat', released: 1995})");
  }

  private static List<Map<String, Object>> rows(String procedure, String item, String told) {
    return TestDatabase.rows(CALL.formatted(procedure, item, told), Map.of("pattern", PATTERN));
  }

  private static double estimated(String pattern, String config) {
    return (Double)
        TestDatabase.rows(
                "CALL isomatch.match.estimate($p, " + config + ") YIELD expected_rows AS rows",
                Map.of("p", pattern))
            .get(0)
            .get("rows");
  }

  @Test
  void expectedRowsAreOfTheOrderOfTheMatches() {
    TestDatabase.write(
        "UNWIND range(1, 300) AS i CREATE (:Person {name: 'p' + i})-[:ACTED_IN]->"
            + "(:Movie {title: 'm' + i, released: CASE WHEN i <= 40 THEN '1995' ELSE 'x' END})");
    TestDatabase.write(
        "CREATE (h:Hub {name: 'hub'}) WITH h UNWIND range(1, 1000) AS i CREATE (h)-[:TO]->(:Leaf)");
    assertThat(estimated("(?a:person)-[acted in]-(?b:movie)", "{}")).isEqualTo(300.0);
    assertThat(estimated("(?a)-[acted in]-(?b)", "{}")).isEqualTo(600.0);
    assertThat(estimated("(?a)-[acted in]->(?b)", "{direction: 'as written'}")).isEqualTo(300.0);
    assertThat(estimated("(\"hub\")-[to]-(?b)", "{}")).isEqualTo(1000.0);
    assertThat(estimated("(?film)-[released]-(\"1995\")", "{}")).isBetween(40.0, 41.0);
    assertThat(estimated("(?a:person)-[acted in]-(?b:movie)-[released]-(?year)", "{}"))
        .isEqualTo(300.0);
  }

  @Test
  void theNearestOfAListIsItsIdAndDistance() {
    for (String item : List.of("p", "[1995]")) {
      Map<String, Object> row = rows("estimate", item, "lists").get(0);
      Object id = item.equals("p") ? row.get("id") : (Object) 1995L;
      List<Object> nearest = new ArrayList<>();
      for (Object list : (List<?>) row.get("told")) {
        nearest.add(((Map<?, ?>) list).get("nearest"));
      }
      assertThat(nearest)
          .containsExactlyInAnyOrder(
              Map.of("id", id, "distance", 0.25), Map.of("id", ".released", "distance", 0.0));
    }
  }

  @Test
  void aStepNamesItAlikeInAnyLocale() {
    Locale usual = Locale.getDefault();
    Locale.setDefault(Locale.GERMANY);
    try {
      for (String item : List.of("p", "[1995]")) {
        List<Map<String, Object>> rows = rows("explain", item, "detail");
        Object id = item.equals("p") ? rows.get(0).get("id") : (Object) 1995L;
        assertThat(rows)
            .extracting(row -> row.get("told"))
            .contains("nearest " + id + ", distance 0.250");
      }
    } finally {
      Locale.setDefault(usual);
    }
  }
}
