package org.isomatch.search;

import org.neo4j.procedure.memory.HeapEstimator;
import org.neo4j.procedure.memory.ProcedureMemory;
import org.neo4j.procedure.memory.ProcedureMemoryTracker;

/** A server's memory tracker that allows everything. */
final class Unlimited implements ProcedureMemory {
  static final ProcedureMemory MEMORY = new Unlimited();

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
