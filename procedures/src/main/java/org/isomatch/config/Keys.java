package org.isomatch.config;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The configuration keys of one procedure, in order of the reference. */
public final class Keys implements Iterable<Key<?>> {
  private final Map<String, Key<?>> byName;

  private Keys(Map<String, Key<?>> byName) {
    this.byName = byName;
  }

  /**
   * @throws IllegalArgumentException when two have one name
   */
  public static Keys of(Key<?>... keys) {
    return new Keys(Map.of()).and(keys);
  }

  /**
   * These and more.
   *
   * @throws IllegalArgumentException when two have one name
   */
  public Keys and(Key<?>... more) {
    Map<String, Key<?>> all = new LinkedHashMap<>(byName);
    for (Key<?> key : more) {
      if (all.put(key.name(), key) != null) {
        throw new IllegalArgumentException("key '" + key.name() + "' is declared twice");
      }
    }
    return new Keys(all);
  }

  public List<String> names() {
    return List.copyOf(byName.keySet());
  }

  /** The key of that name; null where there is none. */
  Key<?> find(String name) {
    return byName.get(name);
  }

  /** Whether this very key is one of these. */
  boolean holds(Key<?> key) {
    return Objects.equals(byName.get(key.name()), key);
  }

  @Override
  public Iterator<Key<?>> iterator() {
    return byName.values().iterator();
  }
}
