package org.isomatch.pattern;

import java.util.Arrays;

/** How messages show texts: the line of a place with a caret under it, and quotations. */
final class Excerpt {
  /** Characters shown on either side of the place: a terminal's width. */
  static final int REACH = 36;

  private static final int LONGEST_QUOTATION = 40;

  private Excerpt() {}

  /**
   * The error for a place in a text: the problem, the line with a caret, an example.
   *
   * @param offset of the place, in UTF-16 units
   * @param cause null for none
   */
  static PatternException error(
      String problem, String text, int offset, String example, Throwable cause) {
    int position = text.codePointCount(0, offset);
    int[] all = text.codePoints().toArray();
    int line = 1;
    int start = 0;
    for (int i = 0; i < position; i++) {
      if (all[i] == '\n') {
        line++;
        start = i + 1;
      }
    }
    int end = position;
    while (end < all.length && all[end] != '\n') {
      end++;
    }
    int first = Math.max(start, position - REACH);
    int last = Math.min(end, position + REACH);
    String before = (first > start ? "…" : "") + plain(Arrays.copyOfRange(all, first, position));
    String after = plain(Arrays.copyOfRange(all, position, last)) + (last < end ? "…" : "");
    String message =
        "%s (line %d, column %d)\n  %s%s\n  %s^\nA correct pattern: %s"
            .formatted(
                problem,
                line,
                position - start + 1,
                before,
                after,
                " ".repeat(Math.max(0, Columns.of(before))),
                example);
    return new PatternException(message, text, position, cause);
  }

  /** The text for a message: what could move the caret, or the terminal, is a space. */
  static String plain(String text) {
    return plain(text.codePoints().toArray());
  }

  private static String plain(int[] text) {
    StringBuilder plain = new StringBuilder();
    for (int c : text) {
      plain.appendCodePoint(Characters.isPrintable(c) ? c : ' ');
    }
    return plain.toString();
  }

  /** The text as a message quotes it: cut where it is long, with quotes and escapes of Python's. */
  static String shown(String text) {
    int[] all = text.codePoints().toArray();
    if (all.length > LONGEST_QUOTATION) {
      return quoted(Characters.first(text, LONGEST_QUOTATION - 1) + "…");
    }
    return quoted(text);
  }

  private static String quoted(String text) {
    char mark = text.contains("'") && !text.contains("\"") ? '"' : '\'';
    StringBuilder quoted = new StringBuilder().append(mark);
    text.codePoints()
        .forEach(
            c -> {
              if (c == mark || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (c == '\n') {
                quoted.append("\\n");
              } else if (c == '\r') {
                quoted.append("\\r");
              } else if (c == '\t') {
                quoted.append("\\t");
              } else if (Characters.isPrintable(c)) {
                quoted.appendCodePoint(c);
              } else {
                String form = c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x";
                quoted.append(form.formatted(c));
              }
            });
    return quoted.append(mark).toString();
  }
}
