"""Training examples, masked mentions, and JSON lines that a killed run leaves whole."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from isomatch.chains.graph import Step
from isomatch.errors import LoadError
from isomatch.learn.examples import Example
from isomatch.learn.workdir import Shards, read_lines, write_lines
from isomatch.seed import shuffled
from isomatch.trained.masking import MASK, mask_topic

EXAMPLE = Example(
    "retrieval",
    "who directed [MASK]",
    (((Step("directed_by"), Step("starred", True)), 0.75),),
    "weak",
    "q:1",
)


def test_a_prompt_names_the_task() -> None:
    assert EXAMPLE.prompt == "[Retrieval] who directed [MASK]"


def test_rows_that_are_written_are_read(tmp_path: Path) -> None:
    rows = [{"id": 1, "text": "Amélie"}, {"id": 2, "text": "line\nbreak"}]
    write_lines(tmp_path / "e.jsonl", rows)
    assert list(read_lines(tmp_path / "e.jsonl")) == rows


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "line 1: no JSON"),
        ("[1]", "line 1: expected an object"),
    ],
)
def test_a_damaged_file_is_said_with_its_line(tmp_path: Path, line: str, said: str) -> None:
    (tmp_path / "e.jsonl").write_text(line + "\n")
    with pytest.raises(LoadError, match=said):
        list(read_lines(tmp_path / "e.jsonl"))


@pytest.mark.parametrize(
    ("text", "name", "masked"),
    [
        ("who directed Heat", "Heat", "who directed [MASK]"),
        ("who directed heat?", "Heat", "who directed [MASK]?"),
        ("what heat is in Heat", "Heat", "what heat is in [MASK]"),
        ("the spouse of sylvia_brett 's son", "sylvia brett", "the spouse of [MASK] 's son"),
        ("who wrote Amélie", "amelie", "who wrote [MASK]"),
        ("films like Heat 2", "Heat 2", "films like [MASK]"),
        ("who saw aliens", "Alien", None),
        ("who saw it", "", None),
        ("who made C++?", "C++", "who made [MASK]?"),
    ],
)
def test_mask_topic(text: str, name: str, masked: str | None) -> None:
    assert mask_topic(text, name) == masked


@given(st.text(max_size=12), st.text(min_size=1, max_size=6), st.text(max_size=12))
def test_a_name_that_stands_alone_is_found(before: str, name: str, after: str) -> None:
    masked = mask_topic(f"{before} {name} {after}", name)
    if name.replace("_", " ").strip():
        assert masked is not None
        assert MASK in masked


def test_shuffled_depends_on_the_seed_alone() -> None:
    assert shuffled(range(20), "a") == shuffled(range(20), "a") != shuffled(range(20), "b")


def test_parts_are_made_once_and_anew_for_another_recipe(tmp_path: Path) -> None:
    made = []

    def make(number: int) -> list[dict[str, int]]:
        made.append(number)
        return [{"n": number}]

    for recipe in ({"seed": 1}, {"seed": 1}, {"seed": 2}):
        parts = Shards(tmp_path / "work", recipe)
        assert [parts.get(n, partial(make, n)) for n in (0, 1)] == [[{"n": 0}], [{"n": 1}]]
    assert made == [0, 1, 0, 1]


def test_a_part_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def rows() -> object:
        yield {"n": 1}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_lines(tmp_path / "part.jsonl", rows())  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(LoadError, match="cannot be written"):
        Shards(tmp_path / "file" / "work", {})
    with pytest.raises(LoadError, match="cannot be read"):
        list(read_lines(tmp_path / "none.jsonl"))
