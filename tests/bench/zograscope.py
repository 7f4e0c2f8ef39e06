"""ZOGRASCOPE: questions with gold Cypher over Neo4j's public POLE example."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from tests.bench.rows import Row, row
from tests.servers.neo4j import Neo4jServer

from isomatch.evaluate.runner import run_eval
from isomatch.factories import make_index
from isomatch.learn.programs.pipeline import train_programs
from isomatch.questions.sets import read_questions
from isomatch.session import Session
from isomatch.settings import Settings

SERVER = "5.26"
LEXICON = Path(__file__).with_name("zograscope_lexicon.toml")
SEED = 11
SPLITS = {"random tenth": "id", "held-out templates": "template"}
"""Our own, by the key whose values are parted."""
FIGURES = {"exact": "right", "wrong": "wrong though answered", "unanswered": "not answered"}


def asked(data: Path, questions: int) -> Iterator[Row]:
    """Training questions, read without a model; in all, and by the set's kinds.

    First with the drafted lexicon, then those of half of the templates with one that was edited
    after reading questions of the other half.
    """
    with _graph(data) as settings:
        report = _evaluated(data / "zograscope/train.jsonl", settings, "schema", questions)
        yield from _rows("zograscope", report)
        others = _unseen(data / "zograscope/train.jsonl", settings.home, questions)
        yield from _rows(
            "zograscope other templates", _evaluated(others, settings, "schema", questions)
        )
        shutil.copy(LEXICON, settings.lexicon_path)
        report = _evaluated(others, settings, "schema", questions)
        yield from _rows("zograscope other templates, edited lexicon", report)


def seen(lines: Sequence[Mapping[str, Any]]) -> set[str]:
    """The half of the templates whose questions rules and lexicon may be made after."""
    templates = sorted({line["template"] for line in lines})
    return set(Random(SEED).sample(templates, len(templates) // 2))


def _lines(path: Path) -> list[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def _unseen(path: Path, folder: Path, limit: int) -> Path:
    """A file of some questions of the other templates, mixed."""
    given = _lines(path)
    known = seen(given)
    others = [line for line in given if line["template"] not in known]
    Random(SEED).shuffle(others)
    found = folder / "others.jsonl"
    found.write_text("\n".join(map(json.dumps, others[:limit])), encoding="utf-8")
    return found


def trained(data: Path, questions: int) -> Iterator[Row]:
    """A program model on our own splits: a tenth of the questions, or of the templates, held out.

    Trained as a user's is, with the package's defaults. Names and values are found in the
    questions, not given.
    """
    given = _lines(data / "zograscope/train.jsonl")
    with _graph(data) as settings, Session.open(settings) as session:
        for name, of in SPLITS.items():
            folder = settings.home / name.replace(" ", "-")
            learned, held = _split(given, of, folder)
            read = read_questions(str(learned), queries=True)
            report = train_programs(session.resources, read, out=folder)
            yield row(f"zograscope {name}: training", report.config.training["seconds"], "s")
            own = settings.model_copy(update={"programs_model": folder})
            yield from _rows(
                f"zograscope {name}, trained", _evaluated(held, own, "programs", questions)
            )


def alone(data: Path, questions: int) -> Iterator[Row]:
    """A program model that learnt from questions without answers or queries, on our own splits.

    Beside what the words alone say; both with the edited lexicon.
    """
    given = _lines(data / "zograscope/train.jsonl")
    with _graph(data) as settings:
        shutil.copy(LEXICON, settings.lexicon_path)
        for name, of in SPLITS.items():
            folder = settings.home / f"alone {name}".replace(" ", "-")
            learned, held = _split(given, of, folder)
            log = "\n".join(json.dumps({"question": line["question"]}) for line in _lines(learned))
            learned.write_text(log, encoding="utf-8")
            with Session.open(settings) as session:
                read = read_questions(str(learned), unlabelled=True)
                report = train_programs(session.resources, read, out=folder)
            title = f"zograscope {name}, questions alone"
            for words, count in report.labels.rows() if report.labels else ():
                yield row(f"{title}: {words}", count, "")
            composed = _evaluated(held, settings, "schema", questions)
            yield from _rows(f"zograscope {name}, words alone", composed)
            own = settings.model_copy(update={"programs_model": folder})
            yield from _rows(title, _evaluated(held, own, "programs", questions))


def _split(given: Sequence[Mapping[str, Any]], of: str, folder: Path) -> tuple[Path, Path]:
    """Files of the questions to learn from, and of those with a tenth of the values of a key."""
    values = sorted({line[of] for line in given})
    held = set(Random(7).sample(values, len(values) // 10))
    folder.mkdir(parents=True)
    paths = folder / "learned.jsonl", folder / "held.jsonl"
    for path, is_held in zip(paths, (False, True), strict=True):
        some = [json.dumps(line) for line in given if (line[of] in held) == is_held]
        path.write_text("\n".join(some), encoding="utf-8")
    return paths


@contextmanager
def _graph(data: Path) -> Iterator[Settings]:
    """The set's graph in Neo4j, indexed."""
    with TemporaryDirectory(prefix="isomatch-bench-") as place:
        server = Neo4jServer(SERVER, Path(place, "server"), heap=("1g", "2g"))
        load(server, data / "zograscope/graph.zip", Path(place, "files"))
        with server:
            settings = server.session_settings(Path(place, "home"))
            make_index(settings)
            yield settings


def _evaluated(path: Path, settings: Settings, interpreter: str, limit: int) -> dict[str, Any]:
    return run_eval(str(path), settings=settings, interpreter=interpreter, limit=limit)


def _rows(title: str, report: Mapping[str, Any]) -> Iterator[Row]:
    """Right, wrong though answered and not answered: in all, and by the set's kinds."""
    yield row(f"{title}: questions", report["questions"], "")
    for name, group in (("all", report), *report["splits"]["kind"].items()):
        for key, words in FIGURES.items():
            yield row(f"{title} {name}: {words}", group[key], "")
    milliseconds = report["stages_ms"]["total"]["p50"]
    yield row(f"{title}: question to answer, median", milliseconds, "ms")


def load(server: Neo4jServer, archive: Path, folder: Path) -> None:
    """Import the set's files into a server that has not started yet, by the server's own tool.

    Args:
        folder: where the files are unpacked.
    """
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder)
    server.admin(
        *("database", "import", "full", "neo4j", "--id-type=integer", "--overwrite-destination"),
        *(f"--nodes={file}" for file in sorted(folder.glob("*.nodes.*.csv"))),
        *(f"--relationships={file}" for file in sorted(folder.glob("*.relationships.*.csv"))),
    )
