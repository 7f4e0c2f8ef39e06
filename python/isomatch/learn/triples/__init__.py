"""Training of the scorer of triples (SubgraphRAG)."""
