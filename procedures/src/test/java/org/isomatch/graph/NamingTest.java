package org.isomatch.graph;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;

class NamingTest {
  @BeforeEach
  void empty() {
    TestDatabase.empty();
  }

  private static void with(String cypher, Consumer<Node> check) {
    try (Transaction tx = TestDatabase.database().beginTx()) {
      check.accept((Node) tx.execute(cypher).next().get("n"));
    }
  }

  @Test
  void theKeyOfALabelNamesItsNodes() {
    Naming naming = new Naming(Map.of("Movie", "title"));

    with(
        "CREATE (n:Movie {label: 'l', title: 'Heat', released: 1995}) RETURN n",
        node -> {
          assertThat(naming.nameOf(node)).isEqualTo("Heat");
          assertThat(naming.isNaming(node, "title")).isTrue();
          assertThat(naming.isNaming(node, "label")).isFalse();
          assertThat(naming.isNaming(node, "released")).isFalse();
          assertThat(naming.isNamed(node, "Heat")).isTrue();
          assertThat(naming.isNamed(node, "l")).isFalse();
          assertThat(naming.isNamed(node, 1995L)).isFalse();
        });
  }

  @Test
  void whatTheCallerSaysHoldsAlone() {
    Naming naming = new Naming(Map.of("Movie", "code"));

    with(
        "CREATE (n:Movie {title: 'Heat', code: 'H1'}) RETURN n",
        node -> {
          assertThat(naming.nameOf(node)).isEqualTo("H1");
          assertThat(naming.isNaming(node, "title")).isFalse();
          assertThat(naming.isNaming(node, "code")).isTrue();
        });
    with(
        "CREATE (n:Person {name: 'Al Pacino'}) RETURN n",
        node -> {
          assertThat(naming.nameOf(node)).isNull();
          assertThat(naming.isNaming(node, "name")).isFalse();
        });
    with(
        "CREATE (n:Person {name: 'Al Pacino'}) RETURN n",
        node -> assertThat(new Naming(Map.of()).nameOf(node)).isNull());
  }

  @Test
  void aNodeOfTwoLabelsHasTwoNamesTheFirstLabelsBest() {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("Movie", "title");
    keys.put("Book", "name");
    Naming naming = new Naming(keys);

    with(
        "CREATE (n:Book:Movie {title: 'Heat', name: 'Heat 2'}) RETURN n",
        node -> {
          assertThat(naming.nameOf(node)).isEqualTo("Heat");
          assertThat(naming.isNaming(node, "title")).isTrue();
          assertThat(naming.isNaming(node, "name")).isTrue();
          assertThat(naming.isNamed(node, "Heat 2")).isTrue();
        });
    with(
        "CREATE (n:Book:Movie {title: ' ', name: 'Heat 2'}) RETURN n",
        node -> assertThat(naming.nameOf(node)).isEqualTo("Heat 2"));
  }

  @Test
  void aListsFirstMemberNamesButEqualsNoText() {
    Naming naming = new Naming(Map.of("Movie", "title", "Year", "name"));

    with(
        "CREATE (n:Movie {title: ['Heat', 'Hitze']}) RETURN n",
        node -> {
          assertThat(naming.nameOf(node)).isEqualTo("Heat");
          assertThat(naming.isNamed(node, "Heat")).isFalse();
        });
    with(
        "CREATE (n:Year {name: 1995}) RETURN n",
        node -> assertThat(naming.nameOf(node)).isEqualTo("1995"));
  }
}
