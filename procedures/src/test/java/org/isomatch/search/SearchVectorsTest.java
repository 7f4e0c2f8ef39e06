package org.isomatch.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.isomatch.graph.Fact;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The search finds what Python's brute force found: vectors that both languages read. */
class SearchVectorsTest {
  private static final Path VECTORS = Path.of("..", "tests", "vectors", "searches.json");
  private static final double TOLERANCE = 1e-6;

  @TestFactory
  Stream<DynamicTest> bruteForce() throws Exception {
    JsonNode cases = new ObjectMapper().readTree(VECTORS.toFile()).get("cases");
    return StreamSupport.stream(cases.spliterator(), false)
        .map(one -> DynamicTest.dynamicTest(one.get("name").asText(), () -> check(one)));
  }

  /** A match as the vectors have it. */
  private record Match(Map<String, Object> bindings, List<String> relations, List<String> facts) {}

  private static void check(JsonNode one) throws Exception {
    try (VectorCase given = new VectorCase(one)) {
      List<Found> found = given.search();
      boolean plain = "matches".equals(one.get("options").get("results").asText());
      List<Double> gsds = new ArrayList<>();
      Map<Integer, Set<Match>> byRank = new TreeMap<>();
      Map<Integer, Found> first = new TreeMap<>();
      for (Found match : found) {
        if (byRank.computeIfAbsent(match.rank(), r -> new HashSet<>()).isEmpty()) {
          gsds.add(match.gsd());
          first.put(match.rank(), match);
        }
        assertThat(byRank.get(match.rank()).add(match(given, match))).isTrue();
      }
      JsonNode expected = one.get("expected");
      assertThat(gsds).hasSameSizeAs(list(expected.get("gsds")));
      for (int i = 0; i < gsds.size(); i++) {
        double truth = expected.get("gsds").get(i).asDouble();
        assertThat(gsds.get(i)).isCloseTo(truth, within(TOLERANCE));
      }
      int limit = one.get("options").get("limit").asInt();
      byRank.forEach(
          (rank, matches) -> {
            Set<Match> truth = truth(expected, given.choices(first.get(rank)));
            assertThat(truth).containsAll(matches);
            assertThat(matches).hasSize(plain ? 1 : Math.min(limit, truth.size()));
          });
      Certificate certificate = given.certificate();
      assertThat(certificate.exact()).isTrue();
      assertThat(certificate.complete()).isTrue();
    }
  }

  private static Set<Match> truth(JsonNode expected, List<Map<String, Object>> choices) {
    for (JsonNode reading : expected.get("interpretations")) {
      if (VectorCase.choices(reading).equals(choices)) {
        Set<Match> truth = new HashSet<>();
        for (JsonNode match : reading.get("matches")) {
          List<String> relations = new ArrayList<>();
          match.get("relations").forEach(r -> relations.add(r.asText()));
          List<String> facts = new ArrayList<>();
          match.get("facts").forEach(r -> facts.add(r.asText()));
          truth.add(new Match(VectorCase.map(match.get("bindings")), relations, facts));
        }
        return truth;
      }
    }
    throw new AssertionError("brute force has no interpretation " + choices);
  }

  private static Match match(VectorCase given, Found found) {
    List<String> relations = new ArrayList<>();
    for (Fact fact : found.facts()) {
      relations.add(fact.relation());
    }
    return new Match(given.bindings(found), relations, given.facts(found));
  }

  private static List<JsonNode> list(JsonNode node) {
    return StreamSupport.stream(node.spliterator(), false).toList();
  }
}
