package org.isomatch.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigTest {
  private static final String NAME = "isomatch.match.stream";

  @Test
  void whatIsNotGivenHasItsDefault() {
    Config config = new Config(NAME, MatchKeys.ALL, Map.of());

    assertThat(config.get(MatchKeys.K)).isEqualTo(3);
    assertThat(config.get(MatchKeys.LIMIT)).isEqualTo(1000);
    assertThat(config.get(MatchKeys.NODES)).isEqualTo("distinct");
    assertThat(config.get(MatchKeys.K_NODES)).isNull();
    assertThat(config.get(MatchKeys.BUDGET_SECONDS)).isEqualTo(10.0);
    assertThat(config.get(MatchKeys.MEMORY)).isEqualTo(64 * 1024 * 1024);
    assertThat(config.get(MatchKeys.CANDIDATES)).isEmpty();
    assertThat(new Config(NAME, MatchKeys.ALL, null).get(MatchKeys.K)).isEqualTo(3);
  }

  @Test
  void whatIsGivenIsRead() {
    Map<String, Object> given = new HashMap<>();
    given.put("k", 5L);
    given.put("limit", 2.0);
    given.put("direction", "as written");
    given.put("type_weight", 2L);
    given.put("budget_seconds", null);
    given.put("summary", true);
    given.put("unknown_relations", List.of(":DIRECTED"));
    given.put("names", Map.of("Movie", "title"));

    Config config = new Config(NAME, MatchKeys.ALL, given);

    assertThat(config.get(MatchKeys.K)).isEqualTo(5);
    assertThat(config.get(MatchKeys.LIMIT)).isEqualTo(2);
    assertThat(config.get(MatchKeys.DIRECTION)).isEqualTo("as written");
    assertThat(config.get(MatchKeys.TYPE_WEIGHT)).isEqualTo(2.0);
    assertThat(config.get(MatchKeys.BUDGET_SECONDS)).isNull();
    assertThat(config.get(MatchKeys.SUMMARY)).isTrue();
    assertThat(config.get(MatchKeys.UNKNOWN_RELATIONS)).containsExactly(":DIRECTED");
    assertThat(config.get(MatchKeys.NAMES)).containsEntry("Movie", "title");
  }

  static Stream<Arguments> wrongValues() {
    return Stream.of(
        wrong("k", "three", "a whole number from 1 on, not 'three' (text)"),
        wrong("k", 0L, "a whole number from 1 on, not 0 (whole number)"),
        wrong("k", 1.5, "a whole number from 1 on, not 1.5 (number)"),
        wrong("k", 1e300, "a whole number from 1 on, not 1.0E300 (number)"),
        wrong("k", null, "a whole number from 1 on, not null"),
        wrong("k_nodes", -1L, "a whole number from 1 on, or null, not -1 (whole number)"),
        wrong("type_weight", Double.NaN, "a number from 0 on, not NaN (number)"),
        wrong("budget_seconds", 0L, "a number above 0, or null, not 0 (whole number)"),
        wrong("budget_seconds", true, "a number above 0, or null, not true (boolean)"),
        wrong(
            "nodes",
            "different",
            "one of 'distinct', 'anchored', 'repeat', not 'different' (text)"),
        wrong("summary", "yes", "true or false, not 'yes' (text)"),
        wrong("vector_index", "", "a text, or null, not '' (text)"),
        wrong("names", List.of("title"), "a map, or null, not [title] (list)"),
        wrong("candidates", "x".repeat(60), "a map, not '" + "x".repeat(39) + "…' (text)"),
        wrong("unknown_relations", List.of(1L), "a list of texts, or null, not [1] (list)"),
        wrong("unknown_relations", Map.of("a", 1L), "a list of texts, or null, not {a=1} (map)"));
  }

  private static Arguments wrong(String key, Object value, String rest) {
    return Arguments.of(key, value, rest);
  }

  @ParameterizedTest
  @MethodSource("wrongValues")
  void aWrongValueIsRefusedWithWhatFits(String key, Object value, String rest) {
    Map<String, Object> given = Collections.singletonMap(key, value);

    assertThatThrownBy(() -> new Config(NAME, MatchKeys.ALL, given))
        .isInstanceOf(ConfigException.class)
        .hasMessage("isomatch.match.stream: config key '%s' must be %s", key, rest);
  }

  @Test
  void anUnknownKeyIsRefusedWithTheNearestAndTheValidOnes() {
    List<Key<?>> keys = List.of(MatchKeys.K, MatchKeys.K_NODES, MatchKeys.LIMIT);

    assertThatThrownBy(() -> new Config(NAME, keys, Map.of("kNodes", 1L)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "isomatch.match.stream: unknown config key 'kNodes'; did you mean 'k_nodes'? "
                + "The keys are k, k_nodes, limit");
    assertThatThrownBy(() -> new Config(NAME, keys, Map.of("limti", 1L)))
        .hasMessageContaining("did you mean 'limit'?");
    assertThatThrownBy(() -> new Config(NAME, keys, Map.of("colour", 1L)))
        .hasMessage(
            "isomatch.match.stream: unknown config key 'colour'. The keys are k, k_nodes, limit");
  }

  @Test
  void rangesAreInWords() {
    Key<Double> share = Key.number("damping", 0.8);

    assertThat(share.expected()).isEqualTo("a number");
    assertThat(share.from(0).to(1).expected()).isEqualTo("a number from 0, up to 1");
    assertThat(share.above(0).below(1).expected()).isEqualTo("a number above 0, below 1");
    assertThat(share.to(0.5).expected()).isEqualTo("a number up to 0.5");
    assertThat(share.below(1).orNull().expected()).isEqualTo("a number below 1, or null");
  }

  @Test
  void aRangesEndsAreInOrOutAsItSays() {
    List<Key<?>> open = List.of(Key.number("damping", 0.8).above(0).below(1));
    List<Key<?>> closed = List.of(Key.number("damping", 0.8).from(0).to(1));

    for (double end : new double[] {0, 1}) {
      Map<String, Object> given = Map.of("damping", end);
      assertThat(new Config("p", closed, given)).isNotNull();
      assertThatThrownBy(() -> new Config("p", open, given)).isInstanceOf(ConfigException.class);
    }
  }

  @Test
  void aKeyCanHaveAnotherDefaultElsewhere() {
    Key<String> nodes = MatchKeys.NODES.withDefault("anchored");

    assertThat(new Config("p", List.of(nodes), Map.of()).get(nodes)).isEqualTo("anchored");
    assertThat(MatchKeys.NODES.fallback()).isEqualTo("distinct");
  }

  @Test
  void ourOwnMistakesAreSeen() {
    Config config = new Config(NAME, List.of(MatchKeys.K), Map.of());

    assertThatThrownBy(() -> config.get(MatchKeys.LIMIT))
        .hasMessage("isomatch.match.stream declares no key 'limit'");
    assertThatThrownBy(() -> new Config("p", List.of(MatchKeys.K, MatchKeys.K), null))
        .hasMessage("key 'k' is declared twice");
  }

  @Test
  void everyKeySaysWhatItMeansInOneSentence() {
    for (Key<?> key : MatchKeys.ALL) {
      assertThat(key.meaning()).as(key.name()).endsWith(".").doesNotContain(". ");
    }
  }

  @Test
  void theDefaultsFitTheirOwnKeys() {
    for (Key<?> key : MatchKeys.ALL) {
      Map<String, Object> given = new HashMap<>();
      given.put(key.name(), key.fallback());
      assertThat(new Config(NAME, MatchKeys.ALL, given).get(key))
          .as(key.name())
          .isEqualTo(key.fallback());
    }
  }

  @Test
  void nearestIsOnlyWhatCanBeMeant() {
    List<String> names = Arrays.asList("budget_rows", "budget_seconds");

    assertThat(Nearest.of("budgetRow", names)).contains("budget_rows");
    assertThat(Nearest.of("timeout", names)).isEmpty();
  }
}
