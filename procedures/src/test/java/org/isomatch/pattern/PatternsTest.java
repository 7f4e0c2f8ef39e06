package org.isomatch.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the shared vectors, which are texts, cannot say: values, and the choice among forms. */
class PatternsTest {
  private static final Pattern HEAT = Patterns.parse("(\"Heat\")-[directed by]-(?x)");

  @Test
  void theFormsAreToldApart() {
    assertThat(Patterns.parse(HEAT)).isSameAs(HEAT);
    assertThat(Patterns.parse("(\"Heat\", \"directed by\", \"UNKNOWN ?x\")")).isEqualTo(HEAT);
    assertThat(Patterns.parse(" [ [\"Heat\", \"directed by\", \"UNKNOWN ?x\"]]")).isEqualTo(HEAT);
    assertThat(
            Patterns.parse(
                "\n{\"nodes\": [{\"id\": \"heat\", \"text\": \"Heat\"}, {\"id\": \"x\"}],"
                    + " \"edges\": [{\"source\": \"heat\", \"relation\": \"directed by\","
                    + " \"target\": \"x\"}]}"))
        .isEqualTo(HEAT);
  }

  @Test
  void listsAndArraysOfTriples() {
    List<String> triple = List.of("Heat", "directed by", "UNKNOWN ?x");
    assertThat(Patterns.parse(List.of(triple))).isEqualTo(HEAT);
    assertThat(Patterns.parse(List.of((Object) triple.toArray(String[]::new)))).isEqualTo(HEAT);
    assertThat(Patterns.parse(List.of(Arrays.asList("A", null, "UNKNOWN ?x"))))
        .isEqualTo(Patterns.parse("(\"A\")-[]-(?x)"));
    assertThat(Patterns.parse(List.of(List.of("A \"q\" \\ \n\u0001🎬", "r", "UNKNOWN ?x", "v"))))
        .isEqualTo(Patterns.parse("(\"A \\\"q\\\" \\\\ \\n\\u0001🎬\")-[r: \"v\"]-(?x)"));
  }

  @Test
  void listsThatAreNoTriplesAreNumbered() {
    assertThatThrownBy(() -> Patterns.parse(List.of("a", "b", "c")))
        .isInstanceOf(PatternException.class)
        .hasMessageStartingWith("triple 1 is not three texts, (head, relation, tail), or four");
    assertThatThrownBy(() -> Patterns.parse("[[\"a\", \"b\", \"c\"], [\"a\", \"b\", 3]]"))
        .hasMessageStartingWith("triple 2 is not three texts");
    assertThatThrownBy(() -> Patterns.parse(List.of(Arrays.asList(null, "b", "c"))))
        .hasMessageStartingWith("triple 1 is not three texts");
  }

  @Test
  void mapsMayHoldNullsWhereAKeyMayBeAbsent() {
    Map<String, Object> node = new HashMap<>(Map.of("id", "heat", "text", "Heat"));
    node.put("type", null);
    Map<String, Object> edge = Map.of("source", "heat", "target", "x", "relation", "directed by");
    List<Object> nodes = List.of(node, Map.of("id", "x"));
    Map<String, Object> map = Map.of("nodes", nodes, "edges", List.of(edge));
    assertThat(Patterns.parse(map)).isEqualTo(HEAT);
    assertThat(Patterns.parse(with(map, "return", new String[] {"x"})).returns())
        .containsExactly("x");
    assertThatThrownBy(() -> Patterns.parse(with(map, "return", null)))
        .hasMessageStartingWith("return must be a list\nA correct pattern: {");
  }

  @Test
  void valuesOfNoFormAreNamed() {
    assertThatThrownBy(() -> Patterns.parse(3L))
        .isInstanceOf(PatternException.class)
        .hasMessage(
            "a pattern is text, a mapping or a sequence of triples, not Long. A correct pattern: "
                + Pattern.EXAMPLE);
    assertThatThrownBy(() -> Patterns.parse(null)).hasMessageContaining("not null.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"nodes\": %s}", "{\"nodes\": %s", "[[%s"})
  void jsonThatIsNestedTooDeeplyIsRefused(String form) {
    assertThatThrownBy(() -> Patterns.parse(form.formatted("[".repeat(100_000))))
        .isInstanceOf(PatternException.class)
        .hasMessageContaining("JSON");
  }

  @Test
  void halfASurrogatePairIsRefused() {
    String json =
        "{\"nodes\": [{\"id\": \"a\", \"text\": \"\\ud800\"}],"
            + " \"edges\": [{\"source\": \"a\", \"target\": \"a\"}]}";
    assertThatThrownBy(() -> Patterns.parse(json))
        .hasMessageStartingWith("nodes[0]: the name of the node 'a' is not valid Unicode");
    assertThatThrownBy(() -> Patterns.parse("(\"\ud800\")-[r]-(?x)"))
        .hasMessageStartingWith("the name of the node 'n1' is not valid Unicode");
  }

  @Test
  void aPatternThatBreaksARuleCannotBeMade() {
    assertThatThrownBy(() -> new Pattern(List.of(), List.of(), List.of()))
        .isInstanceOf(PatternException.class)
        .hasMessage("the pattern is empty: it has no edge. A correct pattern: " + Pattern.EXAMPLE);
  }

  @Test
  void componentsAreEdgesGroupedInOrder() {
    Pattern pattern =
        Patterns.parse("(\"a\")-[r]-(\"b\"), (\"c\")-[r]-(\"d\"), (\"e\")-[r]-(\"f\"),"
            + " (\"b\")-[r]-(\"c\"), (\"e\")-[r]-(\"e\")");
    assertThat(pattern.components()).containsExactly(new int[] {0, 1, 3}, new int[] {2, 4});
  }

  private static Map<String, Object> with(Map<String, Object> map, String key, Object value) {
    Map<String, Object> more = new HashMap<>(map);
    more.put(key, value);
    return more;
  }
}
