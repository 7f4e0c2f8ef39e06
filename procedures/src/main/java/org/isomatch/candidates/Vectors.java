package org.isomatch.candidates;

import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.List;

/** Vectors as Cypher hands them over. */
public final class Vectors {
  private Vectors() {}

  /**
   * The numbers of a vector.
   *
   * @param given a list, or an array as properties are
   * @return null where it is no list of finite numbers, is empty, or has no direction (all are 0)
   */
  public static List<Double> read(Object given) {
    if (!(given instanceof List) && (given == null || !given.getClass().isArray())) {
      return null;
    }
    int size = given instanceof List<?> list ? list.size() : Array.getLength(given);
    List<Double> numbers = new ArrayList<>(size);
    boolean directed = false;
    for (int i = 0; i < size; i++) {
      Object item = given instanceof List<?> list ? list.get(i) : Array.get(given, i);
      if (!(item instanceof Number number) || !Double.isFinite(number.doubleValue())) {
        return null;
      }
      numbers.add(number.doubleValue());
      directed |= number.doubleValue() != 0;
    }
    return directed ? numbers : null;
  }

  /** The L2 distance of two vectors of equal size, each L2-normalised first; 0 to 2. */
  public static double distance(List<Double> left, List<Double> right) {
    double ofLeft = length(left);
    double ofRight = length(right);
    double sum = 0;
    for (int i = 0; i < left.size(); i++) {
      double difference = left.get(i) / ofLeft - right.get(i) / ofRight;
      sum += difference * difference;
    }
    return Math.sqrt(sum);
  }

  private static double length(List<Double> vector) {
    double sum = 0;
    for (double number : vector) {
      sum += number * number;
    }
    return Math.sqrt(sum);
  }
}
