package org.isomatch.graph;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.ResourceIterator;
import org.neo4j.graphdb.Transaction;

/**
 * Finds which property names the nodes of each label, from a sample of them; what a good name is
 * says {@code isomatch/schema/naming.py}, which is the same rule over all nodes.
 */
public final class NameProperties {
  private static final int FEW = 16;
  private static final int MANY = 256;
  private static final int MOST_NODES = 16_384;

  private static final List<String> USUAL =
      List.of("name", "title", "label", "displayname", "fullname", "preflabel", "prefname");
  private static final List<String> ENDINGS =
      List.of("name", "title", "label", "caption", "heading");
  private static final Set<String> NEVER =
      Set.of(
          "id", "uuid", "guid", "url", "uri", "iri", "email", "hash", "password", "token", "path");
  private static final int LONGEST = 80;
  private static final Pattern NO_NAME =
      Pattern.compile(
          "(?is)\\s*|\\w+://.*|www\\..*|\\S+@\\S+\\.\\S+|[\\d\\s.,:;/+TZ%-]*"
              + "|(?=.*\\d)[0-9a-f-]{16,}|[\\[{].*");
  private static final Pattern LAST_WORD = Pattern.compile("[\\W_]+|(?<=[a-z])(?=[A-Z])");
  private static final double USUAL_SCORE = 5;

  /** The texts of one property among the nodes of a sample. */
  private static final class Texts {
    private final Set<String> distinct = new HashSet<>();
    private int count;
    private long length;

    void add(String text) {
      count++;
      length += Math.min(text.length(), 2 * LONGEST + 1); // one very long text is no measure
      distinct.add(text);
    }

    double score(String label, String key, int nodes) {
      double average = (double) length / count;
      if (average > 2 * LONGEST) {
        return 0;
      }
      double share = (double) distinct.size() / count;
      double coverage = (double) count / nodes;
      double plain = (double) distinct.stream().filter(NameProperties::isPlain).count();
      plain /= distinct.size();
      double score = coverage * Math.sqrt(share);
      String own = letters(label);
      String letters = letters(key);
      String usual =
          letters.equals(own)
              ? "name"
              : letters.startsWith(own) ? letters.substring(own.length()) : letters;
      int place = USUAL.indexOf(usual);
      if (place >= 0) {
        return score * Math.max(plain, 0.5) * (10 - place / 100.0);
      }
      String[] words = LAST_WORD.split(key);
      String last = words.length == 0 ? "" : words[words.length - 1].toLowerCase(Locale.ROOT);
      if (NEVER.contains(last) || average > LONGEST) {
        return 0;
      }
      if (share < 0.5 || coverage < 0.5 || plain < 0.5) {
        return 0;
      }
      return score * plain * (ENDINGS.stream().anyMatch(usual::endsWith) ? 3 : 1);
    }
  }

  private NameProperties() {}

  /** The naming property of each label that has one. */
  public static Naming find(Transaction transaction) {
    Set<String> labels = new TreeSet<>();
    transaction.getAllLabelsInUse().forEach(label -> labels.add(label.name()));
    int most = Math.max(FEW, Math.min(MANY, MOST_NODES / Math.max(labels.size(), 1)));
    Map<String, String> keys = new LinkedHashMap<>();
    labels.forEach(name -> keys.put(name, keyOf(transaction, Label.label(name), most)));
    keys.values().removeIf(Objects::isNull);
    return new Naming(keys);
  }

  private static String keyOf(Transaction transaction, Label label, int most) {
    Map<String, Texts> byKey = new TreeMap<>();
    String best = null;
    int read = 0;
    try (ResourceIterator<Node> nodes = transaction.findNodes(label)) {
      while (read < most && nodes.hasNext()) {
        read++;
        nodes
            .next()
            .getAllProperties()
            .forEach(
                (key, value) -> {
                  String text = text(value);
                  if (text != null) {
                    byKey.computeIfAbsent(key, k -> new Texts()).add(text);
                  }
                });
        if (read == FEW || read == most || !nodes.hasNext()) {
          double highest = 0;
          for (Map.Entry<String, Texts> entry : byKey.entrySet()) {
            double score = entry.getValue().score(label.name(), entry.getKey(), read);
            if (score > highest) {
              highest = score;
              best = entry.getKey();
            }
          }
          if (highest >= USUAL_SCORE) {
            break; // a usual name that most nodes have
          }
          best = highest > 0 ? best : null;
        }
      }
    }
    return best;
  }

  private static String text(Object value) {
    if (value instanceof String text) {
      return text;
    }
    return value instanceof String[] texts && texts.length > 0 ? texts[0] : null;
  }

  private static boolean isPlain(String text) {
    return !NO_NAME.matcher(text).matches();
  }

  private static String letters(String name) {
    return name.replaceAll("[\\W_]+", "").toLowerCase(Locale.ROOT);
  }
}
