package org.isomatch.pattern;

import java.util.function.IntPredicate;
import org.isomatch.pattern.PatternBuilder.Mention;
import org.isomatch.pattern.PatternBuilder.MentionedEdge;
import org.isomatch.pattern.PatternBuilder.Returned;

/**
 * Parses the text syntax.
 *
 * <pre>
 * (?film:film)-[directed by]-("Michael Mann") return ?film
 *
 * pattern := path ("," path)* clauses ["return" "?"id ("," "?"id)*]
 * path    := node (edge node)*
 * node    := "(" inner ["{" words ":" value ("," words ":" value)* "}"] ")"
 * inner   := "?" [id] [":" words] | [id] quoted [":" words]
 * edge    := "-[" label "]-" | "-[" label "]->" | "<-[" label "]-"
 * label   := [words] [":" value | "{" words ":" value "}"]
 * value   := inner | number | "true" | "false"
 * </pre>
 *
 * <p>White space is free. {@code words} are bare or quoted. A node that stands alone in a path is
 * mentioned elsewhere too; it gives the node its place in the order. The words in braces name the
 * property that the value is of; those in the braces of a node are relations, from it to a value
 * each. Bare words of a relation may hold colons: one begins the value if white space, a question
 * mark, a quote, or an id and a quote follow. What {@code clauses} are says {@link ClauseParser}.
 */
final class TextParser {
  /** Of a name without quotes, as much as a message repeats. */
  private static final int SHOWN = 40;

  /** Where bare words of a relation end, and a value begins. */
  private static final java.util.regex.Pattern VALUE =
      java.util.regex.Pattern.compile(
          "(?U):(?:[\\s\\x1c-\\x1f?\"']|[\\p{L}\\p{N}_]+[\\s\\x1c-\\x1f]+[\"'])|\\{");

  private static final String ENDS_NAME = "()[]{}:\"'\\\n“”";

  private final Scanner scanner;
  private final PatternBuilder builder;
  private final ClauseParser clauses;

  private TextParser(Scanner scanner, boolean nested) {
    this.scanner = scanner;
    builder = new PatternBuilder(scanner::error);
    clauses =
        new ClauseParser(
            scanner, builder, nested, () -> new TextParser(scanner, true).pattern());
  }

  static Pattern parse(String text) {
    Scanner scanner = new Scanner(text);
    PatternBuilder builder = new TextParser(scanner, false).pattern();
    if (scanner.next() >= 0) {
      throw scanner.error("expected an edge, a comma, return or the end, found " + scanner.found());
    }
    return builder.build(-1);
  }

  private PatternBuilder pattern() {
    if (scanner.next() >= 0 && scanner.next() != '}') {
      path();
    }
    while (scanner.take(',')) {
      path();
    }
    clauses.clauses();
    if (scanner.takeKeyword("return")) {
      do {
        returned();
      } while (scanner.take(','));
    }
    clauses.refuseOrder();
    return builder;
  }

  private void path() {
    Mention here = node();
    while (scanner.next() == '-' || scanner.next() == '<') {
      here = edge(here);
    }
  }

  /** Reads an edge and the node at its end, which is returned. */
  private Mention edge(Mention here) {
    int position = scanner.position();
    boolean backward = scanner.take('<');
    scanner.expect('-', "in the edge");
    scanner.expect('[', "before the relation, which may be empty: -[]-");
    boolean isBare = !scanner.atQuote();
    int start = scanner.position();
    String relation = scanner.words(']', "[\"\\", "the relation", at -> scanner.isAt(VALUE, at));
    if (isBare && relation.contains(":") && relation.contains(" ")) {
      throw scanner.error(
          "a colon in the words: quote them, or the value that it begins",
          scanner.text().indexOf(':', start));
    }
    String key = scanner.take('{') ? key() : null;
    Mention value = null;
    if (key != null || scanner.take(':')) {
      scanner.next();
      value = inner(scanner.position(), key == null ? ']' : '}', "([\"\\", true, at -> false);
    }
    if (key != null) {
      if (scanner.next() == ',') {
        throw scanner.error("an edge has one value: leave the others out");
      }
      scanner.expect('}', "after the value");
    }
    scanner.expect(']', value == null ? "after the relation" : "after the value");
    scanner.expect('-', "after the relation");
    boolean forward = scanner.take('>');
    if (forward && backward) {
      throw scanner.error("the edge has an arrow at both ends; leave one out", position);
    }
    Mention there = node();
    if (value != null) {
      builder.add(value); // after both ends: order gives ids
    }
    builder.edges.add(
        new MentionedEdge(
            backward ? there : here, relation.isEmpty() ? null : relation, backward ? here : there,
            value, position, forward || backward, key));
    return there;
  }

  /** Reads the property before a value, and its colon. */
  private String key() {
    String key = scanner.words(':', "[]{}\"\\", "the property", at -> false);
    if (key.isEmpty()) {
      throw scanner.error("the property is missing, as in {stars: ?x}");
    }
    scanner.expect(':', "after the property");
    return key;
  }

  private Mention node() {
    scanner.next();
    int position = scanner.position();
    scanner.expect('(', "before a node");
    Mention mention =
        builder.add(inner(position, ')', "([]\"\\", false, at -> scanner.text().charAt(at) == '{'));
    if (scanner.take('{')) {
      do {
        property(mention);
      } while (scanner.take(','));
      scanner.expect('}', "after the value, or a comma before the next property");
    }
    scanner.expect(')', "after the node");
    return mention;
  }

  /** Reads a property in the braces of a node: an edge to its value. */
  private void property(Mention node) {
    boolean isMissing = scanner.next() == '}' || scanner.next() == ',';
    String relation =
        isMissing ? "" : scanner.words(':', "[]{}\"\\", "the property", at -> false);
    if (relation.isEmpty()) {
      throw scanner.error("the property is missing, as in {year: 1995, genre: \"noir\"}");
    }
    scanner.expect(':', "after the property");
    scanner.next();
    int position = scanner.position();
    Mention value =
        inner(position, '}', "([]\"\\", true, at -> scanner.text().charAt(at) == ',');
    // A value is a node like others: two things of one year have the same one.
    Mention there =
        builder.add(new Mention(value.id(), value.text(), value.type(), position, false));
    builder.edges.add(new MentionedEdge(node, relation, there, null, position, true, null));
  }

  private Mention inner(
      int position, char closer, String forbidden, boolean isValue, IntPredicate stop) {
    String id;
    String name = null;
    if (scanner.take('?')) {
      id = scanner.word();
    } else {
      int start = scanner.position();
      name = isValue ? scanner.match(Scanner.PLAIN) : null;
      id = name == null ? scanner.word() : "";
      name = name == null ? scanner.match(Scanner.IDENTITY) : name;
      if (name == null) {
        if (!scanner.atQuote()) {
          throw unquoted(start);
        }
        name = scanner.quoted("the name");
      }
    }
    String type = null;
    if (scanner.take(':')) {
      type = scanner.words(closer, forbidden, "the type", stop);
      if (type.isEmpty()) {
        throw scanner.error(
            "the type is missing after the colon; leave the colon out for any type");
      }
    }
    return new Mention(id.isEmpty() ? null : id, name, type, position, isValue);
  }

  private PatternException unquoted(int start) {
    String text = scanner.text();
    int end = start;
    while (end < text.length() && ENDS_NAME.indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String bare = Scanner.first(text.substring(start, end), SHOWN);
    String id = PatternBuilder.slug(bare);
    if (id.isEmpty()) {
      return scanner.error("expected ?id or a \"name\" in the node, found " + scanner.found());
    }
    return scanner.error(
        "a name needs quotes, an unknown node a question mark: (\"%s\") or (?%s)"
            .formatted(Scanner.printable(bare).strip(), id),
        start);
  }

  private void returned() {
    clauses.refuseFunctions();
    scanner.next();
    int position = scanner.position();
    scanner.expect('?', "and the id of an unknown node after return");
    String id = scanner.word();
    if (id.isEmpty()) {
      throw scanner.error("expected an id after ?, found " + scanner.found());
    }
    builder.returns.add(new Returned(id, position));
  }
}
