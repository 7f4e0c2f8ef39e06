package org.isomatch.procedures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.isomatch.TestDatabase;
import org.isomatch.config.ConfigException;
import org.isomatch.config.Release;
import org.junit.jupiter.api.Test;

class VersionTest {
  @Test
  void theVersionIsThePoms() {
    assertThat(TestDatabase.rows("RETURN isomatch.version() AS version"))
        .containsExactly(Map.of("version", Release.VERSION));
    assertThat(Release.VERSION).matches("\\d+\\.\\d+\\.\\d+.*");
  }

  @Test
  void aClientOfAnotherLineIsRefusedWithBothVersions() {
    String line = Release.VERSION.replaceAll("^(\\d+\\.\\d+)\\..*", "$1");

    assertThatCode(() -> Release.check("isomatch.match.stream", line + ".99"))
        .doesNotThrowAnyException();
    assertThatCode(() -> Release.check("isomatch.match.stream", null)).doesNotThrowAnyException();
    assertThatThrownBy(() -> Release.check("isomatch.match.stream", "99.1.0"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "isomatch.match.stream: the plugin is isomatch %s and the client is 99.1.0: install "
                + "the plugin and the Python package of one release, or call with --no-plugin",
            Release.VERSION);
  }
}
