package org.isomatch.config;

import java.util.List;
import java.util.Map;

/** The keys of {@code isomatch.match.*}, named and set as in Python's {@code Options}. */
public final class MatchKeys {
  public static final Key<Long> K =
      Key.wholeNumber("k", 3L).from(1)
          .means("How many interpretations (or matches, see `results`) to give.");
  public static final Key<Long> LIMIT =
      Key.wholeNumber("limit", 1000L).from(1)
          .means("Most matches of one interpretation; the certificate says where it cut.");
  public static final Key<String> NODES =
      Key.choice("nodes", "distinct", "distinct", "anchored", "repeat")
          .means(
              "Which parts of the pattern may be the same node: none, unknown ones with each "
                  + "other, or any.");
  public static final Key<String> DIRECTION =
      Key.choice("direction", "as drawn", "as drawn", "any", "as written")
          .means(
              "Which edges a relationship must follow from source to target: those drawn as "
                  + "arrows, none, or all.");
  public static final Key<Double> TYPE_WEIGHT =
      Key.number("type_weight", 1.0).from(0)
          .means("Factor on a type's distance; 0 is the published definition.");
  public static final Key<Long> K_NODES =
      Key.wholeNumber("k_nodes", null).from(1)
          .means(
              "Most candidates of a known node; null takes the whole list, or through a vector or "
                  + "full-text index the best 128.");
  public static final Key<Long> K_RELATIONS =
      Key.wholeNumber("k_relations", null).from(1)
          .means("Most candidates of a known relation; null takes the whole list.");
  public static final Key<Long> K_TYPES =
      Key.wholeNumber("k_types", null).from(1)
          .means("Most candidates of a type; null takes the whole list.");
  public static final Key<Double> BUDGET_SECONDS =
      Key.number("budget_seconds", 10.0).above(0).orNull()
          .means("The search ends after this, with what it has proven; null for no such end.");
  public static final Key<Long> BUDGET_ROWS =
      Key.wholeNumber("budget_rows", 1_000_000L).from(1).orNull()
          .means("The same after this many rows; null for no such end.");
  public static final Key<String> RESULTS =
      Key.choice("results", "interpretations", "interpretations", "matches")
          .means("What `k` counts: interpretations with all their matches, or single matches.");
  public static final Key<Boolean> PARALLEL =
      Key.flag("parallel", true)
          .means(
              "Whether matches to the same nodes, by other relationships of the same types, are "
                  + "matches of their own; else the first of them is given.");
  public static final Key<Map<String, Object>> CANDIDATES =
      Key.map("candidates", Map.of())
          .means(
              "Lists of candidates, `{nodes: {}, relations: {}, types: {}}`, in any order; those of "
                  + "each `without` are such a map in a list, `parts`.");
  public static final Key<Map<String, Object>> VECTORS =
      Key.map("vectors", Map.of())
          .means("Embeddings of known nodes' texts by node id, for `vector_index`.");
  public static final Key<String> VECTOR_INDEX =
      Key.text("vector_index", null)
          .means("Vector index in which nodes that have `vectors` are sought.");
  public static final Key<String> FULLTEXT_INDEX =
      Key.text("fulltext_index", null)
          .means("Full-text index in which the other known nodes are sought.");
  public static final Key<Map<String, Object>> NAMES =
      Key.map("names", null)
          .means(
              "The property that names the nodes of each label that has names, `{Movie: 'title'}`; "
                  + "null for the one that reads most like a name, by a sample of each label.");
  public static final Key<List<String>> UNKNOWN_RELATIONS =
      Key.texts("unknown_relations", null)
          .means("What an unknown relation may be, as `:TYPE` and `.key`; null for anything.");
  public static final Key<Map<String, Object>> PROPERTIES =
      Key.map("properties", Map.of())
          .means(
              "Where properties are, `{released: {labels: ['Movie'], lists: false}}`: by its value "
                  + "a key is sought under these labels alone, and in lists only with "
                  + "`lists: true`, so what is not named is not found; for any other key all nodes "
                  + "are read.");
  public static final Key<Long> MEMORY =
      Key.wholeNumber("memory", 67_108_864L).from(1_048_576)
          .means("Most bytes of heap that one call may take; the search ends there.");
  public static final Key<Boolean> SUMMARY =
      Key.flag("summary", false)
          .means("Whether a last row, with rank null, has the final certificate.");
  public static final Key<String> CLIENT =
      Key.text("client", null)
          .means("Version of the calling isomatch; refused where it does not fit the plugin's.");

  /** All of them, in order of the reference. */
  public static final List<Key<?>> ALL =
      List.of(
          K, LIMIT, RESULTS, PARALLEL, NODES, DIRECTION, CANDIDATES, VECTORS, VECTOR_INDEX,
          FULLTEXT_INDEX, NAMES, K_NODES, K_RELATIONS, K_TYPES, TYPE_WEIGHT, UNKNOWN_RELATIONS,
          PROPERTIES, BUDGET_SECONDS, BUDGET_ROWS, MEMORY, SUMMARY, CLIENT);

  /** {@link #ALL} as a description shows them: annotations take constants only. */
  public static final String SIGNATURE =
      "{k = 3 :: INTEGER, limit = 1000 :: INTEGER, results = 'interpretations' :: "
          + "STRING, parallel = true :: BOOLEAN, nodes = 'distinct' :: STRING, "
          + "direction = 'as drawn' :: STRING, "
          + "candidates = {} :: MAP, vectors = {} :: MAP, vector_index = null :: STRING, fulltext_index = "
          + "null :: STRING, names = null :: MAP, k_nodes = null :: INTEGER, k_relations = "
          + "null :: INTEGER, k_types = null :: INTEGER, type_weight = 1.0 :: FLOAT, "
          + "unknown_relations = null :: LIST<STRING>, properties = {} :: MAP, budget_seconds "
          + "= 10.0 :: FLOAT, budget_rows = 1000000 :: INTEGER, memory = 67108864 :: INTEGER, "
          + "summary = false :: BOOLEAN, client = null :: STRING}";

  private MatchKeys() {}
}
