"""ZOGRASCOPE: questions with gold Cypher over Neo4j's public POLE example."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.rows import Row, row
from tests.servers.neo4j import Neo4jServer

from isomatch.evaluate.runner import run_eval
from isomatch.factories import make_index

SERVER = "5.26"
FIGURES = {"exact": "right", "wrong": "wrong though answered", "unanswered": "not answered"}


def asked(data: Path, questions: int) -> Iterator[Row]:
    """Training questions, read without a model; in all, and by the set's kinds."""
    folder = data / "zograscope"
    with TemporaryDirectory(prefix="isomatch-bench-") as place:
        server = Neo4jServer(SERVER, Path(place, "server"), heap=("1g", "2g"))
        load(server, folder / "graph.zip", Path(place, "files"))
        with server:
            settings = server.session_settings(Path(place, "home"))
            make_index(settings)
            report = run_eval(
                str(folder / "train.jsonl"),
                settings=settings,
                interpreter="schema",
                limit=questions,
            )
    yield row("zograscope: questions", report["questions"], "")
    for name, group in (("all", report), *report["splits"]["kind"].items()):
        for key, words in FIGURES.items():
            yield row(f"zograscope {name}: {words}", group[key], "")
    milliseconds = report["stages_ms"]["total"]["p50"]
    yield row("zograscope: question to answer, median", milliseconds, "ms")


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
