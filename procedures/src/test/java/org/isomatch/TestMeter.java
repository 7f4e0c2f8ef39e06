package org.isomatch;

import org.isomatch.graph.Meter;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.HeapEstimator;
import org.neo4j.procedure.memory.ProcedureMemory;
import org.neo4j.procedure.memory.ProcedureMemoryTracker;

/** Meters for tests without a procedure call. */
public final class TestMeter {
  private TestMeter() {}

  /** Without limits. */
  public static Meter unlimited() {
    return guarded(() -> {});
  }

  /** With a guard that can end the work, and no other limit. */
  public static Meter guarded(TerminationGuard guard) {
    return new Meter(guard, new NoMemory(), null, Long.MAX_VALUE);
  }

  /** With so much memory, and no other limit. */
  public static Meter of(long bytes) {
    return new Meter(() -> {}, new NoMemory(), null, bytes);
  }

  private static final class NoMemory implements ProcedureMemory {
    @Override
    public ProcedureMemoryTracker newTracker() {
      return new ProcedureMemoryTracker() {
        @Override
        public void allocateHeap(long bytes) {}

        @Override
        public void releaseHeap(long bytes) {}

        @Override
        public void close() {}
      };
    }

    @Override
    public HeapEstimator heapEstimator() {
      throw new UnsupportedOperationException();
    }

    @Override
    public HeapTrackingCollectionFactory collections() {
      throw new UnsupportedOperationException();
    }
  }
}
