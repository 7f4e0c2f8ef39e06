package org.isomatch.graph;

import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/** Counts of the database's count store, if the user may read everything. */
public final class Counts {
  private Counts() {}

  /** Nodes of a label; of any for null. */
  public static long nodes(Transaction transaction, String label) {
    return count(transaction, "MATCH (n" + quoted(label) + ") RETURN count(n)");
  }

  /** Relationships of a type; of any for null. */
  public static long relationships(Transaction transaction, String type) {
    return count(transaction, "MATCH ()-[r" + quoted(type) + "]->() RETURN count(r)");
  }

  private static String quoted(String name) {
    // A backslash by its code: Cypher reads an escaped backtick even between backticks.
    return name == null ? "" : ":`" + name.replace("\\", "\\u005C").replace("`", "``") + "`";
  }

  private static long count(Transaction transaction, String query) {
    try (Result result = transaction.execute(query)) {
      return (Long) result.next().values().iterator().next();
    }
  }
}
