package org.isomatch.walk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.isomatch.TestDatabase;
import org.isomatch.TestMeter;
import org.isomatch.graph.Meter;
import org.isomatch.walk.PersonalisedPageRank.Parameters;
import org.isomatch.walk.PersonalisedPageRank.Scores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

/** Against a dense power iteration, on each of the three ways in which a graph is read. */
class PersonalisedPageRankTest {
  private static final double DAMPING = 0.85;
  private static final long PLENTY = 1L << 30;
  private static final int ALL = Integer.MAX_VALUE;

  /** Scores of all nodes, and what is said of them. */
  private record Answer(
      double[] scores, int iterations, double residual, String endedBy, long reads) {}

  @ParameterizedTest
  @CsvSource({"any,1", "any,2", "out,3", "out,4", "in,5", "in,6"})
  void nodeByNode(String direction, long seed) {
    Random random = new Random(seed);
    int nodes = 1 + random.nextInt(80);
    TestGraph graph = TestGraph.random(random, nodes, random.nextInt(3 * nodes));
    List<String> types = random.nextBoolean() ? null : List.of("A", "C");
    Map<Integer, Double> seeds = Map.of(0, 1.0, nodes / 2, 3.0, nodes - 1, 0.5);
    Answer found = run(graph, seeds, direction, types, 1e-9, 100_000, PLENTY, ALL);
    assertThat(found.residual()).isLessThanOrEqualTo(1e-9);
    assertThat(found.endedBy()).isNull();
    assertThat(errors(graph, seeds, direction, types, found)).isLessThan(1e-9);
  }

  @Test
  void ofALargerDatabase() {
    TestGraph graph = TestGraph.random(new Random(7), 2000, 12_000);
    wholeDatabase(graph);
    onlyWhatMattersWhereItDoesNotFit(graph);
  }

  /** More is read than the database is asked for its size after, and more than an eighth. */
  private static void wholeDatabase(TestGraph graph) {
    Map<Integer, Double> seeds = Map.of(3, 1.0, 1999, 1.0);
    for (String direction : List.of("any", "out", "in")) {
      for (List<String> types : Arrays.asList(null, List.of("A", "B"))) {
        Answer found = run(graph, seeds, direction, types, 1e-9, 100_000, PLENTY, ALL);
        assertThat(found.residual()).isLessThanOrEqualTo(1e-9);
        assertThat(errors(graph, seeds, direction, types, found)).isLessThan(1e-9);
        assertThat(found.reads()).isBetween(12_000L, 20_000L);
      }
      for (int iterations : List.of(4, 6, 9)) {
        Answer found = run(graph, seeds, direction, null, 1e-9, iterations, PLENTY, ALL);
        assertThat(found.iterations()).isEqualTo(iterations);
        assertThat(found.endedBy()).isEqualTo("iterations");
        double errors = errors(graph, seeds, direction, null, found);
        assertThat(errors).isLessThanOrEqualTo(found.residual());
      }
    }
  }

  private static void onlyWhatMattersWhereItDoesNotFit(TestGraph graph) {
    Map<Integer, Double> seeds = Map.of(3, 1.0);
    long reads = 0;
    for (double tolerance : List.of(1e-2, 1e-3)) {
      Answer found = run(graph, seeds, "any", null, tolerance, 100_000, 0, 0);
      double errors = errors(graph, seeds, "any", null, found);
      assertThat(errors).isGreaterThan(tolerance).isLessThanOrEqualTo(found.residual());
      assertThat(found.residual()).isLessThan(1);
      assertThat(found.endedBy()).isNull();
      assertThat(found.reads()).isGreaterThan(2 * reads);
      reads = found.reads();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 10})
  void theResidualHoldsWhereIterationsEnd(int iterations) {
    TestGraph graph = TestGraph.random(new Random(9), 50, 150);
    Map<Integer, Double> seeds = Map.of(1, 1.0, 2, 1.0);
    Answer found = run(graph, seeds, "any", null, 1e-12, iterations, PLENTY, ALL);
    assertThat(found.iterations()).isEqualTo(iterations);
    assertThat(found.endedBy()).isEqualTo("iterations");
    assertThat(errors(graph, seeds, "any", null, found)).isLessThanOrEqualTo(found.residual());
  }

  @Test
  void theGuardEndsIt() {
    TestGraph graph = TestGraph.random(new Random(10), 500, 3000);
    int[] checks = {0};
    IllegalStateException stop = new IllegalStateException("terminated");
    Meter meter =
        TestMeter.guarded(
            () -> {
              if (++checks[0] == 20) {
                throw stop;
              }
            });
    try (Transaction tx = TestDatabase.database().beginTx()) {
      Map<Node, Double> seeds = Map.of(tx.getNodeByElementId(graph.id(0)), 1.0);
      Parameters parameters =
          new Parameters(DAMPING, 1e-6, 100, new Reach(Direction.BOTH, List.of()), PLENTY, ALL);
      assertThatThrownBy(() -> PersonalisedPageRank.of(tx, seeds, parameters, meter))
          .isSameAs(stop);
    }
    assertThat(checks[0]).isEqualTo(20);
    assertThat(meter.reads()).isLessThanOrEqualTo(20 * 64);
  }

  @Test
  void bestFirstAndOlderFirstAmongEquals() {
    TestGraph graph = new TestGraph(5); // a star: four equal leaves
    for (int leaf = 1; leaf < 5; leaf++) {
      graph.relate(0, leaf, "A");
    }
    graph.write();
    List<Map<String, Object>> rows =
        TestDatabase.rows(
            "CALL isomatch.ppr.stream($seed) YIELD node, score RETURN node.n AS n, score",
            Map.of("seed", graph.id(0)));
    assertThat(rows).extracting(row -> row.get("n")).containsExactly(0L, 1L, 2L, 3L, 4L);
    // Half of the steps are at the centre, but for where the walk begins: 1 / (1 + 0.85).
    assertThat((double) rows.get(0).get("score")).isCloseTo(1 / 1.85, within(1e-6));
    assertThat((double) rows.get(1).get("score")).isCloseTo(0.85 / 1.85 / 4, within(1e-6));
  }

  private static Answer run(
      TestGraph graph,
      Map<Integer, Double> seeds,
      String direction,
      List<String> types,
      double tolerance,
      int iterations,
      long memory,
      int cheap) {
    Direction way =
        switch (direction) {
          case "out" -> Direction.OUTGOING;
          case "in" -> Direction.INCOMING;
          default -> Direction.BOTH;
        };
    List<RelationshipType> named =
        types == null ? List.of() : types.stream().map(RelationshipType::withName).toList();
    Parameters parameters =
        new Parameters(DAMPING, tolerance, iterations, new Reach(way, named), memory, cheap);
    try (Meter meter = TestMeter.unlimited();
        Transaction tx = TestDatabase.database().beginTx()) {
      Map<Node, Double> at = new LinkedHashMap<>();
      seeds.forEach((n, weight) -> at.merge(node(tx, graph, n), weight, Double::sum));
      Scores scores = PersonalisedPageRank.of(tx, at, parameters, meter);
      double[] values = new double[graph.nodes()];
      scores
          .rows(0, tx, () -> {})
          .forEach(s -> values[((Long) s.node().getProperty("n")).intValue()] = s.score());
      return new Answer(
          values, scores.iterations(), scores.residual(), scores.endedBy(), meter.reads());
    }
  }

  private static Node node(Transaction tx, TestGraph graph, int n) {
    return tx.getNodeByElementId(graph.id(n));
  }

  /** The sum of differences from a power iteration over all nodes. */
  private static double errors(
      TestGraph graph,
      Map<Integer, Double> seeds,
      String direction,
      List<String> types,
      Answer found) {
    double sum = seeds.values().stream().mapToDouble(Double::doubleValue).sum();
    double[] start = new double[graph.nodes()];
    seeds.forEach((node, weight) -> start[node] += weight / sum);
    List<List<Integer>> ends = graph.ends(direction, types);
    double[] now = start.clone();
    for (int turn = 0; turn < 300; turn++) {
      double[] next = new double[now.length];
      for (int node = 0; node < now.length; node++) {
        List<Integer> there = ends.get(node);
        for (int end : there) {
          next[end] += DAMPING * now[node] / there.size();
        }
        double again = there.isEmpty() ? now[node] : (1 - DAMPING) * now[node];
        for (int seed : seeds.keySet()) {
          next[seed] += again * start[seed];
        }
      }
      now = next;
    }
    double errors = 0;
    for (int node = 0; node < now.length; node++) {
      errors += Math.abs(now[node] - found.scores()[node]);
    }
    return errors;
  }
}
