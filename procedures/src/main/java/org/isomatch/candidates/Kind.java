package org.isomatch.candidates;

/** What a candidate is for. */
public enum Kind {
  NODE,
  RELATION,
  TYPE
}
