package org.isomatch.pattern;

import java.util.List;

/**
 * The word of a list that is nearest to a misspelled one, by the measure of Ratcliff and Obershelp
 * (Dr. Dobb's Journal, July 1988): twice the letters in common blocks over all letters. Python's
 * {@code difflib} has the same, so that both sides suggest the same word.
 */
final class CloseMatch {
  /** Less alike than this, a word is no suggestion. */
  private static final double LEAST = 0.6;

  private CloseMatch() {}

  /** The nearest of the words, of equals the last in the alphabet; null where none is near. */
  static String of(String written, List<String> words) {
    String best = null;
    double most = LEAST;
    int length = written.codePointCount(0, written.length());
    for (String word : words) {
      double ratio = 2.0 * common(word, written) / (word.length() + length);
      if (ratio > most || ratio == most && (best == null || word.compareTo(best) > 0)) {
        best = word;
        most = ratio;
      }
    }
    return best;
  }

  /** Letters in the longest common block, and in those on either side of it. */
  private static int common(String a, String b) {
    int longest = 0;
    int startA = 0;
    int startB = 0;
    for (int i = 0; i < a.length(); i++) {
      for (int j = 0; j < b.length(); j++) {
        int length = 0;
        while (i + length < a.length()
            && j + length < b.length()
            && a.charAt(i + length) == b.charAt(j + length)) {
          length++;
        }
        if (length > longest) {
          longest = length;
          startA = i;
          startB = j;
        }
      }
    }
    return longest == 0
        ? 0
        : longest
            + common(a.substring(0, startA), b.substring(0, startB))
            + common(a.substring(startA + longest), b.substring(startB + longest));
  }
}
