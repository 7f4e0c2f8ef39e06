package org.isomatch.config;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The checked configuration of one call. */
public final class Config {
  private final String procedure;
  private final Map<String, Key<?>> keys = new LinkedHashMap<>();
  private final Map<String, Object> values = new HashMap<>();

  /** Checks what a caller gave, null for nothing; ConfigException for what does not fit. */
  public Config(String procedure, List<Key<?>> keys, Map<String, Object> given) {
    this.procedure = procedure;
    for (Key<?> key : keys) {
      values.put(key.name(), key.fallback());
      if (this.keys.put(key.name(), key) != null) {
        throw new IllegalArgumentException("key '" + key.name() + "' is declared twice");
      }
    }
    if (given != null) {
      given.forEach(
          (name, value) -> {
            Key<?> key = this.keys.get(name);
            if (key == null) {
              throw ConfigException.unknown(procedure, name, name, this.keys.keySet());
            }
            values.put(name, key.read(procedure, value));
          });
    }
  }

  /** The same with another value of a key. */
  public <T> Config with(Key<T> key, T value) {
    Config other = new Config(procedure, List.copyOf(keys.values()), null);
    other.values.putAll(values);
    other.values.put(key.name(), value);
    return other;
  }

  public String procedure() {
    return procedure;
  }

  /** The value of a key, or its default; IllegalArgumentException if it is not declared. */
  @SuppressWarnings("unchecked") // read() gave it
  public <T> T get(Key<T> key) {
    if (!keys.containsKey(key.name())) {
      throw new IllegalArgumentException(procedure + " declares no key '" + key.name() + "'");
    }
    return (T) values.get(key.name());
  }

  public Map<String, Object> values() {
    return new HashMap<>(values);
  }

  /** An error about a part of a value, such as {@code candidates.nodes.mann[3]}. */
  public ConfigException wrong(String path, String expected, Object given) {
    return ConfigException.wrong(procedure, path, expected, given);
  }
}
