package org.isomatch.procedures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SchemaTest {
  @BeforeEach
  void empty() {
    TestDatabase.empty();
  }

  private static List<String> rows() {
    return TestDatabase.rows(
            """
            CALL isomatch.schema() YIELD kind, id, text, count
            WHERE kind <> 'property key' OR id IN ['.bornIn', '.no such key']
            RETURN kind + ' ' + id + ' ' + text + ' ' + coalesce(count, '-') AS row
            """)
        .stream()
        .map(row -> (String) row.get("row"))
        .toList();
  }

  @Test
  void itIsWhatAPatternCanName() {
    TestDatabase.write(
        "CREATE (:Person {bornIn: 1943})-[:ACTED_IN]->(:Movie)<-[:ACTED_IN]-(:Person:BigStar)");

    assertThat(rows())
        .containsExactly(
            "label :BigStar big star 1",
            "label :Movie movie 1",
            "label :Person person 2",
            "relationship type :ACTED_IN acted in 2",
            "property key .bornIn born in -");
  }

  @Test
  void aNameIsNeverReadAsCypher() {
    TestDatabase.write("CREATE (:`a``) DETACH DELETE (n`)-[:`x\\u005Cu0060) //`]->(:`b\\u005C`)");

    assertThat(rows())
        .contains(
            "label :a`) DETACH DELETE (n a`) detach delete (n 1",
            "label :b\\ b\\ 1",
            "relationship type :x\\u0060) // x\\u0060) // 1");
  }

  @Test
  void anEmptyDatabaseHasNoLabels() {
    assertThat(rows()).noneMatch(row -> row.startsWith("label"));
  }
}
