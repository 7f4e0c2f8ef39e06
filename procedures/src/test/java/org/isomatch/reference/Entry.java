package org.isomatch.reference;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.isomatch.config.Key;
import org.isomatch.procedures.ProcedureClasses;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;
import org.neo4j.procedure.Description;
import org.neo4j.procedure.Name;
import org.neo4j.procedure.Procedure;
import org.neo4j.procedure.UserFunction;

/**
 * A procedure or function as its annotations describe it.
 *
 * @param name the full one
 * @param kind {@code procedure} or {@code function}
 * @param parameters in order
 * @param yields columns of a procedure, in order; the result of a function, without a name
 * @param keys of its configuration; none where it takes none
 */
public record Entry(
    String name,
    String kind,
    String description,
    List<Value> parameters,
    List<Value> yields,
    List<Key<?>> keys) {
  private static final Map<Class<?>, String> TYPES =
      Map.ofEntries(
          Map.entry(Object.class, "ANY"),
          Map.entry(String.class, "STRING"),
          Map.entry(Long.class, "INTEGER"),
          Map.entry(long.class, "INTEGER"),
          Map.entry(Double.class, "FLOAT"),
          Map.entry(double.class, "FLOAT"),
          Map.entry(Boolean.class, "BOOLEAN"),
          Map.entry(boolean.class, "BOOLEAN"),
          Map.entry(Map.class, "MAP"),
          Map.entry(Node.class, "NODE"),
          Map.entry(Relationship.class, "RELATIONSHIP"),
          Map.entry(Path.class, "PATH"));

  /**
   * A parameter or a column.
   *
   * @param name empty for a function's result
   * @param type as Cypher writes it
   * @param fallback the default as Cypher writes it; null for none
   */
  public record Value(String name, String type, String fallback, String description) {
    private String signature() {
      String after = (fallback == null ? "" : " = " + fallback) + " :: " + type;
      return name + after;
    }
  }

  /**
   * The procedures and functions of some classes: in order of the classes, and in each the one that
   * streams first, then by name.
   *
   * @param classes as Neo4j loads them
   */
  public static List<Entry> all(List<Class<?>> classes) {
    List<Entry> found = new ArrayList<>();
    for (Class<?> one : classes) {
      Arrays.stream(one.getMethods())
          .filter(m -> m.isAnnotationPresent(Procedure.class) || isFunction(m))
          .map(Entry::of)
          .sorted(
              Comparator.comparing((Entry entry) -> !entry.name().endsWith(".stream"))
                  .thenComparing(Entry::name))
          .forEach(found::add);
    }
    return found;
  }

  /** As {@code SHOW PROCEDURES} and {@code SHOW FUNCTIONS} write it. */
  public String signature() {
    String given = parameters.stream().map(Value::signature).collect(Collectors.joining(", "));
    String result =
        kind.equals("function")
            ? yields.get(0).type()
            : yields.stream().map(Value::signature).collect(Collectors.joining(", ", "(", ")"));
    return name + "(" + given + ") :: " + result;
  }

  private static boolean isFunction(Method method) {
    return method.isAnnotationPresent(UserFunction.class);
  }

  private static Entry of(Method method) {
    List<Value> parameters =
        Arrays.stream(method.getParameters()).map(Entry::parameter).toList();
    String description = method.getAnnotation(Description.class).value();
    if (isFunction(method)) {
      Value result = new Value("", cypher(method.getGenericReturnType()), null, "");
      String name = method.getAnnotation(UserFunction.class).value();
      return new Entry(name, "function", description, parameters, List.of(result), List.of());
    }
    Procedure procedure = method.getAnnotation(Procedure.class);
    Type row = ((ParameterizedType) method.getGenericReturnType()).getActualTypeArguments()[0];
    String name = procedure.name().isEmpty() ? procedure.value() : procedure.name();
    return new Entry(
        name,
        "procedure",
        description,
        parameters,
        columns((Class<?>) row),
        ProcedureClasses.KEYS.getOrDefault(name, List.of()));
  }

  private static Value parameter(Parameter parameter) {
    Name name = parameter.getAnnotation(Name.class);
    String type = cypher(parameter.getParameterizedType());
    String fallback = name.defaultValue().equals(Name.DEFAULT_VALUE) ? null : name.defaultValue();
    return new Value(name.value(), type, fallback, name.description());
  }

  private static List<Value> columns(Class<?> row) {
    return Arrays.stream(row.getDeclaredFields())
        .filter(field -> !Modifier.isStatic(field.getModifiers()))
        .map(Entry::column)
        .toList();
  }

  private static Value column(Field field) {
    Description description = field.getAnnotation(Description.class);
    String words = description == null ? "" : description.value();
    return new Value(field.getName(), cypher(field.getGenericType()), null, words);
  }

  private static String cypher(Type type) {
    if (type instanceof ParameterizedType generic) {
      if (generic.getRawType() == List.class) {
        return "LIST<" + cypher(generic.getActualTypeArguments()[0]) + ">";
      }
      return cypher(generic.getRawType());
    }
    String name = TYPES.get(type);
    if (name == null) {
      throw new IllegalStateException("no type of Cypher is known for " + type);
    }
    return name;
  }
}
