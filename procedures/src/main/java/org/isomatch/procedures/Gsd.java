package org.isomatch.procedures;

import java.util.List;
import org.isomatch.candidates.Vectors;
import org.isomatch.config.ConfigException;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.UserFunction;

/** {@code isomatch.gsd}. */
public final class Gsd {
  private static final String NAME = "isomatch.gsd";

  /**
   * The graph semantic distance of two isomorphic graphs (SimGRAG, arXiv 2412.15272, equation 3).
   *
   * @param left vectors, any length; null where the part is unknown
   * @param right as many, in the same order
   * @param weights a factor for each pair; empty for 1
   * @return the sum of L2 distances between the L2-normalised vectors; null where a list is null
   */
  @UserFunction(NAME)
  @Description(
      "Graph semantic distance: the sum of the L2 distances between L2-normalised vectors, pair by "
          + "pair; a pair with a null adds 0.")
  public Double gsd(
      @Name(value = "left", description = "A vector for each part; null for an unknown one.")
          List<Object> left,
      @Name(value = "right", description = "As many, in the same order.") List<Object> right,
      @Name(
              value = "weights",
              defaultValue = "[]",
              description = "A factor for each pair; none for 1.")
          List<Double> weights) {
    if (left == null || right == null || weights == null) {
      return null;
    }
    if (left.size() != right.size()) {
      throw wrong("right must be as long as left, %d, not %d", left.size(), right.size());
    }
    if (!weights.isEmpty() && weights.size() != left.size()) {
      throw wrong("weights must be as long as left, %d, not %d", left.size(), weights.size());
    }
    double sum = 0;
    for (int i = 0; i < left.size(); i++) {
      if (left.get(i) != null && right.get(i) != null) {
        sum += weight(weights, i) * distance(left.get(i), right.get(i), i);
      }
    }
    return sum;
  }

  private static double weight(List<Double> weights, int i) {
    Double weight = weights.isEmpty() ? Double.valueOf(1) : weights.get(i);
    if (weight == null || !Double.isFinite(weight) || weight < 0) {
      throw wrong(
          "weights[%d] must be a number from 0 on, not %s", i, ConfigException.shown(weight));
    }
    return weight;
  }

  private static double distance(Object left, Object right, int i) {
    List<Double> one = vector("left", left, i);
    List<Double> other = vector("right", right, i);
    if (one.size() != other.size()) {
      throw wrong(
          "right[%d] must have as many numbers as left[%d], %d, not %d",
          i, i, one.size(), other.size());
    }
    return Vectors.distance(one, other);
  }

  private static List<Double> vector(String side, Object given, int i) {
    List<Double> numbers = Vectors.read(given);
    if (numbers == null) {
      throw wrong(
          "%s[%d] must be a list of numbers, not all 0, or null, not %s",
          side, i, ConfigException.shown(given));
    }
    return numbers;
  }

  private static IllegalArgumentException wrong(String message, Object... values) {
    return new IllegalArgumentException(NAME + ": " + message.formatted(values));
  }
}
