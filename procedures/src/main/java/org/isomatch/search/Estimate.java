package org.isomatch.search;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.isomatch.candidates.CandidateList;
import org.isomatch.candidates.Candidates;
import org.isomatch.graph.Facts;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Longs;
import org.isomatch.graph.Relation;
import org.neo4j.procedure.Description;

/** What a search may take, from a small sample around the nearest candidates. */
public final class Estimate {
  private static final int STARTS = 16;
  private static final int SAMPLE = 256;
  private static final long PER_ROW = 256;
  private static final long LEAST = 1 << 16;

  @Description("Each list: part, kind, text, entries, nearest (its id and distance), approximate.")
  public final List<Map<String, Object>> lists;

  @Description("Interpretations that the lists allow.")
  public final double interpretations;

  @Description("Matches of the nearest interpretation, by sampled degrees.")
  public final double expected_rows;

  @Description("Bytes that the lists and one interpretation take.")
  public final long bytes_min;

  @Description("With all that one interpretation's domains can take; `memory` bounds the whole.")
  public final long bytes_max;

  @Description("The two as text.")
  public final String required_memory;

  @Description("How the lists were found.")
  public final List<String> notes;

  private Estimate(
      List<Map<String, Object>> lists,
      double interpretations,
      double rows,
      long least,
      long most,
      List<String> notes) {
    this.lists = lists;
    this.interpretations = interpretations;
    this.expected_rows = rows;
    this.bytes_min = least;
    this.bytes_max = most;
    this.required_memory = "[%s ... %s]".formatted(shown(least), shown(most));
    this.notes = notes;
  }

  /** The estimate for a planned search; reads a few hundred facts at most an edge. */
  public static Estimate of(Plan plan, Candidates candidates, Graph graph) {
    List<Map<String, Object>> lists = new ArrayList<>();
    double interpretations = 1;
    long bytes = LEAST;
    for (Slot slot : plan.slots) {
      lists.add(list(plan, slot));
      interpretations *= slot.size();
      bytes += 64L * slot.size();
    }
    double rows = interpretations == 0 ? 0 : rows(plan, graph);
    long domains = 8L * Domains.REACH * plan.shape.nodes;
    long least = bytes + (long) Math.min(rows, 1000) * PER_ROW;
    return new Estimate(lists, interpretations, rows, least, least + domains, candidates.notes());
  }

  private static Map<String, Object> list(Plan plan, Slot slot) {
    CandidateList list = slot.list();
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("part", plan.name(slot));
    told.put("kind", slot.kind.name().toLowerCase(Locale.ROOT));
    told.put("text", list.text());
    told.put("entries", (long) list.size());
    told.put("nearest", list.size() == 0 ? null : nearest(list));
    told.put("approximate", list.approximate());
    return told;
  }

  private static Map<String, Object> nearest(CandidateList list) {
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("id", list.id(0));
    told.put("distance", list.distance(0));
    return told;
  }

  /** Product of mean fan-outs along the order of the search, by the nearest relations. */
  private static double rows(Plan plan, Graph graph) {
    Shape shape = plan.shape;
    long[][] at = new long[shape.nodes][];
    double rows = 1;
    for (int e : plan.order) {
      int near = at[shape.source[e]] != null || !start(plan, at, shape.source[e], graph)
          ? at[shape.source[e]] != null ? shape.source[e] : shape.target[e]
          : shape.source[e];
      if (at[near] == null && !start(plan, at, near, graph)) {
        continue; // nothing to start from: the edge is the whole relation
      }
      int far = shape.other(e, near);
      boolean closing = at[far] != null || shape.known[far];
      int slot = plan.relationSlot[e];
      Relation relation = slot < 0 ? null : plan.slots.get(slot).relation(0);
      Longs reached = new Longs(16);
      for (long element : at[near]) {
        try (Facts facts = graph.facts(element, relation, shape.side(e, near))) {
          while (reached.size() < SAMPLE && facts.next()) {
            reached.add(facts.other());
          }
        }
      }
      double fan = (double) reached.size() / Math.max(at[near].length, 1);
      rows *= closing ? Math.min(fan, 1) : fan;
      if (at[far] == null) {
        at[far] = reached.toSet();
      }
    }
    return rows;
  }

  private static boolean start(Plan plan, long[][] at, int node, Graph graph) {
    if (plan.nodeSlot[node] < 0) {
      return false;
    }
    Slot slot = plan.slots.get(plan.nodeSlot[node]);
    Longs found = new Longs(STARTS);
    for (int i = 0; i < Math.min(slot.size(), STARTS); i++) {
      if (slot.number(i) != Graph.NONE) {
        found.add(slot.number(i));
      }
    }
    at[node] = found.toSet();
    return true;
  }

  private static String shown(long bytes) {
    return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
  }
}
