package org.isomatch.procedures;

import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.isomatch.config.Config;
import org.isomatch.config.WalkKeys;
import org.isomatch.graph.Meter;
import org.isomatch.walk.Neighbourhood;
import org.isomatch.walk.Reach;
import org.isomatch.walk.Seeds;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.Context;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Mode;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

/** {@code isomatch.subgraph.stream}. */
public final class Subgraph {
  static final String NAME = "isomatch.subgraph.stream";

  @Context public Transaction transaction;
  @Context public TerminationGuard guard;
  @Context public ProcedureMemory memory;

  /** No rows without seeds; for the forms of seeds see {@link Seeds#read}. */
  @Procedure(name = NAME, mode = Mode.READ)
  @Description(
      "The nodes around seeds, nearest first, each with its relationships to those before. `cut`"
          + " names the budget (hub, max_nodes, max_relationships, time) that left something out.")
  public Stream<Neighbourhood.Row> stream(
      @Name(value = "seeds", description = "Nodes or element ids.") Object seeds,
      @Name(value = "config", defaultValue = "{}", description = WalkKeys.SUBGRAPH_SIGNATURE)
          Map<String, Object> config) {
    Config checked = new Config(NAME, WalkKeys.SUBGRAPH, config);
    Map<Node, Double> nodes = Seeds.read(NAME, seeds, transaction);
    Reach reach = Reach.from(checked, transaction);
    Neighbourhood.Budget budget =
        new Neighbourhood.Budget(
            checked.get(WalkKeys.HOPS).intValue(),
            checked.get(WalkKeys.MAX_NODES),
            checked.get(WalkKeys.MAX_RELATIONSHIPS),
            checked.get(WalkKeys.HUB));
    Meter meter = Meter.of(checked, guard, memory, "lower 'max_nodes'");
    try {
      Neighbourhood rows = new Neighbourhood(nodes.keySet(), reach, budget, meter);
      int characteristics = Spliterator.ORDERED | Spliterator.NONNULL;
      return StreamSupport.stream(
              Spliterators.spliteratorUnknownSize(rows, characteristics), false)
          .onClose(meter::close);
    } catch (RuntimeException failed) {
      meter.close();
      throw failed;
    }
  }
}
