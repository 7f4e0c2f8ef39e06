package org.isomatch.graph;

import java.util.Arrays;
import java.util.List;

/** Vectors as Cypher passes them. */
public final class Vectors {
  private Vectors() {}

  /** The numbers of a list or array; null if not finite numbers, empty, or all 0. */
  public static double[] read(Object given) {
    List<?> members = Value.members(given);
    if (members == null) {
      return null;
    }
    double[] numbers =
        members.stream()
            .mapToDouble(item -> item instanceof Number n ? n.doubleValue() : Double.NaN)
            .toArray();
    boolean finite = Arrays.stream(numbers).allMatch(Double::isFinite);
    return finite && length(numbers) > 0 ? numbers : null;
  }

  /** The L2 distance of two vectors of equal size, each L2-normalised first; 0 to 2. */
  public static double distance(double[] left, double[] right) {
    double leftLength = length(left);
    double rightLength = length(right);
    double sum = 0;
    for (int i = 0; i < left.length; i++) {
      double difference = left[i] / leftLength - right[i] / rightLength;
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  private static double length(double[] vector) {
    double sum = 0;
    for (double number : vector) {
      sum += number * number;
    }
    return Math.sqrt(sum);
  }
}
