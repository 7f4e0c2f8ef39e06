package org.isomatch.procedures;

import org.isomatch.config.Release;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.UserFunction;

public final class Version {
  @UserFunction("isomatch.version")
  @Description("The plugin's version; it works with clients of the same major and minor version.")
  public String version() {
    return Release.VERSION;
  }
}
