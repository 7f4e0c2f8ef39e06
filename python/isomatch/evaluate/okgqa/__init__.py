"""Evaluation on open questions: what is written for them, and how it is judged (OKGQA)."""
