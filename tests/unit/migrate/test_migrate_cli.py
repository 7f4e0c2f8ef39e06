"""`isomatch migrate` without a server, and what docs/migrations.md shows."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from isomatch.cli.app import app

PAGE = Path(__file__).resolve().parents[3] / "docs/migrations.md"


@pytest.fixture(autouse=True)
def _embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("NEO4J_URI", raising=False)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["migrate", *arguments], prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


def blocks(language: str) -> list[str]:
    found = re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    return found


def test_the_commands_of_the_page(tmp_path: Path) -> None:
    said = blocks("text")[0]
    commands = blocks("console")[0]
    for line in commands.splitlines():
        _, _, rest = line.partition("$ isomatch migrate")
        assert run(*rest.partition("#")[0].split()) == (0, said, "")
    assert list(tmp_path.iterdir()) == []


def test_the_python_example_prints_what_the_page_shows(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = blocks("python")
    exec(example, {})
    assert capsys.readouterr().out == blocks("text")[-1]


def test_status_is_printed_as_json() -> None:
    code, out, _ = run("status", "--json")
    assert (code, json.loads(out)) == (0, {"database": None, "applied": [], "pending": []})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("state",), "has the action 'status', not 'state'"),
        (("--undo", "--to", "1"), "leave --to out"),
        (("--to", "0"), "--to"),
    ],
)
def test_wrong_usage_is_refused_with_the_reason(arguments: tuple[str, ...], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err
