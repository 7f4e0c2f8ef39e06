"""docs/serve.md and service.md: commands give what they show; tables are the vocabulary."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from isomatch.serve.sparql.evaluate import Budget
from isomatch.serve.sparql.searches import Limits
from isomatch.serve.sparql.vocabulary import FAMILIES, OPTIONS, RESULTS, SEARCHES

DOCS = Path(__file__).resolve().parents[3] / "docs"
PAGE = (DOCS / "service.md").read_text(encoding="utf-8")


def commands(page: str) -> list[tuple[str, str]]:
    """(command, what it prints) of the console blocks."""
    steps = []
    for block in re.findall(r"```console\n(.*?)```", page, re.S):
        for step in re.split(r"^\$ ", block, flags=re.M)[1:]:
            lines = step.splitlines()
            more = [line for line in lines[1:] if line.startswith("> ")]
            command = "\n".join([lines[0], *(line[2:] for line in more)])
            steps.append((command, "\n".join(lines[1 + len(more) :])))
    return steps


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("jq") is None, reason="the pages print JSON by jq: install it")
@pytest.mark.parametrize("page", ["serve", "service"])
def test_its_commands_print_what_it_shows(tmp_path: Path, page: str) -> None:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ISOMATCH_")}
    path = f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}"
    shell = {**kept, "PATH": path, "PYTHONUNBUFFERED": "1"}
    served: subprocess.Popen[str] | None = None
    port = "8080"
    compared = 0
    try:
        for command, shown in commands((DOCS / f"{page}.md").read_text(encoding="utf-8")):
            if command.startswith("isomatch serve"):
                words = command.replace("8080", "0").split()
                served = subprocess.Popen(
                    words, cwd=tmp_path, env=shell, stdout=subprocess.PIPE, text=True
                )
                assert served.stdout is not None
                printed = served.stdout.readline()
                (port,) = re.findall(r":(\d+)/", printed)
                printed = printed.replace(port, "8080")
            else:
                printed = subprocess.run(
                    ["bash", "-c", command.replace("8080", port)],
                    cwd=tmp_path,
                    env=shell,
                    capture_output=True,
                    text=True,
                    check=True,
                ).stdout
            if shown:
                # Matches of one interpretation come in the database's order.
                assert sorted(printed.splitlines()) == sorted(shown.splitlines()), command
                compared += 1
    finally:
        if served is not None:
            served.terminate()
            served.wait()
    assert compared == {"serve": 4, "service": 2}[page]


def test_every_term_has_a_row_and_every_row_a_term() -> None:
    section = PAGE.partition("## Terms")[2].partition("\n## ")[0]
    first_cells = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    named = {n for cell in first_cells for n in re.findall(r"isomatch:([\w-]+)", cell)}
    assert named == {*SEARCHES, *OPTIONS, *RESULTS, *FAMILIES}


def test_its_limits_are_those_in_force() -> None:
    limits = Limits()
    assert f"at most {limits.k}" in PAGE
    assert f"{limits.matches:,} / `k`" in PAGE
    assert limits.seconds == limits.kept_seconds == 10
    assert limits.request_bytes == 1_000_000
    assert (limits.at_a_time, limits.waiting) == (4, 64)
    assert f"{Budget(1).rows:,} rows" in PAGE
