"""Evaluation: scores on question sets, and what is measured on them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from isomatch.evaluate.compare import compare_runs as compare_runs
    from isomatch.evaluate.config import EvalConfig as EvalConfig
    from isomatch.evaluate.curves import run_curves as run_curves
    from isomatch.evaluate.okgqa.config import OpenEvalConfig as OpenEvalConfig
    from isomatch.evaluate.okgqa.runner import run_open_eval as run_open_eval
    from isomatch.evaluate.runner import run_eval as run_eval
    from isomatch.questions.datasets import Part as Part
    from isomatch.questions.datasets import Question as Question
    from isomatch.questions.datasets import read as read

_MODULES = {
    "EvalConfig": "isomatch.evaluate.config",
    "Part": "isomatch.questions.datasets",
    "Question": "isomatch.questions.datasets",
    "compare_runs": "isomatch.evaluate.compare",
    "read": "isomatch.questions.datasets",
    "run_curves": "isomatch.evaluate.curves",
    "OpenEvalConfig": "isomatch.evaluate.okgqa.config",
    "run_open_eval": "isomatch.evaluate.okgqa.runner",
    "run_eval": "isomatch.evaluate.runner",
}
__all__ = list(_MODULES)


def __getattr__(name: str) -> Any:
    # The command line reads the choices here before it knows its command.
    if name in _MODULES:
        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
