"""Triples around a question's topics, and what ranks them: SubgraphRAG and its baselines."""
