package org.isomatch.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.isomatch.candidates.CandidateList;
import org.isomatch.pattern.Condition;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Without;
import org.neo4j.procedure.Description;

/** One step of a search, in its order. */
public record Explanation(
    @Description("From 1 on.") long step,
    @Description(
            "`choose` an entry of a list, `follow` an edge; `filter` and `exclude` by conditions.")
        String operation,
    @Description("The part of the pattern.") String part,
    @Description("What happens there.") String detail,
    @Description("Entries of the list; null for an edge.") Long entries) {

  /** The steps of a planned search; the last ones are the notes of the candidates. */
  public static List<Explanation> of(Search search) {
    List<Explanation> steps = new ArrayList<>();
    search.exclusions.forEach(one -> add(one.search(), "in a part: ", steps));
    add(search, "", steps);
    for (Without part : search.plan.pattern.without()) {
      String nodes = String.join(", ", part.nodes());
      add(steps, "exclude", nodes, "what the part gives", null);
    }
    search.candidates.notes().forEach(note -> add(steps, "note", "candidates", note, null));
    return steps;
  }

  private static void add(Search search, String prefix, List<Explanation> steps) {
    Plan plan = search.plan;
    for (int s = 0; s < plan.slots.size(); s++) {
      Slot slot = plan.slots.get(s);
      String detail = "no candidate: nothing can match";
      if (slot.size() > 0) {
        CandidateList list = slot.list;
        detail =
            String.format(
                Locale.ROOT, "nearest %s, distance %.3f", list.id(0), list.distance(0));
      }
      add(steps, "choose", prefix + plan.name(slot), detail, (long) slot.size());
      for (int e : plan.follow.get(s)) {
        Edge edge = plan.pattern.edges().get(e);
        String relation = edge.relation() == null ? "any relation" : edge.relation();
        detail = "%s, between %s and %s".formatted(relation, edge.source(), edge.target());
        add(steps, "follow", prefix + "edge " + e, detail, null);
      }
    }
    for (Condition condition : plan.pattern.where()) {
      String part = prefix + "node '" + condition.node() + "'";
      add(steps, "filter", part, condition.toString(), null);
    }
  }

  private static void add(
      List<Explanation> steps, String operation, String part, String detail, Long entries) {
    steps.add(new Explanation(steps.size() + 1, operation, part, detail, entries));
  }
}
