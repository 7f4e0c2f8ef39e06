package org.isomatch;

import java.util.List;
import java.util.Map;
import org.isomatch.procedures.ProcedureClasses;
import org.neo4j.configuration.connectors.HttpConnector;
import org.neo4j.graphdb.GraphDatabaseService;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.schema.ConstraintDefinition;
import org.neo4j.graphdb.schema.IndexDefinition;
import org.neo4j.graphdb.schema.IndexType;
import org.neo4j.harness.Neo4j;
import org.neo4j.harness.Neo4jBuilder;
import org.neo4j.harness.Neo4jBuilders;

/** One database for all tests of a JVM, with all our procedures. */
public final class TestDatabase {
  private static Neo4j server;

  private TestDatabase() {}

  /** Started at the first call; its parts end with the JVM. */
  public static synchronized GraphDatabaseService database() {
    if (server == null) {
      Neo4jBuilder builder =
          Neo4jBuilders.newInProcessBuilder().withConfig(HttpConnector.enabled, false);
      for (Class<?> door : ProcedureClasses.ALL) {
        builder = builder.withProcedure(door).withFunction(door);
      }
      server = builder.build();
      Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    }
    return server.defaultDatabaseService();
  }

  /** Deletes everything: data, constraints and indexes, save the token look-ups. */
  public static void empty() {
    try (Transaction tx = database().beginTx()) {
      tx.execute("MATCH (n) DETACH DELETE n").close();
      tx.commit();
    }
    try (Transaction tx = database().beginTx()) {
      tx.schema().getConstraints().forEach(ConstraintDefinition::drop);
      tx.commit();
    }
    try (Transaction tx = database().beginTx()) {
      for (IndexDefinition index : tx.schema().getIndexes()) {
        if (index.getIndexType() != IndexType.LOOKUP) {
          index.drop();
        }
      }
      tx.commit();
    }
  }

  /** Runs and commits a statement that writes. */
  public static void write(String cypher) {
    try (Transaction tx = database().beginTx()) {
      tx.execute(cypher).close();
      tx.commit();
    }
  }

  /** All rows of a statement, without parameters; no nodes, which end with the transaction. */
  public static List<Map<String, Object>> rows(String cypher) {
    return rows(cypher, Map.of());
  }

  /** All rows of a statement; no nodes, which end with the transaction. */
  public static List<Map<String, Object>> rows(String cypher, Map<String, Object> parameters) {
    try (Transaction tx = database().beginTx();
        Result result = tx.execute(cypher, parameters)) {
      return result.stream().toList();
    }
  }
}
