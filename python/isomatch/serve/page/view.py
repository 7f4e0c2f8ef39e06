"""What the page shows of an answer before its script runs, and where none does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from isomatch.answer.types import NOT_READ

TITLES = {
    "answer": "Answer",
    "yes": "Yes, with the facts",
    "no": "No, and that is proven",
    "refused": "Not answered: the question was not understood whole",
    "unfinished": "Not answered: the search was ended before it was through",
    "absent": "Not found: the graph does not say",
    "unproven": "Not answered: no facts carry an answer",
}


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a question; left out where the reading does not account for it."""

    text: str
    left_out: bool


@dataclass(frozen=True, slots=True)
class View:
    """An answer, as the template needs it.

    Attributes:
        kind: one of `TITLES`; the script tells them apart in the same way.
        question: in its parts; empty where a pattern was asked.
        choices: how the parts of the pattern were read.
        chosen: whether the address has a pattern beside the question: nobody has checked that
            they belong together.
    """

    kind: str
    title: str
    question: tuple[Part, ...]
    choices: tuple[Mapping[str, Any], ...]
    chosen: bool = False

    @classmethod
    def of(cls, answer: Mapping[str, Any], question: str) -> View:
        """The view of an answer, as ``POST /v1/ask`` gives it."""
        kind = _kind(answer)
        best = answer["interpretations"][0] if answer["interpretations"] else {"choices": ()}
        asked = question == answer["question"]
        spans = (answer["reading"] or {}).get("left_out", ()) if asked else ()
        chosen = bool(question) and not asked
        return cls(kind, TITLES[kind], _parts(question, spans), tuple(best["choices"]), chosen)


def _kind(answer: Mapping[str, Any]) -> str:
    if answer["supported"]:
        return {True: "yes", False: "no"}.get(answer.get("holds"), "answer")  # type: ignore[arg-type]
    if (answer["reading"] or {}).get("left_out") or answer["text"].startswith(NOT_READ):
        return "refused"
    if (answer["certificate"] or {}).get("ended_by"):
        return "unfinished"
    return "unproven" if answer["found"] else "absent"


def _parts(question: str, spans: Any) -> tuple[Part, ...]:
    parts, at = [], 0
    for span in sorted(spans, key=lambda span: int(span["start"])):
        if span["start"] < at:
            continue
        parts += [Part(question[at : span["start"]], False)]
        parts += [Part(question[span["start"] : span["end"]], True)]
        at = span["end"]
    return tuple(part for part in (*parts, Part(question[at:], False)) if part.text)
