package org.isomatch.config;

import java.util.List;

/** The keys of {@code isomatch.ppr.stream} and {@code isomatch.subgraph.stream}. */
public final class WalkKeys {
  public static final Key<Double> DAMPING =
      Key.number("damping", 0.85).from(0).below(1)
          .means("Probability that the walk goes on at a node, and does not begin again.");
  public static final Key<Double> TOLERANCE =
      Key.number("tolerance", 1e-6).from(1e-12)
          .means("How far all scores together may be from the true ones; more work below.");
  public static final Key<Long> ITERATIONS =
      Key.wholeNumber("iterations", 100L).from(1).to(1_000_000)
          .means("Most iterations; `residual` says how far the scores may be off then.");
  public static final Key<Double> THRESHOLD =
      Key.number("threshold", 1e-5).from(0)
          .means("Only nodes with at least this score are given.");
  public static final Key<Long> LIMIT =
      Key.wholeNumber("limit", null).from(1)
          .means("Most nodes that are given, the best ones; null for all.");
  public static final Key<Long> HOPS =
      Key.wholeNumber("hops", 2L).from(0).to(1000)
          .means("How far from a seed a node may be, in relationships.");
  public static final Key<Long> MAX_NODES =
      Key.wholeNumber("max_nodes", 1000L).from(1).to(100_000_000)
          .means("Most nodes that are given, the nearest ones.");
  public static final Key<Long> MAX_RELATIONSHIPS =
      Key.wholeNumber("max_relationships", 10_000L).from(0)
          .means("Most relationships that are given, in all rows.");
  public static final Key<Long> HUB =
      Key.wholeNumber("hub", 256L).from(1)
          .means("Most relationships followed from one node; one with more is `capped`.");
  public static final Key<Boolean> OUTER =
      Key.flag("outer", true)
          .means("Whether relationships between two nodes of the last hop are given too.");
  public static final Key<String> DIRECTION =
      Key.choice("direction", "any", "any", "out", "in")
          .means("Which relationships are followed: all, or those that leave or enter a node.");
  public static final Key<List<String>> RELATIONS =
      Key.texts("relations", null)
          .means("Types of the relationships that are followed, `TYPE` or `:TYPE`; null for all.");
  public static final Key<Double> BUDGET_SECONDS =
      Key.number("budget_seconds", 10.0).above(0).orNull()
          .means("It ends after this with what there is, and says so; null for no such end.");
  public static final Key<Long> MEMORY =
      Key.wholeNumber("memory", 268_435_456L).from(1_048_576)
          .means("Most bytes of heap that one call may take; an error where it needs more.");

  /** Of {@code isomatch.ppr.stream}, in order of the reference. */
  public static final List<Key<?>> PPR =
      List.of(
          DAMPING, TOLERANCE, ITERATIONS, THRESHOLD, LIMIT, DIRECTION, RELATIONS, BUDGET_SECONDS,
          MEMORY);

  /** {@link #PPR} as a description shows them: annotations take constants only. */
  public static final String PPR_SIGNATURE =
      "{damping = 0.85 :: FLOAT, tolerance = 1.0E-6 :: FLOAT, iterations = 100 :: "
          + "INTEGER, threshold = 1.0E-5 :: FLOAT, limit = null :: INTEGER, direction = 'any' "
          + ":: STRING, relations = null :: LIST<STRING>, budget_seconds = 10.0 :: FLOAT, "
          + "memory = 268435456 :: INTEGER}";

  /** Of {@code isomatch.subgraph.stream}, in order of the reference. */
  public static final List<Key<?>> SUBGRAPH =
      List.of(
          HOPS, MAX_NODES, MAX_RELATIONSHIPS, HUB, OUTER, DIRECTION, RELATIONS, BUDGET_SECONDS,
          MEMORY);

  /** {@link #SUBGRAPH} as a description shows them: annotations take constants only. */
  public static final String SUBGRAPH_SIGNATURE =
      "{hops = 2 :: INTEGER, max_nodes = 1000 :: INTEGER, max_relationships = 10000 :: "
          + "INTEGER, hub = 256 :: INTEGER, outer = true :: BOOLEAN, direction = 'any' :: STRING, "
          + "relations = null :: LIST<STRING>, budget_seconds = 10.0 :: FLOAT, "
          + "memory = 268435456 :: INTEGER}";

  private WalkKeys() {}
}
