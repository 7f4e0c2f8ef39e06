package org.isomatch.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.isomatch.procedures.ProcedureClasses;
import org.junit.jupiter.api.Test;

/** {@code mvn test -Dtest=ReferenceTest -Dupdate} writes the page's reference anew. */
class ReferenceTest {
  private static final Path PAGE = Path.of("../docs/procedures.md");

  @Test
  void thePageHasWhatTheCodeSays() throws IOException {
    String page = Files.readString(PAGE);
    String now = Reference.rewritten(page, Entry.all(ProcedureClasses.ALL));
    if (System.getProperty("update") != null) {
      Files.writeString(PAGE, now);
      page = now;
    }

    assertThat(page).isEqualTo(now);
  }
}
