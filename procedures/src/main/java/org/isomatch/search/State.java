package org.isomatch.search;

import org.isomatch.graph.Meter;

/**
 * A prefix of an interpretation: the entries of the first slots, and the domain of each node, a
 * sorted array of at least every element that a match can bind to it; null stands for anything. An
 * empty one proves that no interpretation with this prefix has a match.
 */
final class State {
  private static final long BYTES = 96;

  final State parent;
  final int depth;
  /** Entry of the slot that was chosen last. */
  final int entry;

  final double sum;
  final long[][] domains;

  private final Meter meter;
  private long bytes;
  private int holders = 1;

  State(int nodes, Meter meter) {
    this(null, 0, -1, 0, new long[nodes][], meter);
  }

  State(State parent, int entry, double sum, Meter meter) {
    this(parent, parent.depth + 1, entry, sum, parent.domains.clone(), meter);
    parent.holders++;
  }

  private State(State parent, int depth, int entry, double sum, long[][] domains, Meter meter) {
    this.parent = parent;
    this.depth = depth;
    this.entry = entry;
    this.sum = sum;
    this.domains = domains;
    this.meter = meter;
    bytes = BYTES + 4L * domains.length;
    meter.allocate(bytes);
  }

  /** Narrow a node's domain; false when nothing is left of it. */
  boolean restrict(int node, long[] domain) {
    long size = 16 + 8L * domain.length;
    meter.allocate(size);
    bytes += size;
    domains[node] = domain;
    return domain.length > 0;
  }

  int[] entries() {
    int[] all = new int[depth];
    for (State s = this; s.parent != null; s = s.parent) {
      all[s.depth - 1] = s.entry;
    }
    return all;
  }

  int entry(int slot) {
    return depth - 1 > slot ? parent.entry(slot) : entry;
  }

  /** One holder more, who will call {@link #release}. */
  void hold() {
    holders++;
  }

  /** One holder less: without any, its memory and its hold on the parent are given up. */
  void release() {
    State s = this;
    while (s != null && --s.holders == 0) {
      meter.release(s.bytes);
      s = s.parent;
    }
  }
}
