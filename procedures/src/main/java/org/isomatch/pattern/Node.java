package org.isomatch.pattern;

/**
 * A node of a pattern.
 *
 * @param id unique in the pattern; letters, digits and underscores
 * @param text the name to look for; null for an unknown node
 * @param type the kind of thing it should be, in words; null for any
 */
public record Node(String id, String text, String type) {
  /** Whether the node has a name to look for. */
  public boolean known() {
    return text != null;
  }
}
