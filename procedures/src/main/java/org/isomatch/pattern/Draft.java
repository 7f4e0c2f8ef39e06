package org.isomatch.pattern;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Collects mentions, edges and returns in order, then makes the pattern. A node may be mentioned
 * many times, by its id or by its name alone; the rules for which mentions are one node, and which
 * id a node without one gets, are the same for every text form, and are here.
 */
final class Draft {
  private final Scanner scanner;
  private final List<Mention> mentions = new ArrayList<>();
  private final List<Line> lines = new ArrayList<>();
  private final List<Asked> returns = new ArrayList<>();

  /** An edge between two mentions; the value is another, or -1 for none. */
  private record Line(int source, String relation, int target, int value, int position) {}

  private record Asked(String id, int position) {}

  Draft(Scanner scanner) {
    this.scanner = scanner;
  }

  /** Notes a mention; the number it gets is what {@link #edge} takes. */
  int mention(Mention mention) {
    mentions.add(mention);
    return mentions.size() - 1;
  }

  /** Notes an edge between two mentions, with a third on it or -1, at a position. */
  void edge(int source, String relation, int target, int value, int position) {
    lines.add(new Line(source, relation, target, value, position));
  }

  /** Notes an id that the pattern returns. */
  void asked(String id, int position) {
    returns.add(new Asked(id, position));
  }

  /** The pattern; PatternException at the place that breaks a rule. */
  Pattern pattern() {
    List<String> ids = ids();
    Map<String, Node> merged = new LinkedHashMap<>();
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < mentions.size(); i++) {
      Mention mention = mentions.get(i);
      Node before = merged.get(ids.get(i));
      if (before == null) {
        places.add(mention.position());
      }
      merged.put(ids.get(i), merge(before, ids.get(i), mention));
    }
    List<Node> nodes = List.copyOf(merged.values());
    List<Edge> edges = new ArrayList<>();
    for (Line line : lines) {
      String value = line.value < 0 ? null : ids.get(line.value);
      edges.add(new Edge(ids.get(line.source), line.relation, ids.get(line.target), value));
    }
    List<String> asked = returns.stream().map(Asked::id).toList();
    Fault fault = Faults.find(nodes, edges, asked);
    if (fault != null) {
      int position =
          switch (fault.part()) {
            case WHOLE -> scanner.text().length();
            case NODES -> places.get(fault.index());
            case EDGES -> lines.get(fault.index()).position;
            case RETURNS -> returns.get(fault.index()).position;
          };
      throw scanner.error(fault.problem(), position);
    }
    return new Pattern(nodes, edges, asked);
  }

  /** The id of every mention's node. */
  private List<String> ids() {
    Set<String> taken = new HashSet<>();
    Map<String, Set<String>> ofText = new HashMap<>();
    for (Mention m : mentions) {
      if (m.id() != null) {
        taken.add(m.id());
        if (m.text() != null && !m.value()) {
          ofText.computeIfAbsent(m.text(), t -> new LinkedHashSet<>()).add(m.id());
        }
      }
    }
    Numbered anonymous = new Numbered("_", taken);
    Numbered numbered = new Numbered("n", taken);
    List<String> ids = new ArrayList<>();
    for (Mention m : mentions) {
      if (m.id() != null) {
        ids.add(m.id());
      } else if (m.text() == null) {
        ids.add(anonymous.next());
      } else {
        Set<String> same =
            m.value()
                ? new LinkedHashSet<>()
                : ofText.computeIfAbsent(m.text(), t -> new LinkedHashSet<>());
        if (same.isEmpty()) {
          String readable = Slug.of(m.text());
          boolean free = !readable.isEmpty() && !taken.contains(readable);
          String id = free ? readable : numbered.next();
          taken.add(id);
          same.add(id);
        }
        ids.add(only(same, m));
      }
    }
    return ids;
  }

  private String only(Set<String> ids, Mention mention) {
    Iterator<String> each = ids.iterator();
    String first = each.next();
    if (each.hasNext()) {
      throw scanner.error(
          "several nodes are named %s; say which, with the id %s or %s"
              .formatted(
                  Excerpt.shown(mention.text()), Excerpt.shown(first), Excerpt.shown(each.next())),
          mention.position());
    }
    return first;
  }

  private Node merge(Node node, String id, Mention mention) {
    if (node == null) {
      return new Node(id, mention.text(), mention.type());
    }
    if (node.known() != (mention.text() != null)) {
      throw scanner.error(
          "the node %s is named in one place and unknown in another; two nodes need two ids"
              .formatted(Excerpt.shown(id)),
          mention.position());
    }
    if (!Objects.equals(node.text(), mention.text())) {
      throw scanner.error(
          "the node %s has two names, %s and %s; two nodes need two ids"
              .formatted(
                  Excerpt.shown(id), Excerpt.shown(node.text()), Excerpt.shown(mention.text())),
          mention.position());
    }
    if (node.type() == null || mention.type() == null) {
      return new Node(id, node.text(), node.type() == null ? mention.type() : node.type());
    }
    if (!node.type().equals(mention.type())) {
      String name = node.known() ? node.text() : id;
      throw scanner.error(
          "the node %s has two types, %s and %s; two nodes need two ids"
              .formatted(
                  Excerpt.shown(name), Excerpt.shown(node.type()), Excerpt.shown(mention.type())),
          mention.position());
    }
    return node;
  }

  /** Ids with a number that nobody has taken: _1, _2, … */
  private static final class Numbered {
    private final String stem;
    private final Set<String> taken;
    private int last = 0;

    Numbered(String stem, Set<String> taken) {
      this.stem = stem;
      this.taken = taken;
    }

    String next() {
      do {
        last++;
      } while (taken.contains(stem + last));
      return stem + last;
    }
  }
}
