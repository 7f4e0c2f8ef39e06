package org.isomatch.procedures;

import org.isomatch.config.Release;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.UserFunction;

/** {@code isomatch.version}. */
public final class Version {
  /** The plugin's version, as "0.1.0". */
  @UserFunction("isomatch.version")
  @Description("The plugin's version; it works with clients of the same major and minor version.")
  public String version() {
    return Release.VERSION;
  }
}
