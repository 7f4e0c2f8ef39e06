package org.isomatch.procedures;

import java.util.List;
import java.util.Map;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.Keys;
import org.isomatch.config.WalkKeys;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Meter;
import org.isomatch.walk.Neighbourhood;
import org.isomatch.walk.Reach;
import org.isomatch.walk.Seeds;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
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
  public static final Keys KEYS = WalkKeys.SUBGRAPH;

  private static final String NAME = "isomatch.subgraph.stream";

  @Context public Transaction transaction;
  @Context public TerminationGuard guard;
  @Context public ProcedureMemory memory;

  /** A node with its relationships to the nodes of the rows before. */
  public static final class Row {
    @Description("The node.")
    public final Node node;

    @Description("Least number of relationships from a seed, over those that are followed.")
    public final long hops;

    @Description("How many relationships it has, of the direction and types that are followed.")
    public final long degree;

    @Description("Whether it is a hub: it has more relationships than are followed from one node.")
    public final boolean capped;

    @Description("Those to nodes of the rows before and to itself: all rows' are the subgraph.")
    public final List<Relationship> relationships;

    @Description("What left something out here: hub, max_nodes, max_relationships, time; or null.")
    public final String cut;

    Row(Neighbourhood.Found found) {
      this.node = found.node();
      this.hops = found.hops();
      this.degree = found.degree();
      this.capped = found.capped();
      this.relationships = found.relationships();
      this.cut = found.cut();
    }
  }

  /**
   * The neighbourhood of seeds, nearest first.
   *
   * @param seeds see {@link Seeds#read}; weights do not matter
   * @param config see {@link WalkKeys#SUBGRAPH}
   * @return none without seeds
   */
  @Procedure(name = NAME, mode = Mode.READ)
  @Description(
      "The nodes around seeds, nearest first, each with its relationships to those before. `cut`"
          + " names the budget (hub, max_nodes, max_relationships, time) that left something out.")
  public Stream<Row> stream(
      @Name(value = "seeds", description = "Nodes or element ids.") Object seeds,
      @Name(value = "config", defaultValue = "{}", description = "See the configuration below.")
          Map<String, Object> config) {
    Config checked = Config.of(NAME, KEYS, config);
    Map<Node, Double> nodes = Seeds.read(NAME, seeds, transaction);
    Reach reach = Walks.reach(checked, transaction);
    Neighbourhood.Budget budget =
        new Neighbourhood.Budget(
            checked.get(WalkKeys.HOPS).intValue(),
            checked.get(WalkKeys.MAX_NODES),
            checked.get(WalkKeys.MAX_RELATIONSHIPS),
            checked.get(WalkKeys.HUB));
    Meter meter = Walks.meter(checked, guard, memory);
    Neighbourhood neighbourhood = null;
    try {
      neighbourhood = new Neighbourhood(nodes.keySet(), reach, budget, meter);
    } catch (BudgetSpent spent) {
      throw outOfMemory(checked);
    } finally {
      if (neighbourhood == null) {
        meter.close();
      }
    }
    return StreamSupport.stream(new Rows(checked, neighbourhood), false).onClose(meter::close);
  }

  private static ConfigException outOfMemory(Config config) {
    return Walks.outOfMemory(config, "lower 'max_nodes'");
  }

  /** Rows, each found when it is asked for. */
  private static final class Rows extends Spliterators.AbstractSpliterator<Row> {
    private final Config config;
    private final Neighbourhood neighbourhood;

    Rows(Config config, Neighbourhood neighbourhood) {
      super(Long.MAX_VALUE, ORDERED | NONNULL);
      this.config = config;
      this.neighbourhood = neighbourhood;
    }

    @Override
    public boolean tryAdvance(Consumer<? super Row> action) {
      if (!neighbourhood.hasNext()) {
        return false;
      }
      Neighbourhood.Found found;
      try {
        found = neighbourhood.next();
      } catch (BudgetSpent spent) {
        throw outOfMemory(config);
      }
      action.accept(new Row(found));
      return true;
    }
  }
}
