package org.isomatch.search;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.isomatch.candidates.CandidateList;
import org.neo4j.procedure.Description;

/** What a search may take, from a small sample around the nearest candidates. */
public record Estimate(
    @Description(
            "Each list: part, kind, text, entries, nearest (its id and distance), approximate.")
        List<Map<String, Object>> lists,
    @Description("Interpretations that the lists allow.") double interpretations,
    @Description("Matches of the nearest interpretation, without conditions, by sampled degrees.")
        double expected_rows,
    @Description("Bytes that the lists and one interpretation take.") long bytes_min,
    @Description("With the largest domains of one interpretation; `memory` bounds the whole.")
        long bytes_max,
    @Description("The two as text.") String required_memory,
    @Description("How the lists were found.") List<String> notes) {
  private static final long BYTES_PER_ROW = 256;
  private static final long LEAST_BYTES = 1 << 16;

  /** The estimate for a planned search; most of it from the count store and small samples. */
  public static Estimate of(Search search) {
    Plan plan = search.plan;
    double interpretations = 1;
    long bytes = LEAST_BYTES;
    for (Slot slot : plan.slots) {
      interpretations *= slot.size();
      bytes += 64L * slot.size();
    }
    double rows = interpretations == 0 ? 0 : new Sample(plan, search.graph).rows();
    long least = bytes + (long) Math.min(rows, 1000) * BYTES_PER_ROW;
    long most = least + 8L * Domains.REACH * plan.shape.nodes;
    List<Map<String, Object>> lists = new ArrayList<>();
    plan.slots.forEach(slot -> lists.add(describe(plan, slot, "")));
    for (Exclusion part : search.exclusions) {
      Plan within = part.search().plan;
      within.slots.forEach(slot -> lists.add(describe(within, slot, "in a part: ")));
    }
    return new Estimate(
        lists, interpretations, rows, least, most, "[%s ... %s]".formatted(inWords(least), inWords(most)),
        search.candidates.notes());
  }

  private static Map<String, Object> describe(Plan plan, Slot slot, String prefix) {
    CandidateList list = slot.list;
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("part", prefix + plan.name(slot));
    map.put("kind", slot.kind.name().toLowerCase(Locale.ROOT));
    map.put("text", list.text());
    map.put("entries", (long) list.size());
    map.put(
        "nearest",
        list.size() == 0 ? null : Map.of("id", list.id(0), "distance", list.distance(0)));
    map.put("approximate", list.approximate());
    return map;
  }

  private static String inWords(long bytes) {
    return bytes < 1 << 20 ? (bytes >> 10) + " KiB" : (bytes >> 20) + " MiB";
  }
}
