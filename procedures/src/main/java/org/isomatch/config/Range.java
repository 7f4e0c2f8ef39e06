package org.isomatch.config;

import java.math.BigDecimal;

/**
 * Which numbers a key takes.
 *
 * @param least negative infinity for no bound
 * @param aboveLeast whether {@code least} itself is out
 * @param most positive infinity for no bound
 * @param belowMost whether {@code most} itself is out
 */
record Range(double least, boolean aboveLeast, double most, boolean belowMost) {
  static final Range ALL =
      new Range(Double.NEGATIVE_INFINITY, false, Double.POSITIVE_INFINITY, false);

  boolean holds(double value) {
    return (aboveLeast ? value > least : value >= least)
        && (belowMost ? value < most : value <= most);
  }

  /** As " from 1 on" or " above 0, below 1"; empty for all numbers. */
  String words() {
    boolean low = Double.isFinite(least);
    boolean high = Double.isFinite(most);
    String lower = (aboveLeast ? " above " : " from ") + shown(least, low);
    String upper = (belowMost ? " below " : " up to ") + shown(most, high);
    if (low && high) {
      return lower + "," + upper;
    }
    return low ? lower + (aboveLeast ? "" : " on") : high ? upper : "";
  }

  private static String shown(double bound, boolean finite) {
    return finite ? BigDecimal.valueOf(bound).stripTrailingZeros().toPlainString() : "";
  }
}
