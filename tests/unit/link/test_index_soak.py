"""`make soak-index`, in small, and that it sees what is wrong."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import pytest
from tests.soak.index import DIMENSION, Soak, answers, main
from tests.unit.link.tiny_index import DigestEmbedder, Name, build


@pytest.mark.slow
def test_disturbed_builds_leave_an_index_that_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.json"
    assert main(["--names", "1200", "--kills", "2", "--json", str(out)]) == 0
    rows = {one["name"]: one for one in json.loads(out.read_text())}
    judged = [one for one in rows.values() if one["must"]]
    assert len(judged) == 4
    assert all(one["ok"] for one in judged)
    assert rows["killed at a step"]["value"] == 6
    assert "in force after the kill" in capsys.readouterr().out


def test_another_index_and_a_missing_one_are_complained_of(tmp_path: Path) -> None:
    names = [Name(f"urn:{n}", f"name {n}") for n in range(100)]
    embedder = DigestEmbedder(DIMENSION)
    build(tmp_path / "index", names[:50], embedder=embedder)
    build(tmp_path / "other", names, embedder=embedder)
    soak = Soak(tmp_path, 100, random.Random(1))
    soak.old, soak.new = answers(tmp_path / "index", 100), answers(tmp_path / "other", 100)
    assert soak.old != soak.new
    assert soak.ended("now") == "old"
    assert not soak.wrong
    soak.must_be(soak.index, soak.new, "then")
    assert soak.wrong == ["then: the index answers otherwise"]
    build(soak.index, names[:70], embedder=embedder)
    soak.ended("at last")
    assert "neither the old one nor the new one" in soak.wrong[-1]
    shutil.rmtree(soak.index)
    assert soak.ended("without it") == "none"
    assert len(soak.wrong) == 3
