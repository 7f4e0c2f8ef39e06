package org.isomatch.pattern;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever is written, the answer is a pattern or a {@link PatternException}. */
class PatternFuzzTest {
  private static final int RUNS = 20_000;
  private static final List<String> PIECES =
      List.of(
          "(", ")", "[", "]", "{", "}", "-", "<", ">", "-[", "]-", "]->", "<-[", ",", ":", "?",
          "\"", "'", "\\", "\\u12", "\\ud83d", " ", "\n", "\u2028", "return", "UNKNOWN", "a", "1",
          "(?a)", "(\"b\")", "-[r: \"v\"]-(?a)", ": ?v]", "(\"a\", \"b\", \"c\")", "\"nodes\"",
          "null", "[[", "\ud800", "\udc00", "\ufeff", "\u0301", "名", "🎬", "“", "1e999");

  @Test
  void anyTextIsAPatternOrAPatternException() {
    List<String> good = goodTexts();
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    int refused = 0;
    for (int run = 0; run < RUNS; run++) {
      String text = mutated(good.get(random.nextInt(good.size())), random);
      try {
        PatternParser.parse(text);
      } catch (PatternException e) {
        refused++;
        assertThat(e).as("seed %d: %s", seed, text).hasMessageContaining("A correct pattern: ");
      } catch (RuntimeException | StackOverflowError e) {
        throw new AssertionError("seed %d: %s".formatted(seed, text), e);
      }
    }
    assertThat(refused).as("seed %d: some are refused, some are not", seed).isBetween(1, RUNS - 1);
  }

  /** Texts that no reader which calls itself for each character, or looks back, could hold. */
  @Test
  void longTextsAreReadOrRefused() {
    List<String> pieces =
        List.of("(", "[", "{", "\"", "\\", ":", ": ", " ", "[[", "(\"", "a", "(?a)", "(\"\\\\");
    for (String piece : pieces) {
      for (String start : List.of("", "(\"", "(?a)-[", "{\"a\":", "[[\"", "(UNKNOWN")) {
        String text = start + piece.repeat(50_000);
        try {
          PatternParser.parse(text);
          throw new AssertionError("taken for a pattern: " + start + piece);
        } catch (PatternException e) {
          assertThat(e.getMessage()).contains("A correct pattern: ");
        }
      }
    }
  }

  private static List<String> goodTexts() {
    List<String> texts = new ArrayList<>();
    for (Map<String, Object> vector : PatternVectors.of("good")) {
      texts.addAll(PatternVectors.texts(vector, "text"));
      texts.addAll(PatternVectors.texts(vector, "triples"));
    }
    return texts;
  }

  private static String mutated(String text, Random random) {
    StringBuilder mutated = new StringBuilder(text);
    for (int i = random.nextInt(4); i >= 0; i--) {
      int start = random.nextInt(mutated.length() + 1);
      int end = Math.min(mutated.length(), start + random.nextInt(4));
      String piece = random.nextBoolean() ? "" : PIECES.get(random.nextInt(PIECES.size()));
      mutated.replace(start, end, piece);
    }
    return mutated.toString();
  }
}
