package org.isomatch.config;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;

/** The plugin's version, and whether a client fits it. */
public final class Release {
  /** As "0.1.0": the same as the Python package's. */
  public static final String VERSION = read();

  private Release() {}

  /** Refuses a client of another release: major and minor must be equal. A null client fits. */
  public static void check(String procedure, String client) {
    if (client == null || line(client).equals(line(VERSION))) {
      return;
    }
    throw new ConfigException(
        "%s: the plugin is isomatch %s and the client is %s: install the plugin and the Python "
                .formatted(procedure, VERSION, client)
            + "package of one release, or call with --no-plugin");
  }

  private static List<String> line(String version) {
    return Arrays.stream(version.split("\\.")).limit(2).toList();
  }

  private static String read() {
    Properties properties = new Properties();
    try (InputStream file = Release.class.getResourceAsStream("/isomatch.properties")) {
      properties.load(file);
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
    return properties.getProperty("version");
  }
}
