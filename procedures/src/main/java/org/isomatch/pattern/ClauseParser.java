package org.isomatch.pattern;

import java.time.DateTimeException;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import org.isomatch.compare.Comparison;

/**
 * Parses what follows the paths of a pattern, and refuses what is Cypher's own.
 *
 * <pre>
 * clauses := ["where" (group ("and" group)* | either)] ("without" braces)*
 * group   := cond | "(" either ")"
 * either  := cond ("or" cond)*
 * cond    := "?"id op constant | "?"id "in" "(" constant ("," constant)* ")"
 *          | "?"id "between" constant "and" constant | "?"id compare "?"id
 *          | ids "not" "in" braces
 * ids     := "?"id | "(" "?"id ("," "?"id)* ")"
 * braces  := "{" pattern "}"
 * </pre>
 */
final class ClauseParser {
  static final java.util.regex.Pattern CONSTANT =
      java.util.regex.Pattern.compile(
          "(?U)(?:-?[0-9]+(?:\\.[0-9]+)?|-?[0-9]{4,}-[0-9]{2}(?:-[0-9]{2}(?:T[0-9:.]+Z?)?)?|true"
              + "|false)(?![\\p{L}\\p{N}_.-])");

  private static final Map<String, String> CYPHERS =
      Map.of(
          "count", "RETURN count(DISTINCT bindings.x)", "sum", "RETURN sum(bindings.x)", "avg",
          "RETURN avg(bindings.x)", "min", "RETURN min(bindings.x)", "max",
          "RETURN max(bindings.x)", "ask", "RETURN count(bindings.x) > 0", "order",
          "ORDER BY bindings.x DESC LIMIT 1", "limit", "LIMIT 1", "offset", "SKIP 1", "optional",
          "OPTIONAL MATCH (x)-[:TYPE]->(y)");

  private static final java.util.regex.Pattern DAY =
      java.util.regex.Pattern.compile("([0-9]{4})-([0-9]{2})(?:-([0-9]{2}))?.*");
  private static final java.util.regex.Pattern OPERATOR =
      java.util.regex.Pattern.compile(
          "(?Ui)<=|>=|!=|=|<|>|(?:between|in|contains|starts\\s+with|not\\s+in)"
              + "(?![\\p{L}\\p{N}_])");
  private static final java.util.regex.Pattern SEVERAL =
      java.util.regex.Pattern.compile("(?U)\\(\\s*\\?[\\p{L}\\p{N}_]*\\s*[,)]");

  private final Scanner scanner;
  private final PatternBuilder builder;
  private final boolean nested;
  private final Supplier<PatternBuilder> inner;

  /**
   * Reads into a builder.
   *
   * @param nested whether the pattern stands in braces
   * @param inner reads the paths and clauses of a pattern in braces
   */
  ClauseParser(
      Scanner scanner, PatternBuilder builder, boolean nested, Supplier<PatternBuilder> inner) {
    this.scanner = scanner;
    this.builder = builder;
    this.nested = nested;
    this.inner = inner;
  }

  void clauses() {
    if (scanner.takeKeyword("where")) {
      group(true);
      while (scanner.takeKeyword("and")) {
        group(false);
      }
      refuseMixed("or");
    }
    scanner.next();
    int position = scanner.position();
    while (scanner.takeKeyword("without")) {
      without(position);
      scanner.next();
      position = scanner.position();
    }
    refuse("optional");
  }

  /** Refuses what is worked out of all matches, if it comes next. */
  void refuseFunctions() {
    refuse("count", "sum", "avg", "min", "max", "ask");
  }

  void refuseOrder() {
    refuse("order", "limit", "offset");
  }

  private void refuse(String... keywords) {
    scanner.next();
    int position = scanner.position();
    for (String keyword : keywords) {
      if (scanner.takeKeyword(keyword)) {
        throw scanner.error(isCyphers(keyword), position);
      }
    }
  }

  /** That a key or keyword is not searched here, and what to write instead. */
  static String isCyphers(String key) {
    return "%s is Cypher's own here: leave it out of the pattern, and write %s behind YIELD"
        .formatted(key, CYPHERS.getOrDefault(key, CYPHERS.get("count")));
  }

  private void group(boolean alone) {
    scanner.next();
    int position = scanner.position();
    boolean bracket = !scanner.isAt(SEVERAL, position) && scanner.take('(');
    List<Condition> found = new ArrayList<>();
    do {
      condition(found);
    } while ((bracket || alone) && !found.isEmpty() && scanner.takeKeyword("or"));
    if (bracket) {
      scanner.expect(')', "after the conditions, or another or");
    } else if (found.size() > 1) {
      refuseMixed("and");
    }
    if (!found.isEmpty()) {
      Condition first = found.get(0);
      List<Condition> others = found.subList(1, found.size());
      builder.where(
          new Condition(first.node(), first.comparison(), first.values(), first.other(), others),
          position);
    }
  }

  private void refuseMixed(String keyword) {
    scanner.next();
    int position = scanner.position();
    if (scanner.takeKeyword(keyword)) {
      throw scanner.error(
          "and beside or needs parentheses, as in (?x < 3 or ?x > 5) and ?y = 2", position);
    }
  }

  /** Reads a condition into a list, or {@code not in} into the builder. */
  private void condition(List<Condition> found) {
    boolean several = scanner.next() == '(';
    int position = scanner.position();
    refuse("count", "sum", "avg", "min", "max");
    List<String> nodes = new ArrayList<>();
    if (several) {
      scanner.expect('(', "before several nodes");
      do {
        nodes.add(unknown("a condition, as in (?x, ?y) not in { … }"));
      } while (scanner.take(','));
      scanner.expect(')', "after the nodes");
    } else {
      nodes.add(unknown("a condition, as in ?year > 2000"));
    }
    String operator = scanner.match(OPERATOR);
    if (operator == null) {
      throw scanner.error(
          "expected a comparison after ?%s (%s), found %s"
              .formatted(
                  nodes.get(0), String.join(", ", Comparison.symbols(false)), scanner.found()));
    }
    operator = operator.toLowerCase(Locale.ROOT).replaceAll("(?U)\\s+", " ");
    boolean excludes = operator.equals("not in");
    if (excludes && found.isEmpty()) {
      exclude(nodes, braces("after not in"), position);
      return;
    }
    if (scanner.next() == '{' || several || excludes) {
      throw scanner.error(
          "of patterns in braces only without { … } and not in { … } are searched here, and not"
              + " beside or: write the rest in Cypher behind YIELD, as in WHERE EXISTS { … }",
          position);
    }
    Comparison comparison = Comparison.of(operator);
    boolean two = scanner.next() == '?';
    String other = two ? unknown("a condition, as in ?x != ?y") : null;
    List<String> values = two ? List.of() : values(comparison);
    found.add(new Condition(nodes.get(0), comparison, values, other, List.of()));
  }

  private List<String> values(Comparison comparison) {
    List<String> values = new ArrayList<>();
    boolean listed = comparison == Comparison.IN && scanner.take('(');
    do {
      values.add(constant());
    } while (listed && scanner.take(','));
    if (listed) {
      scanner.expect(')', "after the values of in");
    }
    if (comparison == Comparison.BETWEEN) {
      if (!scanner.takeKeyword("and")) {
        throw scanner.error(
            "expected and after the first value of between, found " + scanner.found());
      }
      values.add(constant());
    }
    return values;
  }

  private String constant() {
    String bare = scanner.match(CONSTANT);
    if (bare != null && !exists(bare)) {
      throw scanner.error(bare + " is no date that exists; in quotes it is a text");
    }
    if (bare == null && !scanner.atQuote()) {
      throw scanner.error(
          "expected a number, a date (1995-07-01), true, false or a text in quotes, found "
              + scanner.found());
    }
    return bare == null ? scanner.quoted("the value") : bare;
  }

  /** Whether a constant is no date, or one of the calendar. */
  private static boolean exists(String constant) {
    Matcher day = DAY.matcher(constant);
    try {
      return !day.matches()
          || YearMonth.of(Integer.parseInt(day.group(1)), Integer.parseInt(day.group(2)))
              .isValidDay(day.group(3) == null ? 1 : Integer.parseInt(day.group(3)));
    } catch (DateTimeException noMonth) {
      return false;
    }
  }

  private void without(int position) {
    PatternBuilder within = braces("after without");
    if (!within.returns.isEmpty()) {
      throw scanner.error(
          "in without nothing is returned, counted or ordered: leave that out, or write ?x not in"
              + " { … return ?x }",
          position);
    }
    List<String> shared =
        within.unknownIds().stream().filter(builder.unknownIds()::contains).toList();
    if (shared.isEmpty()) {
      throw scanner.error(
          "without shares no unknown node with the pattern before it: use an id of that, as in"
              + " (?s)-[r]-(?x) without { (?s)-[q]-(\"X\") }",
          position);
    }
    shared.forEach(id -> within.returns.add(new PatternBuilder.Returned(id, position)));
    exclude(shared, within, position);
  }

  private void exclude(List<String> nodes, PatternBuilder within, int position) {
    builder.without(new Without(nodes, within.build(scanner.position() - 1)), position);
  }

  private PatternBuilder braces(String after) {
    scanner.next();
    int position = scanner.position();
    scanner.expect('{', "and a pattern " + after + ", as in ?x not in { … return ?x }");
    if (nested) {
      throw scanner.error(
          "a pattern in braces has none of its own here: write that in Cypher behind YIELD, as in"
              + " WHERE NOT EXISTS { … }",
          position);
    }
    PatternBuilder within = inner.get();
    if (scanner.next() < 0) {
      throw scanner.error("the brace opened here is not closed: } is missing", position);
    }
    scanner.expect('}', "after the pattern");
    return within;
  }

  private String unknown(String where) {
    scanner.expect('?', "and the id of an unknown node in " + where);
    return scanner.word();
  }
}
