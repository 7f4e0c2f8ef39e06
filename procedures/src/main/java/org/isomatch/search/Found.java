package org.isomatch.search;

import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.graph.Fact;
import org.neo4j.graphdb.Relationship;

/**
 * One match: an interpretation, and one embedding of the pattern.
 *
 * @param rank of the interpretation, from 1 on; of the match itself for plain results
 * @param plan what the numbers below refer to
 * @param entries by slot of the plan, the place in its list
 * @param nodes by node of the pattern, the element that it is bound to
 * @param facts by edge of the pattern, what it is matched to
 * @param cut whether this is the last match that the limit lets through, and there are more
 */
public record Found(
    int rank, double gsd, Plan plan, int[] entries, long[] nodes, Fact[] facts, boolean cut) {
  /** What the interpretation chose, part by part, in the order of the search. */
  public List<Choice> choices() {
    return IntStream.range(0, entries.length)
        .mapToObj(s -> plan.slots.get(s).choice(entries[s]))
        .toList();
  }

  /** The relationships that it is matched to, in the pattern's order; a property is none. */
  public List<Relationship> relationships() {
    return Stream.of(facts).map(Fact::relationship).filter(Objects::nonNull).toList();
  }

  /** One choice of an interpretation; a type's distance is weighted already. */
  public record Choice(Kind kind, int index, Object id, double distance) {}
}
