"""The service under load and under fault, all on loopback: `python -m tests.soak`."""
