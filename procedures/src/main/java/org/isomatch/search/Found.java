package org.isomatch.search;

/**
 * One match: an interpretation, and one embedding of the pattern.
 *
 * @param rank of the interpretation, from 1 on; of the match itself for plain results
 * @param gsd graph semantic distance
 * @param plan what the numbers below refer to
 * @param entries by slot of the plan, the place in its list
 * @param nodes by node of the pattern, the element that it is bound to
 * @param facts by edge of the pattern, what it is matched to
 */
public record Found(
    int rank, double gsd, Plan plan, int[] entries, long[] nodes, Matcher.Fact[] facts) {}
