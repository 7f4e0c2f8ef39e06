package org.isomatch.candidates;

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
    CandidateList> types, List<String> notes) {}
