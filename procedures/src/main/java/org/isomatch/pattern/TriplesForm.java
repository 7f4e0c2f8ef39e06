package org.isomatch.pattern;

import java.util.ArrayList;
import java.util.List;

/**
 * The triples of the SimGRAG prompts (arXiv 2412.15272, Tables 16 and 17).
 *
 * <pre>
 * [("UNKNOWN film 1", "directed by", "Michael Mann")] return UNKNOWN film 1
 * </pre>
 *
 * <p>An element is a text in quotes, of either kind:
 *
 * <pre>
 * UNKNOWN film 1     an unknown of the type film; its id is film_1
 * UNKNOWN film ?f    the same with the id f; without a type: UNKNOWN ?f
 * UNKNOWN film       its id is film; without a type: UNKNOWN 1, with the id unknown_1
 * UNKNOWN …, or ""   in the middle: an unknown relation
 * anything else      a name, or a relation's words
 * </pre>
 *
 * <p>A fourth element is the value on the edge. For what the papers have no words for, an element
 * may be written without quotes as in the {@linkplain TextForm short text form}: {@code ((a
 * "John"), ["knows"], (b "John":person))}, and {@code ((a "John"))} on its own gives a node its
 * place in the order.
 */
final class TriplesForm {
  private static final String TRIPLE = "(\"UNKNOWN film 1\", \"directed by\", \"Michael Mann\")";
  private static final String EXAMPLE = TRIPLE + " return UNKNOWN film 1";

  /** In capitals only: "Unknown" is the name of a film. */
  private static final String UNKNOWN = "UNKNOWN";

  private TriplesForm() {}

  /** The pattern that triples in the papers' form describe. */
  static Pattern parse(String text) {
    Scanner scanner = new Scanner(text, EXAMPLE);
    Draft draft = new Draft(scanner);
    boolean bracket = scanner.take('[');
    while (scanner.next() == '(') {
      triple(scanner, draft);
      scanner.take(',');
    }
    if (bracket) {
      scanner.expect(']', "after the last triple, or ( before the next");
    }
    if (scanner.takeKeyword("return")) {
      do {
        asked(scanner, draft);
      } while (scanner.take(','));
    }
    if (scanner.next() >= 0) {
      throw scanner.error(
          "expected a triple in ( ), return or the end, found " + scanner.found());
    }
    return draft.pattern();
  }

  /**
   * The pattern of a list of (head, relation, tail) or (head, relation, tail, value), where the
   * relation may be null for an unknown one. Its errors point into the list written as text.
   */
  static Pattern parse(List<?> triples) {
    List<String> rows = new ArrayList<>();
    for (Object triple : triples) {
      rows.add(written(triple, rows.size() + 1));
    }
    return parse(String.join(",\n", rows));
  }

  /** Whether a text is meant as triples rather than in the short form. */
  static boolean begins(String text) {
    Scanner scanner = new Scanner(text, EXAMPLE);
    if (scanner.take('[')) {
      return true;
    }
    if (!scanner.take('(')) {
      return false;
    }
    int next = scanner.next();
    if (next == '"' || next == '\'') {
      int end = endOfQuote(text, scanner.position());
      return end > 0 && scanner.from(end).next() == ',';
    }
    return next == '(' || isUnknownWord(text, scanner.position());
  }

  private static int endOfQuote(String text, int start) {
    for (int i = start + 1; i < text.length(); i++) {
      if (text.charAt(i) == text.charAt(start)) {
        return i + 1;
      }
      if (text.charAt(i) == '\\') {
        i++;
      }
    }
    return -1;
  }

  private static boolean isUnknownWord(String text, int start) {
    int end = start + UNKNOWN.length();
    return text.startsWith(UNKNOWN, start)
        && (end == text.length() || !Characters.isWord(text.codePointAt(end)));
  }

  private static void triple(Scanner scanner, Draft draft) {
    int position = scanner.position();
    scanner.expect('(', "before a triple");
    boolean alone = scanner.next() == '(';
    int source = draft.mention(element(scanner));
    if (alone && scanner.take(')')) {
      return;
    }
    scanner.expect(',', "after the first element");
    String relation = relation(scanner);
    scanner.expect(',', "after the relation");
    int target = draft.mention(element(scanner));
    int value = -1;
    if (scanner.take(',')) {
      value = draft.mention(element(scanner).asValue());
    }
    scanner.expect(')', value < 0 ? "after the third element" : "after the fourth element");
    draft.edge(source, relation, target, value, position);
  }

  private static String relation(Scanner scanner) {
    if (scanner.next() == '[') {
      int position = scanner.position();
      TextForm.Label label = TextForm.label(scanner);
      if (label.value() != null) {
        throw scanner.error("a value is the fourth element of a triple", position);
      }
      return label.relation();
    }
    String text = quoted(scanner, "the relation", true);
    return Characters.strip(text).isEmpty() || isUnknown(text) ? null : text;
  }

  private static Mention element(Scanner scanner) {
    if (scanner.next() == '(') {
      return TextForm.node(scanner);
    }
    int position = scanner.position();
    String text = quoted(scanner, "the element", false);
    if (!isUnknown(text)) {
      return new Mention(null, text, null, position, false);
    }
    Unknown unknown = unknown(text);
    if (unknown.id.isEmpty()) {
      throw scanner.error(
          "no id can be made of these words; write one at the end: ?x", position);
    }
    return new Mention(unknown.id, null, unknown.type, position, false);
  }

  private static String quoted(Scanner scanner, String what, boolean mayBeEmpty) {
    if (!scanner.atQuote()) {
      throw scanner.error("expected " + what + " in quotes, found " + scanner.found());
    }
    return scanner.quoted(what, mayBeEmpty);
  }

  private static void asked(Scanner scanner, Draft draft) {
    scanner.next();
    int position = scanner.position();
    if (scanner.take('?')) {
      draft.asked(scanner.word(), position);
      return;
    }
    String text = scanner.words(',', "", "the unknown to return", at -> false);
    if (!isUnknown(text)) {
      throw scanner.error(
          "return asks for unknown nodes: UNKNOWN film 1, or ?film_1", position);
    }
    draft.asked(unknown(text).id, position);
  }

  private static boolean isUnknown(String text) {
    List<String> words = Characters.split(text);
    return !words.isEmpty() && words.get(0).equals(UNKNOWN);
  }

  /** What an UNKNOWN … says; the id is empty where none can be made, the type null for any. */
  private record Unknown(String id, String type) {}

  private static Unknown unknown(String text) {
    List<String> words = Characters.split(text);
    words = words.subList(1, words.size());
    if (words.isEmpty()) {
      return new Unknown("unknown", null);
    }
    String last = words.get(words.size() - 1);
    String type = words.size() == 1 ? null : String.join(" ", words.subList(0, words.size() - 1));
    if (last.length() > 1
        && last.startsWith("?")
        && last.codePoints().skip(1).allMatch(Characters::isWord)) {
      return new Unknown(last.substring(1), type);
    }
    if (last.chars().allMatch(c -> c >= '0' && c <= '9')) {
      String stem = type == null ? "unknown" : Slug.of(type);
      return new Unknown(stem.isEmpty() ? "" : stem + "_" + last, type);
    }
    String all = String.join(" ", words);
    return new Unknown(Slug.of(all), all);
  }

  /** One of a list of triples as text. */
  private static String written(Object triple, int number) {
    List<?> parts = Patterns.asList(triple);
    List<String> texts = new ArrayList<>();
    for (int i = 0; parts != null && i < parts.size(); i++) {
      if (parts.get(i) instanceof String text) {
        texts.add(quote(text));
      } else if (i == 1 && parts.get(i) == null) {
        texts.add(quote(""));
      }
    }
    if (parts == null || parts.size() != texts.size() || texts.size() < 3 || texts.size() > 4) {
      throw new PatternException(
          "triple %d is not three texts, (head, relation, tail), or four with a value. A correct"
              .formatted(number)
              + " one: "
              + TRIPLE);
    }
    return "(" + String.join(", ", texts) + ")";
  }

  /** The text in double quotes, as {@link Scanner#quoted} reads it. */
  private static String quote(String text) {
    StringBuilder quoted = new StringBuilder().append('"');
    for (char c : text.toCharArray()) {
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\t' -> quoted.append("\\t");
        case '\r' -> quoted.append("\\r");
        default -> {
          boolean moves = Character.isISOControl(c) || c == '\u2028' || c == '\u2029';
          quoted.append(moves ? "\\u%04x".formatted((int) c) : Character.toString(c));
        }
      }
    }
    return quoted.append('"').toString();
  }
}
