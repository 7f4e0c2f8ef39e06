package org.isomatch.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.isomatch.candidates.Candidates;
import org.isomatch.pattern.Edge;
import org.isomatch.pattern.Pattern;
import org.neo4j.procedure.Description;

/** One step of a search, in its order. */
public final class Explanation {
  @Description("From 1 on.")
  public final long step;

  @Description("`choose` an entry of a list, or `follow` an edge.")
  public final String operation;

  @Description("The part of the pattern.")
  public final String part;

  @Description("What happens there.")
  public final String detail;

  @Description("Entries of the list; null for an edge.")
  public final Long entries;

  private Explanation(int step, String operation, String part, String detail, Long entries) {
    this.step = step;
    this.operation = operation;
    this.part = part;
    this.detail = detail;
    this.entries = entries;
  }

  /** The steps of a planned search; the last ones are the notes of the candidates. */
  public static List<Explanation> of(Pattern pattern, Plan plan, Candidates candidates) {
    List<Explanation> steps = new ArrayList<>();
    for (int s = 0; s < plan.slots.size(); s++) {
      Slot slot = plan.slots.get(s);
      String detail =
          slot.size() == 0
              ? "no candidate: nothing can match"
              : String.format(
                  Locale.ROOT,
                  "nearest %s, distance %.3f",
                  slot.list().id(0),
                  slot.list().distance(0));
      add(steps, "choose", plan.name(slot), detail, (long) slot.size());
      for (int e : plan.follow.get(s)) {
        Edge edge = pattern.edges().get(e);
        String relation = edge.relation() == null ? "any relation" : edge.relation();
        add(
            steps,
            "follow",
            "edge " + e,
            "%s, between %s and %s".formatted(relation, edge.source(), edge.target()),
            null);
      }
    }
    for (String note : candidates.notes()) {
      add(steps, "note", "candidates", note, null);
    }
    return steps;
  }

  private static void add(
      List<Explanation> steps, String operation, String part, String detail, Long entries) {
    steps.add(new Explanation(steps.size() + 1, operation, part, detail, entries));
  }
}
