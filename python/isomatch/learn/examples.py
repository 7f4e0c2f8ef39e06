"""What models of relation chains are trained on: a masked question and its chains."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast, get_args

from isomatch.chains.graph import Chain, Step
from isomatch.errors import LoadError
from isomatch.learn.shards import read_lines, write_lines

Task = Literal["index", "retrieval"]
Source = Literal["index", "weak", "synthetic"]


@dataclass(frozen=True, slots=True)
class Example:
    """A text and the chains that it stands for.

    Attributes:
        task: ``index`` teaches which relations there are, ``retrieval`` what
            questions mean.
        text: the question with the topic's mention masked by `MASK`; other topics
            stay as they are.
        chains: with weights above 0 that sum to at most 1.
        source: where it comes from.
        id: of the question or the sample, unique in a training set.
    """

    task: Task
    text: str
    chains: tuple[tuple[Chain, float], ...]
    source: Source
    id: str

    @property
    def prompt(self) -> str:
        """The text as a model reads it, after ``[Index]`` or ``[Retrieval]``."""
        return f"[{self.task.capitalize()}] {self.text}"

    def row(self) -> dict[str, Any]:
        """As one JSON line."""
        return {
            "id": self.id,
            "task": self.task,
            "source": self.source,
            "text": self.text,
            "chains": [[steps_row(chain), weight] for chain, weight in self.chains],
        }

    @classmethod
    def of(cls, row: dict[str, Any]) -> Example:
        """From a JSON line.

        Raises:
            KeyError, TypeError, ValueError: it is none.
        """
        task, source = row["task"], row["source"]
        if task not in get_args(Task) or source not in get_args(Source):
            raise ValueError(f"unknown task or source: {task!r}, {source!r}")
        chains = tuple((steps_of(chain), float(weight)) for chain, weight in row["chains"])
        return cls(cast("Task", task), row["text"], chains, cast("Source", source), row["id"])


def steps_row(chain: Chain) -> list[list[Any]]:
    """A chain for JSON: ``[[relation, back], …]``."""
    return [[step.relation, step.back] for step in chain]


def steps_of(row: Iterable[Sequence[Any]]) -> Chain:
    """A chain from JSON."""
    return tuple(Step(str(relation), bool(back)) for relation, back in row)


def write_examples(path: Path, examples: Iterable[Example]) -> int:
    """Write examples as JSON lines, whole or not at all; how many there were.

    Raises:
        LoadError: no room or no right to write.
    """
    return write_lines(path, (example.row() for example in examples))


def read_examples(path: Path) -> Iterator[Example]:
    """The examples of a file, one by one.

    Raises:
        LoadError: missing, or a line is no example; with file and line.
    """
    for number, row in enumerate(read_lines(path), 1):
        try:
            yield Example.of(row)
        except (KeyError, TypeError, ValueError) as error:
            raise LoadError(f"{path}, line {number}: no training example ({error})") from error
