package org.isomatch.compare;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What a value is for comparisons, as Python's {@code isomatch.match.conditions} reads it: a text
 * that is a number or a date as a whole is that too.
 */
public final class Meaning {
  private static final int LONGEST = 64;
  private static final Pattern NUMBER =
      Pattern.compile("[+-]?(?:\\d{1,3}(?:,\\d{3})+|\\d+)(?:\\.\\d+)?(?:[eE][+-]?\\d{1,3})?");
  private static final List<String> MONTHS =
      List.of(
          "january", "february", "march", "april", "may", "june", "july", "august", "september",
          "october", "november", "december");
  private static final Pattern WORDED =
      Pattern.compile(
          "(?:(\\d{1,2})(?:st|nd|rd|th)? )?([a-z]{3,9})\\.?(?: (\\d{1,2})(?:st|nd|rd|th)?)?,?"
              + " (\\d{4})");
  /** Two numbers and a year, of which nobody says here which number is the day. */
  private static final Pattern OTHER_DATE =
      Pattern.compile("\\d{1,2}([/.-])\\d{1,2}\\1\\d{4}(?:[ T,].*)?");

  enum Kind { TEXT, NUMBER, DATE, BOOLEAN, OTHER }

  final Kind kind;
  final String text;
  /** Each null where it is none. */
  final BigDecimal number;
  final Period period;
  final Boolean truth;

  private String normal;

  private Meaning(Kind kind, String text, BigDecimal number, Period period, Boolean truth) {
    this.kind = kind;
    this.text = text;
    this.number = number;
    this.period = period;
    this.truth = truth;
  }

  /** Of a property's value, as Neo4j's API gives it. */
  public static Meaning of(Object value) {
    String text = String.valueOf(value);
    if (value instanceof String || value instanceof Character) {
      return ofText(text);
    } else if (value instanceof Number number) {
      return new Meaning(Kind.NUMBER, text, exact(number), null, null);
    } else if (value instanceof Boolean truth) {
      return new Meaning(Kind.BOOLEAN, text, null, null, truth);
    } else if (value instanceof LocalDate day) {
      return new Meaning(Kind.DATE, text, null, Period.of(day), null);
    } else if (value instanceof LocalDateTime moment) {
      return new Meaning(
          Kind.DATE, text, null, Period.of(moment.toInstant(ZoneOffset.UTC)), null);
    } else if (value instanceof ZonedDateTime moment) {
      return new Meaning(Kind.DATE, text, null, Period.of(moment.toInstant()), null);
    }
    return new Meaning(Kind.OTHER, text, null, null, null);
  }

  /** Of a text, such as a constant of a pattern. */
  public static Meaning ofText(String text) {
    String plain = text.strip();
    String lower = plain.toLowerCase(Locale.ROOT);
    if (plain.length() > LONGEST) {
      return new Meaning(Kind.TEXT, text, null, null, null);
    }
    if (lower.equals("true") || lower.equals("false")) {
      return new Meaning(Kind.TEXT, text, null, null, Boolean.valueOf(lower));
    }
    Period period = Period.parse(plain);
    return new Meaning(
        Kind.TEXT, text, number(plain), period == null ? worded(lower) : period, null);
  }

  /** The number that a text is as a whole; null for none. */
  public static BigDecimal number(String text) {
    return NUMBER.matcher(text).matches() ? new BigDecimal(text.replace(",", "")) : null;
  }

  /** Whether it can be less or greater than others: a number or a time. */
  public boolean isOrdered() {
    return number != null || period != null;
  }

  /** Whether it is a text such as {@code 29/08/2017}, which is not read as a date. */
  public boolean isOtherDate() {
    return kind == Kind.TEXT && !isOrdered() && OTHER_DATE.matcher(text.strip()).matches();
  }

  @Override
  public String toString() {
    return text;
  }

  String normal() {
    normal = normal == null ? NormalForm.of(text) : normal;
    return normal;
  }

  private static BigDecimal exact(Number number) {
    if (number instanceof Float || number instanceof Double) {
      double value = number.doubleValue();
      return Double.isFinite(value) ? new BigDecimal(Double.toString(value)) : null;
    }
    return BigDecimal.valueOf(number.longValue());
  }

  /** As in "July 1, 1995", "1 July 1995" and "Jul 1995". */
  private static Period worded(String lower) {
    Matcher date = WORDED.matcher(String.join(" ", lower.split("\\s+")));
    if (!date.matches() || (date.group(1) != null && date.group(3) != null)) {
      return null;
    }
    String name = date.group(2);
    int month =
        1 + IntStream.range(0, 12)
            .filter(m -> name.equals(MONTHS.get(m)) || name.equals(MONTHS.get(m).substring(0, 3)))
            .findFirst()
            .orElse(-1);
    String day = date.group(1) == null ? date.group(3) : date.group(1);
    String year = date.group(4);
    return Period.parse(
        day == null
            ? "%s-%02d".formatted(year, month)
            : "%s-%02d-%02d".formatted(year, month, Integer.parseInt(day)));
  }
}
