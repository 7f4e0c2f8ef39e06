"""docs/cli.md says what the commands and settings are, no more and no less."""

from __future__ import annotations

import re
from pathlib import Path

import typer
from tests.unit.cli.test_cli_start import EXIT_CODES

from isomatch.cli.app import app
from isomatch.settings import Settings

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "cli.md").read_text(encoding="utf-8")
GROUP = typer.main.get_group(app)
OPTIONS = {
    option
    for command in (GROUP, *GROUP.commands.values())
    for parameter in command.params
    for option in (*parameter.opts, *parameter.secondary_opts)
    if option.startswith("--")
}


def test_every_command_has_a_row_and_every_row_a_command() -> None:
    table = PAGE.partition("| command |")[2].partition("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)", table, re.MULTILINE)) == set(GROUP.commands)


def test_every_option_is_on_the_page_and_nothing_else() -> None:
    assert set(re.findall(r"--[a-z][a-z-]*", PAGE)) - {"--help"} == OPTIONS - {"--help"}


def test_every_setting_is_on_the_page_and_nothing_else() -> None:
    table = PAGE.partition("| key | default |")[2].partition("\n\n")[0]
    first_cells = (row.split("|")[1] for row in table.splitlines() if row.startswith("| `"))
    assert {k for cell in first_cells for k in re.findall(r"`(\w+)`", cell)} == set(
        Settings.model_fields
    )


def test_the_exit_codes_of_the_page_are_those_of_the_command_line() -> None:
    table = PAGE.partition("## Exit codes")[2].partition("\n\nAn error")[0]
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == EXIT_CODES
