package org.isomatch.procedures;

import java.util.List;
import java.util.Map;
import org.isomatch.config.Key;
import org.isomatch.config.MatchKeys;
import org.isomatch.config.WalkKeys;

/** The classes that hold the procedures and functions, and the configuration keys of each. */
public final class ProcedureClasses {
  /** In the order of the reference. */
  public static final List<Class<?>> ALL =
      List.of(
          Match.class, Chain.class, Walks.class, Functions.class, Schema.class, Help.class);

  /** By the name of the procedure; those without configuration are left out. */
  public static final Map<String, List<Key<?>>> KEYS =
      Map.of(
          Match.STREAM, MatchKeys.ALL, Match.ESTIMATE, MatchKeys.ALL, Match.EXPLAIN, MatchKeys.ALL,
          Chain.NAME, Chain.KEYS, Walks.PPR, WalkKeys.PPR, Walks.SUBGRAPH, WalkKeys.SUBGRAPH);

  private ProcedureClasses() {}
}
