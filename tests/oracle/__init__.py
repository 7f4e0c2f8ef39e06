"""Plainly written references that the engine and the benchmark are held to."""
