package org.isomatch.candidates;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.isomatch.candidates.CandidateList.Kind;
import org.isomatch.graph.Value;
import org.neo4j.graphdb.Node;

/** Collects the entries of a candidate list, in any order. */
final class ListBuilder {
  /** All nodes with this name; an item until they are looked up. */
  record Named(String name) {}

  private record Entry(Object item, double distance) {}

  private List<Entry> entries = new ArrayList<>();

  /** Nothing outside the list is nearer than this. */
  double frontier = Double.NEGATIVE_INFINITY;

  boolean approximate;

  void add(Object item, double distance) {
    entries.add(new Entry(item, distance));
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Adds the names among the items to a set. */
  void collectNames(Set<String> names) {
    entries.stream()
        .filter(entry -> entry.item instanceof Named)
        .forEach(entry -> names.add(((Named) entry.item).name));
  }

  /** Replaces names by the nodes that have them. */
  void resolve(Map<String, List<Node>> nodesByName) {
    List<Entry> given = entries;
    entries = new ArrayList<>(given.size());
    for (Entry entry : given) {
      if (entry.item instanceof Named named) {
        nodesByName.getOrDefault(named.name, List.of()).forEach(n -> add(n, entry.distance));
      } else {
        entries.add(entry);
      }
    }
  }

  /** Makes the list: ascending, each element once; {@code most} entries, or all for null. */
  CandidateList build(String text, Kind kind, Long most) {
    entries.sort(Comparator.comparingDouble(Entry::distance));
    Set<Object> seen = new HashSet<>();
    List<Entry> kept = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      if (seen.add(identity(entry.item))) {
        if (most != null && kept.size() == most) {
          frontier = Math.min(frontier, entry.distance);
          break;
        }
        kept.add(entry);
      }
    }
    return new CandidateList(
        text, kind, kept.stream().map(Entry::item).toArray(),
        kept.stream().mapToDouble(Entry::distance).toArray(), frontier, approximate);
  }

  /** Equal for items that are one element: a node and its id, or values equal in Cypher. */
  private static Object identity(Object item) {
    if (item instanceof Value value) {
      return new Value(value.key());
    }
    return item instanceof Node node ? node.getElementId() : item;
  }
}
