package org.isomatch.candidates;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.isomatch.config.Config;
import org.isomatch.config.ConfigException;
import org.isomatch.config.Key;
import org.isomatch.config.MatchKeys;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Vectors;
import org.neo4j.graphdb.Result;
import org.neo4j.graphdb.Transaction;
import org.neo4j.graphdb.schema.IndexDefinition;
import org.neo4j.graphdb.schema.IndexSetting;
import org.neo4j.graphdb.schema.IndexType;
import org.neo4j.graphdb.schema.Schema;

/** Finds nodes through the database's own vector and full-text indexes. */
record NodeIndexes(Config config, Transaction transaction, Meter meter) {
  /** Nodes asked for at least: of fewer, a vector index may miss the nearest. */
  private static final long LEAST = 128;

  /** Distances below are 0: the database computes in 32 bits. */
  private static final double ZERO = 1e-3;

  /** The score is of the node's own vector, since the index's is of a rounded one. */
  private static final String NEAREST =
      """
      CALL db.index.vector.queryNodes($index, $limit, $vector) YIELD node
      WITH node, node[$key] AS own
      RETURN node,
        CASE
          WHEN own IS :: LIST<ANY> AND none(x IN own WHERE x <> 0) THEN null
          ELSE vector.similarity.cosine(own, $vector)
        END AS score
      """;

  private static final String BY_WORDS =
      """
      CALL db.index.fulltext.queryNodes($index, $query, {limit: $limit}) YIELD node, score
      RETURN node, score
      """;

  /** What Lucene's query language reads as more than a letter, and its operators. */
  private static final Pattern SYNTAX =
      Pattern.compile("[-+&|!(){}\\[\\]^\"~*?:\\\\/]|\\b(?:AND|OR|NOT)\\b");

  /** The nodes with the nearest vectors: L2 distances of L2-normalised vectors. */
  ListBuilder byVector(String node, Object vector, Long most) {
    IndexDefinition index = index(MatchKeys.VECTOR_INDEX, IndexType.VECTOR);
    Object size = index.getIndexConfiguration().get(IndexSetting.vector_Dimensions());
    double[] numbers = Vectors.read(vector);
    if (numbers == null || (size instanceof Number n && n.intValue() != numbers.length)) {
      String expected = "a list of " + (size == null ? "" : size + " ") + "numbers, not all 0";
      Object given =
          vector instanceof List<?> list && list.size() > 4 ? list.size() + " of them" : vector;
      throw config.wrong("vectors." + node, expected, given);
    }
    Map<String, Object> parameters =
        Map.of(
            "index", index.getName(),
            "limit", most == null ? LEAST : Math.max(LEAST, most + 1),
            "vector", numbers,
            "key", index.getPropertyKeys().iterator().next());
    ListBuilder list = new ListBuilder();
    query(NEAREST, parameters, (found, score) -> list.add(found, distance(score)));
    list.approximate = true;
    return list;
  }

  /** The nodes that a full-text index finds, by 1 - score / best score: no embedding distance. */
  ListBuilder byWords(String text, Long most) {
    IndexDefinition index = index(MatchKeys.FULLTEXT_INDEX, IndexType.FULLTEXT);
    Map<String, Object> parameters =
        Map.of(
            "index", index.getName(),
            "limit", most == null ? LEAST : most + 1,
            "query", SYNTAX.matcher(text).replaceAll("\\\\$0"));
    ListBuilder list = new ListBuilder();
    double[] best = {0}; // the first score is the highest
    query(
        BY_WORDS,
        parameters,
        (found, score) -> {
          best[0] = Math.max(best[0], score);
          list.add(found, best[0] > 0 ? 1 - score / best[0] : 0);
        });
    list.approximate = true;
    return list;
  }

  private void query(
      String query, Map<String, Object> parameters, BiConsumer<Object, Double> consumer) {
    try (Result rows = transaction.execute(query, parameters)) {
      while (rows.hasNext()) {
        meter.tick();
        Map<String, Object> row = rows.next();
        if (row.get("score") instanceof Number score) {
          consumer.accept(row.get("node"), score.doubleValue());
        }
      }
    }
  }

  private IndexDefinition index(Key<String> key, IndexType type) {
    String name = config.get(key);
    Schema schema = transaction.schema();
    List<String> suitable = new ArrayList<>();
    for (IndexDefinition index : schema.getIndexes()) {
      if (index.getIndexType() == type && index.isNodeIndex()) {
        if (index.getName().equals(name)) {
          Schema.IndexState state = schema.getIndexState(index);
          if (state == Schema.IndexState.ONLINE) {
            return index;
          }
          throw new ConfigException(
              "%s: config key '%s': index '%s' is not online, but %s"
                  .formatted(
                      config.procedure(), key.name(), name, state.name().toLowerCase(Locale.ROOT)));
        }
        suitable.add(index.getName());
      }
    }
    String kind = type == IndexType.VECTOR ? "a vector index" : "a full-text index";
    String there = suitable.isEmpty() ? "there is none" : String.join(", ", suitable);
    throw config.wrong(key.name(), kind + " over nodes (" + there + ")", name);
  }

  /** Of two vectors of length 1, out of Cypher's similarity (1 + cos) / 2. */
  private static double distance(double similarity) {
    double distance = Math.sqrt(Math.max(0.0, 4.0 - 4.0 * similarity));
    return distance < ZERO ? 0 : distance;
  }
}
