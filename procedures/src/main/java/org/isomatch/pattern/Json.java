package org.isomatch.pattern;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON texts (RFC 8259) into maps, lists, texts, numbers, booleans and nulls; numbers are
 * Long or Double, as in Cypher.
 *
 * <p>Written by hand because a message points at the place where a text is no JSON: the library
 * that the server brings says another place in each of its versions, and mostly not Python's.
 */
public final class Json {
  /** Deeper than any pattern, and far from what a thread's stack holds. */
  private static final int DEEPEST = 200;

  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private final String text;
  private int position = 0;
  private int depth = 0;

  private Json(String text) {
    this.text = text;
  }

  /** A text is not JSON, or is nested too deeply to be read. */
  public static final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int offset;

    private SyntaxException(String message, int offset) {
      super(message);
      this.offset = offset;
    }

    /** Where the text is no JSON, in UTF-16 units; -1 where it is nested too deeply. */
    public int offset() {
      return offset;
    }
  }

  /** The value that a JSON text describes; of equal keys in an object the last one counts. */
  public static Object read(String text) throws SyntaxException {
    Json json = new Json(text);
    Object value = json.value();
    json.next();
    if (json.position < text.length()) {
      throw json.error("the end");
    }
    return value;
  }

  private Object value() throws SyntaxException {
    if (depth > DEEPEST) {
      throw new SyntaxException("it is nested more than " + DEEPEST + " deep", -1);
    }
    return switch (next()) {
      case '{' -> object();
      case '[' -> array();
      case '"' -> string();
      default -> bare();
    };
  }

  private Object bare() throws SyntaxException {
    if (take("null")) {
      return null;
    }
    if (take("true")) {
      return true;
    }
    return take("false") ? Boolean.FALSE : number();
  }

  private Map<String, Object> object() throws SyntaxException {
    Map<String, Object> object = new LinkedHashMap<>();
    position++;
    depth++;
    if (next() != '}') {
      do {
        if (next() != '"') {
          throw error("a key in double quotes");
        }
        String key = string();
        if (!takeMark(':')) {
          throw error("a colon");
        }
        object.put(key, value());
      } while (takeMark(','));
    }
    if (!takeMark('}')) {
      throw error("a comma or }");
    }
    depth--;
    return object;
  }

  private List<Object> array() throws SyntaxException {
    List<Object> array = new ArrayList<>();
    position++;
    depth++;
    if (next() != ']') {
      do {
        array.add(value());
      } while (takeMark(','));
    }
    if (!takeMark(']')) {
      throw error("a comma or ]");
    }
    depth--;
    return array;
  }

  private String string() throws SyntaxException {
    int start = position++;
    StringBuilder string = new StringBuilder();
    while (here() != '"') {
      if (position == text.length()) {
        throw notClosed(start);
      }
      if (here() < ' ') {
        throw error("an escape for a control character");
      }
      string.append(here() == '\\' ? escaped(start) : here());
      position++;
    }
    position++;
    return string.toString();
  }

  /** The character of an escape; leaves the position at its last one. */
  private char escaped(int start) throws SyntaxException {
    position++;
    if (position == text.length()) {
      throw notClosed(start);
    }
    int known = ESCAPES.indexOf(here());
    if (known >= 0) {
      return ESCAPED.charAt(known);
    }
    if (here() != 'u') {
      position--;
      throw error("an escape");
    }
    int unit = Characters.codeUnit(text, position + 1);
    if (unit < 0) {
      throw error("u and four hexadecimal digits");
    }
    position += 4;
    return (char) unit;
  }

  private Number number() throws SyntaxException {
    int start = position;
    int first = here() == '-' ? start + 1 : start;
    int whole = at(first) == '0' ? first + 1 : afterDigits(first);
    if (whole == first) {
      throw error("a value");
    }
    int end = whole;
    if (at(end) == '.' && afterDigits(end + 1) > end + 1) {
      end = afterDigits(end + 1);
    }
    if (at(end) == 'e' || at(end) == 'E') {
      int sign = at(end + 1) == '-' || at(end + 1) == '+' ? end + 2 : end + 1;
      end = afterDigits(sign) > sign ? afterDigits(sign) : end;
    }
    position = end;
    String digits = text.substring(start, end);
    // Eighteen digits always fit into a long.
    return end == whole && digits.length() <= 18
        ? (Number) Long.valueOf(digits)
        : (Number) Double.valueOf(digits);
  }

  private int afterDigits(int start) {
    int end = start;
    while (at(end) >= '0' && at(end) <= '9') {
      end++;
    }
    return end;
  }

  /** The next character after white space, not yet read; 0 at the end. */
  private char next() {
    while (position < text.length() && " \t\n\r".indexOf(here()) >= 0) {
      position++;
    }
    return here();
  }

  private boolean takeMark(char mark) {
    boolean taken = next() == mark;
    position += taken ? 1 : 0;
    return taken;
  }

  private boolean take(String word) {
    boolean taken = text.startsWith(word, position);
    position += taken ? word.length() : 0;
    return taken;
  }

  private char here() {
    return at(position);
  }

  private char at(int offset) {
    return offset < text.length() ? text.charAt(offset) : 0;
  }

  private SyntaxException notClosed(int start) {
    position = start;
    return error("a text that ends in double quotes");
  }

  private SyntaxException error(String expected) {
    int place = text.codePointCount(0, position);
    return new SyntaxException("expected " + expected + " at character " + place, position);
  }
}
