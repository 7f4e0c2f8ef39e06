package org.isomatch.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.isomatch.TestDatabase;
import org.junit.jupiter.api.Test;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;

/**
 * The examples of docs/procedures.md on the sample graph: what follows a statement is what it
 * gives. {@code mvn test -Dtest=PageTest -Dupdate} writes the results anew.
 */
class PageTest {
  private static final Path PAGE = Path.of("../docs/procedures.md");
  private static final Path SAMPLE = Path.of("../db/neo4j/sample.cypher");
  /** The inside of a block, in which single words may stand in backticks. */
  private static final String INSIDE = "[^`]*(?:`\\w*`[^`]*)*";

  private static final Pattern EXAMPLE =
      Pattern.compile("```cypher\n(%1$s)```\n\n```text\n%1$s```\n".formatted(INSIDE));
  private static final Pattern SETUP =
      Pattern.compile("```cypher\n((?:CREATE FULLTEXT INDEX|CALL db\\.awaitIndexes)[^`]*)```\n");

  @Test
  void theExamplesGiveWhatThePageShows() throws IOException {
    String page = Files.readString(PAGE);
    TestDatabase.empty();
    TestDatabase.write(Files.readString(SAMPLE));
    for (MatchResult setup : SETUP.matcher(page).results().toList()) {
      TestDatabase.write(setup.group(1));
    }
    Matcher examples = EXAMPLE.matcher(page);
    String now =
        examples.replaceAll(
            example ->
                Matcher.quoteReplacement(
                    "```cypher\n%s```\n\n```text\n%s```\n"
                        .formatted(example.group(1), run(example.group(1)))));
    if (System.getProperty("update") != null) {
      Files.writeString(PAGE, now);
      page = now;
    }

    assertThat(page).isEqualTo(now);
    assertThat(EXAMPLE.matcher(page).results().count()).isGreaterThan(10);
  }

  /** As {@code cypher-shell --format plain} prints it. */
  private static String run(String statement) {
    try (Transaction tx = TestDatabase.database().beginTx();
        Result result = tx.execute(statement)) {
      List<String> columns = result.columns();
      return String.join(", ", columns)
          + "\n"
          + result.stream()
              .map(
                  row ->
                      columns.stream()
                          .map(column -> shown(row.get(column)))
                          .collect(Collectors.joining(", ", "", "\n")))
              .collect(Collectors.joining());
    }
  }

  private static String shown(Object value) {
    if (value instanceof String text) {
      return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
    if (value instanceof List<?> list) {
      return list.stream().map(PageTest::shown).collect(Collectors.joining(", ", "[", "]"));
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> entry.getKey() + ": " + shown(entry.getValue()))
          .collect(Collectors.joining(", ", "{", "}"));
    }
    return value == null ? "NULL" : value.toString();
  }
}
