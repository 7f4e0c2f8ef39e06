package org.isomatch.pattern;

import java.text.Normalizer;
import java.util.Locale;

/** Readable ids. */
final class Slug {
  private static final int LENGTH = 40;

  private Slug() {}

  /**
   * A readable id for a text: its letters and digits, lower case, without accents ("Beyoncé
   * Knowles-Carter" gives beyonce_knowles_carter). Empty where the text has neither.
   */
  static String of(String text) {
    String lower = Characters.first(text, 4 * LENGTH).toLowerCase(Locale.ROOT);
    StringBuilder bare = new StringBuilder();
    Normalizer.normalize(lower, Normalizer.Form.NFKD)
        .codePoints()
        .filter(c -> Character.getType(c) != Character.NON_SPACING_MARK)
        .forEach(bare::appendCodePoint);
    StringBuilder words = new StringBuilder();
    Normalizer.normalize(bare, Normalizer.Form.NFC)
        .codePoints()
        .map(c -> Characters.isAlphanumeric(c) ? c : '_')
        .filter(c -> c != '_' || !endsOpen(words))
        .forEach(words::appendCodePoint);
    String cut = Characters.first(words.toString(), LENGTH);
    return cut.endsWith("_") ? cut.substring(0, cut.length() - 1) : cut;
  }

  /** Whether nothing is written yet, or an underscore last: where another would be too many. */
  private static boolean endsOpen(CharSequence words) {
    return words.isEmpty() || words.charAt(words.length() - 1) == '_';
  }
}
