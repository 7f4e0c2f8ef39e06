package org.isomatch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Packages of the plugin import each other in one direction. */
class PackagesTest {
  private static final Path SOURCES = Path.of("src/main/java/org/isomatch");
  private static final Pattern NAME = Pattern.compile("\\borg\\.isomatch\\.([a-z]+)\\.[A-Z]");

  @Test
  void noPackagesDependOnEachOtherInACycle() throws IOException {
    Map<String, Set<String>> imports = imports();
    assertThat(imports.keySet()).contains("graph", "pattern", "procedures", "search");
    List<String> order = new ArrayList<>();
    while (order.size() < imports.size()) {
      List<String> next =
          imports.keySet().stream()
              .filter(name -> !order.contains(name) && order.containsAll(imports.get(name)))
              .toList();
      assertThat(next).as("packages in a cycle; not in one: %s of %s", order, imports).isNotEmpty();
      order.addAll(next);
    }
  }

  /** By package, those whose classes it names. */
  private static Map<String, Set<String>> imports() throws IOException {
    Map<String, Set<String>> imports = new TreeMap<>();
    try (Stream<Path> files = Files.walk(SOURCES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
        String own = file.getParent().getFileName().toString();
        Set<String> named = imports.computeIfAbsent(own, name -> new TreeSet<>());
        Matcher names = NAME.matcher(Files.readString(file));
        while (names.find()) {
          if (!names.group(1).equals(own)) {
            named.add(names.group(1));
          }
        }
      }
    }
    return imports;
  }
}
