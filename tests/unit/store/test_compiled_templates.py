"""Compiled templates are kept, and are never used for another text."""

from __future__ import annotations

from pathlib import Path

import pytest

from isomatch.store import templates
from isomatch.store.templates import Templates


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that stands for the user's cache; the templates are in another."""
    (tmp_path / "queries" / "language").mkdir(parents=True)
    monkeypatch.setattr(templates, "queries_folder", lambda: tmp_path / "queries")
    monkeypatch.setattr("isomatch.store.compiled.user_cache_path", lambda name: tmp_path / name)
    monkeypatch.setattr("sys.dont_write_bytecode", False)
    return tmp_path / "isomatch"


def write(cache: Path, text: str) -> None:
    (cache.parent / "queries" / "language" / "query.j2").write_text(text, "utf-8")


def rendered(mark: str = "") -> str:
    language = Templates("language", filters={"term": lambda id: f"<{id}>{mark}"})
    return language.render("query.j2", id="a")


def test_a_second_start_compiles_nothing(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(cache, "SELECT {{ id | term }}")
    assert rendered() == "SELECT <a>"
    monkeypatch.setattr("jinja2.Environment.compile", None)
    assert rendered() == "SELECT <a>"


def test_another_text_or_filter_gives_another_query(cache: Path) -> None:
    write(cache, 'SELECT {{ id | term }} {{ "b" | term }}')
    assert rendered() == "SELECT <a> <b>"
    assert rendered(mark="!") == "SELECT <a>! <b>!"
    write(cache, "ASK {{ id | term }}")
    assert rendered() == "ASK <a>"


@pytest.mark.parametrize("content", [b"", b"j2", b"\x80\x04garbage", None])
def test_a_damaged_file_is_replaced(cache: Path, content: bytes | None) -> None:
    write(cache, "SELECT {{ id | term }}")
    rendered()
    (file,) = cache.glob("templates/*/*")
    whole = file.read_bytes()
    file.write_bytes(whole[:-9] if content is None else content)
    assert rendered() == "SELECT <a>"
    assert len(file.read_bytes()) == len(whole)


def test_without_a_folder_to_write_in_queries_are_rendered(cache: Path) -> None:
    write(cache, "SELECT {{ id | term }}")
    cache.write_text("a file in its place", "utf-8")
    assert rendered() == "SELECT <a>"
