"""What models are trained on: a masked question, and its relation chains or program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Task = Literal["index", "retrieval", "say"]
Source = Literal["index", "weak", "synthetic", "recombined", "feedback"]


@dataclass(frozen=True, slots=True)
class Example:
    """A text and the chains that it stands for.

    Attributes:
        task: ``index`` teaches which relations there are, ``retrieval`` what
            questions mean, ``say`` how programs are said: each one counts by itself.
        text: the question, with one topic's mention replaced by `trained.masking.MASK`.
        chains: relation chains, or the tokens of programs; with weights above 0 that sum to
            at most 1.
        source: of the example.
        id: of the question or the sample, unique in a training set.
    """

    task: Task
    text: str
    chains: tuple[tuple[tuple[Any, ...], float], ...]
    source: Source
    id: str

    @property
    def prompt(self) -> str:
        """The text as a model reads it, after ``[Index]`` or ``[Retrieval]``; a program alone."""
        if self.task == "say":
            return self.text
        return f"[{self.task.capitalize()}] {self.text}"
