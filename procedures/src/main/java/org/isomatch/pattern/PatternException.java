package org.isomatch.pattern;

/** A pattern breaks a rule; the message names the place and ends with a correct example. */
public final class PatternException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final Integer position;

  PatternException(String message, Integer position) {
    super(message);
    this.position = position;
  }

  PatternException(String message) {
    this(message, null);
  }

  /** Offset of the place in the text, in UTF-16 units; null if the message gives a path. */
  public Integer position() {
    return position;
  }
}
