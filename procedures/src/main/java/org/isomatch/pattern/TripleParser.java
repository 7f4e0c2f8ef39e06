package org.isomatch.pattern;

import java.util.Arrays;
import java.util.List;
import org.isomatch.graph.Value;
import org.isomatch.pattern.PatternBuilder.Mention;
import org.isomatch.pattern.PatternBuilder.MentionedEdge;

/**
 * Parses a Cypher list of triples as in the SimGRAG prompts (arXiv 2412.15272, Tables 16 and 17).
 *
 * <pre>
 * [['UNKNOWN film 1', 'directed by', 'Michael Mann']]
 *
 * UNKNOWN film 1     an unknown of the type film; its id is film_1
 * UNKNOWN film ?f    the same with the id f; without a type: UNKNOWN ?f
 * UNKNOWN film       its id is film; without a type: UNKNOWN 1, with the id unknown_1
 * UNKNOWN …, '', or null in the middle: an unknown relation
 * anything else      a name, or a relation's words
 * </pre>
 *
 * <p>A fourth element is the value on the edge.
 */
final class TripleParser {
  static final String EXAMPLE = "[['UNKNOWN film 1', 'directed by', 'Michael Mann']]";

  /** In capitals only: "Unknown" is the name of a film. */
  private static final String UNKNOWN = "UNKNOWN";

  private final PatternBuilder builder = new PatternBuilder(TripleParser::error);

  static Pattern parse(List<?> triples) {
    TripleParser parser = new TripleParser();
    for (int i = 0; i < triples.size(); i++) {
      parser.triple(triples.get(i), i);
    }
    return parser.builder.build(-1);
  }

  private void triple(Object triple, int index) {
    List<?> parts = Value.members(triple);
    boolean isTriple = parts != null && (parts.size() == 3 || parts.size() == 4);
    for (int i = 0; isTriple && i < parts.size(); i++) {
      isTriple = parts.get(i) instanceof String || (i == 1 && parts.get(i) == null);
    }
    if (!isTriple) {
      throw error("it is not three texts, [head, relation, tail], or four with a value", index);
    }
    Mention source = builder.add(mention(parts, 0, index));
    Mention target = builder.add(mention(parts, 2, index));
    Mention value = parts.size() == 3 ? null : builder.add(mention(parts, 3, index));
    String relation = parts.get(1) == null ? "" : (String) parts.get(1);
    boolean isUnknown = relation.isBlank() || words(relation).get(0).equals(UNKNOWN);
    String words = isUnknown ? null : relation;
    builder.edges.add(new MentionedEdge(source, words, target, value, index, false, null));
  }

  private static Mention mention(List<?> parts, int place, int index) {
    String text = (String) parts.get(place);
    List<String> words = words(text);
    if (words.isEmpty()) {
      throw error("element %d is empty".formatted(place), index);
    }
    if (!words.get(0).equals(UNKNOWN)) {
      return new Mention(null, text, null, index, place == 3);
    }
    if (words.size() == 1) {
      return new Mention("unknown", null, null, index, place == 3);
    }
    String last = words.get(words.size() - 1);
    List<String> others = words.subList(1, words.size() - 1);
    String type = others.isEmpty() ? null : String.join(" ", others);
    String id;
    if (last.matches("\\?[\\p{L}\\p{N}_]+")) {
      id = last.substring(1);
    } else if (last.matches("[0-9]+")) {
      String stem = type == null ? "unknown" : PatternBuilder.slug(type);
      id = stem.isEmpty() ? "" : stem + "_" + last;
    } else {
      type = String.join(" ", words.subList(1, words.size()));
      id = PatternBuilder.slug(type);
    }
    if (id.isEmpty()) {
      throw error("no id can be made of '%s'; write one at its end: ?x".formatted(text), index);
    }
    return new Mention(id, null, type, index, place == 3);
  }

  private static List<String> words(String text) {
    return Arrays.stream(text.split("[\\s\\p{Z}]+")).filter(word -> !word.isEmpty()).toList();
  }

  private static PatternException error(String problem, int index) {
    String place = index < 0 ? "" : "triple %d: ".formatted(index + 1);
    return new PatternException(place + problem + "\nA correct pattern: " + EXAMPLE);
  }
}
