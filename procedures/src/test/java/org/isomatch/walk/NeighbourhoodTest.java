package org.isomatch.walk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.isomatch.TestDatabase;
import org.isomatch.TestMeter;
import org.isomatch.graph.Meter;
import org.isomatch.walk.Neighbourhood.Budget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.neo4j.graphdb.Direction;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.Transaction;

/** Against a plain breadth-first search, and the budgets. */
class NeighbourhoodTest {
  private static final long ALL = Long.MAX_VALUE;

  @ParameterizedTest
  @CsvSource({"any,0,1", "any,1,2", "any,2,3", "any,9,4", "out,2,5", "out,9,6", "in,2,7", "in,3,8"})
  void asBreadthFirst(String direction, int hops, long seed) {
    Random random = new Random(seed);
    int nodes = 2 + random.nextInt(60);
    TestGraph graph = TestGraph.random(random, nodes, random.nextInt(3 * nodes));
    List<String> types = random.nextBoolean() ? null : List.of("A", "C");
    List<Integer> seeds = List.of(nodes / 2, 1);
    Map<Integer, Integer> expected = distances(graph, seeds, direction, types, hops);
    Map<String, Object> config = new HashMap<>();
    config.put("direction", direction);
    config.put("hops", hops);
    config.put("relations", types);
    Map<Integer, Integer> found = new LinkedHashMap<>();
    List<Object> relationships = new ArrayList<>();
    for (Map<String, Object> row :
        TestDatabase.rows(
            "CALL isomatch.subgraph.stream($seeds, $config) "
                + "YIELD node, hops, degree, capped, relationships, cut "
                + "RETURN node.n AS n, hops, degree, capped, cut, "
                + "[r IN relationships | [startNode(r).n, endNode(r).n, elementId(r)]] AS r",
            Map.of("seeds", seeds.stream().map(graph::id).toList(), "config", config))) {
      int n = ((Long) row.get("n")).intValue();
      assertThat(found.put(n, ((Long) row.get("hops")).intValue())).isNull();
      for (Object r : (List<?>) row.get("r")) {
        relationships.add(((List<?>) r).get(2));
        Set<Object> ends = new HashSet<>(((List<?>) r).subList(0, 2));
        assertThat(ends).contains((long) n).allMatch(end -> found.containsKey(number(end)));
      }
      int degree = graph.ends(direction, types).get(n).size();
      assertThat(row.get("degree")).isEqualTo((long) degree);
      assertThat(row.get("capped")).isEqualTo(false);
      assertThat(row.get("cut")).isNull();
    }
    assertThat(found).isEqualTo(expected);
    assertThat(List.copyOf(found.values())).isSorted();
    long between =
        graph.links.stream()
            .filter(link -> types == null || types.contains(link.type()))
            .filter(link -> expected.containsKey(link.source()))
            .filter(link -> expected.containsKey(link.target()))
            .count();
    assertThat(relationships).doesNotHaveDuplicates().hasSize((int) between);
  }

  @Test
  void aHubIsCappedAndSaysSo() {
    TestGraph graph = new TestGraph(32);
    for (int leaf = 1; leaf < 31; leaf++) {
      graph.relate(0, leaf, "A");
    }
    graph.relate(1, 31, "A");
    graph.write();
    List<Map<String, Object>> rows = rows(graph, 0, "{hub: 10, hops: 3}");
    assertThat(rows.get(0)).containsEntry("capped", true).containsEntry("cut", "hub");
    assertThat(rows.get(0)).containsEntry("degree", 30L).containsEntry("size", 0L);
    assertThat(rows.stream().filter(row -> row.get("hops").equals(1L))).hasSize(10);
    assertThat(rows.subList(1, rows.size())).allMatch(row -> row.get("capped").equals(false));
    // Seen from a leaf, what leads to the hub is there, though the hub's own list is cut.
    assertThat(rows(graph, 31, "{hub: 10, hops: 2}"))
        .extracting(row -> row.get("n"))
        .containsExactly(31L, 1L, 0L);
    assertThat(rows(graph, 31, "{hub: 10, hops: 2}"))
        .extracting(row -> row.get("size"))
        .containsExactly(0L, 1L, 1L);
  }

  @Test
  void withoutOuterWhatIsBetweenNodesOfTheLastHopIsLeftOut() {
    TestGraph graph = new TestGraph(4);
    for (int[] ends : new int[][] {{0, 1}, {0, 2}, {1, 2}, {2, 3}}) {
      graph.relate(ends[0], ends[1], "A");
    }
    graph.write();
    assertThat(rows(graph, 0, "{hops: 1, hub: 2}"))
        .extracting(row -> row.get("size"))
        .containsExactly(0L, 1L, 2L);
    List<Map<String, Object>> rows = rows(graph, 0, "{hops: 1, hub: 2, outer: false}");
    assertThat(rows).extracting(row -> row.get("size")).containsExactly(0L, 1L, 1L);
    assertThat(rows).extracting(row -> row.get("degree")).contains(2L, 3L);
    assertThat(rows).allMatch(row -> row.get("cut") == null); // node 2 is a hub, but not read
  }

  @Test
  void mostNodes() {
    TestGraph graph = chain(20);
    List<Map<String, Object>> rows = rows(graph, 0, "{hops: 100, max_nodes: 5}");
    assertThat(rows).extracting(row -> row.get("n")).containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(rows)
        .extracting(row -> row.get("cut"))
        .containsExactly(null, null, null, null, "max_nodes");
    // As many as there are: nothing is missing.
    assertThat(rows(graph, 0, "{hops: 100, max_nodes: 20}"))
        .hasSize(20)
        .allMatch(row -> row.get("cut") == null);
  }

  @Test
  void mostRelationships() {
    TestGraph graph = chain(20);
    List<Map<String, Object>> rows = rows(graph, 0, "{hops: 100, max_relationships: 3}");
    assertThat(rows).extracting(row -> row.get("n")).containsExactly(0L, 1L, 2L, 3L, 4L);
    assertThat(rows).extracting(row -> row.get("size")).containsExactly(0L, 1L, 1L, 1L, 0L);
    assertThat(rows.get(4)).containsEntry("cut", "max_relationships");
    assertThat(rows(graph, 0, "{hops: 100, max_relationships: 19}"))
        .hasSize(20)
        .allMatch(row -> row.get("cut") == null);
  }

  @Test
  void seedsBeyondTheMostNodes() {
    TestGraph graph = chain(3);
    String call =
        "CALL isomatch.subgraph.stream($seeds, {hops: 0, max_nodes: 2}) YIELD node, cut "
            + "RETURN node.n AS n, cut";
    List<String> seeds = List.of(graph.id(2), graph.id(0), graph.id(1));
    List<Map<String, Object>> rows = TestDatabase.rows(call, Map.of("seeds", seeds));
    assertThat(rows).extracting(row -> row.get("n")).containsExactly(2L, 0L);
    assertThat(rows).extracting(row -> row.get("cut")).containsExactly("max_nodes", null);
  }

  @Test
  void nodesAreReadAsTheyAreAskedFor() {
    TestGraph graph = chain(50);
    with(
        graph,
        neighbourhood -> {
          neighbourhood.search().next();
          long first = neighbourhood.meter().reads();
          neighbourhood.search().next();
          assertThat(neighbourhood.meter().reads()).isEqualTo(first + 2); // its two relationships
        });
  }

  @Test
  void relationshipsAreBetweenNodesGiven() {
    TestGraph graph = TestGraph.random(new Random(3), 40, 160);
    with(
        graph,
        neighbourhood -> {
          Set<Node> given = new HashSet<>();
          for (Neighbourhood.Row found : neighbourhood.search().stream().toList()) {
            given.add(found.node());
            for (Relationship relationship : found.relationships()) {
              assertThat(given).contains(relationship.getNodes());
            }
          }
        });
  }

  private record Running(Neighbourhood search, Meter meter) {}

  private static void with(TestGraph graph, Consumer<Running> test) {
    try (Transaction tx = TestDatabase.database().beginTx();
        Meter meter = TestMeter.unlimited()) {
      List<Node> seeds = List.of(tx.getNodeByElementId(graph.id(0)));
      Budget budget = new Budget(100, ALL, ALL, ALL, true);
      test.accept(new Running(new Neighbourhood(seeds, new Reach(Direction.BOTH, List.of()), budget, meter), meter));
    }
  }

  private static TestGraph chain(int nodes) {
    TestGraph graph = new TestGraph(nodes);
    for (int n = 1; n < nodes; n++) {
      graph.relate(n - 1, n, "A");
    }
    graph.write();
    return graph;
  }

  private static List<Map<String, Object>> rows(TestGraph graph, int seed, String config) {
    return TestDatabase.rows(
        "CALL isomatch.subgraph.stream($seed, "
            + config
            + ") YIELD node, hops, degree, capped, relationships, cut "
            + "RETURN node.n AS n, hops, degree, capped, size(relationships) AS size, cut",
        Map.of("seed", graph.id(seed)));
  }

  private static int number(Object n) {
    return ((Long) n).intValue();
  }

  private static Map<Integer, Integer> distances(
      TestGraph graph, List<Integer> seeds, String direction, List<String> types, int hops) {
    List<List<Integer>> ends = graph.ends(direction, types);
    Map<Integer, Integer> distances = new HashMap<>();
    Queue<Integer> queue = new ArrayDeque<>();
    for (int seed : seeds) {
      if (distances.putIfAbsent(seed, 0) == null) {
        queue.add(seed);
      }
    }
    while (!queue.isEmpty()) {
      int node = queue.remove();
      for (int end : ends.get(node)) {
        if (distances.get(node) < hops && !distances.containsKey(end)) {
          distances.put(end, distances.get(node) + 1);
          queue.add(end);
        }
      }
    }
    return distances;
  }
}
