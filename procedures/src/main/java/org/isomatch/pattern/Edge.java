package org.isomatch.pattern;

/**
 * An edge of a pattern, from node id to node id.
 *
 * @param source id of the node that it leaves
 * @param relation the relation in words; null for an unknown one
 * @param target id of the node that it enters
 * @param value id of a node that stands for a value on the edge itself; null for none
 */
public record Edge(String source, String relation, String target, String value) {}
