package org.isomatch.procedures;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.isomatch.candidates.Candidates;
import org.isomatch.candidates.Linker;
import org.isomatch.config.Config;
import org.isomatch.config.MatchKeys;
import org.isomatch.config.Release;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.graph.Cursor;
import org.isomatch.graph.Graph;
import org.isomatch.graph.Meter;
import org.isomatch.graph.Naming;
import org.isomatch.graph.SchemaHints;
import org.isomatch.pattern.Pattern;
import org.isomatch.pattern.Without;
import org.isomatch.search.Certificate;
import org.isomatch.search.Exclusion;
import org.isomatch.search.Found;
import org.isomatch.search.Search;
import org.isomatch.search.Search.Options;
import org.neo4j.graphdb.Transaction;
import org.neo4j.procedure.TerminationGuard;
import org.neo4j.procedure.memory.ProcedureMemory;

/** One call of a procedure that searches: its checked configuration, and what it reads with. */
final class SearchCall implements AutoCloseable {
  final Graph graph;

  private final Config config;
  private final Pattern pattern;
  private final Transaction transaction;
  private final Naming naming;
  private final Meter meter;

  /** Begins a call; ConfigException for a wrong value, or a client of another release. */
  SearchCall(
      Config config, Pattern pattern, Transaction transaction, TerminationGuard guard,
      ProcedureMemory memory) {
    Release.check(config.procedure(), config.get(MatchKeys.CLIENT));
    this.config = config;
    this.pattern = pattern;
    this.transaction = transaction;
    naming = Naming.from(config, transaction);
    SchemaHints hints = hints(config);
    meter =
        new Meter(
            guard, memory, config.get(MatchKeys.BUDGET_SECONDS), config.get(MatchKeys.MEMORY));
    graph = new Graph(transaction, naming, hints, meter);
  }

  /** Finds candidates, and plans the search; BudgetSpent if that takes too much. */
  Search search() {
    Candidates candidates = Linker.link(config, pattern, naming, transaction, meter);
    Options options = options();
    List<Exclusion> exclusions = new ArrayList<>();
    for (Without part : pattern.without()) {
      Candidates near =
          Linker.linkPart(config, pattern, exclusions.size(), naming, transaction, meter);
      Search search =
          new Search(part.pattern(), near, List.of(), options.ofPart(), graph, meter);
      exclusions.add(new Exclusion(pattern, part, search, meter));
    }
    return new Search(pattern, candidates, exclusions, options, graph, meter);
  }

  /** The rows of matches, and one of a summary; closing the stream ends the call. */
  <T> Stream<T> stream(
      BiFunction<Found, Map<String, Object>, T> row, Function<Map<String, Object>, T> summary) {
    try {
      return new Rows<>(row, summary).stream();
    } catch (RuntimeException refused) {
      close();
      throw refused;
    }
  }

  @Override
  public void close() {
    meter.close();
  }

  /**
   * The rows of a search, each found one ahead of being given: so the last row can say what the
   * whole result proves, and which budget ended it.
   */
  private final class Rows<T> extends Cursor<T> {
    private final BiFunction<Found, Map<String, Object>, T> row;
    private final Function<Map<String, Object>, T> summary;
    private Search search;
    private Certificate endedEarly;
    private Found ahead;
    private Map<String, Object> certificate;
    private int rank;
    private boolean done;

    Rows(BiFunction<Found, Map<String, Object>, T> row, Function<Map<String, Object>, T> summary) {
      this.row = row;
      this.summary = summary;
      try {
        search = search();
        ahead = search.next();
      } catch (BudgetSpent spent) {
        endedEarly = Certificate.endedBy(spent.which(), meter);
      }
    }

    @Override
    public T next() {
      if (done) {
        return null;
      }
      Found found = ahead;
      if (found == null) {
        return end();
      }
      ahead = search.next();
      if (ahead == null || found.cut() || found.rank() != rank) {
        rank = found.rank();
        certificate = search.certificate().toMap();
        certificate.put("cut", found.cut());
      }
      return row.apply(found, certificate);
    }

    /** Gives the summary if it is asked for, or if its notes say why there is no row. */
    private T end() {
      Certificate end = search == null ? endedEarly : search.certificate();
      boolean unmatched = rank == 0 && (search == null || search.isExplained());
      close();
      return config.get(MatchKeys.SUMMARY) || unmatched ? summary.apply(end.toMap()) : null;
    }

    @Override
    public void close() {
      done = true;
      if (search != null) {
        search.close();
      }
      SearchCall.this.close();
    }
  }

  private Options options() {
    return new Options(
        (int) Math.min(config.get(MatchKeys.K), Integer.MAX_VALUE), (int)
        Math.min(config.get(MatchKeys.LIMIT), Integer.MAX_VALUE),
        Options.Nodes.valueOf(config.get(MatchKeys.NODES).toUpperCase(Locale.ROOT)),
        directed(), config.get(MatchKeys.TYPE_WEIGHT),
        config.get(MatchKeys.RESULTS).equals("matches"), config.get(MatchKeys.PARALLEL),
        config.get(MatchKeys.BUDGET_ROWS));
  }

  private Boolean directed() {
    return switch (config.get(MatchKeys.DIRECTION)) {
      case "as written" -> true;
      case "any" -> false;
      default -> null;
    };
  }

  private static SchemaHints hints(Config config) {
    List<String> unknown = config.get(MatchKeys.UNKNOWN_RELATIONS);
    Map<String, SchemaHints.Holders> properties = new LinkedHashMap<>();
    config
        .get(MatchKeys.PROPERTIES)
        .forEach((key, value) -> properties.put(key, holders(config, key, value)));
    return new SchemaHints(unknown == null ? null : new HashSet<>(unknown), properties);
  }

  private static SchemaHints.Holders holders(Config config, String key, Object value) {
    if (value instanceof Map<?, ?> map
        && map.get("labels") instanceof List<?> labels
        && labels.stream().allMatch(String.class::isInstance)) {
      return new SchemaHints.Holders(
          labels.stream().map(String.class::cast).toList(), Boolean.TRUE.equals(map.get("lists")));
    }
    throw config.wrong(
        "properties." + key, "a map with the list of texts 'labels', and perhaps 'lists'", value);
  }
}
