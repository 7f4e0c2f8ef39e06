package org.isomatch.procedures;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.isomatch.config.Key;
import org.isomatch.config.Nearest;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

public final class Help {
  private static final String PREFIX = "isomatch.";

  @Context public Transaction transaction;

  public record Row(
      @Description("The full name.") String name,
      @Description("`procedure` or `function`.") String kind,
      @Description("Parameters with types and defaults, and what it gives.") String signature,
      @Description("What it does.") String description,
      @Description("Its config keys, as maps of `key`, `type`, `default`, `value`, `meaning`.")
          List<Map<String, Object>> config) {}

  @Procedure(name = "isomatch.help", mode = Mode.READ)
  @Description("What there is: each procedure and function whose name contains a text.")
  public Stream<Row> help(
      @Name(
              value = "name",
              defaultValue = "",
              description = "A part of the name, in any case; nothing for all of them.")
          String name) {
    // Every full name has "match" in it.
    String wanted = name == null ? "" : brief(name.toLowerCase(Locale.ROOT).strip());
    List<Row> all = new ArrayList<>();
    for (String kind : List.of("procedure", "function")) {
      String query = "SHOW %sS YIELD name, signature, description WHERE name STARTS WITH '%s'";
      try (Result rows = transaction.execute(query.formatted(kind, PREFIX))) {
        rows.forEachRemaining(row -> all.add(row(kind, row)));
      }
    }
    List<Row> found = all.stream().filter(row -> brief(row.name).contains(wanted)).toList();
    if (found.isEmpty()) {
      throw unknown(name, all.stream().map(Row::name).toList());
    }
    return found.stream();
  }

  private static Row row(String kind, Map<String, Object> shown) {
    String name = (String) shown.get("name");
    List<Key<?>> keys = ProcedureClasses.KEYS.getOrDefault(name, List.of());
    return new Row(
        name, kind, (String) shown.get("signature"), (String) shown.get("description"),
        keys.stream().map(Help::describe).toList());
  }

  private static Map<String, Object> describe(Key<?> key) {
    Map<String, Object> map = new HashMap<>(); // a default may be null
    map.put("key", key.name());
    map.put("type", key.type());
    map.put("default", key.fallback());
    map.put("value", key.expected());
    map.put("meaning", key.meaning());
    return map;
  }

  private static String brief(String name) {
    return name.replaceFirst("^isomatch(\\.|$)", "");
  }

  private static IllegalArgumentException unknown(String name, List<String> names) {
    String hint =
        Nearest.of(brief(name), names.stream().map(Help::brief).toList())
            .map("; did you mean 'isomatch.%s'?"::formatted)
            .orElse(".");
    return new IllegalArgumentException(
        "isomatch.help: nothing has '%s' in its name%s There are %s"
            .formatted(name, hint, String.join(", ", names)));
  }
}
