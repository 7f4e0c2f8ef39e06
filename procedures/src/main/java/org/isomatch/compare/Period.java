package org.isomatch.compare;

import java.math.BigDecimal;
import java.math.BigInteger;
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
  private static final BigInteger YEARS = BigInteger.valueOf(400);
  private static final BigInteger SECONDS = BigInteger.valueOf(146_097L * 86_400); // of as many
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
      // The calendar comes again every 400 years, and a text may name any year.
      BigInteger[] year = new BigInteger(iso.group("year")).divideAndRemainder(YEARS);
      int within = year[1].intValue() + (year[1].signum() < 0 ? 400 : 0);
      BigInteger cycles = year[0].subtract(year[1].signum() < 0 ? BigInteger.ONE : BigInteger.ZERO);
      Period period = parse(within, iso);
      BigDecimal shift = new BigDecimal(cycles.multiply(SECONDS));
      return new Period(period.start.add(shift), period.end.add(shift));
    } catch (DateTimeException noDate) {
      return null;
    }
  }

  private static Period parse(int year, Matcher iso) {
    if (iso.group("month") == null) {
      return new Period(
          midnight(LocalDate.of(year, 1, 1)), midnight(LocalDate.of(year + 1, 1, 1)));
    }
    YearMonth month = YearMonth.of(year, number(iso, "month"));
    if (iso.group("day") == null) {
      return new Period(midnight(month.atDay(1)), midnight(month.plusMonths(1).atDay(1)));
    }
    LocalDate day = month.atDay(number(iso, "day"));
    return iso.group("hour") == null ? of(day) : moment(midnight(day), iso);
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
    if (second == null) {
      return new Period(start, start.add(MINUTE));
    }
    BigDecimal exact = start.add(new BigDecimal(second));
    return new Period(exact, exact.add(INSTANT));
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
