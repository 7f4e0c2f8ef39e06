package org.isomatch.search;

/**
 * How to search; the same as Python's {@code Options}.
 *
 * @param k how many interpretations, or matches where {@code plain}
 * @param limit most matches given for one interpretation
 * @param nodes which pattern nodes may be the same graph element
 * @param directed whether edges are matched as written only, source to target
 * @param typeWeight factor on a type's distance; 0 is the published definition
 * @param plain whether results are the papers' plain top-k matches
 * @param rows most rows in all; null for no limit
 */
public record Options(
    int k, int limit, Nodes nodes, boolean directed, double typeWeight, boolean plain, Long rows) {
  /** Which pattern nodes may coincide. */
  public enum Nodes {
    /** None: the published isomorphism. */
    DISTINCT,
    /** Unknown ones with each other. */
    ANCHORED,
    /** Any. */
    REPEAT
  }
}
