package org.isomatch.procedures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.isomatch.TestDatabase;
import org.isomatch.config.MatchKeys;
import org.isomatch.reference.Entry;
import org.junit.jupiter.api.Test;

class HelpTest {
  private static List<Map<String, Object>> help(String argument) {
    return TestDatabase.rows("CALL isomatch.help(" + argument + ")");
  }

  @Test
  void withoutANameItIsEverything() {
    List<Object> names = help("").stream().map(row -> row.get("name")).toList();

    assertThat(names)
        .containsExactlyInAnyOrderElementsOf(
            Entry.all(ProcedureClasses.ALL).stream().map(Entry::name).toList())
        .contains("isomatch.help", "isomatch.version");
    assertThat(help("null")).hasSameSizeAs(names);
  }

  @Test
  void aPartOfTheNameInAnyCaseFindsThem() {
    assertThat(help("'VERSION'"))
        .containsExactly(
            Map.of(
                "name", "isomatch.version",
                "kind", "function",
                "signature", "isomatch.version() :: STRING",
                "description",
                    "The plugin's version; it works with clients of the same major and minor "
                        + "version.",
                "config", List.of()));
  }

  @Test
  void thePackageIsNoPartOfTheName() {
    assertThat(help("'match'").stream().map(row -> row.get("name")))
        .containsExactly(
            "isomatch.match.estimate", "isomatch.match.explain", "isomatch.match.stream");
    assertThat(help("'isomatch.match'")).hasSize(3);
    assertThat(help("'isomatch'")).hasSameSizeAs(help(""));
  }

  @Test
  void configurationKeysHaveTypesAndDefaults() {
    Map<String, Object> k = new HashMap<>();
    k.put("key", "k_nodes");
    k.put("type", "INTEGER");
    k.put("default", null);
    k.put("value", "a whole number from 1 on, or null");
    k.put("meaning", MatchKeys.K_NODES.meaning());

    assertThat(help("'match.stream'"))
        .singleElement()
        .satisfies(row -> assertThat(row.get("config")).asInstanceOf(LIST).contains(k));
  }

  @Test
  void aNameThatNothingHasIsRefusedWithTheNearest() {
    assertThatThrownBy(() -> help("'isomatch.mach.stream'"))
        .hasMessageContaining(
            "isomatch.help: nothing has 'isomatch.mach.stream' in its name; did you mean "
                + "'isomatch.match.stream'? There are isomatch.");
    assertThatThrownBy(() -> help("'apoc'"))
        .hasMessageContaining("isomatch.help: nothing has 'apoc' in its name. There are isomatch.");
  }
}
