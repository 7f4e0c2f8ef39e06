package org.isomatch.candidates;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names of relationship types, property keys and labels as words. */
public final class Words {
  private static final Pattern SEPARATORS = Pattern.compile("[_\\-.]+");
  private static final Pattern HUMPS =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

  private Words() {}

  /** As words: {@code ACTED_IN} and {@code actedIn} become "acted in". */
  public static String of(String name) {
    String parted = SEPARATORS.matcher(name).replaceAll(" ");
    parted = HUMPS.matcher(parted).replaceAll(" ").strip().replaceAll("\\s+", " ");
    return parted.isEmpty() ? name : parted.toLowerCase(Locale.ROOT);
  }
}
