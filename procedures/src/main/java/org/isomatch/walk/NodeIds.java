package org.isomatch.walk;

import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;

/** The server's internal numbers of nodes: compact, and never given to a caller. */
@SuppressWarnings({"deprecation", "removal"}) // there is no other that fits into an array
final class NodeIds {
  private NodeIds() {}

  static long of(Node node) {
    return node.getId();
  }

  static Node node(Transaction transaction, long id) {
    return transaction.getNodeById(id);
  }
}
