package org.isomatch.pattern;

/** A pattern breaks a rule; the message names the place and ends with a correct example. */
public final class PatternException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  PatternException(String message) {
    super(message);
  }
}
