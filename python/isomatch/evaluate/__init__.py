"""Evaluation: question sets, scores, and what measures them."""

from isomatch.evaluate.datasets import Part, Question, read
from isomatch.evaluate.runner import run_eval

__all__ = ["Part", "Question", "read", "run_eval"]
