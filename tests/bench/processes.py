"""Whole processes: how long they take from a cold start, and how much memory."""

from __future__ import annotations

import json
import os
import random
import string
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median

from tests.bench.rows import Row, row

from isomatch.questions.dataset_sessions import open_session, settings_for
from isomatch.questions.datasets import Part, read

RUNS = 7
CHANGES = 100
# Run by a small process of its own: a child that this one started would begin
# with this one's memory in its account.
_WRAPPER = """
import json, resource, subprocess, sys, time
started = time.perf_counter()
run = subprocess.run(sys.argv[1:], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
seconds = time.perf_counter() - started
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
unit = 1 if sys.platform == "darwin" else 1024
print(json.dumps([seconds, usage.ru_maxrss * unit / 1e6, run.returncode, run.stdout, run.stderr]))
"""


def cold(data: Path) -> Iterator[Row]:
    """`isomatch match` and `isomatch --help`, each time a new process."""
    part = read("metaqa", data, hops=1)[0]
    open_session(part, None).close()  # the index is there
    home = str(settings_for(part, None).home)

    def search(name: str, relation: str) -> list[str]:
        return ["match", f'(?film)-[{relation}]-("{name}")', "-k", "3", "--json", "--home", home]

    letters = random.Random()
    for title, commands in (
        (
            "names of the graph",
            [search("Michael Mann", "directed by") for _ in range(RUNS)],
        ),
        (
            "words never seen",
            [search(f"Michael {_word(letters)}", f"{_word(letters)} by") for _ in range(RUNS)],
        ),
    ):
        runs = [_run(command) for command in commands]
        yield row(
            f"isomatch match, cold process, {title}: median",
            median(seconds for seconds, _, _ in runs),
            "s",
            at_most=1.5,
        )
        peak = max(megabytes for _, megabytes, _ in runs)
        yield row(f"isomatch match, {title}: peak memory", peak, "MB", at_most=400)
    runs = [_run(["--help"]) for _ in range(RUNS)]
    yield row("isomatch --help: median", median(r[0] for r in runs), "s", at_most=0.4)


def index(data: Path) -> Iterator[Row]:
    """Index MetaQA from nothing, then bring the index up to date after 100 changes."""
    part = read("metaqa", data, hops=1)[0]
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        home = ["--home", str(Path(folder) / "home"), "--json"]
        delimiter = ["--delimiter", part.delimiter]
        _run(["load", str(part.graph), *delimiter, *home])
        seconds, megabytes, output = _run(["index", *home])
        report = json.loads(output)
        names = sum(report["texts"].values())
        yield row("index MetaQA: rate", names / seconds, "names/s", at_least=800)
        yield row("index MetaQA: the whole process", seconds, "s", note=f"{names:,} texts")
        yield row("index MetaQA: peak memory", megabytes, "MB")
        changed = Path(folder) / "changed.txt"
        changed.write_text(_renamed(part), encoding="utf-8")
        _run(["load", str(changed), "--replace", *delimiter, *home])
        seconds, _, output = _run(["index", "--sync", *home])
        report = json.loads(output)
        yield row(
            f"isomatch index --sync after {CHANGES} changes: the whole process",
            seconds,
            "s",
            at_most=2,
            note=f"{report['embedded']} embedded, {report['deleted']} deleted",
        )


def _renamed(part: Part) -> str:
    """The graph's file with 50 entities renamed: 50 names go, 50 come."""
    lines = part.graph.read_text(encoding="utf-8").splitlines()
    heads = list(dict.fromkeys(line.split(part.delimiter)[0] for line in lines))
    names = {name: f"{name}, renamed" for name in heads[:: len(heads) // (CHANGES // 2)]}
    names = dict(list(names.items())[: CHANGES // 2])
    rows = (line.split(part.delimiter) for line in lines)
    return "\n".join(part.delimiter.join(names.get(cell, cell) for cell in r) for r in rows) + "\n"


def _word(letters: random.Random) -> str:
    return "".join(letters.choices(string.ascii_lowercase, k=9))


def _run(command: Sequence[str]) -> tuple[float, float, str]:
    """(seconds, peak megabytes, output) of an isomatch process.

    Raises:
        RuntimeError: it failed; finding nothing is no failure.
    """
    program = [str(Path(sys.executable).with_name("isomatch")), *command]
    # Compiled modules and templates are kept between starts, as they are for who installs it.
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    wrapped = subprocess.run(
        [sys.executable, "-S", "-c", _WRAPPER, *program],
        capture_output=True,
        text=True,
        check=True,
        env=kept,
    )
    seconds, megabytes, code, output, errors = json.loads(wrapped.stdout)
    if code not in (0, NOTHING_FOUND):
        raise RuntimeError(f"isomatch {' '.join(command)} exited with {code}: {errors[-500:]}")
    return seconds, megabytes, output


NOTHING_FOUND = 8
