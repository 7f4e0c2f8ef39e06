package org.isomatch.search;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.isomatch.candidates.CandidateList;
import org.isomatch.candidates.Candidates;
import org.isomatch.graph.Cursor;
import org.isomatch.graph.Fact;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Longs;
import org.isomatch.graph.Relation;
import org.neo4j.procedure.Description;

/** What a search may take, from a small sample around the nearest candidates. */
public record Estimate(
    @Description(
            "Each list: part, kind, text, entries, nearest (its id and distance), approximate.")
        List<Map<String, Object>> lists,
    @Description("Interpretations that the lists allow.") double interpretations,
    @Description("Matches of the nearest interpretation, by sampled degrees.")
        double expected_rows,
    @Description("Bytes that the lists and one interpretation take.") long bytes_min,
    @Description("With the largest domains of one interpretation; `memory` bounds the whole.")
        long bytes_max,
    @Description("The two as text.") String required_memory,
    @Description("How the lists were found.") List<String> notes) {
  private static final int STARTS = 16;
  private static final int SAMPLE = 256;
  private static final long BYTES_PER_ROW = 256;
  private static final long LEAST_BYTES = 1 << 16;

  /** The estimate for a planned search; reads a few hundred facts of each edge at most. */
  public static Estimate of(Plan plan, Candidates candidates, Graph graph) {
    double interpretations = 1;
    long bytes = LEAST_BYTES;
    for (Slot slot : plan.slots) {
      interpretations *= slot.size();
      bytes += 64L * slot.size();
    }
    double rows = interpretations == 0 ? 0 : rows(plan, graph);
    long least = bytes + (long) Math.min(rows, 1000) * BYTES_PER_ROW;
    long most = least + 8L * Domains.REACH * plan.shape.nodes;
    return new Estimate(
        plan.slots.stream().map(slot -> describe(plan, slot)).toList(),
        interpretations,
        rows,
        least,
        most,
        "[%s ... %s]".formatted(inWords(least), inWords(most)),
        candidates.notes());
  }

  private static Map<String, Object> describe(Plan plan, Slot slot) {
    CandidateList list = slot.list();
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("part", plan.name(slot));
    map.put("kind", slot.kind.name().toLowerCase(Locale.ROOT));
    map.put("text", list.text());
    map.put("entries", (long) list.size());
    map.put(
        "nearest",
        list.size() == 0 ? null : Map.of("id", list.id(0), "distance", list.distance(0)));
    map.put("approximate", list.approximate());
    return map;
  }

  /** Product of mean fan-outs in the order of the search, by the nearest relations. */
  private static double rows(Plan plan, Graph graph) {
    Shape shape = plan.shape;
    long[][] at = new long[shape.nodes][];
    double rows = 1;
    for (int e : plan.order) {
      int near = hasStart(plan, at, shape.source[e], graph) ? shape.source[e] : shape.target[e];
      if (!hasStart(plan, at, near, graph)) {
        continue; // nothing to start from: the edge is the whole relation
      }
      int far = shape.other(e, near);
      boolean closing = at[far] != null || shape.known[far];
      int slot = plan.relationSlot[e];
      Relation relation = slot < 0 ? null : plan.slots.get(slot).relation(0);
      Longs reached = new Longs(16);
      for (long element : at[near]) {
        try (Cursor<Fact> facts = graph.facts(element, relation, shape.direction(e, near))) {
          Fact fact;
          while (reached.size() < SAMPLE && (fact = facts.next()) != null) {
            reached.add(fact.far());
          }
        }
      }
      double fanOut = (double) reached.size() / Math.max(at[near].length, 1);
      rows *= closing ? Math.min(fanOut, 1) : fanOut;
      if (at[far] == null) {
        at[far] = reached.toSet();
      }
    }
    return rows;
  }

  /** Whether elements of a node are at hand: reached before, or its nearest candidates. */
  private static boolean hasStart(Plan plan, long[][] at, int node, Graph graph) {
    if (at[node] == null && plan.nodeSlot[node] >= 0) {
      Slot slot = plan.slots.get(plan.nodeSlot[node]);
      Longs found = new Longs(STARTS);
      for (int i = 0; i < Math.min(slot.size(), STARTS); i++) {
        if (slot.number(i) != Graph.NONE) {
          found.add(slot.number(i));
        }
      }
      at[node] = found.toSet();
    }
    return at[node] != null;
  }

  private static String inWords(long bytes) {
    return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
  }
}
