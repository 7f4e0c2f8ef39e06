package org.isomatch.procedures;

import java.util.Spliterators;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.isomatch.graph.BudgetSpent;
import org.isomatch.pattern.Pattern;
import org.isomatch.search.Certificate;
import org.isomatch.search.Found;
import org.isomatch.search.Search;

/** The rows of a search, each found when it is asked for. */
final class Rows<T> extends Spliterators.AbstractSpliterator<T> implements AutoCloseable {
  private final Call call;
  private final BiFunction<Found, Search, T> row;
  private final Function<Certificate, T> summary;
  private Search search;
  private Certificate early;
  private boolean done;

  Rows(
      Call call,
      Pattern pattern,
      BiFunction<Found, Search, T> row,
      Function<Certificate, T> summary) {
    super(Long.MAX_VALUE, ORDERED | NONNULL);
    this.call = call;
    this.row = row;
    this.summary = summary;
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
    Found found = search == null ? null : search.next();
    if (found != null) {
      action.accept(row.apply(found, search));
      return true;
    }
    if (summary != null) {
      action.accept(summary.apply(search == null ? early : search.certificate()));
    }
    close();
    return summary != null;
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
