package org.isomatch.procedures;

import static org.isomatch.config.ConfigException.shown;

import java.util.List;
import org.isomatch.config.Release;
import org.isomatch.graph.Vectors;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.UserFunction;

/** {@code isomatch.gsd} and {@code isomatch.version}. */
public final class Functions {
  private static final String NAME = "isomatch.gsd";

  /** SimGRAG, arXiv 2412.15272, equation 3; null if a list is null. */
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
      if (left.get(i) == null || right.get(i) == null) {
        continue;
      }
      Double weight = weights.isEmpty() ? Double.valueOf(1) : weights.get(i);
      if (weight == null || !Double.isFinite(weight) || weight < 0) {
        throw wrong("weights[%d] must be a number from 0 on, not %s", i, shown(weight));
      }
      double[] one = vector("left", left.get(i), i);
      double[] other = vector("right", right.get(i), i);
      if (one.length != other.length) {
        throw wrong(
            "right[%d] must have as many numbers as left[%d], %d, not %d",
            i, i, one.length, other.length);
      }
      sum += weight * Vectors.distance(one, other);
    }
    return sum;
  }

  @UserFunction("isomatch.version")
  @Description("The plugin's version; it works with clients of the same major and minor version.")
  public String version() {
    return Release.VERSION;
  }

  private static double[] vector(String side, Object given, int i) {
    double[] numbers = Vectors.read(given);
    if (numbers == null) {
      throw wrong(
          "%s[%d] must be a list of numbers, not all 0, or null, not %s", side, i, shown(given));
    }
    return numbers;
  }

  private static IllegalArgumentException wrong(String message, Object... values) {
    return new IllegalArgumentException(NAME + ": " + message.formatted(values));
  }
}
