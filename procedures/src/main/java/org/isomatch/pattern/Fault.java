package org.isomatch.pattern;

/**
 * A broken rule and the part of the pattern that breaks it.
 *
 * @param problem what is wrong, in words
 * @param index offset into that part's sequence; 0 for the whole
 */
record Fault(String problem, Part part, int index) {
  /** The sequences of a pattern, or all of it. */
  enum Part {
    WHOLE,
    NODES,
    EDGES,
    RETURNS
  }
}
