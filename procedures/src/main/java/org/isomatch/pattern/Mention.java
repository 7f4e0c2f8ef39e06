package org.isomatch.pattern;

/**
 * One place where a text names a node.
 *
 * @param id as written; null where the text gives none
 * @param text the name of a known node; null for an unknown one
 * @param type in words; one mention of several may leave it out
 * @param position offset into the input, in UTF-16 units
 * @param value whether it stands on an edge. A value without an id is a node of its own, whatever
 *     else has its name: "John Malkovich as John Malkovich" has two.
 */
record Mention(String id, String text, String type, int position, boolean value) {
  /** The same, standing on an edge. */
  Mention asValue() {
    return new Mention(id, text, type, position, true);
  }
}
