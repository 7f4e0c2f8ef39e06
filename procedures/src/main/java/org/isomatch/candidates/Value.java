package org.isomatch.candidates;

/**
 * A property's value as a candidate for a node of the pattern.
 *
 * @param value as Neo4j's API gives it
 */
public record Value(Object value) {}
