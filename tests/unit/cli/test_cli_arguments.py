"""Arguments as texts."""

from __future__ import annotations

import io
import os
import sys

import pytest
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.cli.frame import argument_text
from isomatch.errors import ConfigurationError


@pytest.mark.parametrize("by", ["argument", "standard input"])
def test_a_text_that_is_not_utf8_is_refused_in_words(
    by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def given(content: bytes) -> str:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        return argument_text(os.fsdecode(content) if by == "argument" else "-")

    assert given('("Amélie")'.encode()) == '("Amélie")'
    with pytest.raises(ConfigurationError, match=r"not UTF-8: invalid start byte at byte 2"):
        given(b'("\xff")')


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_an_unknown_action_is_told_without_names_of_libraries(form: list[str]) -> None:
    result = CliRunner().invoke(app, ["keys", "make", *form])

    assert result.exit_code == 2
    assert "Invalid value for 'action': 'make' is not one of 'list', 'add', 'revoke'" in (
        result.output
    )
