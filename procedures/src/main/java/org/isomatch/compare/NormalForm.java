package org.isomatch.compare;

import java.lang.Character.UnicodeBlock;
import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The form in which equal texts are equal, as Python's {@code normalise}. */
final class NormalForm {
  private static final int LONGEST = 8192;
  private static final Pattern APOSTROPHES = Pattern.compile("['’ʼ`´]");
  private static final Pattern SEPARATORS = Pattern.compile("[\\p{P}\\p{Z}\\p{C}\\s]+");
  /** Whose marks are accents and points; others make other letters. */
  private static final Set<UnicodeBlock> ACCENTS =
      Set.of(
          UnicodeBlock.COMBINING_DIACRITICAL_MARKS,
          UnicodeBlock.COMBINING_DIACRITICAL_MARKS_EXTENDED,
          UnicodeBlock.COMBINING_DIACRITICAL_MARKS_SUPPLEMENT,
          UnicodeBlock.COMBINING_HALF_MARKS, UnicodeBlock.HEBREW, UnicodeBlock.ARABIC);

  private NormalForm() {}

  /** Without case, accents, apostrophes and punctuation; a text of nothing else is itself. */
  static String of(String text) {
    if (text.codePointCount(0, text.length()) > LONGEST) {
      return text;
    }
    StringBuilder bare = new StringBuilder();
    Normalizer.normalize(folded(text), Form.NFKD)
        .codePoints()
        .filter(c -> !isAccent(c))
        .forEach(bare::appendCodePoint);
    String folded = folded(Normalizer.normalize(bare, Form.NFKC));
    String plain = APOSTROPHES.matcher(folded).replaceAll("");
    plain = SEPARATORS.matcher(plain).replaceAll(" ").strip();
    return !plain.isEmpty() ? plain : folded.isBlank() ? text.strip() : folded.strip();
  }

  /** Without case, letter by letter: no letter depends on its place in a word. */
  static String folded(String text) {
    StringBuilder folded = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              String upper = Character.toString(c).toUpperCase(Locale.ROOT);
              if (c == 'ı') { // its capital is that of another letter
                upper = "ı";
              }
              upper.codePoints().map(Character::toLowerCase).forEach(folded::appendCodePoint);
            });
    return folded.toString();
  }

  private static boolean isAccent(int c) {
    return Character.getType(c) == Character.NON_SPACING_MARK
        && ACCENTS.contains(UnicodeBlock.of(c));
  }
}
