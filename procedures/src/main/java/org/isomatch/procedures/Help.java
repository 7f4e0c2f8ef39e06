package org.isomatch.procedures;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.isomatch.config.Key;
import org.isomatch.config.Nearest;
import org.isomatch.reference.Entry;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;

/** {@code isomatch.help}. */
public final class Help {
  /** A procedure or function. */
  public record Row(
      @Description("The full name.") String name,
      @Description("`procedure` or `function`.") String kind,
      @Description("Parameters with types and defaults, and what it gives.") String signature,
      @Description("What it does.") String description,
      @Description("Its config keys, as maps of `key`, `type`, `default`, `value`, `meaning`.")
          List<Map<String, Object>> config) {}

  /**
   * @throws IllegalArgumentException where no name has the text in it
   */
  @Procedure(name = "isomatch.help", mode = Mode.READ)
  @Description("What there is: each procedure and function whose name contains a text.")
  public Stream<Row> help(
      @Name(
              value = "name",
              defaultValue = "",
              description = "A part of the name, in any case; nothing for all of them.")
          String name) {
    String wanted = name == null ? "" : name.toLowerCase(Locale.ROOT).strip();
    List<Entry> all = Entry.all(Doors.ALL);
    List<Entry> found = all.stream().filter(entry -> entry.name().contains(wanted)).toList();
    if (found.isEmpty()) {
      throw unknown(name, all.stream().map(Entry::name).toList());
    }
    return found.stream().map(Help::row);
  }

  private static Row row(Entry entry) {
    List<Map<String, Object>> config =
        StreamSupport.stream(entry.keys().spliterator(), false).map(Help::described).toList();
    return new Row(entry.name(), entry.kind(), entry.signature(), entry.description(), config);
  }

  private static Map<String, Object> described(Key<?> key) {
    Map<String, Object> map = new HashMap<>(); // a default may be null
    map.put("key", key.name());
    map.put("type", key.type());
    map.put("default", key.fallback());
    map.put("value", key.expected());
    map.put("meaning", key.meaning());
    return map;
  }

  private static IllegalArgumentException unknown(String name, List<String> names) {
    List<String> brief = names.stream().map(n -> n.substring("isomatch.".length())).toList();
    String wanted = name.startsWith("isomatch.") ? name.substring("isomatch.".length()) : name;
    String hint =
        Nearest.of(wanted, brief).map("; did you mean 'isomatch.%s'?"::formatted).orElse(".");
    return new IllegalArgumentException(
        "isomatch.help: nothing has '%s' in its name%s There are %s"
            .formatted(name, hint, String.join(", ", names)));
  }
}
