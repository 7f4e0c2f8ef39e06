package org.isomatch.procedures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChainTest {
  @BeforeAll
  static void films() {
    TestDatabase.empty();
    TestDatabase.write(
        """
        CREATE (mann:Person {name: 'Mann'}), (heat:Film {name: 'Heat', year: 1995}),
          (ali:Film {name: 'Ali', year: 2001}), (pacino:Person {name: 'Pacino'}),
          (mann)-[:DIRECTED]->(heat), (mann)-[:DIRECTED]->(ali), (pacino)-[:ACTED_IN]->(heat)
        """);
  }

  private static List<Map<String, Object>> ends(String arguments) {
    return TestDatabase.rows(
        "CALL isomatch.chain.stream(" + arguments + ") YIELD score, gsd, end, path, relationships"
            + " RETURN CASE WHEN end IS :: NODE THEN end.name ELSE end END AS end, score,"
            + " size(path) AS length, size(relationships) AS steps ORDER BY end");
  }

  @Test
  void aWalkGoesAlongAndAgainstTheDirection() {
    assertThat(ends("'Heat', ['^directed', 'directed']"))
        .containsExactly(Map.of("end", "Ali", "score", 1.0, "length", 3L, "steps", 2L));
    assertThat(ends("'Heat', ['directed']")).isEmpty();
  }

  @Test
  void aWalkMayEndInAValue() {
    assertThat(ends("'Mann', [':DIRECTED', '.year']"))
        .extracting(row -> row.get("end"))
        .containsExactly(1995L, 2001L);
  }

  @Test
  void aWalkStartsAtNodesAndCandidatesToo() {
    assertThat(
            TestDatabase.rows(
                "MATCH (m {name: 'Mann'}) CALL isomatch.chain.stream(m, ['directed'])"
                    + " YIELD end RETURN end.name AS end ORDER BY end"))
        .containsExactly(Map.of("end", "Ali"), Map.of("end", "Heat"));
    assertThat(ends("[['Pacino', 1.0], ['Mann', 3.0]], ['acted in']"))
        .containsExactly(Map.of("end", "Heat", "score", 0.5, "length", 2L, "steps", 1L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'Heat', []|'relations' is empty",
        "1, ['directed']|'start' must be a node, an element id, a name or a list of candidates",
        "'Heat', ['directed'], {vectors: {}}|unknown config key 'vectors'",
        "'Heat', ['^']|'relations[0]' must be the name of a relation, not '^'",
      })
  void badInputIsRefused(String arguments, String message) {
    assertThatThrownBy(() -> ends(arguments)).rootCause().hasMessageContaining(message);
  }
}
