package org.isomatch.candidates;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WordsTest {
  @ParameterizedTest
  @CsvSource({
    "ACTED_IN,acted in",
    "actedIn,acted in",
    "acted-in,acted in",
    "acted.in,acted in",
    "HTTPServer,http server",
    "Movie,movie",
    "born2Run,born2 run",
    "__,__"
  })
  void namesOfTheSchemaAreWords(String name, String words) {
    assertThat(Words.of(name)).isEqualTo(words);
  }

  @Test
  void aTextMeansItselfAndTheValueThatItIsWrittenAs() {
    assertThat(Literals.of("Heat")).containsExactly("Heat");
    assertThat(Literals.of("1995")).containsExactly("1995", 1995L);
    assertThat(Literals.of("1,995.50")).containsExactly("1,995.50", 1995.5);
    assertThat(Literals.of("2.0")).containsExactly("2.0", 2L);
    assertThat(Literals.of("1e400")).containsExactly("1e400", Double.POSITIVE_INFINITY);
    assertThat(Literals.of("True")).containsExactly("True", true);
    assertThat(Literals.of("1995-12-15")).containsExactly("1995-12-15", LocalDate.of(1995, 12, 15));
    assertThat(Literals.of("1995-12-15T20:00:00"))
        .containsExactly("1995-12-15T20:00:00", LocalDateTime.of(1995, 12, 15, 20, 0));
    assertThat(Literals.of("1995-12-15T20:00:00Z"))
        .containsExactly("1995-12-15T20:00:00Z", ZonedDateTime.parse("1995-12-15T20:00:00Z"));
  }
}
