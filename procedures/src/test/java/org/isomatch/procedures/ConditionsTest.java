package org.isomatch.procedures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Conditions and {@code without}, on a graph with values of many kinds. */
class ConditionsTest {
  private static final String BY_MANN = "(?f:film)-[by]->(\"Michael Mann\"), (?f)";

  @BeforeAll
  static void films() {
    TestDatabase.empty();
    TestDatabase.write(
        """
        CREATE (mann:Person {name: 'Michael Mann', born: 1943}),
          (heat:Film {title: 'Heat', year: 1995, released: date('1995-12-15'), minutes: 170}),
          (ali:Film {title: 'Ali', year: '2001', released: datetime('2001-12-25T23:30+01:00')}),
          (thief:Film {title: 'Thief', year: '1981', minutes: '123', logged: '29/08/2017'}),
          (secret:Film {title: 'Secret', year: 'soon', minutes: [90, 95]}),
          (pacino:Person {name: 'Al Pacino', born: 1940}), (caan:Person {name: 'James Caan'}),
          (smith:Person {name: 'Will Smith', born: 1968}),
          (:Era {begins: '1,995'}), (:Era {begins: 2001}),
          (john1:Person {name: 'John'}), (john2:Person {name: 'John'}),
          (pacino)-[:ACTED_IN {pay: 5}]->(heat), (smith)-[:ACTED_IN {pay: 20}]->(ali),
          (caan)-[:ACTED_IN]->(thief), (john1)-[:ACTED_IN]->(heat), (john2)-[:ACTED_IN]->(secret)
        WITH mann, heat, ali, thief, secret
        UNWIND [heat, ali, thief, secret] AS f CREATE (f)-[:BY]->(mann)
        """);
  }

  private static Set<String> found(Object pattern, String config) {
    return rows(pattern, config, "bindings.f.title AS f").stream()
        .map(row -> String.valueOf(row.get("f")))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Map<String, Object>> rows(Object pattern, String config, String returned) {
    return TestDatabase.rows(
        "CALL isomatch.match.stream($pattern, " + config
            + ") YIELD rank, gsd, bindings, certificate RETURN " + returned,
        Collections.singletonMap("pattern", pattern));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "year | ?v > 1990 | Ali, Heat",
        "year | ?v >= 1981 and ?v < 2001 | Heat, Thief",
        "year | ?v between 1981 and 1995 | Heat, Thief",
        "year | ?v != 1995 | Ali, Secret, Thief",
        "year | ?v in (1981, 2001) | Ali, Thief",
        "year | ?v = \"Soon\" | Secret",
        "year | ?v contains \"oO\" | Secret",
        "year | ?v starts with \"19\" | Thief",
        "year | ?v < 1990 or ?v > 2000 | Ali, Thief",
        "year | ?v between 1980 and 1985 or ?v contains \"oo\" | Secret, Thief",
        "year | (?v < 1990 or ?v > 2000) and ?v != 2001 | Thief",
        "released | ?v in 1995 | Heat",
        "released | ?v = 1995-12 | Heat",
        "released | ?v > 1995 | Ali",
        "released | ?v <= 1995-12-15 | Heat",
        "released | ?v < 2001-12-25T23:00:00Z | Ali, Heat",
        "released | ?v < 2001-12-25T22:00:00Z | Heat",
        "minutes | ?v > 100 | Heat, Thief",
        "minutes | ?v < 95 | Secret",
        "minutes | ?v = \"1.70e2\" | Heat",
      })
  void conditionsKeepTheFilmsThatSatisfyThem(String relation, String where, String films) {
    String pattern = BY_MANN + "-[%s]->(?v) where %s return ?f".formatted(relation, where);
    assertThat(found(pattern, "{k: 1}")).containsExactly(films.split(", "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "(?f:film {year: 1995})-[by]->(?p) | Heat",
        "(?f:film {year: ?y, minutes: ?m})-[by]->(?p) where ?y > 1990 | Heat",
        "(?f:film)-[by]->(?p) without { (?x)-[acted in]->(?f) where ?x = 1 } | Ali,Heat,Secret,Thief",
        "(?f:film)-[by]->(?p) without { (?x)-[acted in]->(?f), (?x)-[born]->(?b) } | Secret,Thief",
        "(?f:film)-[by]->(?p) without { (\"Al Pacino\")-[acted in]->(?f) } | Ali,Secret,Thief",
        "(?f:film)-[by]->(?p) without { (\"John\")-[acted in]->(?f) } | Ali,Thief",
        "(?f:film)-[year]->(?y) without { (?g)-[minutes]->(?y) } | Ali,Heat,Secret,Thief",
        "(?f:film)-[year]->(?y) without { (?g)-[begins]->(?y) } | Secret,Thief",
        "(?a)-[acted in]->(?f)<-[acted in]-(?b) where ?a != ?b | Heat",
        "(?a)-[acted in {pay: ?p}]->(?f) where ?p > 10 | Ali",
        "(?f)-[by]->(?m)-[born]->(?b), (?f)<-[acted in]-(?a)-[born]->(?c) where ?c > ?b | Ali",
        "(?f)-[by]->(?m) where ?f not in { (?x)-[year]->(?y) where ?y > 1990 return ?x } | Secret,Thief",
      })
  void propertiesAndPartsKeepTheFilmsThatTheyMust(String pattern, String films) {
    assertThat(found(pattern, "{k: 1}")).containsExactly(films.split(","));
  }

  @Test
  void mapsSayTheSame() {
    Map<String, Object> part =
        Map.of(
            "nodes", List.of("f"), "operator", "not in", "pattern",
            Map.of(
                "nodes", List.of(Map.of("id", "a", "text", "James Caan"), Map.of("id", "x")),
                "edges", List.of(Map.of("source", "a", "relation", "acted in", "target", "x"))));
    Map<String, Object> pattern =
        Map.of(
            "nodes", List.of(Map.of("id", "f", "type", "film"), Map.of("id", "y")),
            "edges", List.of(Map.of("source", "f", "relation", "year", "target", "y")),
            "where",
            List.of(
                Map.of(
                    "node", "y", "operator", "<", "values", List.of(1990L), "or",
                    List.of(Map.of("node", "y", "operator", "=", "values", List.of("1995"))))),
            "parts", List.of(part));
    assertThat(found(pattern, "{k: 1}")).containsExactly("Heat");
  }

  @Test
  void whatCannotBeComparedIsToldWhereNothingIsGiven() {
    assertThat(rows("(?f)-[by]->(?p) where ?p > 3", "{}", "rank, certificate.notes AS notes"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.get("rank")).isNull();
              assertThat(row.get("notes").toString())
                  .contains("1 node or value could not be compared")
                  .contains("These are nodes: name one in the pattern");
            });
    assertThat(rows("(?f)-[logged]->(?d) where ?d != 2017-08-30", "{}", "certificate.notes AS n"))
        .singleElement()
        .satisfies(
            row ->
                assertThat(row.get("n").toString())
                    .contains("texts such as '29/08/2017' are not read as dates here"));
  }

  @Test
  void anInterpretationWithoutMatchesKeepsItsPlace() {
    String candidates =
        "{nodes: {al_pacino: [['Al Pacino', 0.0], ['Will Smith', 0.5]]}}";
    List<Map<String, Object>> rows =
        rows(
            "(\"Al Pacino\")-[acted in]->(?f)-[year]->(?y) where ?y > 2000",
            "{k: 2, candidates: " + candidates + "}",
            "rank, bindings.f.title AS f, certificate.notes AS notes");
    assertThat(rows).singleElement().satisfies(row -> {
      assertThat(row.get("rank")).isEqualTo(2L);
      assertThat(row.get("f")).isEqualTo("Ali");
      assertThat(row.get("notes").toString()).contains("hold for no match of an interpretation");
    });
    assertThat(
            rows(
                "(\"Al Pacino\")-[acted in]->(?f)-[year]->(?y) where ?y > 2000",
                "{k: 1, candidates: " + candidates + "}",
                "rank"))
        .isEmpty();
  }

  @Test
  void aPartThatIsNothingInTheDatabaseLetsNothingIn() {
    String pattern = "(?f:film)-[by]->(?p) without { (\"Al Pachino\")-[acted in]->(?f) }";
    assertThat(
            rows(pattern, "{}", "rank, certificate.complete AS complete, certificate.notes AS n"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.get("rank")).isNull();
              assertThat(row.get("complete")).isEqualTo(false);
              assertThat(row.get("n").toString())
                  .contains("in a part: no node is named 'Al Pachino'")
                  .contains("what without leaves out is not known");
            });
  }

  @Test
  void listsOfAPartAreTheCallers() {
    String pattern = "(?f:film)-[by]->(?p) without { (who \"him\")-[acted in]->(?f) }";
    String lists = "{k: 1, candidates: {parts: [{nodes: {who: [['John', 0.2], ['Al Pacino', 0.4]]}}]}}";
    assertThat(found(pattern, lists)).containsExactly("Ali", "Thief");
    assertThatThrownBy(() -> rows(pattern, "{candidates: {parts: []}}", "rank"))
        .hasStackTraceContaining("'candidates.parts' must be a list of a map for each without, 1");
    assertThatThrownBy(
            () -> rows(pattern, "{candidates: {parts: [{nodes: {whom: []}}]}}", "rank"))
        .hasStackTraceContaining("'whom' is no node of the pattern");
  }

  @Test
  void datesInAPartThatAreNotReadLetNothingIn() {
    String pattern =
        "(?f:film)-[by]->(?p) without { (?f)-[logged]->(?d) where ?d > 2017-01-01 }";
    assertThat(rows(pattern, "{}", "rank, certificate.complete AS c, certificate.notes AS n"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.get("rank")).isNull();
              assertThat(row.get("c")).isEqualTo(false);
              assertThat(row.get("n").toString())
                  .contains("what without leaves out is not known, as dates in it are not read");
            });
  }

  @Test
  void nothingIsToldWhereThereIsNoMatchWithoutConditionsEither() {
    assertThat(
            rows(
                "(?f:film)-[year]->(?y), (?f)-[by]->(\"Al Pacino\") where ?y > 3", "{}", "rank"))
        .isEmpty();
  }

  @Test
  void aNameInBracesIsToldToBeNoRelation() {
    assertThat(rows("(?f:film {title: \"Heat\"})-[by]->(?p)", "{}", "rank, certificate.notes AS n"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.get("rank")).isNull();
              assertThat(row.get("n").toString())
                  .contains("a name is no relation: some nodes are called by 'title'");
            });
  }

  @Test
  void aPartThatIsNotReadWholeLetsNothingIn() {
    String pattern = "(?f:film)-[by]->(?p) without { (?x)-[acted in]->(?f) }";
    assertThat(rows(pattern, "{budget_rows: 2}", "rank, certificate.ended_by AS ended, certificate.exact AS exact"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.get("rank")).isNull();
              assertThat(row.get("ended")).isEqualTo("rows");
              assertThat(row.get("exact")).isEqualTo(false);
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "(?f)-[year]->(?y) where ?y > \"abc\" | that is no number, and no date that exists. Write ?y > 2000",
        "(?f)-[year]->(?y) where ?y > 1995-02-30 | 1995-02-30 is no date that exists",
        "(?f)-[year]->(?y) where ?z > 1 | names 'z', which the pattern does not have",
        "(?f)-[year]->(?y) where count(?y) > 1 | count is Cypher's own here",
        "(?f)-[year]->(?y) where avg(?y) > 1 return ?f | avg is Cypher's own here",
        "(?f)-[year]->(?y) return count(?f) | write RETURN count(DISTINCT bindings.x) behind YIELD",
        "(?f)-[year]->(?y) return ?f, avg(?y) | avg is Cypher's own here",
        "(?f)-[year]->(?y) return ?f order by ?y | write ORDER BY bindings.x DESC LIMIT 1",
        "(?f)-[year]->(?y) limit 3 | limit is Cypher's own here",
        "(?f)-[year]->(?y) return ask | ask is Cypher's own here",
        "(?f)-[year]->(?y) optional { (?f)-[r]->(?z) } | write OPTIONAL MATCH",
        "(?f)-[year]->(?y) where ?f in { (?x)-[r]->(?z) return ?x } | WHERE EXISTS",
        "(?f)-[year]->(?y) without { (?f)-[r]->(?z) without { (?z)-[q]->(?x) } } | WHERE NOT EXISTS",
      })
  void whatIsWrongIsRefusedWithTheRightForm(String pattern, String message) {
    assertThatThrownBy(() -> rows(pattern, "{}", "rank"))
        .hasStackTraceContaining(message)
        .hasStackTraceContaining("A correct pattern: ");
  }

  @Test
  void aFunctionInAMapIsRefused() {
    Map<String, Object> condition =
        Map.of("node", "y", "operator", ">", "values", List.of("3"), "function", "avg");
    Map<String, Object> pattern =
        Map.of(
            "nodes", List.of(Map.of("id", "f"), Map.of("id", "y")),
            "edges", List.of(Map.of("source", "f", "relation", "year", "target", "y")),
            "where", List.of(condition));
    assertThatThrownBy(() -> rows(pattern, "{}", "rank"))
        .hasStackTraceContaining("where[0].function: avg is Cypher's own here");
  }

  @Test
  void tenThousandConstantsAreRefused() {
    List<String> values = Collections.nCopies(10_000, "1");
    Map<String, Object> pattern =
        Map.of(
            "nodes", List.of(Map.of("id", "f"), Map.of("id", "y")),
            "edges", List.of(Map.of("source", "f", "relation", "year", "target", "y")),
            "where", List.of(Map.of("node", "y", "operator", "in", "values", values)));
    assertThatThrownBy(() -> rows(pattern, "{}", "rank"))
        .hasStackTraceContaining("where[0]: in takes at most 1,000 values, not 10,000");
  }

  @Test
  void anEstimateHasTheListsOfParts() {
    assertThat(
            TestDatabase.rows(
                "CALL isomatch.match.estimate($p) YIELD lists RETURN [l IN lists | l.part] AS parts",
                Map.of("p", "(?f:film)-[year]->(?y) without { (\"John\")-[acted in]->(?f) }")))
        .containsExactly(
            Map.of(
                "parts",
                List.of(
                    "edge 0", "type of 'f'", "in a part: node 'john'", "in a part: edge 0")));
  }

  @Test
  void explainShowsWhatFilters() {
    assertThat(
            TestDatabase.rows(
                "CALL isomatch.match.explain($p) YIELD operation, part, detail"
                    + " WHERE operation IN ['filter', 'exclude'] RETURN operation, part, detail",
                Map.of(
                    "p",
                    "(?f:film)-[year]->(?y) where ?y in (1995, \"soon\") or ?y > 2000"
                        + " without { (\"Al Pacino\")-[acted in]->(?f) }")))
        .containsExactly(
            Map.of(
                "operation", "filter", "part", "node 'y'", "detail",
                "?y in 1995, soon or ?y > 2000"),
            Map.of("operation", "exclude", "part", "f", "detail", "what the part gives"));
  }
}
