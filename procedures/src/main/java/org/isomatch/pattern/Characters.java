package org.isomatch.pattern;

import java.util.ArrayList;
import java.util.List;

/**
 * Classes of characters as Python has them, so that both sides read a text alike. They follow the
 * Unicode version of the Java that runs, and may so differ for the newest characters.
 */
final class Characters {
  private static final int LETTERS_AND_NUMBERS =
      1 << Character.UPPERCASE_LETTER
          | 1 << Character.LOWERCASE_LETTER
          | 1 << Character.TITLECASE_LETTER
          | 1 << Character.MODIFIER_LETTER
          | 1 << Character.OTHER_LETTER
          | 1 << Character.DECIMAL_DIGIT_NUMBER
          | 1 << Character.LETTER_NUMBER
          | 1 << Character.OTHER_NUMBER;
  private static final int UNPRINTABLE =
      1 << Character.CONTROL
          | 1 << Character.FORMAT
          | 1 << Character.SURROGATE
          | 1 << Character.PRIVATE_USE
          | 1 << Character.UNASSIGNED
          | 1 << Character.SPACE_SEPARATOR
          | 1 << Character.LINE_SEPARATOR
          | 1 << Character.PARAGRAPH_SEPARATOR;

  private Characters() {}

  /** White space: {@code str.isspace}. All of it is in the basic plane. */
  static boolean isSpace(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == 0x85;
  }

  /** A letter, a number of any kind, or an underscore: {@code \w}. */
  static boolean isWord(int c) {
    return c == '_' || isAlphanumeric(c);
  }

  /** A letter or a number of any kind: {@code str.isalnum}. */
  static boolean isAlphanumeric(int c) {
    return (LETTERS_AND_NUMBERS >> Character.getType(c) & 1) != 0;
  }

  /** What a terminal shows without being moved by it: {@code str.isprintable}. */
  static boolean isPrintable(int c) {
    return c == ' ' || (UNPRINTABLE >> Character.getType(c) & 1) == 0;
  }

  /** Whether a text has half a surrogate pair, which no encoding can hold. */
  static boolean hasHalfPair(String text) {
    return text.codePoints().anyMatch(c -> Character.getType(c) == Character.SURROGATE);
  }

  /** The UTF-16 unit of four hexadecimal digits; -1 where they do not stand there. */
  static int codeUnit(String text, int start) {
    int unit = 0;
    for (int i = start; i < start + 4; i++) {
      boolean ascii = i < text.length() && text.charAt(i) < 0x80;
      int digit = ascii ? Character.digit(text.charAt(i), 16) : -1;
      if (digit < 0) {
        return -1;
      }
      unit = 16 * unit + digit;
    }
    return unit;
  }

  /** The text without white space at its ends. */
  static String strip(String text) {
    String ended = stripEnd(text);
    int start = 0;
    while (start < ended.length() && isSpace(ended.charAt(start))) {
      start++;
    }
    return ended.substring(start);
  }

  /** The text without white space at its end. */
  static String stripEnd(String text) {
    int end = text.length();
    while (end > 0 && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end);
  }

  /** The parts of a text that white space separates. */
  static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i == text.length() || isSpace(text.charAt(i))) {
        if (i > start) {
          parts.add(text.substring(start, i));
        }
        start = i + 1;
      }
    }
    return parts;
  }

  /** The first code points of a text. */
  static String first(String text, int length) {
    return text.codePointCount(0, text.length()) <= length
        ? text
        : text.substring(0, text.offsetByCodePoints(0, length));
  }
}
