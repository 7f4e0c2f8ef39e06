"""docs/judging.md names what there is, and shows what its commands and program print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import get_args

from isomatch.judge.answers import KEYS
from isomatch.judge.search import FILES
from isomatch.judge.types import METRICS, Outcome

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "judging.md").read_text(encoding="utf-8")


def rows(head: str) -> list[str]:
    """The names in the first column of a table."""
    table = PAGE.partition(head)[2].partition("\n\n")[0]
    cells = [row.split("|")[1] for row in table.splitlines()[2:]]
    return [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]


def test_every_metric_outcome_key_and_kind_of_file_is_on_the_page() -> None:
    assert rows("| metric |") == list(METRICS)
    assert set(rows("| outcome |")) == set(get_args(Outcome))
    assert set(rows("| key |")) == set(KEYS)
    assert all(f"`{ending}`" in PAGE for ending in FILES)


def ran(folder: Path, *command: str) -> str:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISOMATCH_", "OPENAI_"))}
    bin = str(Path(sys.executable).parent)
    environment = {**kept, "PATH": f"{bin}{os.pathsep}{kept['PATH']}", "COLUMNS": "1000"}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_page_on_judging_shows_what_its_command_prints(tmp_path: Path) -> None:
    (block,) = re.findall(r"```console\n(.*?)```", PAGE, re.S)
    (_, answers), (command, shown) = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.M)
    (tmp_path / "answers.jsonl").write_text(answers, "utf-8")
    assert [line.rstrip() for line in ran(tmp_path, "bash", "-c", command).splitlines()] == [
        line.rstrip() for line in shown.splitlines()
    ]


def test_the_program_on_judging_prints_what_its_comments_say(tmp_path: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    printed = ran(tmp_path, sys.executable, "-c", program).splitlines()
    assert printed == re.findall(r"^# (.*)$", program, re.M)
