package org.isomatch.search;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.isomatch.graph.Meter;

/**
 * What a result proves.
 *
 * @param exact the result equals brute force over the candidate lists; false only when a budget
 *     ended the search
 * @param complete nothing outside the lists is better than the last one given
 * @param bound no interpretation that was not examined has a smaller GSD; infinite when every one
 *     was
 * @param endedBy the budget that ended the search: {@code time}, {@code rows} or {@code memory};
 *     else null
 * @param gone candidates that are not in the graph any more
 * @param examined interpretations that were matched against the graph
 * @param read relationships, properties and the like that were read
 * @param memory the most bytes of heap that the search held
 * @param cut whether the limit cut the matches of an interpretation
 * @param ties whether more results are as near as the last one; null where that is not known
 */
public record Certificate(
    boolean exact, boolean complete, double bound, boolean approximate, String endedBy, List<String>
    notes, int gone, long examined, long read, long memory, boolean cut,
    Boolean ties) {
  /** Of a search that ended before it began. */
  public static Certificate endedBy(String budget, Meter meter) {
    return new Certificate(
        false, false, 0, false, budget, List.of(), 0, 0, meter.reads(), meter.peak(), false, false);
  }

  /** What is proven together with what the search of a part proves. */
  Certificate with(Certificate part) {
    List<String> all =
        Stream.concat(notes.stream(), part.notes.stream().map(note -> "in a part: " + note))
            .toList();
    return new Certificate(
        exact && part.exact, complete && part.complete, bound, approximate || part.approximate,
        endedBy == null ? part.endedBy : endedBy, all, gone + part.gone, examined + part.examined,
        read, memory, cut, ties);
  }

  /** As a map of Cypher's types; the bound is null when every interpretation was examined. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("exact", exact);
    map.put("complete", complete);
    // A GSD is never below 0: where nothing is known of what is outside the lists, 0 says so.
    map.put("bound", bound == Double.POSITIVE_INFINITY ? null : Math.max(bound, 0));
    map.put("approximate", approximate);
    map.put("ended_by", endedBy);
    map.put("notes", notes);
    map.put("gone", (long) gone);
    map.put("examined", examined);
    map.put("read", read);
    map.put("memory", memory);
    map.put("cut", cut);
    map.put("ties", ties);
    return map;
  }
}
