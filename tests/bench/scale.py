"""What grows with a graph: the rate of both built-in embedders, and what quality costs."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Any

from tests.bench.names import FEWEST, _slip
from tests.bench.processes import _run
from tests.bench.rows import Row, row
from tests.bench.sets import FOLDERS

from isomatch.evaluate.runner import run_eval
from isomatch.link.embedder import open_embedder
from isomatch.link.linker import nearest
from isomatch.link.normalise import normalise
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import read
from isomatch.seed import SEED

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

EMBEDDERS = ("minilm", "static")
SLICE = 1024  # texts of one call, as `isomatch index` gives them
SLOW = 4096  # texts that MiniLM embeds for its rate
VARIABLE = "ISOMATCH_EMBEDDER"
PARAPHRASES = Path(__file__).with_name("paraphrases.toml")


def embedders(data: Path, questions: int) -> Iterator[Row]:
    """Both built-in embedders: names in a second, and quality on every set."""
    yield from _rates(data)
    yield from _indexed(data)
    yield from _quality(data, questions)


def _rates(data: Path) -> Iterator[Row]:
    """Names of MetaQA embedded in a second, sorted by length as for an index."""
    lines = (data / "metaqa" / "kb.txt").read_text(encoding="utf-8").splitlines()
    names = sorted({cell for line in lines for cell in line.split("|")[::2]})
    rates = {}
    for spec in EMBEDDERS:
        some = names if spec == "static" else names[:: -(-len(names) // SLOW)]
        some = sorted(some, key=len)
        embedder = open_embedder(spec)
        embedder.embed(some[:1])  # it is loaded, and distilled
        started = perf_counter()
        for start in range(0, len(some), SLICE):
            embedder.embed(some[start : start + SLICE])
        rates[spec] = len(some) / (perf_counter() - started)
        embedder.close()
    yield row("embed MetaQA's names: minilm", rates["minilm"], "names/s", at_least=1000)
    yield row(
        "embed MetaQA's names: static",
        rates["static"],
        "names/s",
        baseline=rates["minilm"],
        at_least=15_000,
        note="the baseline is minilm",
    )


def _indexed(data: Path) -> Iterator[Row]:
    """`isomatch index` of MetaQA by the static embedder, a new process."""
    part = read("metaqa", data / "metaqa", hops=1)[0]
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        home = ["--home", str(Path(folder) / "home"), "--json"]
        _run(["load", str(part.graph), "--delimiter", part.delimiter, *home])
        seconds, megabytes, output = _run(["index", "--embedder", "static", *home])
    names = sum(json.loads(output)["texts"].values())
    yield row("index MetaQA, static: the whole process", names / seconds, "names/s")
    yield row("index MetaQA, static: peak memory", megabytes, "MB")


def _quality(data: Path, questions: int) -> Iterator[Row]:
    found = {spec: dict(_figures(spec, data, questions)) for spec in EMBEDDERS}
    for title, value in found["static"].items():
        note = "static; the baseline is minilm"
        yield row(title, value, "", baseline=found["minilm"][title], note=note)


def _figures(spec: str, data: Path, questions: int) -> Iterator[tuple[str, float]]:
    """By title: gold patterns, paraphrased ones, questions, and misspelled names."""
    with _embedding_by(spec):
        for name, folder in FOLDERS.items():
            kinds: dict[str, dict[str, Any]] = {"gold patterns": {}, "asked": {"patterns": "ask"}}
            if name == "metaqa":
                table = toml.loads(PARAPHRASES.read_text(encoding="utf-8"))
                kinds["paraphrased relations"] = {"wording": table}
            for title, fields in kinds.items():
                report = run_eval(name, data / folder, limit=questions, **fields)
                for part, scores in report["parts"].items():
                    yield f"{name} {part}, {title}: Hits@1", scores["hits_at_1"]
            for slips, right in _misspelled(name, data / folder, questions).items():
                yield f"{name}: {slips} letters wrong, right node nearest", right


def _misspelled(graph: str, folder: Path, names: int) -> dict[int, float]:
    """The share of names that are nearest to themselves with one and two letters wrong."""
    random = Random(f"{SEED} {graph}")
    right = {1: 0, 2: 0}
    with open_session(read(graph, folder)[0], None) as session:
        ids: dict[str, set[str]] = {}
        for name, id in session.index.all_names():
            ids.setdefault(name, set()).add(id)
        long = sorted(name for name in ids if len(normalise(name)) >= FEWEST)
        chosen = random.sample(long, min(names, len(long)))
        for name in chosen:
            text = name
            for slips in right:
                text = _slip(text, random)
                lists, _ = nearest(text, 1, session.index, session.embedder)
                right[slips] += lists["node"][0].id in ids[name]
    return {slips: count / len(chosen) for slips, count in right.items()}


@contextmanager
def _embedding_by(spec: str) -> Iterator[None]:
    """Sessions of data sets are opened with the embedder, and indexed by it once."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = spec
    try:
        yield
    finally:
        if before is None:
            del os.environ[VARIABLE]
        else:
            os.environ[VARIABLE] = before
