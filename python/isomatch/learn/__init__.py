"""Training of retrievers on the user's own graph: data, labels and models."""
