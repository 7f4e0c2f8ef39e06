"""What docs/loading.md shows is what happens."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from isomatch.errors import LoadError
from isomatch.schema.vocabulary import ALIAS_RELATIONS, NAME_RELATIONS
from isomatch.store.load import FORMATS, load

PAGE = (Path(__file__).resolve().parents[3] / "docs/loading.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("triples.csv").write_text("Heat,directed_by,Michael Mann\n")
    (example,) = blocks("python")
    exec(example, {})
    assert capsys.readouterr().out == "4 triples, 0 rows left out\n"


def test_the_table_and_the_error_are_real(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    table, typed, message = blocks("text")
    file = Path("triples.txt")
    file.write_text(table)
    assert load([file], None).triples == 2 + 4  # a year is a value, without a label
    file.write_text(table + typed)
    assert load([file], None).triples == 2 + 4 + 1 + 1  # what it is, and what that is called
    file.write_text(table.replace("Heat|release_year|1995", "Heat|1995"))
    with pytest.raises(LoadError) as caught:
        load([file], None)
    assert str(caught.value) == message.strip()


def test_every_format_of_the_page_is_known() -> None:
    listed = re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    names = [name for row in listed for name in re.findall(r"`(\w+)`", row)]
    assert len(names) == 14
    assert set(names) <= set(FORMATS)


def test_the_page_names_every_name_relation() -> None:
    for iri in (*NAME_RELATIONS, *ALIAS_RELATIONS):
        assert re.split("[/#]", iri)[-1] in PAGE
