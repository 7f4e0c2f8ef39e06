package org.isomatch.pattern;

import static org.isomatch.pattern.PatternRules.quoted;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import org.isomatch.pattern.Pattern.Edge;
import org.isomatch.pattern.Pattern.Node;

/**
 * Collects mentions of nodes, edges and returned ids in order, then makes the pattern. A node may
 * be mentioned many times, by its id or by its name alone; which mentions are one node, and which
 * id a node without one gets, is decided here.
 */
final class PatternBuilder {
  private static final int LONGEST_ID = 40;

  private final BiFunction<String, Integer, PatternException> error;
  private final List<Mention> mentions = new ArrayList<>();
  final List<MentionedEdge> edges = new ArrayList<>();
  final List<Returned> returns = new ArrayList<>();
  private final List<Condition> where = new ArrayList<>();
  private final List<Without> without = new ArrayList<>();
  private final List<Integer> wherePositions = new ArrayList<>();
  private final List<Integer> withoutPositions = new ArrayList<>();
  private final Set<String> takenIds = new HashSet<>();
  private int anonymous;
  private int numbered;

  /**
   * One place that names a node.
   *
   * @param id as written; null if none is given
   * @param text the name of a known node; null for an unknown one
   * @param type in words; one mention of several may leave it out
   * @param position of the mention, for errors
   * @param isValue whether it stands on an edge. A value without an id is a node of its own, even
   *     if another node has its name: "John Malkovich as John Malkovich" has two.
   */
  record Mention(String id, String text, String type, int position, boolean isValue) {}

  /** An edge between two added mentions; the value is a third, or null. */
  record MentionedEdge(
      Mention source, String relation, Mention target, Mention value, int position,
      boolean directed, String key) {}

  record Returned(String id, int position) {}

  /** With what makes the exception from a problem and a position, -1 for the whole pattern. */
  PatternBuilder(BiFunction<String, Integer, PatternException> error) {
    this.error = error;
  }

  /** Adds a mention, and returns it. */
  Mention add(Mention mention) {
    mentions.add(mention);
    return mention;
  }

  void where(Condition condition, int position) {
    where.add(condition);
    wherePositions.add(position);
  }

  void without(Without part, int position) {
    without.add(part);
    withoutPositions.add(position);
  }

  /** Ids of unknown nodes, those that the text gives, in order. */
  List<String> unknownIds() {
    return mentions.stream()
        .filter(mention -> mention.text == null && mention.id != null)
        .map(Mention::id)
        .distinct()
        .toList();
  }

  /**
   * Makes the pattern; PatternException with the position that breaks a rule.
   *
   * @param end where it ends; -1 for the end of the whole
   */
  Pattern build(int end) {
    Map<Mention, String> ids = assignIds();
    Map<String, Node> nodes = new LinkedHashMap<>();
    List<Integer> positions = new ArrayList<>();
    for (Mention mention : mentions) {
      String id = ids.get(mention);
      Node earlier = nodes.get(id);
      if (earlier == null) {
        positions.add(mention.position);
      }
      nodes.put(id, merge(earlier, id, mention));
    }
    List<Node> allNodes = List.copyOf(nodes.values());
    List<Edge> allEdges =
        edges.stream()
            .map(
                e ->
                    new Edge(
                        ids.get(e.source), e.relation, ids.get(e.target), ids.get(e.value),
                        e.directed, e.key))
            .toList();
    List<String> allReturns = returns.stream().map(Returned::id).toList();
    PatternRules.Violation violation =
        PatternRules.check(allNodes, allEdges, allReturns, where, without);
    if (violation != null) {
      int position =
          switch (violation.part()) {
            case PATTERN -> end;
            case NODES -> positions.get(violation.index());
            case EDGES -> edges.get(violation.index()).position;
            case RETURN -> returns.get(violation.index()).position;
            case WHERE -> wherePositions.get(violation.index());
            case PARTS -> withoutPositions.get(violation.index());
          };
      throw error.apply(violation.problem(), position);
    }
    return new Pattern(allNodes, allEdges, allReturns, where, without);
  }

  private Map<Mention, String> assignIds() {
    Map<String, Set<String>> idsOfText = new HashMap<>();
    for (Mention mention : mentions) {
      if (mention.id != null) {
        takenIds.add(mention.id);
        if (mention.text != null && !mention.isValue) {
          idsOfText.computeIfAbsent(mention.text, t -> new LinkedHashSet<>()).add(mention.id);
        }
      }
    }
    Map<Mention, String> ids = new IdentityHashMap<>(); // equal mentions may be two nodes
    for (Mention mention : mentions) {
      if (mention.id != null) {
        ids.put(mention, mention.id);
      } else if (mention.text == null) {
        ids.put(mention, nextAnonymous());
      } else if (mention.isValue) {
        ids.put(mention, newId(mention.text));
      } else {
        Set<String> same = idsOfText.computeIfAbsent(mention.text, t -> new LinkedHashSet<>());
        if (same.isEmpty()) {
          same.add(newId(mention.text));
        }
        ids.put(mention, onlyId(same, mention));
      }
    }
    return ids;
  }

  private String nextAnonymous() {
    while (!takenIds.add("_" + ++anonymous)) {
      continue;
    }
    return "_" + anonymous;
  }

  private String newId(String text) {
    String id = slug(text);
    while (id.isEmpty() || !takenIds.add(id)) {
      id = "n" + ++numbered;
    }
    return id;
  }

  /**
   * A readable id for a text: its letters and digits, lower case, without accents ("Beyoncé
   * Knowles-Carter" gives beyonce_knowles_carter). Empty if the text has neither.
   */
  static String slug(String text) {
    String lower = Scanner.first(text, 4 * LONGEST_ID).toLowerCase(Locale.ROOT);
    String bare = Normalizer.normalize(lower, Normalizer.Form.NFKD).replaceAll("\\p{Mn}", "");
    String id =
        Normalizer.normalize(bare, Normalizer.Form.NFC)
            .replaceAll("[^\\p{L}\\p{N}]+", "_")
            .replaceFirst("^_", "");
    return Scanner.first(id, LONGEST_ID).replaceFirst("_$", "");
  }

  private String onlyId(Set<String> ids, Mention mention) {
    Iterator<String> each = ids.iterator();
    String first = each.next();
    if (each.hasNext()) {
      String problem = "several nodes are named %s; say which, with the id %s or %s";
      throw error.apply(
          problem.formatted(quoted(mention.text), quoted(first), quoted(each.next())),
          mention.position);
    }
    return first;
  }

  private Node merge(Node node, String id, Mention mention) {
    if (node == null) {
      return new Node(id, mention.text, mention.type);
    }
    String problem = null;
    if (node.known() != (mention.text != null)) {
      problem = "the node %s is named in one place and unknown in another".formatted(quoted(id));
    } else if (!Objects.equals(node.text(), mention.text)) {
      problem =
          "the node %s has two names, %s and %s"
              .formatted(quoted(id), quoted(node.text()), quoted(mention.text));
    } else if (node.type() != null && mention.type != null && !node.type().equals(mention.type)) {
      problem =
          "the node %s has two types, %s and %s"
              .formatted(
                  quoted(node.known() ? node.text() : id), quoted(node.type()),
                  quoted(mention.type));
    }
    if (problem != null) {
      throw error.apply(problem + "; two nodes need two ids", mention.position);
    }
    return node.type() == null ? new Node(id, node.text(), mention.type) : node;
  }
}
