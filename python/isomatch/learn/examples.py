"""What models of relation chains are trained on: a masked question and its chains."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar, cast, get_args

from isomatch.chains.graph import Chain, Step
from isomatch.errors import LoadError
from isomatch.learn.shards import read_lines, write_lines
from isomatch.lexicon.english import fold, fold_with_offsets

MASK = "[MASK]"
"""Stands in a question for the mention that its chains start from."""

Task = Literal["index", "retrieval"]
Source = Literal["index", "weak", "synthetic"]
Item = TypeVar("Item")


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


def mask(text: str, start: int, end: int) -> str:
    """The text with a part of it masked.

    Example:
        >>> mask("who directed Heat", 13, 17)
        'who directed [MASK]'
    """
    return f"{text[:start]}{MASK}{text[end:]}"


def mask_topic(text: str, name: str) -> str | None:
    """The text with a name in it masked; None where it is not there.

    Of several places the first counts where letters and case are the name's, else
    the first without regard to case and accents. Underscores are blanks.

    Example:
        >>> mask_topic("who acted in heat_2 and Heat 2", "Heat 2")
        'who acted in heat_2 and [MASK]'
        >>> mask_topic("aliens in Alien", "Ali") is None
        True
    """
    plain = name.replace("_", " ").strip()
    if not plain:
        return None
    # Letter for letter first: folding a text is slow, and most names are as written.
    place = _whole(text.replace("_", " "), plain)
    if place is not None:
        return mask(text, place, place + len(plain))
    wanted = fold(name)
    folded, offsets = fold_with_offsets(text)
    place = _whole(folded, wanted) if wanted else None
    if place is None:
        return None
    return mask(text, offsets[place], offsets[place + len(wanted) - 1] + 1)


def wording_of(text: str, topics: Iterable[str]) -> str:
    """What a text says whatever it is about: all its topics masked, in lower case."""
    for topic in sorted(topics, key=len, reverse=True):
        text = mask_topic(text, topic) or text
    return " ".join(text.lower().split())


def shuffled(items: Sequence[Item], seed: object) -> list[Item]:
    """The items in an order that the seed decides."""
    order = list(items)
    random.Random(str(seed)).shuffle(order)  # noqa: S311 - repeatable, not secret
    return order


def _whole(text: str, name: str) -> int | None:
    """Where a name begins in a text, as whole words."""
    first = text.find(name)
    while first >= 0:
        end = first + len(name)
        before = first > 0 and text[first - 1].isalnum() and name[0].isalnum()
        after = end < len(text) and text[end].isalnum() and name[-1].isalnum()
        if not (before or after):
            return first
        first = text.find(name, first + 1)
    return None
