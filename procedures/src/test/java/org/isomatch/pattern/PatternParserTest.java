package org.isomatch.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the shared vectors, which are texts, cannot say: Cypher's values. */
class PatternParserTest {
  private static final Pattern HEAT = PatternParser.parse("(\"Heat\")-[directed by]-(?x)");

  @Test
  void jsonInATextIsRefusedWithWhatToPassInstead() {
    for (String text : List.of("\n{\"nodes\": []}", " [ [\"Heat\", \"by\", \"UNKNOWN ?x\"]]")) {
      assertThatThrownBy(() -> PatternParser.parse(text))
          .isInstanceOf(PatternException.class)
          .hasMessageContaining("passed as a Cypher map or list, without quotes around it");
    }
  }

  @Test
  void listsAndArraysOfTriples() {
    List<String> triple = List.of("Heat", "directed by", "UNKNOWN ?x");
    assertThat(PatternParser.parse(List.of(triple))).isEqualTo(HEAT);
    assertThat(PatternParser.parse(List.of((Object) triple.toArray(String[]::new))))
        .isEqualTo(HEAT);
    assertThat(PatternParser.parse(List.of(List.of("A \"q\" \\ 🎬", "r", "UNKNOWN ?x", "v"))))
        .isEqualTo(PatternParser.parse("(\"A \\\"q\\\" \\\\ 🎬\")-[r: \"v\"]-(?x)"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "UNKNOWN film 1        | (?film_1:film)",
        "UNKNOWN film ?f       | (?f:film)",
        "UNKNOWN feature  film | (?feature_film:\"feature film\")",
        "UNKNOWN ?f            | (?f)",
        "UNKNOWN 1             | (?unknown_1)",
        "UNKNOWN               | (?unknown)",
        "Unknown               | (\"Unknown\")"
      })
  void elementsOfTriples(String element, String node) {
    assertThat(PatternParser.parse(List.of(List.of(element, "directed by", "Mann"))))
        .isEqualTo(PatternParser.parse(node + "-[directed by]-(\"Mann\")"));
  }

  @Test
  void unknownRelationsOfTriples() {
    Pattern expected = PatternParser.parse("(\"A\")-[]-(?x)");
    for (String relation : Arrays.asList(null, "", " ", "UNKNOWN", "UNKNOWN relation 1")) {
      assertThat(PatternParser.parse(List.of(Arrays.asList("A", relation, "UNKNOWN ?x"))))
          .isEqualTo(expected);
    }
  }

  @Test
  void listsThatAreNoTriplesAreNumbered() {
    assertThatThrownBy(() -> PatternParser.parse(List.of("a", "b", "c")))
        .isInstanceOf(PatternException.class)
        .hasMessageStartingWith("triple 1: it is not three texts, [head, relation, tail], or four");
    assertThatThrownBy(
            () -> PatternParser.parse(List.of(List.of("a", "b", "c"), List.of("a", "b", 3L))))
        .hasMessageStartingWith("triple 2: it is not three texts");
    assertThatThrownBy(() -> PatternParser.parse(List.of(Arrays.asList(null, "b", "c"))))
        .hasMessageStartingWith("triple 1: it is not three texts");
    assertThatThrownBy(() -> PatternParser.parse(List.of(List.of("UNKNOWN 🎬", "b", "c"))))
        .hasMessageStartingWith("triple 1: no id can be made of 'UNKNOWN 🎬'; write one");
    assertThatThrownBy(() -> PatternParser.parse(List.of(List.of("a", "b", " "))))
        .hasMessageStartingWith("triple 1: element 2 is empty");
    assertThatThrownBy(() -> PatternParser.parse(List.of()))
        .hasMessageStartingWith("the pattern is empty: it has no edge");
  }

  @Test
  void theExamplesOfMessagesAreCorrect() {
    for (String example : List.of(MapParser.EXAMPLE, TripleParser.EXAMPLE)) {
      Object value = TestDatabase.rows("RETURN " + example + " AS pattern").get(0).get("pattern");
      assertThat(PatternParser.parse(value).edges()).hasSize(1);
    }
    assertThat(PatternParser.parse(Pattern.EXAMPLE).returns()).containsExactly("film");
  }

  @Test
  void mapsMayHoldNullsWhereAKeyMayBeAbsent() {
    Map<String, Object> node = new HashMap<>(Map.of("id", "heat", "text", "Heat"));
    node.put("type", null);
    Map<String, Object> edge = Map.of("source", "heat", "target", "x", "relation", "directed by");
    List<Object> nodes = List.of(node, Map.of("id", "x"));
    Map<String, Object> map = Map.of("nodes", nodes, "edges", List.of(edge));
    assertThat(PatternParser.parse(map)).isEqualTo(HEAT);
    assertThat(PatternParser.parse(with(map, "return", new String[] {"x"})).returns())
        .containsExactly("x");
    assertThatThrownBy(() -> PatternParser.parse(with(map, "return", null)))
        .hasMessageStartingWith("return must be a list\nA correct pattern: {");
  }

  @Test
  void valuesOfNoFormAreNamed() {
    assertThatThrownBy(() -> PatternParser.parse(3L))
        .isInstanceOf(PatternException.class)
        .hasMessage(
            "a pattern is a text, a map or a list of triples, not Long. A correct pattern: "
                + Pattern.EXAMPLE);
    assertThatThrownBy(() -> PatternParser.parse(null)).hasMessageContaining("not null.");
  }

  @Test
  void halfASurrogatePairIsRefused() {
    assertThatThrownBy(() -> PatternParser.parse("(\"\ud800\")-[r]-(?x)"))
        .hasMessageStartingWith("the name of the node 'n1' is not valid Unicode");
  }

  @Test
  void aPatternThatBreaksARuleCannotBeMade() {
    assertThatThrownBy(() -> new Pattern(List.of(), List.of(), List.of()))
        .isInstanceOf(PatternException.class)
        .hasMessage("the pattern is empty: it has no edge. A correct pattern: " + Pattern.EXAMPLE);
  }

  @Test
  void aNodeAloneIsLeftToCypher() {
    assertThatThrownBy(() -> PatternParser.parse("(?city:city)"))
        .hasMessageStartingWith("a node alone is found by Cypher itself: MATCH (n:Label)");
    assertThatThrownBy(() -> PatternParser.parse("(?city)"))
        .hasMessageStartingWith("a node alone needs a type and no name");
  }

  @Test
  void componentsAreEdgesGroupedInOrder() {
    Pattern pattern =
        PatternParser.parse("(\"a\")-[r]-(\"b\"), (\"c\")-[r]-(\"d\"), (\"e\")-[r]-(\"f\"),"
            + " (\"b\")-[r]-(\"c\"), (\"e\")-[r]-(\"e\")");
    assertThat(Pattern.components(pattern.edges())).containsExactly(new int[] {0, 1, 3}, new int[] {2, 4});
  }

  private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
    Map<String, Object> more = new HashMap<>(map);
    more.put(key, value);
    return more;
  }
}
