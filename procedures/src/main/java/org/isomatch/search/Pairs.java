package org.isomatch.search;

import java.util.Arrays;
import java.util.PrimitiveIterator;
import org.isomatch.graph.Facts;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Relation;
import org.isomatch.graph.Side;

/** Facts that a pattern edge may be matched to, each with the element at either end of the edge. */
abstract class Pairs implements AutoCloseable {
  /** The element at the end that the edge is followed from, and at its other end. */
  long near;

  long far;

  /** Step to the next one; false where there is none. */
  abstract boolean next();

  /** The fact itself. */
  abstract Facts fact();

  @Override
  public void close() {
    fact().close();
  }

  /** From each of some elements. */
  static Pairs from(long[] elements, Relation relation, Side side, Graph graph) {
    PrimitiveIterator.OfLong rest = Arrays.stream(elements).iterator();
    return new Pairs() {
      private Facts facts = Facts.none();

      @Override
      boolean next() {
        while (!facts.next()) {
          facts.close();
          if (!rest.hasNext()) {
            return false;
          }
          near = rest.nextLong();
          facts = graph.facts(near, relation, side);
        }
        far = facts.other();
        return true;
      }

      @Override
      Facts fact() {
        return facts;
      }
    };
  }

  /** All that the graph has; both ways round where the side is either. */
  static Pairs everywhere(Relation relation, Side side, Graph graph) {
    Graph.Scan scan = graph.scan(relation);
    return new Pairs() {
      private boolean turned;

      @Override
      boolean next() {
        if (side == Side.EITHER && turned) {
          turned = false;
          long start = near;
          near = far;
          far = start;
          return true;
        }
        if (!scan.next()) {
          return false;
        }
        turned = true;
        near = side == Side.TARGET ? scan.other() : scan.source();
        far = side == Side.TARGET ? scan.source() : scan.other();
        return true;
      }

      @Override
      Facts fact() {
        return scan;
      }
    };
  }
}
