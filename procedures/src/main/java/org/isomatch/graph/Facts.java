package org.isomatch.graph;

import org.neo4j.graphdb.Relationship;

/**
 * Facts that an element takes part in, one after the other.
 *
 * <p>After {@link #next} gave true, {@link #other} is the element at the other end; the fact is a
 * {@link #relationship}, or, where that is null, the property {@link #key}.
 */
public abstract class Facts implements AutoCloseable {
  long other;
  Relationship relationship;
  String key;

  /** Step to the next fact; false where there is none. */
  public abstract boolean next();

  /** The element at the other end; the same one for a loop. */
  public long other() {
    return other;
  }

  /** The relationship; null where the fact is a property. */
  public Relationship relationship() {
    return relationship;
  }

  /** The property's key; null where the fact is a relationship. */
  public String key() {
    return key;
  }

  @Override
  public void close() {}

  /** No facts. */
  public static Facts none() {
    return new Facts() {
      @Override
      public boolean next() {
        return false;
      }
    };
  }

  /** The facts of some cursors, one after the other; closes each at its end. */
  static Facts joined(Facts... parts) {
    return new Facts() {
      private int at;

      @Override
      public boolean next() {
        for (; at < parts.length; parts[at].close(), at++) {
          if (parts[at].next()) {
            other = parts[at].other;
            relationship = parts[at].relationship;
            key = parts[at].key;
            return true;
          }
        }
        return false;
      }

      @Override
      public void close() {
        for (Facts part : parts) {
          part.close();
        }
      }
    };
  }
}
