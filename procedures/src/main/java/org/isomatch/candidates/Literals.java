package org.isomatch.candidates;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.isomatch.compare.Meaning;

/** The property values that a text of a pattern can mean. */
final class Literals {
  private static final int LONGEST = 64;

  private static final List<Function<String, Object>> TEMPORAL =
      List.of(LocalDate::parse, LocalDateTime::parse, ZonedDateTime::parse);

  private Literals() {}

  /** The text itself, and the number, truth value, date or moment that it is written as. */
  static List<Object> of(String text) {
    List<Object> found = new ArrayList<>();
    found.add(text);
    String plain = text.strip();
    if (plain.length() > LONGEST) {
      return found;
    }
    BigDecimal exact = Meaning.number(plain);
    if (exact != null) {
      found.add(number(exact));
    }
    String lower = plain.toLowerCase(Locale.ROOT);
    if (lower.equals("true") || lower.equals("false")) {
      found.add(Boolean.valueOf(lower));
    }
    for (Function<String, Object> parse : TEMPORAL) {
      try {
        found.add(parse.apply(plain));
      } catch (DateTimeParseException another) {
        continue;
      }
    }
    return found;
  }

  private static Object number(BigDecimal exact) {
    try {
      return exact.longValueExact();
    } catch (ArithmeticException noWholeNumber) {
      return exact.doubleValue();
    }
  }
}
