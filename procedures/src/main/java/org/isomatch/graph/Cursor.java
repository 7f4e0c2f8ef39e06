package org.isomatch.graph;

import java.util.Iterator;
import java.util.Objects;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.neo4j.graphdb.Resource;

/** A sequence that is read one by one, never ahead, and closed. */
public abstract class Cursor<T> implements AutoCloseable {
  /** The next item; null at the end, after which it is not called again. */
  public abstract T next();

  @Override
  public void close() {}

  @SafeVarargs
  public static <T> Cursor<T> of(T... items) {
    return of(List.of(items).iterator());
  }

  /** The items of an iterator, which is closed if it is a resource. */
  public static <T> Cursor<T> of(Iterator<T> items) {
    return new Cursor<>() {
      @Override
      public T next() {
        return items.hasNext() ? items.next() : null;
      }

      @Override
      public void close() {
        if (items instanceof Resource resource) {
          resource.close();
        }
      }
    };
  }

  /** The items as a stream, the first one read at once; closing it closes this. */
  public Stream<T> stream() {
    return Stream.iterate(next(), Objects::nonNull, given -> next()).onClose(this::close);
  }

  /** What a function makes of each item; it leaves one out by giving null. */
  public <R> Cursor<R> map(Function<T, R> function) {
    Cursor<T> items = this;
    return new Cursor<>() {
      @Override
      public R next() {
        for (T item = items.next(); item != null; item = items.next()) {
          R result = function.apply(item);
          if (result != null) {
            return result;
          }
        }
        return null;
      }

      @Override
      public void close() {
        items.close();
      }
    };
  }

  /** The items of the cursors that a function gives, each opened when it is reached. */
  public <R> Cursor<R> flatMap(Function<T, Cursor<R>> function) {
    Cursor<T> items = this;
    return new Cursor<>() {
      private Cursor<R> current = of();

      @Override
      public R next() {
        R next = current.next();
        while (next == null) {
          current.close();
          T item = items.next();
          if (item == null) {
            return null;
          }
          current = function.apply(item);
          next = current.next();
        }
        return next;
      }

      @Override
      public void close() {
        current.close();
        items.close();
      }
    };
  }
}
