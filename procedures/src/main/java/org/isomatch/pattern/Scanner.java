package org.isomatch.pattern;

import java.util.Locale;
import java.util.Map;
import java.util.function.IntPredicate;

/**
 * A position in a text: reads a pattern's text character by character, and points at what is wrong.
 * Offsets here are in UTF-16 units; errors tell code points.
 */
final class Scanner {
  private static final Map<Character, Character> ESCAPES =
      Map.of('"', '"', '\'', '\'', '\\', '\\', 'n', '\n', 't', '\t', 'r', '\r');

  private final String text;
  private final String example;
  private int position;

  /**
   * A scanner in a text.
   *
   * @param example a correct input of the same form, for messages
   * @param start offset of the first character to read
   */
  Scanner(String text, String example, int start) {
    this.text = text;
    this.example = example;
    this.position = start;
  }

  /** A scanner at the start of a text. */
  Scanner(String text, String example) {
    this(text, example, 0);
  }

  /** Another one, from a place of the same text on. */
  Scanner from(int start) {
    return new Scanner(text, example, start);
  }

  String text() {
    return text;
  }

  /** Offset of the next character to read. */
  int position() {
    return position;
  }

  /** The error at the current position. */
  PatternException error(String problem) {
    return error(problem, position);
  }

  /** The error at a position. */
  PatternException error(String problem, int at) {
    // Where something is missing at the end, the last line says so, not an empty one.
    int place = Math.min(at, Characters.stripEnd(text).length());
    return Excerpt.error(problem, text, place, example, null);
  }

  /** The next character after white space, not yet read; -1 at the end. */
  int next() {
    while (position < text.length() && Characters.isSpace(text.charAt(position))) {
      position++;
    }
    return position < text.length() ? text.codePointAt(position) : -1;
  }

  /** Whether a quote comes next. */
  boolean atQuote() {
    int next = next();
    return next == '"' || next == '\'';
  }

  /** Reads a mark if it comes next. */
  boolean take(char mark) {
    if (next() != mark) {
      return false;
    }
    position++;
    return true;
  }

  /** Reads a whole word, given in lower case, if it comes next in any case. */
  boolean takeKeyword(String keyword) {
    next();
    String word = text.substring(position, endOfWord(position));
    if (!word.toLowerCase(Locale.ROOT).equals(keyword)) {
      return false;
    }
    position += word.length();
    return true;
  }

  /** Reads a mark, or fails and says what it is for. */
  void expect(char mark, String purpose) {
    if (!take(mark)) {
      throw error("expected " + mark + " " + purpose + ", found " + found());
    }
  }

  /** What comes next, for a message. */
  String found() {
    int c = next();
    if (c < 0) {
      return "the end";
    }
    char meant = lookalike(c);
    if (meant != 0) {
      return "the typographic %c (write %c)".formatted(c, meant);
    }
    if (!Characters.isPrintable(c)) {
      return "U+%04X".formatted(c);
    }
    String word = text.substring(position, endOfWord(position));
    return word.isEmpty() ? Character.toString(c) : Characters.first(word, Excerpt.REACH);
  }

  /** Reads letters, digits and underscores; empty where there are none. */
  String word() {
    next();
    int start = position;
    position = endOfWord(start);
    return text.substring(start, position);
  }

  /**
   * Reads what stands before {@code closer}, quoted or bare, without reading {@code closer}. Bare
   * words lose outer and repeated white space, and end where {@code stop} says so of an offset; a
   * quoted text is kept as it is. Empty where nothing stands there.
   */
  String words(char closer, String forbidden, String what, IntPredicate stop) {
    if (atQuote()) {
      return quoted(what, false);
    }
    int start = position;
    while (position < text.length() && text.charAt(position) != closer && !stop.test(position)) {
      if (forbidden.indexOf(text.charAt(position)) >= 0) {
        throw error(
            what + " holds " + found() + ": put it in quotes, or end it with " + closer);
      }
      position++;
    }
    return String.join(" ", Characters.split(text.substring(start, position)));
  }

  /** Reads a text in double or single quotes, and undoes its escapes. */
  String quoted(String what, boolean mayBeEmpty) {
    int start = position;
    char mark = text.charAt(position++);
    StringBuilder result = new StringBuilder();
    while (true) {
      if (position >= text.length()) {
        throw error("the quote opened here is not closed: " + mark + " is missing", start);
      }
      char c = text.charAt(position);
      if (c == mark) {
        position++;
        break;
      }
      if (c == '\\') {
        result.append(escaped());
      } else {
        result.append(c);
        position++;
      }
    }
    if (!mayBeEmpty && Characters.strip(result.toString()).isEmpty()) {
      throw error(what + " is empty in its quotes", start);
    }
    return result.toString();
  }

  private String escaped() {
    int start = position;
    Character letter =
        start + 1 < text.length() ? ESCAPES.get(text.charAt(start + 1)) : null;
    if (letter != null) {
      position += 2;
      return letter.toString();
    }
    int unit = codeUnit();
    if (unit >= 0 && !Character.isSurrogate((char) unit)) {
      return Character.toString(unit);
    }
    if (unit >= 0 && Character.isHighSurrogate((char) unit)) {
      int low = codeUnit();
      if (low >= 0 && Character.isLowSurrogate((char) low)) {
        return Character.toString(Character.toCodePoint((char) unit, (char) low));
      }
    }
    throw error(
        "a backslash begins no escape here; the escapes are"
            + " \\\" \\' \\\\ \\n \\t \\r and \\uXXXX (a pair of them past FFFF)",
        start);
  }

  /** Reads a backslash, a u and four hexadecimal digits; -1 where they do not come next. */
  private int codeUnit() {
    int unit = text.startsWith("\\u", position) ? Characters.codeUnit(text, position + 2) : -1;
    position += unit < 0 ? 0 : 6;
    return unit;
  }

  private int endOfWord(int start) {
    int end = start;
    while (end < text.length() && Characters.isWord(text.codePointAt(end))) {
      end += Character.charCount(text.codePointAt(end));
    }
    return end;
  }

  /** The plain mark that a typographic one is meant as; 0 where it is none. */
  private static char lookalike(int c) {
    return switch (c) {
      case '“', '”', '„', '«', '»' -> '"';
      case '‘', '’', '‚' -> '\'';
      case '–', '—', '−' -> '-';
      default -> 0;
    };
  }
}
