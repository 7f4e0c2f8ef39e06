package org.isomatch.candidates;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lists of a pattern's parts.
 *
 * @param nodes by pattern node id, for known nodes
 * @param relations by edge number, for known relations
 * @param types by pattern node id, for typed nodes
 * @param notes in words, for the certificate
 */
public record Candidates(
    Map<String, CandidateList> nodes, Map<Integer, CandidateList> relations, Map<String,
    CandidateList> types, List<String> notes) {
  /** The nearest candidates alone of each list, all that are equally near. */
  public Candidates nearest() {
    return new Candidates(nearest(nodes), nearest(relations), nearest(types), notes);
  }

  private static <K> Map<K, CandidateList> nearest(Map<K, CandidateList> lists) {
    Map<K, CandidateList> nearest = new LinkedHashMap<>();
    lists.forEach((part, list) -> nearest.put(part, list.nearest()));
    return nearest;
  }
}
