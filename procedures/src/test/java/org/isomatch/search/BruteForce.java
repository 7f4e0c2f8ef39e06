package org.isomatch.search;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.isomatch.pattern.Pattern;
import org.isomatch.search.Search.Options;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;

/**
 * Every match of a pattern, by trying every fact for every edge: the definition in code, without an
 * index, an order or a bound. Elements are texts: names of nodes, or values after a {@code =}.
 */
final class BruteForce {
  /** A relationship, or a property of a node. */
  record Fact(String source, String relation, String target, int number) {}

  /** Distances by what a part may be. */
  record Lists(
      Map<String, Map<String, Double>> nodes,
      Map<Integer, Map<String, Double>> relations,
      Map<String, Map<String, Double>> types) {}

  /** An interpretation with its matches: bindings, relations and numbers of relationships. */
  record Reading(double gsd, Set<List<String>> matches) {}

  private final List<Fact> facts;
  private final Map<String, Set<String>> types;
  private final Pattern pattern;
  private final Lists lists;
  private final Options options;
  private final Map<List<String>, Double> gsds = new HashMap<>();
  private final Map<List<String>, Set<List<String>>> matches = new HashMap<>();

  BruteForce(
      List<Fact> facts,
      Map<String, Set<String>> types,
      Pattern pattern,
      Lists lists,
      Options options) {
    this.facts = facts;
    this.types = types;
    this.pattern = pattern;
    this.lists = lists;
    this.options = options;
  }

  /** All interpretations that have a match, ascending. */
  List<Reading> readings() {
    extend(new HashMap<>(), new ArrayList<>());
    List<Reading> found = new ArrayList<>();
    gsds.forEach((choice, gsd) -> found.add(new Reading(gsd, matches.get(choice))));
    found.sort(Comparator.comparingDouble(Reading::gsd));
    return found;
  }

  private void extend(Map<String, String> bound, List<Fact> used) {
    int e = used.size();
    if (e == pattern.edges().size()) {
      if (mayCoincide(bound)) {
        interpret(bound, used, 0, 0.0, new ArrayList<>());
      }
      return;
    }
    Edge edge = pattern.edges().get(e);
    for (Fact fact : facts) {
      Map<String, Double> relations = lists.relations().get(e);
      if (used.contains(fact) || (relations != null && !relations.containsKey(fact.relation()))) {
        continue;
      }
      tryBoth(edge, fact, bound, used);
    }
  }

  private void tryBoth(Edge edge, Fact fact, Map<String, String> bound, List<Fact> used) {
    List<List<String>> ways = new ArrayList<>(List.of(List.of(fact.source(), fact.target())));
    if (!(options.directed() == null ? edge.directed() : options.directed())) {
      ways.add(List.of(fact.target(), fact.source()));
    }
    for (List<String> way : ways) {
      Map<String, String> wider = new HashMap<>(bound);
      if (bind(wider, edge.source(), way.get(0)) && bind(wider, edge.target(), way.get(1))) {
        List<Fact> more = new ArrayList<>(used);
        more.add(fact);
        extend(wider, more);
      }
    }
  }

  private boolean bind(Map<String, String> bound, String id, String element) {
    Map<String, Double> list = lists.nodes().get(id);
    String before = bound.putIfAbsent(id, element);
    return (before == null || before.equals(element))
        && (list == null || list.containsKey(element));
  }

  private boolean mayCoincide(Map<String, String> bound) {
    for (Node a : pattern.nodes()) {
      for (Node b : pattern.nodes()) {
        boolean apart =
            options.nodes() == Options.Nodes.DISTINCT
                || (options.nodes() == Options.Nodes.ANCHORED && (a.known() || b.known()));
        if (!a.equals(b) && apart && bound.get(a.id()).equals(bound.get(b.id()))) {
          return false;
        }
      }
    }
    return true;
  }

  /** All choices of types that fit, with what else was chosen. */
  private void interpret(
      Map<String, String> bound, List<Fact> used, int number, double gsd, List<String> chosen) {
    if (number == pattern.nodes().size()) {
      for (int e = 0; e < used.size(); e++) {
        Map<String, Double> list = lists.relations().get(e);
        if (list != null) {
          chosen.add(used.get(e).relation());
          gsd += list.get(used.get(e).relation());
        }
      }
      gsds.put(chosen, gsd);
      List<String> match = new ArrayList<>();
      pattern.nodes().forEach(node -> match.add(bound.get(node.id())));
      used.forEach(fact -> match.add(fact.relation() + fact.number()));
      matches.computeIfAbsent(chosen, c -> new HashSet<>()).add(match);
      return;
    }
    String id = pattern.nodes().get(number).id();
    List<String> here = new ArrayList<>(chosen);
    if (lists.nodes().containsKey(id)) {
      here.add(bound.get(id));
      gsd += lists.nodes().get(id).get(bound.get(id));
    }
    if (!lists.types().containsKey(id)) {
      interpret(bound, used, number + 1, gsd, here);
      return;
    }
    for (String type : types.getOrDefault(bound.get(id), Set.of())) {
      Double distance = lists.types().get(id).get(type);
      if (distance != null) {
        List<String> typed = new ArrayList<>(here);
        typed.add(type);
        double more = gsd + distance * options.typeWeight();
        interpret(bound, used, number + 1, more, typed);
      }
    }
  }
}
