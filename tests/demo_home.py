"""The demo's folder, made once a test run, as that embeds some 4,500 names."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.shared import made_once
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.demo.examples import settings_for

_PRINTED = "first-run.txt"


def demo_home(factory: pytest.TempPathFactory) -> Path:
    """A copy of what ``isomatch demo --home`` makes, to give to that option again."""
    home = factory.mktemp("demo")
    made = settings_for(_made(factory)).home
    shutil.copytree(made, settings_for(home).home)
    return home


def first_run(factory: pytest.TempPathFactory) -> str:
    """What the demo printed when it made the folder."""
    return (_made(factory) / _PRINTED).read_text("utf-8")


def _made(factory: pytest.TempPathFactory) -> Path:
    return made_once(factory, "demo", _make)


def _make(folder: Path) -> None:
    result = CliRunner().invoke(app, ["demo", "--home", str(folder)])
    assert result.exit_code == 0, result.output
    (folder / _PRINTED).write_text(result.stdout, "utf-8")
