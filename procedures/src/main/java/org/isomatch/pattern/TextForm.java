package org.isomatch.pattern;

/**
 * The short text form, for people and command lines.
 *
 * <pre>
 * (?film:film)-[directed by]-("Michael Mann") return ?film
 *
 * pattern := path ("," path)* ["return" "?"id ("," "?"id)*]
 * path    := node (edge node)*
 * node    := "(" inner ")"
 * inner   := "?" [id] [":" words] | [id] quoted [":" words]
 * edge    := "-[" label "]-" | "-[" label "]->" | "<-[" label "]-"
 * label   := [words] [":" inner]
 * </pre>
 *
 * <p>White space is free. {@code words} are bare or quoted. A node that stands alone in a path is
 * mentioned elsewhere too; it gives the node its place in the order. The {@code inner} of a label
 * is the edge's value. Bare words of a relation may hold colons: one begins the value where a
 * question mark, a quote, or an id, white space and a quote follow.
 */
final class TextForm {
  /** Of a name without quotes, as much as a message repeats. */
  private static final int SHOWN = 40;

  private static final String ENDS_NAME = "()[]:\"'\\\n“”";

  /** What a label holds: a relation, null for an unknown one, and a value, null for none. */
  record Label(String relation, Mention value) {}

  private TextForm() {}

  /** The pattern that a text in the short form describes. */
  static Pattern parse(String text) {
    Scanner scanner = new Scanner(text, Pattern.EXAMPLE);
    Draft draft = new Draft(scanner);
    if (scanner.next() >= 0) {
      path(scanner, draft);
    }
    while (scanner.take(',')) {
      path(scanner, draft);
    }
    if (scanner.takeKeyword("return")) {
      do {
        asked(scanner, draft);
      } while (scanner.take(','));
    }
    if (scanner.next() >= 0) {
      throw scanner.error(
          "expected an edge, a comma, return or the end, found " + scanner.found());
    }
    return draft.pattern();
  }

  private static void path(Scanner scanner, Draft draft) {
    int here = draft.mention(node(scanner));
    while (scanner.next() == '-' || scanner.next() == '<') {
      int position = scanner.position();
      boolean backward = scanner.take('<');
      scanner.expect('-', "in the edge");
      Label label = label(scanner);
      scanner.expect('-', "after the relation");
      if (scanner.take('>') && backward) {
        throw scanner.error("the edge has an arrow at both ends; leave one out", position);
      }
      int there = draft.mention(node(scanner));
      int value = label.value == null ? -1 : draft.mention(label.value);
      int source = backward ? there : here;
      int target = backward ? here : there;
      draft.edge(source, label.relation, target, value, position);
      here = there;
    }
  }

  /** Reads a node in parentheses. */
  static Mention node(Scanner scanner) {
    scanner.next();
    int position = scanner.position();
    scanner.expect('(', "before a node");
    Mention mention = inner(scanner, position, ')', "([]\"\\");
    scanner.expect(')', "after the node");
    return mention;
  }

  /** Reads a relation in brackets, and the edge's value. */
  static Label label(Scanner scanner) {
    scanner.expect('[', "before the relation, which may be empty: -[]-");
    String relation =
        scanner.words(']', "[\"\\", "the relation", at -> beginsValue(scanner, at));
    Mention value = null;
    if (scanner.take(':')) {
      scanner.next();
      value = inner(scanner, scanner.position(), ']', "([\"\\").asValue();
    }
    scanner.expect(']', value == null ? "after the relation" : "after the value");
    return new Label(relation.isEmpty() ? null : relation, value);
  }

  private static Mention inner(Scanner scanner, int position, char closer, String forbidden) {
    String id;
    String name = null;
    if (scanner.take('?')) {
      id = scanner.word();
    } else {
      int start = scanner.position();
      id = scanner.word();
      if (!scanner.atQuote()) {
        throw unquoted(scanner, start);
      }
      name = scanner.quoted("the name", false);
    }
    String type = null;
    if (scanner.take(':')) {
      type = scanner.words(closer, forbidden, "the type", at -> false);
      if (type.isEmpty()) {
        throw scanner.error(
            "the type is missing after the colon; leave the colon out for any type");
      }
    }
    return new Mention(id.isEmpty() ? null : id, name, type, position, false);
  }

  private static PatternException unquoted(Scanner scanner, int start) {
    String text = scanner.text();
    int end = start;
    while (end < text.length() && ENDS_NAME.indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String bare = Characters.first(text.substring(start, end), SHOWN);
    String id = Slug.of(bare);
    if (id.isEmpty()) {
      return scanner.error("expected ?id or a \"name\" in the node, found " + scanner.found());
    }
    return scanner.error(
        "a name needs quotes, an unknown node a question mark: (\"%s\") or (?%s)"
            .formatted(Characters.strip(Excerpt.plain(bare)), id),
        start);
  }

  /** Whether an edge's value begins here, with a colon. */
  private static boolean beginsValue(Scanner scanner, int at) {
    if (scanner.text().charAt(at) != ':') {
      return false;
    }
    Scanner ahead = scanner.from(at + 1);
    if (ahead.next() == '?' || ahead.atQuote()) {
      return true;
    }
    boolean id = !ahead.word().isEmpty();
    int end = ahead.position();
    return id && ahead.atQuote() && ahead.position() > end;
  }

  private static void asked(Scanner scanner, Draft draft) {
    scanner.next();
    int position = scanner.position();
    scanner.expect('?', "and the id of an unknown node after return");
    String id = scanner.word();
    if (id.isEmpty()) {
      throw scanner.error("expected an id after ?, found " + scanner.found());
    }
    draft.asked(id, position);
  }
}
