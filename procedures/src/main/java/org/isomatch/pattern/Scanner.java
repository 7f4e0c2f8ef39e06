package org.isomatch.pattern;

import java.util.HexFormat;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.regex.Matcher;

/** A position in a pattern's text: reads it mark by mark, and reports errors with their place. */
final class Scanner {
  /** Characters of the line that an error shows on either side of the place. */
  private static final int CONTEXT = 36;

  /** An id of a node in angle brackets, as Python's {@code isomatch.pattern.identity}. */
  static final java.util.regex.Pattern IDENTITY =
      java.util.regex.Pattern.compile(
          "<([^<>\"{}|^`\\\\\\x00-\\x20]*:[^<>\"{}|^`\\\\\\x00-\\x20]*)>");

  /** A value on an edge that needs no quotes. */
  static final java.util.regex.Pattern PLAIN =
      java.util.regex.Pattern.compile(
          "(?U)(?:[-+]?[0-9]+(?:\\.[0-9]+)?|true|false)(?![\\p{L}\\p{N}_.]|[\\s\\x1c-\\x1f]*[\"'<])");

  private static final String ESCAPES = "\"'\\ntr";
  private static final String ESCAPED = "\"'\\\n\t\r";

  private final String text;
  private int position;

  Scanner(String text) {
    this.text = text;
  }

  static boolean isSpace(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
  }

  /** A letter, a number of any kind, or an underscore. */
  static boolean isWord(int c) {
    return c == '_'
        || Character.isLetterOrDigit(c)
        || Character.getType(c) == Character.LETTER_NUMBER
        || Character.getType(c) == Character.OTHER_NUMBER;
  }

  static String first(String text, int length) {
    return text.codePointCount(0, text.length()) <= length
        ? text
        : text.substring(0, text.offsetByCodePoints(0, length));
  }

  /** The text with control characters as spaces, so that a message stays on its line. */
  static String printable(String text) {
    return text.replaceAll("\\p{C}|\\p{Z}", " ");
  }

  PatternException error(String problem) {
    return error(problem, position);
  }

  /** The error at a position, -1 for the end: the problem, the line with a caret, an example. */
  PatternException error(String problem, int at) {
    int end = text.length();
    while (end > 0 && isSpace(text.charAt(end - 1))) {
      end--;
    }
    int place = at < 0 ? end : Math.min(at, end); // not on an empty line after the last word
    int start = text.lastIndexOf('\n', place - 1) + 1;
    int line = 1 + (int) text.substring(0, start).chars().filter(c -> c == '\n').count();
    int stop = text.indexOf('\n', place) < 0 ? text.length() : text.indexOf('\n', place);
    int from = Math.max(start, place - CONTEXT);
    int to = Math.min(stop, place + CONTEXT);
    String before = (from > start ? "…" : "") + printable(text.substring(from, place));
    String after = printable(text.substring(place, to)) + (to < stop ? "…" : "");
    return new PatternException(
        "%s (line %d, column %d)\n  %s%s\n  %s^\nA correct pattern: %s"
            .formatted(
                problem,
                line,
                text.codePointCount(start, place) + 1,
                before,
                after,
                " ".repeat(before.codePointCount(0, before.length())),
                Pattern.EXAMPLE));
  }

  /** Reads what matches a form if it comes next; null where nothing does. */
  String match(java.util.regex.Pattern form) {
    next();
    Matcher matcher = form.matcher(text).region(position, text.length()).useTransparentBounds(true);
    if (!matcher.lookingAt()) {
      return null;
    }
    position = matcher.end();
    return matcher.group();
  }

  /** What comes next, for a message. */
  String found() {
    int c = next();
    if (c < 0) {
      return "the end";
    }
    String plain =
        switch (c) {
          case '“', '”', '„', '«', '»' -> "\"";
          case '‘', '’', '‚' -> "'";
          case '–', '—', '−' -> "-";
          default -> "";
        };
    if (!plain.isEmpty()) {
      return "the typographic %c (write %s)".formatted(c, plain);
    }
    String one = Character.toString(c);
    if (!printable(one).equals(one)) {
      return "U+%04X".formatted(c);
    }
    String word = text.substring(position, endOfWord(position));
    return word.isEmpty() ? one : first(word, CONTEXT);
  }

  /** Whether a form begins at an offset. */
  boolean isAt(java.util.regex.Pattern form, int at) {
    return form.matcher(text).region(at, text.length()).lookingAt();
  }

  String text() {
    return text;
  }

  /** Offset of the next character, in UTF-16 units. */
  int position() {
    return position;
  }

  /** The next character after white space, which is skipped; -1 at the end. */
  int next() {
    while (position < text.length() && isSpace(text.charAt(position))) {
      position++;
    }
    return position < text.length() ? text.codePointAt(position) : -1;
  }

  boolean atQuote() {
    return next() == '"' || next() == '\'';
  }

  boolean take(char mark) {
    boolean isNext = next() == mark;
    position += isNext ? 1 : 0;
    return isNext;
  }

  /** Reads a whole word, given in lower case, if it comes next in any case. */
  boolean takeKeyword(String keyword) {
    next();
    String word = text.substring(position, endOfWord(position));
    boolean isNext = word.toLowerCase(Locale.ROOT).equals(keyword);
    position += isNext ? word.length() : 0;
    return isNext;
  }

  /** Reads a mark, or fails with what it is for. */
  void expect(char mark, String purpose) {
    if (!take(mark)) {
      throw error("expected " + mark + " " + purpose + ", found " + found());
    }
  }

  /** Reads letters, digits and underscores; empty if there are none. */
  String word() {
    next();
    int start = position;
    position = endOfWord(start);
    return text.substring(start, position);
  }

  /**
   * Reads the words before {@code closer}, quoted or bare, without reading {@code closer}. Bare
   * words lose outer and repeated white space, and end where {@code stop} holds for an offset; a
   * quoted text is kept as it is. Empty if there are none.
   */
  String words(char closer, String forbidden, String what, IntPredicate stop) {
    if (atQuote()) {
      return quoted(what);
    }
    int start = position;
    while (position < text.length() && text.charAt(position) != closer && !stop.test(position)) {
      if (forbidden.indexOf(text.charAt(position)) >= 0) {
        throw error(what + " holds " + found() + ": put it in quotes, or end it with " + closer);
      }
      position++;
    }
    return collapse(text.substring(start, position));
  }

  /** Reads a text in double or single quotes, and replaces its escapes. */
  String quoted(String what) {
    int start = position;
    char mark = text.charAt(position++);
    StringBuilder result = new StringBuilder();
    while (position < text.length() && text.charAt(position) != mark) {
      boolean escape = text.charAt(position) == '\\';
      result.append(escape ? escaped() : text.charAt(position++));
    }
    if (position == text.length()) {
      throw error("the quote opened here is not closed: " + mark + " is missing", start);
    }
    position++;
    if (result.codePoints().allMatch(Scanner::isSpace)) {
      throw error(what + " is empty in its quotes", start);
    }
    return result.toString();
  }

  private Object escaped() {
    int letter =
        position + 1 < text.length() ? ESCAPES.indexOf(text.charAt(position + 1)) : -1;
    if (letter >= 0) {
      position += 2;
      return ESCAPED.charAt(letter);
    }
    int unit = codeUnit(position);
    int low = codeUnit(position + 6);
    if (unit >= 0 && !Character.isSurrogate((char) unit)) {
      position += 6;
      return (char) unit;
    }
    if (unit >= 0 && low >= 0 && Character.isSurrogatePair((char) unit, (char) low)) {
      position += 12;
      return Character.toString(Character.toCodePoint((char) unit, (char) low));
    }
    throw error(
        "a backslash begins no escape here; the escapes are"
            + " \\\" \\' \\\\ \\n \\t \\r and \\uXXXX (a pair of them past FFFF)");
  }

  /** The code unit of an escape such as {@code \}{@code u00e9} at an offset; -1 for none. */
  private int codeUnit(int at) {
    try {
      return text.startsWith("\\u", at) ? HexFormat.fromHexDigits(text, at + 2, at + 6) : -1;
    } catch (IllegalArgumentException | IndexOutOfBoundsException notFourDigits) {
      return -1;
    }
  }

  private int endOfWord(int start) {
    int end = start;
    while (end < text.length() && isWord(text.codePointAt(end))) {
      end += Character.charCount(text.codePointAt(end));
    }
    return end;
  }

  private static String collapse(String words) {
    StringBuilder result = new StringBuilder();
    for (char c : words.toCharArray()) {
      boolean space = isSpace(c);
      if (!space || (!result.isEmpty() && result.charAt(result.length() - 1) != ' ')) {
        result.append(space ? ' ' : c);
      }
    }
    return result.toString().stripTrailing();
  }
}
