package org.isomatch.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The name that was probably meant. */
public final class Nearest {
  private Nearest() {}

  /**
   * The name with the least edit distance (Levenshtein), where it is near enough to be meant. Case
   * and separators do not count, so that {@code kNodes} is {@code k_nodes}.
   */
  public static Optional<String> of(String given, Collection<String> names) {
    String wanted = plain(given);
    // Two letters that changed places are two edits; of one letter nothing would be left.
    int most = Math.min(Math.max(2, wanted.length() / 3), wanted.length() - 1);
    return names.stream()
        .filter(name -> distance(wanted, plain(name)) <= most)
        .min(Comparator.comparingInt(name -> distance(wanted, plain(name))));
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[_\\-\\s]", "");
  }

  private static int distance(String left, String right) {
    int[] above = new int[right.length() + 1];
    for (int j = 0; j < above.length; j++) {
      above[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int[] row = new int[above.length];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1;
        row[j] = Math.min(above[j - 1] + changed, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[right.length()];
  }
}
