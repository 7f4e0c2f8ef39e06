package org.isomatch.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.isomatch.compare.Comparison;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every shared vector holds here as it does in Python; none is left out. */
class PatternVectorsTest {
  @TestFactory
  Stream<DynamicTest> everyFormGivesTheSamePattern() {
    return PatternVectors.of("good").stream()
        .map(vector -> dynamicTest((String) vector.get("name"), () -> good(vector)));
  }

  /** JSON that is malformed is for those who read JSON, and so are triples in a text. */
  @TestFactory
  Stream<DynamicTest> badInputIsRefusedWithRulePlaceAndExample() {
    return PatternVectors.of("bad").stream()
        .filter(v -> v.get("form").equals("text") || isMap(v))
        .map(v -> dynamicTest(v.get("form") + ": " + v.get("name"), () -> bad(v)));
  }

  private static boolean isMap(Map<String, Object> vector) {
    return vector.get("form").equals("json")
        && vector.get("position") == null
        && !vector.get("input").equals("[]");
  }

  private static void good(Map<String, Object> vector) {
    Map<?, ?> json = (Map<?, ?>) vector.get("json");
    Pattern expected = expected(json);
    assertThat(PatternParser.parse(json)).isEqualTo(expected);
    for (String text : PatternVectors.texts(vector, "text")) {
      assertThat(PatternParser.parse(text)).as(text).isEqualTo(expected);
    }
  }

  /** The rule in the same words, at the same place; how texts are quoted is left to each. */
  private static void bad(Map<String, Object> vector) {
    String input = (String) vector.get("input");
    Object value = isMap(vector) ? PatternVectors.json(input) : input;
    PatternException error =
        catchThrowableOfType(PatternException.class, () -> PatternParser.parse(value));
    assertThat(error).as(input).isNotNull();
    String rule = (String) ((List<?>) vector.get("message")).get(0);
    assertThat(unquoted(error.getMessage().lines().findFirst().get()))
        .isEqualTo(unquoted(rule).replace("must be an object", "must be a map"));
    String[] parts = error.getMessage().split("\nA correct pattern: ");
    assertThat(parts).hasSize(2);
    if (!isMap(vector)) {
      assertThat(PatternParser.parse(parts[1]).returns()).isNotEmpty();
    }
  }

  /** A line without what stands between its first and last quotes. */
  private static String unquoted(String line) {
    return line.replaceFirst("['\"].*['\"]", "''");
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
              (String) e.get("value"),
              Boolean.TRUE.equals(e.get("directed")),
              (String) e.get("key")));
    }
    List<String> returns = new ArrayList<>();
    if (json.get("return") instanceof List<?> ids) {
      ids.forEach(id -> returns.add((String) id));
    }
    List<Condition> where = new ArrayList<>();
    list(json, "where").forEach(item -> where.add(condition((Map<?, ?>) item)));
    List<Without> without = new ArrayList<>();
    for (Object item : list(json, "parts")) {
      Map<?, ?> part = (Map<?, ?>) item;
      List<String> ids = list(part, "nodes").stream().map(String.class::cast).toList();
      without.add(new Without(ids, expected((Map<?, ?>) part.get("pattern"))));
    }
    return new Pattern(nodes, edges, returns, where, without);
  }

  private static Condition condition(Map<?, ?> json) {
    return new Condition(
        (String) json.get("node"),
        Comparison.of((String) json.get("operator")),
        list(json, "values").stream().map(String.class::cast).toList(),
        (String) json.get("other"),
        list(json, "or").stream().map(one -> condition((Map<?, ?>) one)).toList());
  }

  private static List<?> list(Map<?, ?> json, String key) {
    return json.get(key) == null ? List.of() : (List<?>) json.get(key);
  }
}
