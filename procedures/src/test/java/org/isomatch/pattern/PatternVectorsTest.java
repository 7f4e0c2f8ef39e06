package org.isomatch.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every shared vector holds here as it does in Python; none is left out. */
class PatternVectorsTest {
  @TestFactory
  Stream<DynamicTest> everyFormGivesTheSamePattern() {
    return PatternVectors.of("good").stream()
        .map(vector -> dynamicTest((String) vector.get("name"), () -> good(vector)));
  }

  @TestFactory
  Stream<DynamicTest> badInputIsRefusedWithRulePlaceAndExample() {
    return PatternVectors.of("bad").stream()
        .map(v -> dynamicTest(v.get("form") + ": " + v.get("name"), () -> bad(v)));
  }

  private static void good(Map<String, Object> vector) {
    Map<?, ?> json = (Map<?, ?>) vector.get("json");
    Pattern expected = expected(json);
    assertThat(Patterns.parse(json)).isEqualTo(expected);
    for (String form : List.of("text", "triples")) {
      for (String text : PatternVectors.texts(vector, form)) {
        assertThat(PatternVectors.read(form, text)).as(text).isEqualTo(expected);
        assertThat(Patterns.parse(text)).as(text).isEqualTo(expected);
      }
    }
  }

  private static void bad(Map<String, Object> vector) {
    String form = (String) vector.get("form");
    String input = (String) vector.get("input");
    PatternException error =
        catchThrowableOfType(PatternException.class, () -> PatternVectors.read(form, input));
    assertThat(error).as(input).isNotNull();
    List<String> lines = new ArrayList<>(Arrays.asList(error.getMessage().split("\n", -1)));
    String example = lines.remove(lines.size() - 1);
    assertThat(lines).isEqualTo(vector.get("message"));
    Long position = (Long) vector.get("position");
    assertThat(error.position()).isEqualTo(position == null ? null : position.intValue());
    assertThat(error.text()).isEqualTo(input);
    assertThat(example).startsWith("A correct pattern: ");
    Pattern correct = PatternVectors.read(form, example.substring("A correct pattern: ".length()));
    assertThat(correct.answers()).isEqualTo(correct.returns());
  }

  private static Pattern expected(Map<?, ?> json) {
    List<Node> nodes = new ArrayList<>();
    for (Object item : (List<?>) json.get("nodes")) {
      Map<?, ?> n = (Map<?, ?>) item;
      nodes.add(new Node((String) n.get("id"), (String) n.get("text"), (String) n.get("type")));
    }
    List<Edge> edges = new ArrayList<>();
    for (Object item : (List<?>) json.get("edges")) {
      Map<?, ?> e = (Map<?, ?>) item;
      edges.add(
          new Edge(
              (String) e.get("source"),
              (String) e.get("relation"),
              (String) e.get("target"),
              (String) e.get("value")));
    }
    List<String> returns = new ArrayList<>();
    if (json.get("return") instanceof List<?> ids) {
      ids.forEach(id -> returns.add((String) id));
    }
    return new Pattern(nodes, edges, returns);
  }
}
