package org.isomatch.procedures;

import java.util.Comparator;
import java.util.stream.Stream;
import org.isomatch.candidates.Linker;
import org.isomatch.candidates.Words;
import org.isomatch.graph.Graph;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Procedure;

public final class Schema {
  @Context public Transaction transaction;

  public record Row(
      @Description("`label`, `relationship type` or `property key`.") String kind,
      @Description("As in lists of candidates: `:Movie`, `:ACTED_IN`, `.released`.") String id,
      @Description("What a pattern calls it: `ACTED_IN` is \"acted in\".") String text,
      @Description("How many nodes or relationships; null for property keys.") Long count) {}

  /** Rows by kind and name; counts are the count store's, if the user may read everything. */
  @Procedure(name = "isomatch.schema", mode = Mode.READ)
  @Description(
      "What a pattern can name: labels, relationship types and property keys, with their words.")
  public Stream<Row> schema() {
    Stream<Row> labels =
        Linker.names(transaction.getAllLabelsInUse(), Label::name).stream()
            .map(n -> row("label", ":", n, Graph.countOfNodes(transaction, n)));
    Stream<Row> types =
        Linker.names(transaction.getAllRelationshipTypesInUse(), RelationshipType::name).stream()
            .map(n -> row("relationship type", ":", n, Graph.countOfRelationships(transaction, n)));
    Stream<Row> keys =
        Linker.names(transaction.getAllPropertyKeys(), n -> n).stream()
            .map(n -> row("property key", ".", n, null));
    Comparator<Row> byName = Comparator.comparing(Row::id);
    return Stream.of(labels, types, keys).flatMap(rows -> rows.sorted(byName));
  }

  private static Row row(String kind, String mark, String name, Long count) {
    return new Row(kind, mark + name, Words.of(name), count);
  }
}
