"""What the README shows is what happens: its commands run, in order, in one folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
# Times and rates differ from run to run, and ties in the engine's order from machine to machine.
VARYING = re.compile(r"\(?\d+(\.\d+)? s\b.*|\d+(\.\d+)? ms| as of [\d :-]+ UTC")


def _console() -> list[tuple[str, str]]:
    """(command, shown output) for every command of the console blocks."""
    steps = []
    for block in re.findall(r"```console\n(.*?)```", README, re.S):
        if ("isomatch train" in block or "--interpreter gsr" in block) and not find_spec("torch"):
            continue  # `make docs` alone does without the extra
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            lines = part.splitlines()
            end = 1
            while end < len(lines) and lines[end].startswith("> "):
                end += 1
            command = [lines[0], *(line[2:] for line in lines[1:end])]
            steps.append(("\n".join(command), "\n".join(lines[end:])))
    return steps


def _comparable(text: str) -> list[str]:
    return sorted(
        VARYING.sub("", line).strip(" ├└│─") for line in text.splitlines() if line.strip()
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder after all console commands, each compared with what is shown."""
    path = tmp_path_factory.mktemp("readme")
    for command, shown in _console():
        done = _run(["bash", "-c", command], path)
        assert done.returncode == 0, done.stderr
        assert _comparable(done.stdout) == _comparable(shown), command
    return path


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISOMATCH_", "OPENAI_"))}
    bin = str(Path(sys.executable).parent)
    environment = {**kept, "PATH": f"{bin}{os.pathsep}{kept['PATH']}", "COLUMNS": "120"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_the_readme_shows_commands() -> None:
    assert len(_console()) >= 5


def test_the_program_prints_what_its_comments_say(folder: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", README, re.S)
    done = _run([sys.executable, "-c", program], folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == re.findall(r"^\s+# (.*)$", program, re.M)


def test_every_page_that_is_named_is_there() -> None:
    for page in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / page).exists(), page
