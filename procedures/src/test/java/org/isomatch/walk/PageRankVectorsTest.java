package org.isomatch.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The scores are those of networkx: vectors that it wrote. */
class PageRankVectorsTest {
  private static final Path VECTORS = Path.of("..", "tests", "vectors", "ppr.json");
  private static final double TOLERANCE = 1e-6;

  @TestFactory
  Stream<DynamicTest> networkx() throws Exception {
    JsonNode cases = new ObjectMapper().readTree(VECTORS.toFile()).get("cases");
    return StreamSupport.stream(cases.spliterator(), false)
        .map(one -> DynamicTest.dynamicTest(one.get("name").asText(), () -> check(one)));
  }

  private static void check(JsonNode one) {
    TestGraph graph = new TestGraph(one.get("nodes").asInt());
    one.get("relationships")
        .forEach(r -> graph.relate(r.get(0).asInt(), r.get(1).asInt(), r.get(2).asText()));
    graph.write();
    List<Object> seeds = new ArrayList<>();
    one.get("seeds")
        .forEach(s -> seeds.add(List.of(graph.id(s.get(0).asInt()), s.get(1).asDouble())));
    Map<String, Object> config = new HashMap<>();
    config.put("threshold", 0);
    config.put("iterations", 2000); // networkx had as many
    JsonNode given = one.get("config");
    config.put("direction", given.get("direction").asText());
    if (given.has("damping")) {
      config.put("damping", given.get("damping").asDouble());
    }
    if (given.has("relations")) {
      List<String> relations = new ArrayList<>();
      given.get("relations").forEach(type -> relations.add(type.asText()));
      config.put("relations", relations);
    }
    double[] scores = new double[graph.nodes()];
    double residual = 0;
    for (Map<String, Object> row :
        TestDatabase.rows(
            "CALL isomatch.ppr.stream($seeds, $config) YIELD node, score, residual"
                + " RETURN node.n AS n, score, residual",
            Map.of("seeds", seeds, "config", config))) {
      scores[((Long) row.get("n")).intValue()] = (double) row.get("score");
      residual = (double) row.get("residual");
    }
    double errors = 0;
    for (int node = 0; node < scores.length; node++) {
      double expected = one.get("scores").get(node).asDouble();
      assertThat(scores[node]).as("node %d", node).isCloseTo(expected, within(TOLERANCE));
      errors += Math.abs(scores[node] - expected);
    }
    assertThat(residual).isLessThanOrEqualTo(TOLERANCE);
    assertThat(errors).isLessThanOrEqualTo(residual + 1e-9); // what the vectors are rounded to
  }
}
