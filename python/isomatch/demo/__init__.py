"""The demo: a geography graph, made on the spot, and a tour of questions to it."""
