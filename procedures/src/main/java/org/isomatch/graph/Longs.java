package org.isomatch.graph;

import java.util.Arrays;

/** A growing array of longs that becomes a sorted set. */
public final class Longs {
  private long[] items = new long[16];
  private int size;

  public void add(long item) {
    if (size == items.length) {
      items = Arrays.copyOf(items, size * 2);
    }
    items[size++] = item;
  }

  public int size() {
    return size;
  }

  /** Drop what is there twice, in place. */
  public void distinct() {
    Arrays.sort(items, 0, size);
    int kept = 0;
    for (int i = 0; i < size; i++) {
      if (kept == 0 || items[kept - 1] != items[i]) {
        items[kept++] = items[i];
      }
    }
    size = kept;
  }

  public long[] toSet() {
    distinct();
    return Arrays.copyOf(items, size);
  }

  /** Whether a sorted array has an item. */
  public static boolean contains(long[] sorted, long item) {
    return Arrays.binarySearch(sorted, item) >= 0;
  }
}
