"""Results in the forms of other libraries: frames, drawings, Neo4j's own graph."""
