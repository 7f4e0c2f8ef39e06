package org.isomatch.procedures;

import java.util.Map;
import java.util.Spliterators;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.pattern.Pattern;
import org.isomatch.search.Certificate;
import org.isomatch.search.Found;
import org.isomatch.search.Search;

/**
 * The rows of a search, each found when it is asked for, one ahead: so the last row can say what
 * the whole result proves, and which budget ended it.
 */
final class Rows<T> extends Spliterators.AbstractSpliterator<T> implements AutoCloseable {
  private final Call call;
  private final BiFunction<Found, Map<String, Object>, T> row;
  private final Function<Map<String, Object>, T> summary;
  private final boolean always;
  private Search search;
  private Certificate early;
  private Found ahead;
  private Map<String, Object> certificate;
  private int rank;
  private boolean begun;
  private boolean done;

  /**
   * @param row makes a row of a match, and of what is proven by then
   * @param summary makes the row behind the last match
   * @param always whether there is such a row; else only where a budget left no other to say so
   */
  Rows(
      Call call,
      Pattern pattern,
      BiFunction<Found, Map<String, Object>, T> row,
      Function<Map<String, Object>, T> summary,
      boolean always) {
    super(Long.MAX_VALUE, ORDERED | NONNULL);
    this.call = call;
    this.row = row;
    this.summary = summary;
    this.always = always;
    try {
      search = call.search(pattern, call.candidates(pattern));
    } catch (BudgetSpent spent) {
      early = Certificate.endedBy(spent.which(), call.meter);
    }
  }

  @Override
  public boolean tryAdvance(Consumer<? super T> action) {
    if (done) {
      return false;
    }
    boolean first = !begun;
    begun = true;
    Found found = first ? next() : ahead;
    if (found == null) {
      Certificate end = search == null ? early : search.certificate();
      boolean silent = !always && !(first && end.endedBy() != null);
      if (!silent) {
        action.accept(summary.apply(end.toMap()));
      }
      close();
      return !silent;
    }
    ahead = next();
    if (ahead == null || found.cut() || found.rank() != rank) {
      rank = found.rank();
      certificate = search.certificate().toMap();
      certificate.put("cut", found.cut());
    }
    action.accept(row.apply(found, certificate));
    return true;
  }

  private Found next() {
    return search == null ? null : search.next();
  }

  @Override
  public void close() {
    done = true;
    if (search != null) {
      search.close();
    }
    call.close();
  }
}
