package org.isomatch.config;

import java.util.HashMap;
import java.util.Map;

/** The checked configuration of one call. */
public final class Config {
  private final String procedure;
  private final Keys keys;
  private final Map<String, Object> values;

  private Config(String procedure, Keys keys, Map<String, Object> values) {
    this.procedure = procedure;
    this.keys = keys;
    this.values = values;
  }

  /**
   * Checks what a caller gave.
   *
   * @param procedure its full name, for messages
   * @param keys the ones it has
   * @param given as Neo4j hands it over; null for none
   * @throws ConfigException for an unknown key, a wrong type, or a value out of range
   */
  public static Config of(String procedure, Keys keys, Map<String, Object> given) {
    Map<String, Object> values = new HashMap<>();
    for (Key<?> key : keys) {
      values.put(key.name(), key.fallback());
    }
    if (given != null) {
      given.forEach(
          (name, value) -> {
            Key<?> key = keys.find(name);
            if (key == null) {
              throw ConfigException.unknown(procedure, name, name, keys.names());
            }
            values.put(name, key.read(procedure, value));
          });
    }
    return new Config(procedure, keys, values);
  }

  /** The procedure's full name, for messages. */
  public String procedure() {
    return procedure;
  }

  /**
   * The value of a key, or its default.
   *
   * @throws IllegalArgumentException when the procedure has no such key: a bug of ours
   */
  public <T> T get(Key<T> key) {
    if (!keys.holds(key)) {
      throw new IllegalArgumentException(procedure + " declares no key '" + key.name() + "'");
    }
    @SuppressWarnings("unchecked") // read() gave it
    T value = (T) values.get(key.name());
    return value;
  }

  /**
   * A complaint about a part of a value that its reader does not take.
   *
   * @param path such as {@code candidates.nodes.mann[3]}
   * @param expected what fits, such as "a number from 0 on"
   * @param given what is there
   */
  public ConfigException wrong(String path, String expected, Object given) {
    return ConfigException.wrong(procedure, path, expected, given);
  }
}
