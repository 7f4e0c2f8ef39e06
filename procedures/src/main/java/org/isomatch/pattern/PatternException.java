package org.isomatch.pattern;

/** A pattern breaks a rule of its form; the message points at the place, and ends in a remedy. */
public final class PatternException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** The input as given; null where it was no text. */
  private final String text;

  /** Null where the message names the place as a path. */
  private final Integer position;

  PatternException(String message, String text, Integer position, Throwable cause) {
    super(message, cause);
    this.text = text;
    this.position = position;
  }

  PatternException(String message) {
    this(message, null, null, null);
  }

  /** The input as given, or a sequence of triples written as text; null where there is none. */
  public String text() {
    return text;
  }

  /** Offset of the place into {@link #text}, in Unicode code points; null where it is not known. */
  public Integer position() {
    return position;
  }
}
