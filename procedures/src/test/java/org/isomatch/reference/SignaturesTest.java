package org.isomatch.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.isomatch.TestDatabase;
import org.isomatch.config.Key;
import org.isomatch.procedures.ProcedureClasses;
import org.junit.jupiter.api.Test;

/** What Neo4j shows of us; {@code mvn test -Dtest=SignaturesTest -Dupdate} writes the file anew. */
class SignaturesTest {
  private static final Path FILE = Path.of("src/test/resources/signatures.txt");

  private static List<Map<String, Object>> shown() {
    return Stream.of("PROCEDURES YIELD name, signature, description, mode", "FUNCTIONS YIELD *")
        .flatMap(
            what ->
                TestDatabase.rows(
                    "SHOW %s WHERE name STARTS WITH 'isomatch.' RETURN * ORDER BY name"
                        .formatted(what))
                    .stream())
        .toList();
  }

  private static String line(Map<String, Object> row) {
    return "%s\n  %s %s\n"
        .formatted(
            row.get("signature"), row.getOrDefault("mode", "FUNCTION"), row.get("description"));
  }

  @Test
  void theyAreWhatTheyWere() throws IOException {
    String now = shown().stream().map(SignaturesTest::line).collect(Collectors.joining());
    if (System.getProperty("update") != null) {
      Files.writeString(FILE, now);
    }

    assertThat(now).isEqualTo(Files.readString(FILE));
  }

  @Test
  void theReferenceHasTheSame() {
    assertThat(Entry.all(ProcedureClasses.ALL).stream().map(Entry::signature))
        .containsExactlyInAnyOrderElementsOf(
            shown().stream().map(row -> (String) row.get("signature")).toList());
  }

  @Test
  void everythingOnlyReadsAndIsDescribed() {
    for (Map<String, Object> row : shown()) {
      String name = (String) row.get("name");
      assertThat(row.getOrDefault("mode", "READ")).as(name).isEqualTo("READ");
      assertThat((String) row.get("description")).as(name).endsWith(".");
    }
    for (Entry entry : Entry.all(ProcedureClasses.ALL)) {
      Stream.concat(entry.parameters().stream(), entry.yields().stream())
          .filter(value -> !List.of("", "config").contains(value.name()))
          .forEach(
              value ->
                  assertThat(value.description())
                      .as(entry.name() + " " + value.name())
                      .endsWith("."));
    }
  }

  /** So {@code SHOW PROCEDURES} has every key with its type and default. */
  @Test
  void descriptionsOfConfigurationsAreTheDeclaredKeys() {
    Map<String, String> described = new TreeMap<>();
    for (Map<String, Object> row :
        TestDatabase.rows(
            "SHOW PROCEDURES YIELD name, argumentDescription WHERE name STARTS WITH 'isomatch.' "
                + "RETURN *")) {
      for (Object argument : (List<?>) row.get("argumentDescription")) {
        if (((Map<?, ?>) argument).get("name").equals("config")) {
          String text = (String) ((Map<?, ?>) argument).get("description");
          described.put((String) row.get("name"), text);
        }
      }
    }
    Map<String, String> declared = new TreeMap<>();
    ProcedureClasses.KEYS.forEach(
        (name, keys) ->
            declared.put(
                name,
                keys.stream().map(Key::signature).collect(Collectors.joining(", ", "{", "}"))));
    assertThat(described).isEqualTo(declared);
  }

  @Test
  void everyClassOfProceduresIsListed() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target/classes/org/isomatch/procedures"))) {
      List<String> names =
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".class") && !name.contains("$"))
              .toList();
      assertThat(names).contains("Help.class");
      for (String name : names) {
        Class<?> one = load(name.replace(".class", ""));
        assertThat(ProcedureClasses.ALL.contains(one))
            .as(one.getName())
            .isEqualTo(!Entry.all(List.of(one)).isEmpty());
      }
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(ProcedureClasses.class.getPackageName() + "." + name);
    } catch (ClassNotFoundException error) {
      throw new AssertionError(error);
    }
  }
}
