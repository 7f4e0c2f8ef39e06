"""Evaluation: question sets, scores, and what measures them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isomatch.questions.datasets import Part, Question, read

if TYPE_CHECKING:
    from isomatch.evaluate.runner import run_eval

__all__ = ["Part", "Question", "read", "run_eval"]


def __getattr__(name: str) -> Any:
    # The runner reads questions with `isomatch.questions.sets`, which needs the sets here.
    if name == "run_eval":
        from isomatch.evaluate.runner import run_eval

        return run_eval
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
