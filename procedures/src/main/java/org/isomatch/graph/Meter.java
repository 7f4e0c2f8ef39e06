package org.isomatch.graph;

import java.util.function.Supplier;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.WalkKeys;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;
import org.neo4j.procedure.memory.ProcedureMemoryTracker;

/**
 * Counts what a procedure reads and holds, and ends it where the server or the caller's budget says
 * so: it looks every {@value #BATCH} reads. Memory is told to the server's tracker in steps of
 * {@value #STEP} bytes. Not thread-safe.
 */
public final class Meter implements AutoCloseable {
  private static final int BATCH = 64;
  private static final long STEP = 1 << 16;

  private final TerminationGuard guard;
  private final ProcedureMemoryTracker tracker;
  private final long deadline;
  private final long mostBytes;
  private final Supplier<RuntimeException> outOfMemory;
  private long reads;
  private long bytes;
  private long reported;
  private long peak;

  /** Null seconds are no limit. Above {@code mostBytes} it throws {@link BudgetSpent}. */
  public Meter(TerminationGuard guard, ProcedureMemory memory, Double seconds, long mostBytes) {
    this(guard, memory, seconds, mostBytes, () -> new BudgetSpent("memory"));
  }

  private Meter(
      TerminationGuard guard, ProcedureMemory memory, Double seconds, long mostBytes,
      Supplier<RuntimeException> outOfMemory) {
    this.outOfMemory = outOfMemory;
    this.guard = guard;
    this.tracker = memory.newTracker();
    this.deadline = seconds == null ? Long.MAX_VALUE : deadline(seconds);
    this.mostBytes = mostBytes;
  }

  /** The meter of a walk, which fails if it needs more memory, and suggests an alternative. */
  public static Meter of(
      Config config, TerminationGuard guard, ProcedureMemory memory, String alternative) {
    long bytes = config.get(WalkKeys.MEMORY);
    String message =
        "%s: more memory is needed than config key 'memory' allows, %d bytes; raise it, or %s"
            .formatted(config.procedure(), bytes, alternative);
    Double seconds = config.get(WalkKeys.BUDGET_SECONDS);
    return new Meter(guard, memory, seconds, bytes, () -> new ConfigException(message));
  }

  private static long deadline(double seconds) {
    double nanos = seconds * 1e9;
    return nanos > Long.MAX_VALUE / 4.0 ? Long.MAX_VALUE : System.nanoTime() + (long) nanos;
  }

  /** One read of the graph, or as much work; throws as {@link #check} does. */
  public void tick() {
    if (++reads % BATCH == 0) {
      check();
    }
  }

  public void check() {
    guard.check();
    if (deadline != Long.MAX_VALUE && System.nanoTime() - deadline > 0) {
      throw new BudgetSpent("time");
    }
  }

  /** Bytes of heap that are about to be held; more than allowed throws {@link BudgetSpent}. */
  public void allocate(long size) {
    if (bytes + size > mostBytes) {
      throw outOfMemory.get();
    }
    bytes += size;
    peak = Math.max(peak, bytes);
    if (bytes - reported >= STEP) {
      tracker.allocateHeap(bytes - reported);
      reported = bytes;
    }
  }

  /** Whether so much could be held for convenience: at most half of what is allowed goes there. */
  public boolean hasRoom(long size) {
    return bytes + size <= mostBytes / 2;
  }

  public void release(long size) {
    bytes -= size;
    if (reported - bytes >= STEP) {
      tracker.releaseHeap(reported - bytes);
      reported = bytes;
    }
  }

  public long reads() {
    return reads;
  }

  /** The most bytes that were held at once. */
  public long peak() {
    return peak;
  }

  /** Give everything back to the server's tracker; safe to call twice. */
  @Override
  public void close() {
    if (reported > 0) {
      tracker.releaseHeap(reported);
      reported = 0;
    }
    bytes = 0;
    tracker.close();
  }
}
