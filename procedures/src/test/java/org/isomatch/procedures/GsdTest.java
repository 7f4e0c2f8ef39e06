package org.isomatch.procedures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.isomatch.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GsdTest {
  private static Object gsd(String arguments) {
    return TestDatabase.rows("RETURN isomatch.gsd(" + arguments + ") AS gsd").get(0).get("gsd");
  }

  @Test
  void itIsTheSumOfDistancesOfVectorsOfLengthOne() {
    assertThat((Double) gsd("[[1, 0], [0.0, 2.5]], [[0, 3], [0, 1]]"))
        .isCloseTo(Math.sqrt(2), within(1e-12));
    assertThat((Double) gsd("[[1, 0], [3, 4]], [[-1, 0], [4, 3]]"))
        .isCloseTo(2 + Math.sqrt(2 * 0.2 * 0.2), within(1e-12));
    assertThat(gsd("[], []")).isEqualTo(0.0);
  }

  @Test
  void anUnknownPartAddsNothing() {
    assertThat(gsd("[null, [1, 0]], [[0, 3], [2, 0]]")).isEqualTo(0.0);
    assertThat(gsd("[[1, 0]], [null]")).isEqualTo(0.0);
  }

  @Test
  void weightsAreFactors() {
    assertThat((Double) gsd("[[1], [1]], [[-1], [-1]], [1.0, 0.25]")).isEqualTo(2.5);
  }

  @Test
  void whereAListIsNullSoIsTheResult() {
    assertThat(gsd("null, []")).isNull();
    assertThat(gsd("[], [], null")).isNull();
  }

  @Test
  void vectorsOfNodesAreTaken() {
    TestDatabase.empty();
    TestDatabase.write("CREATE (:A {v: [0.0, 2.0]})");

    assertThat(
            TestDatabase.rows("MATCH (a:A) RETURN isomatch.gsd([a.v], [[0, 1]]) AS gsd")
                .get(0)
                .get("gsd"))
        .isEqualTo(0.0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[[1]], []|right must be as long as left, 1, not 0",
        "[[1]], [[1]], [1.0, 1.0]|weights must be as long as left, 1, not 2",
        "[[1]], [[1]], [-1.0]|weights[0] must be a number from 0 on, not -1.0 (number)",
        "[[1, 2]], [[1]]|right[0] must have as many numbers as left[0], 2, not 1",
        "[[1], 'v'], [[1], [1]]"
            + "|left[1] must be a list of numbers, not all 0, or null, not 'v' (text)",
        "[[1]], [[0]]|right[0] must be a list of numbers, not all 0, or null, not [0] (list)",
        "[['a']], [[0]]|left[0] must be a list of numbers, not all 0, or null, not [a] (list)"
      })
  void whatDoesNotFitIsRefusedWithItsPlace(String arguments, String message) {
    assertThatThrownBy(() -> gsd(arguments)).hasMessageContaining("isomatch.gsd: " + message);
  }
}
