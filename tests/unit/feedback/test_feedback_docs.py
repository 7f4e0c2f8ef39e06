"""The page about feedback says what is kept, and its example runs."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from tests.shared import made_once
from tests.unit.feedback.films import make_home

from isomatch.feedback import FeedbackFile, Record
from isomatch.feedback.file import MOST_BYTES, MOST_IN_FILE
from isomatch.feedback.lessons import MOST_ANSWERS

PAGE = (Path(__file__).parents[3] / "docs" / "feedback.md").read_text(encoding="utf-8")


def test_the_page_lists_every_key_and_the_bounds() -> None:
    table = PAGE.partition("| key | holds |")[2].partition("\n\n")[0]
    heads = (line.split("|")[1] for line in table.splitlines() if line)
    keys = {key for head in heads for key in re.findall(r"`(\w+)`", head)}
    assert keys == set(Record.model_fields)
    bounds = (f"{MOST_BYTES >> 10} KiB", f"{MOST_IN_FILE >> 20} MiB", f"{MOST_ANSWERS:,} answers")
    assert [words for words in bounds if words not in PAGE] == []


def test_the_example_of_the_page_keeps_a_correction(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / ".isomatch"
    shutil.copytree(made_once(tmp_path_factory, "feedback-films", make_home), home)
    monkeypatch.chdir(tmp_path)
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    taken: list[object] = []
    code = code.replace("from isomatch.learn.pipeline import train_gsr\n", "")
    exec(code, {"train_gsr": lambda *_, **options: taken.append(options)})
    ((record,), _) = FeedbackFile(home / "feedback.jsonl").read()
    assert (record.question, record.caller) == ("who helmed Heat?", "ann")
    assert len(taken) == 1
