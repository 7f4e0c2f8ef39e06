"""Evidence for open questions: triplets, paths and subgraphs by prizes and costs (OKGQA)."""
