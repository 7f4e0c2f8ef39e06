"""Trained retrievers: trained and evaluated by the commands that people run.

Every experiment is an `isomatch train` and an `isomatch eval`, each a process of its
own; what they were is printed in the rows' notes.
"""

from __future__ import annotations

import json
import shlex
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from tests.bench.processes import _run
from tests.bench.rows import Row, row

from isomatch.questions.dataset_sessions import open_session, settings_for
from isomatch.questions.datasets import Part, read

SEED = ["--seed", "2014"]
HITS, F1 = "hits_at_1", "macro_f1"
COLD = (
    "who directed [Heat]",
    "what films did [Michael Mann] direct",
    "what genre is [Ronin]",
    "who starred in [The Insider]",
    "which other films has the director of [Collateral] made",
)
EDITED = Path(__file__).parent / "metaqa_lexicon.toml"


@dataclass(frozen=True)
class Bounds:
    """What the parts of a set must reach, in percent."""

    hits: tuple[float, ...]
    f1: tuple[float, ...] = ()


def weak(data: Path, questions: int) -> Iterator[Row]:
    """One model for one to three hops, from 1,000 weak labels."""
    home = _home(data)
    asked = f"metaqa:{data}"
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        model = Path(folder) / "weak"
        title = "1,000 weak labels"
        rows = ["--questions", asked, "--limit", "1000", "--split-by", "row"]
        yield from _trained(f"{title}, fine-tuned", rows, model, seconds=300)
        main, found = Bounds((96, 99, 99), (97, 99, 99)), Bounds((95, 98, 98))
        test = [asked, "--split-by", "row"]
        yield from _evaluated(title, test, model, questions, main)
        topics = f"{title}, topic not given"
        yield from _evaluated(topics, test, model, questions, found, given=False)
        yield from _cold(model, home)
        frozen = Path(folder) / "frozen"
        yield from _trained(f"{title}, frozen", [*rows, "--freeze"], frozen, seconds=60)
        yield from _evaluated(f"{title}, frozen", test, frozen, questions)


def texts(data: Path, questions: int) -> Iterator[Row]:
    """The same, no wording of the test in the training."""
    _home(data)
    asked = [f"metaqa:{data}", "--split-by", "text"]
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        model = Path(folder) / "texts"
        yield from _trained("texts disjoint", ["--questions", *asked, "--limit", "1000"], model)
        yield from _evaluated("texts disjoint", asked, model, questions, Bounds((94, 97, 98)))


def few(data: Path, questions: int) -> Iterator[Row]:
    """100 weak labels, and questions made of the graph."""
    _home(data)
    asked = [f"metaqa:{data}", "--split-by", "row"]
    title = "100 weak labels and synthetic"
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        model = Path(folder) / "few"
        made = ["--limit", "100", "--synthetic", "4000"]
        yield from _trained(title, ["--questions", *asked, *made], model)
        yield from _evaluated(title, asked, model, questions, Bounds((94, 92, 95)))


def unlabelled(data: Path, questions: int) -> Iterator[Row]:
    """No question at all: synthetic ones from the drafted lexicon, and from an edited one."""
    part = read("metaqa", data, hops=1)[0]
    _home(data)
    asked = f"metaqa:{data}"
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        runs = Path(folder)
        schema = _report([asked, "--split-by", "row", *_asking("schema", questions)])
        base = [100 * schema["parts"][name][HITS] for name in schema["parts"]]
        for title, words in (("drafted lexicon", None), ("edited lexicon", EDITED)):
            homes = _homes(part, runs / title.split()[0], words)
            model = runs / f"model-{title.split()[0]}"
            home = ["--home", str(settings_for(part, homes).home)]
            yield from _trained(f"no labels, {title}", ["--synthetic", "4000", *home], model)
            report = _report([asked, "--split-by", "row", *_asking("gsr", questions, model)], homes)
            musts = (75, 60, 60)
            for (name, scores), must, interpreter in zip(
                report["parts"].items(), musts, base, strict=True
            ):
                hits = 100 * scores[HITS]
                yield row(f"metaqa {name}, no labels, {title}: Hits@1", hits, "%", at_least=must)
                yield row(
                    f"metaqa {name}, no labels, {title}: over the schema interpreter",
                    hits - interpreter,
                    "points",
                    at_least=0.1,
                    note=f"which has {interpreter:.1f}",
                )


def others(data: Path, questions: int) -> Iterator[Row]:
    """PathQuestions and WorldCup2014, 80 to 20 by text."""
    split = ["--split-by", "text", "--share", "0.8"]
    for name, folder, hops, must in (
        ("pathquestion", "pathquestion", 2, 95),
        ("pathquestion", "pathquestion", 3, 90),
        ("worldcup", "worldcup2014", None, 98),
    ):
        asked = f"{name}:{data / folder}"
        only = [] if hops is None else ["--hops", str(hops)]
        title = f"{name} {hops} hops" if hops else name
        with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as runs:
            model = Path(runs) / "model"
            train = ["--questions", asked, *split, *only, "--limit", "1500"]
            yield from _trained(title, train, model)
            report = _report([asked, *split, *only, *_asking("gsr", questions, model)])
            for part, scores in report["parts"].items():
                value = 100 * scores[HITS]
                yield row(f"{name} {part}: Hits@1", value, "%", at_least=must)
                yield row(f"{name} {part}: macro-F1", 100 * scores[F1], "%")


def _home(data: Path) -> Path:
    """The home folder of the set's graph; graph and index are there then."""
    part = read("metaqa", data, hops=1)[0]
    open_session(part, None).close()
    return settings_for(part, None).home


def _cold(model: Path, home: Path) -> Iterator[Row]:
    """`isomatch ask` with a trained model, each time a new process."""
    options = ["--interpreter", "gsr", "--model", str(model), "--home", str(home)]
    runs = [_run(["ask", question, *options, "--json"]) for question in COLD]
    seconds = median(seconds for seconds, _, _ in runs)
    yield row("isomatch ask, cold process, trained model: median", seconds, "s", at_most=2)


def _trained(
    title: str, options: Sequence[str], out: Path, *, seconds: float | None = None
) -> Iterator[Row]:
    """Train a chain model, and tell what it took."""
    command = ["train", "gsr", *options, *SEED, "--out", str(out), "--json"]
    took, megabytes, output = _run(command)
    report = json.loads(output)
    training = report["config"]["training"]
    name = f"train gsr, {title}"
    note = f"isomatch {shlex.join(_plain(command))}"
    yield row(f"{name}: training", training["seconds"], "s", at_most=seconds, note=note)
    yield row(f"{name}: the whole process, labels and export too", took, "s")
    yield row(f"{name}: peak memory", megabytes, "MB", at_most=3000)
    if labels := report["labels"]:
        yield row(f"{name}: questions labelled", labels["kept"], f"of {labels['questions']}")


def _evaluated(
    title: str,
    options: Sequence[str],
    model: Path,
    questions: int,
    must: Bounds | None = None,
    *,
    given: bool = True,
) -> Iterator[Row]:
    """Hits@1 and macro-F1 of the best chain's answers, by hops."""
    report = _report([*options, *_asking("gsr", questions, model, given=given)])
    for place, (part, scores) in enumerate(report["parts"].items()):
        bound = must.hits[place] if must else None
        yield row(f"metaqa {part}, {title}: Hits@1", 100 * scores[HITS], "%", at_least=bound)
        bound = must.f1[place] if must and must.f1 else None
        yield row(f"metaqa {part}, {title}: macro-F1", 100 * scores[F1], "%", at_least=bound)
        total = scores["ms"]
        yield row(f"metaqa {part}, {title}: question to answer, median", total, "ms", at_most=20)


def _asking(
    interpreter: str, questions: int, model: Path | None = None, *, given: bool = True
) -> list[str]:
    named = [] if model is None else ["--model", str(model)]
    topics = ["--topics", "given" if given else "found"]
    return ["--interpreter", interpreter, *named, *topics, "--limit", str(questions), *SEED]


def _report(options: Sequence[str], homes: Path | None = None) -> dict[str, Any]:
    """What `isomatch eval` measures."""
    home = [] if homes is None else ["--home", str(homes)]
    found: dict[str, Any] = json.loads(_run(["eval", *options, *home, "--json"])[2])
    return found


def _homes(part: Part, folder: Path, words: Path | None) -> Path | None:
    """A copy of the set's graph and index with other words; None for those at hand."""
    if words is None:
        return None
    source = settings_for(part, None).home
    home = settings_for(part, folder).home
    shutil.copytree(source, home)
    shutil.copy(words, home / "lexicon.toml")
    return folder


def _plain(command: Sequence[str]) -> list[str]:
    """The command without this machine's folders."""
    return [Path(word).name if word.startswith("/") else word for word in command]
