package org.isomatch.compare;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A stretch of time, in seconds since 1970 in UTC: from its start to before its end. */
record Period(BigDecimal start, BigDecimal end) {
  private static final BigDecimal MINUTE = BigDecimal.valueOf(60);
  private static final BigDecimal INSTANT = BigDecimal.ONE.movePointLeft(9);
  private static final Pattern ISO =
      Pattern.compile(
          "(?<year>-?\\d{4,})(?:-(?<month>\\d\\d)(?:-(?<day>\\d\\d)(?:[T ](?<hour>\\d\\d)"
              + ":(?<minute>\\d\\d)(?::(?<second>\\d\\d(?:\\.\\d+)?))?)?"
              + "(?:Z|(?<sign>[+-])(?<hours>\\d\\d):(?<minutes>\\d\\d))?)?)?");

  static Period of(Instant moment) {
    BigDecimal start =
        BigDecimal.valueOf(moment.getEpochSecond()).add(BigDecimal.valueOf(moment.getNano(), 9));
    return new Period(start, start.add(INSTANT));
  }

  static Period of(LocalDate day) {
    return new Period(midnight(day), midnight(day.plusDays(1)));
  }

  /** The time that a text in ISO 8601 means; null where it is none, or no such date exists. */
  static Period parse(String text) {
    Matcher iso = ISO.matcher(text);
    if (!iso.matches()) {
      return null;
    }
    try {
      int year = Integer.parseInt(iso.group("year"));
      if (iso.group("month") == null) {
        return new Period(
            midnight(LocalDate.of(year, 1, 1)), midnight(LocalDate.of(year + 1, 1, 1)));
      }
      YearMonth month = YearMonth.of(year, number(iso, "month"));
      if (iso.group("day") == null) {
        return new Period(midnight(month.atDay(1)), midnight(month.plusMonths(1).atDay(1)));
      }
      LocalDate day = LocalDate.of(year, month.getMonth(), number(iso, "day"));
      return iso.group("hour") == null ? of(day) : moment(midnight(day), iso);
    } catch (DateTimeException | NumberFormatException noDate) {
      return null;
    }
  }

  /** A time without seconds is its whole minute, one without a zone is UTC. */
  private static Period moment(BigDecimal midnight, Matcher iso) {
    int minutes = number(iso, "hour") * 60 + number(iso, "minute");
    if (iso.group("sign") != null) {
      int offset = number(iso, "hours") * 60 + number(iso, "minutes");
      minutes += iso.group("sign").equals("-") ? offset : -offset;
    }
    BigDecimal start = midnight.add(BigDecimal.valueOf(minutes * 60L));
    String second = iso.group("second");
    return second == null
        ? new Period(start, start.add(MINUTE))
        : new Period(start.add(new BigDecimal(second)), start.add(new BigDecimal(second)).add(INSTANT));
  }

  private static int number(Matcher iso, String group) {
    return Integer.parseInt(iso.group(group));
  }

  private static BigDecimal midnight(LocalDate day) {
    return BigDecimal.valueOf(day.toEpochDay() * 86_400);
  }

  boolean endsBefore(BigDecimal moment) {
    return end.compareTo(moment) <= 0;
  }

  boolean beginsFrom(BigDecimal moment) {
    return start.compareTo(moment) >= 0;
  }
}
