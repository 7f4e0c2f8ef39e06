"""Questions with operators, of people who had never seen the graph: right, wrong, refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import perf_counter

from tests.bench.rows import Row, row

import isomatch
from isomatch.answer.types import Answer
from isomatch.errors import InterpretationError

SEED = 1


def geoquery(data: Path, questions: int) -> Iterator[Row]:
    """GeoQuery (Zelle and Mooney 1996), read without a model and with the drafted lexicon.

    An answer is right where its names, or its numbers to four digits, are those of the gold
    query and no others. What is refused is neither right nor wrong.
    """
    folder = data / "geoquery"
    with isomatch.open(folder / "graph.ttl") as session:
        for split in ("train", "dev"):
            lines = (folder / f"{split}.jsonl").read_text(encoding="utf-8").splitlines()
            asked = [json.loads(line) for line in lines]
            Random(SEED).shuffle(asked)
            asked = asked[:questions]
            counts: Counter[str] = Counter()
            times = []
            for one in asked:
                started = perf_counter()
                counts[_verdict(session, one["question"], one["answers"])] += 1
                times.append((perf_counter() - started) * 1e3)
            for verdict, title in (
                ("right", "right"),
                ("wrong", "wrong though answered"),
                ("refused", "refused"),
            ):
                yield row(f"geoquery {split}: {title}", counts[verdict] / len(asked), "")
            middle = sorted(times)[len(times) // 2]
            yield row(f"geoquery {split}: question to answer, median", middle, "ms")


def _verdict(session: isomatch.Session, question: str, gold: list[str]) -> str:
    try:
        answer: Answer = session.ask(question, interpreter="schema")
    except InterpretationError:
        return "refused"
    if not answer.supported:
        return "refused"
    found = {_normal(node.name) for node in answer.answers}
    return "right" if found == set(map(_normal, gold)) else "wrong"


def _normal(name: object) -> str:
    text = str(name).strip().casefold()
    try:
        return f"{float(text):.4g}"
    except ValueError:
        return text
