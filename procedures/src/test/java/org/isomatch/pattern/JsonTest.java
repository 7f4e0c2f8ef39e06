package org.isomatch.pattern;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The places are those that Python's {@code json} gives. */
class JsonTest {
  @Test
  void valuesAreThoseOfCypher() throws Json.SyntaxException {
    String numbers = " [0, -1, 123456789012345678, 1234567890123456789, 1.5e-2, -0.0, 1E+2]\n";
    assertThat(Json.read(numbers))
        .isEqualTo(
            List.of(0L, -1L, 123456789012345678L, 1234567890123456789d, 0.015, -0.0, 100.0));
    String object =
        "{\"a\": [true, false, {}, []], \"a\\n\": \"\\u00e9\\/\\ud83d\\ude00\"}";
    assertThat(Json.read(object))
        .isEqualTo(
            Map.of("a", List.of(true, false, Map.of(), List.of()), "a\n", "é/\ud83d\ude00"));
    assertThat(Json.read("{\"a\": 1, \"b\": null, \"a\": 2}")).hasToString("{a=2, b=null}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "¦", "[¦", "[1, ¦]", "[0¦1]", "[¦-]", "[1¦.]", "[1¦e+]", "[¦nul]", "[¦+1]", "[1] ¦2",
        "[1]¦\u0000", "{¦1: 2}", "{\"a\" ¦1}", "{\"a\": 1¦]", "[¦\"a]", "[¦\"a\\", "¦\u00a0[]",
        "[\"a¦\tb\"]", "[\"a¦\\x\"]", "[\"\\¦u12\"]", "[\"\\¦u00\u06632\"]", "[1 ¦2]", "[1¦"
      })
  void whatIsNoJsonIsRefusedAtItsPlace(String marked) {
    int place = marked.indexOf('¦');
    assertThatThrownBy(() -> Json.read(marked.replace("¦", "")))
        .isInstanceOfSatisfying(
            Json.SyntaxException.class, e -> assertThat(e.offset()).isEqualTo(place));
  }
}
