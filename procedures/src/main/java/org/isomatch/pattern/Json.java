package org.isomatch.pattern;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON texts into maps, lists, texts, numbers, booleans and nulls. */
public final class Json {
  // What callers write is not kept beyond the call, as interned names would be.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .build();

  private Json() {}

  /** A text is not JSON, or more than can be read: nested too deeply, a number too long. */
  public static final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1L;
    private final int offset;

    private SyntaxException(String message, int offset, Throwable cause) {
      super(message, cause);
      this.offset = offset;
    }

    /** Where the text is no JSON, in UTF-16 units; -1 where it is more than can be read. */
    public int offset() {
      return offset;
    }
  }

  /** The value that a JSON text describes; of equal keys in an object the last one counts. */
  public static Object read(String text) throws SyntaxException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      try {
        if (parser.nextToken() == null) {
          throw new SyntaxException("there is nothing in it", text.length(), null);
        }
        Object value = value(parser);
        if (parser.nextToken() != null) {
          int rest = (int) parser.currentTokenLocation().getCharOffset();
          throw new SyntaxException("it goes on after its end", rest, null);
        }
        return value;
      } catch (StreamConstraintsException e) {
        throw new SyntaxException(e.getOriginalMessage(), -1, e);
      } catch (JsonEOFException e) {
        JsonToken open = e.getTokenBeingDecoded();
        boolean quote = open == JsonToken.VALUE_STRING || open == JsonToken.FIELD_NAME;
        throw new SyntaxException(
            e.getOriginalMessage(), quote ? lastQuote(text) : text.length(), e);
      } catch (JsonProcessingException e) {
        int offset = (int) e.getLocation().getCharOffset();
        throw new SyntaxException(e.getOriginalMessage(), Math.min(offset, text.length()), e);
      }
    } catch (IOException e) {
      throw new IllegalStateException("a text in memory cannot fail to be read", e);
    }
  }

  /** The quote that is never closed: in what follows it every other is escaped. */
  private static int lastQuote(String text) {
    int quote = text.lastIndexOf('"');
    while (quote > 0 && text.charAt(quote - 1) == '\\') {
      quote = text.lastIndexOf('"', quote - 1);
    }
    return quote;
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> parser.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> parser.getNumberValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new IllegalStateException("no value begins with " + parser.currentToken());
    };
  }

  private static Map<String, Object> object(JsonParser parser) throws IOException {
    Map<String, Object> object = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      parser.nextToken();
      object.put(key, value(parser));
    }
    return object;
  }

  private static List<Object> array(JsonParser parser) throws IOException {
    List<Object> array = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      array.add(value(parser));
    }
    return array;
  }
}
