package org.isomatch.procedures;

import java.util.List;

/** The classes that hold our procedures and functions, in order of the reference. */
public final class Doors {
  public static final List<Class<?>> ALL =
      List.of(
          Match.class,
          Chain.class,
          Ppr.class,
          Subgraph.class,
          Gsd.class,
          Schema.class,
          Help.class,
          Version.class);

  private Doors() {}
}
