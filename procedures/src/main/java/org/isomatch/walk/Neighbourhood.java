package org.isomatch.walk;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Cursor;
import org.isomatch.graph.Meter;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.procedure.Description;

/**
 * The nodes around some seeds, nearest first: a breadth-first search within budgets. Each node is
 * read once, when it is given; its relationships to nodes that were given before go with it, so
 * that those of all rows are the subgraph. Of a hub only {@code hub} relationships are read.
 */
public final class Neighbourhood extends Cursor<Neighbourhood.Row> {
  private static final long BYTES_PER_NODE = 256;
  private static final long BYTES_PER_RELATIONSHIP = 64;

  /** The most of each; {@code outer}: read nodes at the last hop too, for what is between two. */
  public record Budget(int hops, long nodes, long relationships, long hub, boolean outer) {}

  /** A node with its relationships to the nodes of the rows before. */
  public record Row(
      @Description("The node.") Node node,
      @Description("Least number of relationships from a seed, over those that are followed.")
          long hops,
      @Description("How many relationships it has, of the direction and types that are followed.")
          long degree,
      @Description(
              "Whether it is a hub: it has more relationships than are followed from one node.")
          boolean capped,
      @Description("Those to nodes of the rows before and to itself: all rows' are the subgraph.")
          List<Relationship> relationships,
      @Description(
              "What left something out here: hub, max_nodes, max_relationships, time; or null.")
          String cut) {}

  /** A node that was met; what leads to it from nodes given before. */
  private static final class Met {
    private final Node node;
    private final int hops;
    private final List<Relationship> before = new ArrayList<>();
    private boolean given;

    Met(Node node, int hops) {
      this.node = node;
      this.hops = hops;
    }
  }

  private final Reach reach;
  private final Budget budget;
  private final Meter meter;
  private final Map<Node, Met> met = new HashMap<>();
  private final Queue<Met> waiting = new ArrayDeque<>();
  private long relationships;
  private boolean tooManySeeds;

  /** Seeds are given first, in their order; the caller closes the meter. */
  public Neighbourhood(Collection<Node> seeds, Reach reach, Budget budget, Meter meter) {
    this.reach = reach;
    this.budget = budget;
    this.meter = meter;
    for (Node seed : seeds) {
      tooManySeeds |= meet(seed, 0) == null;
    }
  }

  /** The next node; BudgetSpent for {@code memory}. */
  @Override
  public Row next() {
    if (waiting.isEmpty()) {
      return null;
    }
    Met next = waiting.remove();
    next.given = true;
    int degree = reach.degree(next.node);
    boolean capped = degree > budget.hub();
    boolean isRead = next.hops < budget.hops() || budget.outer();
    String cut = capped && isRead ? "hub" : null;
    Set<Relationship> between = new LinkedHashSet<>(next.before);
    try {
      if ((isRead && read(next, between)) || tooManySeeds) {
        cut = "max_nodes";
        tooManySeeds = false;
      }
    } catch (BudgetSpent spent) {
      if (!spent.which().equals("time")) {
        throw spent;
      }
      cut = spent.which();
      waiting.clear();
    }
    meter.release(next.before.size() * BYTES_PER_RELATIONSHIP);
    next.before.clear();
    long left = budget.relationships() - relationships;
    if (between.size() > left) {
      cut = "max_relationships";
      waiting.clear();
    }
    List<Relationship> given = between.stream().limit(left).toList();
    relationships += given.size();
    return new Row(next.node, next.hops, degree, capped, given, cut);
  }

  /** Adds relationships to nodes given, and meets others; whether there are too many of those. */
  private boolean read(Met here, Set<Relationship> between) {
    boolean tooMany = false;
    meter.check();
    try (ResourceIterable<Relationship> all = reach.of(here.node);
        ResourceIterator<Relationship> each = all.iterator()) {
      for (long read = 0; read < budget.hub() && each.hasNext(); read++) {
        meter.tick();
        Relationship relationship = each.next();
        Node end = relationship.getOtherNode(here.node);
        Met there = met.get(end);
        if (there == null && here.hops < budget.hops()) {
          there = meet(end, here.hops + 1);
          tooMany |= there == null;
        }
        if (there != null && there.given) {
          between.add(relationship);
        } else if (there != null) {
          meter.allocate(BYTES_PER_RELATIONSHIP);
          there.before.add(relationship);
        }
      }
    }
    return tooMany;
  }

  /** Null where there is no place for another one. */
  private Met meet(Node node, int hops) {
    if (met.size() >= budget.nodes()) {
      return null;
    }
    meter.allocate(BYTES_PER_NODE);
    Met one = new Met(node, hops);
    met.put(node, one);
    waiting.add(one);
    return one;
  }
}
