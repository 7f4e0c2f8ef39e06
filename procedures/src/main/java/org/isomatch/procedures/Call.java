package org.isomatch.procedures;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.isomatch.candidates.Candidates;
import org.isomatch.candidates.Linker;
import org.isomatch.config.Config;
import org.isomatch.config.MatchKeys;
import org.isomatch.config.Release;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Knowledge;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Naming;
import org.isomatch.pattern.Pattern;
import org.isomatch.search.Found;
import org.isomatch.search.Options;
import org.isomatch.search.Search;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

/** One call of a procedure that searches: its checked configuration, and what it reads with. */
final class Call implements AutoCloseable {
  final Config config;
  final Meter meter;
  final Graph graph;

  private final Transaction transaction;
  private final Naming naming;

  /**
   * @param config with all of {@link MatchKeys}
   * @throws org.isomatch.config.ConfigException a value is wrong, or the client is of another
   *     release
   */
  Call(Config config, Transaction transaction, TerminationGuard guard, ProcedureMemory memory) {
    Release.check(config.procedure(), config.get(MatchKeys.CLIENT));
    this.config = config;
    this.transaction = transaction;
    naming = Naming.from(config);
    Knowledge knowledge = knowledge(config);
    meter =
        new Meter(
            guard, memory, config.get(MatchKeys.BUDGET_SECONDS), config.get(MatchKeys.MEMORY));
    graph = new Graph(transaction, naming, knowledge, meter);
  }

  Candidates candidates(Pattern pattern) {
    return Linker.link(config, pattern, naming, transaction, meter);
  }

  Search search(Pattern pattern, Candidates candidates) {
    return new Search(pattern, candidates, options(), graph, meter);
  }

  /** See {@link Rows}; closing the stream ends the call. */
  <T> Stream<T> stream(
      Pattern pattern,
      BiFunction<Found, Map<String, Object>, T> row,
      Function<Map<String, Object>, T> summary) {
    try {
      Rows<T> rows = new Rows<>(this, pattern, row, summary, config.get(MatchKeys.SUMMARY));
      return StreamSupport.stream(rows, false).onClose(rows::close);
    } catch (RuntimeException refused) {
      close();
      throw refused;
    }
  }

  private Options options() {
    return new Options(
        (int) Math.min(config.get(MatchKeys.K), Integer.MAX_VALUE),
        (int) Math.min(config.get(MatchKeys.LIMIT), Integer.MAX_VALUE),
        Options.Nodes.valueOf(config.get(MatchKeys.NODES).toUpperCase(Locale.ROOT)),
        config.get(MatchKeys.DIRECTION).equals("as written"),
        config.get(MatchKeys.TYPE_WEIGHT),
        config.get(MatchKeys.RESULTS).equals("matches"),
        config.get(MatchKeys.BUDGET_ROWS));
  }

  private static Knowledge knowledge(Config config) {
    List<String> unknown = config.get(MatchKeys.UNKNOWN_RELATIONS);
    Map<String, Knowledge.Holders> properties = new LinkedHashMap<>();
    config
        .get(MatchKeys.PROPERTIES)
        .forEach((key, value) -> properties.put(key, holders(config, key, value)));
    return new Knowledge(unknown == null ? null : new HashSet<>(unknown), properties);
  }

  private static Knowledge.Holders holders(Config config, String key, Object value) {
    if (value instanceof Map<?, ?> map
        && map.get("labels") instanceof List<?> labels
        && labels.stream().allMatch(String.class::isInstance)) {
      return new Knowledge.Holders(
          labels.stream().map(String.class::cast).toList(), Boolean.TRUE.equals(map.get("lists")));
    }
    throw config.wrong(
        "properties." + key, "a map with the list of texts 'labels', and perhaps 'lists'", value);
  }

  @Override
  public void close() {
    meter.close();
  }
}
