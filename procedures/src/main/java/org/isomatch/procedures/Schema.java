package org.isomatch.procedures;

import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.isomatch.candidates.Words;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Procedure;

/** {@code isomatch.schema}. */
public final class Schema {
  private static final String TYPED = "MATCH ()-[r:%s]->() RETURN count(r)";

  @Context public Transaction transaction;

  /** A name of the schema. */
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
        names(transaction.getAllLabelsInUse(), Label::name)
            .map(n -> row("label", ":", n, count("MATCH (n:%s) RETURN count(n)", n)));
    Stream<Row> types =
        names(transaction.getAllRelationshipTypesInUse(), RelationshipType::name)
            .map(n -> row("relationship type", ":", n, count(TYPED, n)));
    Stream<Row> keys =
        names(transaction.getAllPropertyKeys(), n -> n)
            .map(n -> row("property key", ".", n, null));
    return Stream.of(labels, types, keys).flatMap(rows -> rows);
  }

  private static <T> Stream<String> names(Iterable<T> all, Function<T, String> name) {
    return StreamSupport.stream(all.spliterator(), false).map(name).sorted();
  }

  private static Row row(String kind, String mark, String name, Long count) {
    return new Row(kind, mark + name, Words.of(name), count);
  }

  private Long count(String query, String name) {
    // A backslash by its code: Cypher reads an escaped backtick even between backticks.
    String quoted = "`" + name.replace("\\", "\\u005C").replace("`", "``") + "`";
    try (Result result = transaction.execute(query.formatted(quoted))) {
      return (Long) result.next().values().iterator().next();
    }
  }
}
