package org.isomatch.reference;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.isomatch.config.Key;

/** The reference of procedures and functions, in Markdown. */
final class Reference {
  private static final String BEGIN = "<!-- generated: the reference, by ReferenceTest -->\n";
  private static final String END = "<!-- generated: end -->\n";

  private Reference() {}

  /** A page with the part between its markers written anew. */
  static String rewritten(String page, List<Entry> entries) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IllegalStateException("the page needs the lines " + BEGIN + END);
    }
    Map<List<Key<?>>, String> described = new HashMap<>();
    String tables =
        entries.stream().map(entry -> of(entry, described)).collect(Collectors.joining("\n"));
    return page.substring(0, begin + BEGIN.length()) + "\n" + tables + "\n" + page.substring(end);
  }

  /**
   * @param described by keys that have a table, the name of the procedure that it stands at
   */
  private static String of(Entry entry, Map<List<Key<?>>, String> described) {
    StringBuilder text = new StringBuilder();
    text.append("### %s\n\n%s\n\n".formatted(entry.name(), entry.description()));
    text.append("```text\n%s\n```\n".formatted(entry.signature()));
    if (!entry.parameters().isEmpty()) {
      text.append("\n| parameter | type | default | meaning |\n|---|---|---|---|\n");
      for (Entry.Value value : entry.parameters()) {
        String fallback = value.fallback() == null ? "" : code(quoted(value));
        String meaning =
            value.name().equals("config") ? "See the configuration below." : value.description();
        text.append(row(code(value.name()), code(value.type()), fallback, meaning));
      }
    }
    String first = described.putIfAbsent(entry.keys(), entry.name());
    text.append(
        first == null || entry.keys().isEmpty()
            ? keys(entry.keys())
            : "\nIts config keys are those of `%s`.\n".formatted(first));
    if (entry.kind().equals("procedure")) {
      text.append("\n| yields | type | meaning |\n|---|---|---|\n");
      for (Entry.Value value : entry.yields()) {
        text.append(row(code(value.name()), code(value.type()), value.description()));
      }
    }
    return text.toString();
  }

  private static String keys(List<Key<?>> keys) {
    String rows =
        keys.stream()
            .map(
                key ->
                    row(
                        code(key.name()),
                        code(key.type()),
                        code(fallback(key)),
                        key.expected(),
                        key.meaning()))
            .collect(Collectors.joining());
    return rows.isEmpty()
        ? ""
        : "\n| config key | type | default | value | meaning |\n|---|---|---|---|---|\n" + rows;
  }

  private static String fallback(Key<?> key) {
    Object value = key.fallback();
    return value instanceof Map<?, ?> map && map.isEmpty()
        ? "{}"
        : value instanceof String ? "'" + value + "'" : String.valueOf(value);
  }

  private static String quoted(Entry.Value value) {
    return value.type().equals("STRING") ? "'" + value.fallback() + "'" : value.fallback();
  }

  private static String code(String text) {
    return "`" + text + "`";
  }

  private static String row(String... cells) {
    return "| "
        + List.of(cells).stream()
            .map(cell -> cell.replace("|", "\\|"))
            .collect(Collectors.joining(" | "))
        + " |\n";
  }
}
