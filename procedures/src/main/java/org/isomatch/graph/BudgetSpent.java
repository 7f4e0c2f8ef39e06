package org.isomatch.graph;

/** A budget of the caller ended the work; what was done until then stands. */
public final class BudgetSpent extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String which;

  /** With the certificate's {@code ended_by}: {@code time}, {@code rows} or {@code memory}. */
  public BudgetSpent(String which) {
    super("the " + which + " budget is spent", null, false, false);
    this.which = which;
  }

  public String which() {
    return which;
  }
}
