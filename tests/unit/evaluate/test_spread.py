"""Questions that workers ask: the same rows, in the same order, and errors in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import isomatch
from isomatch.errors import ConfigurationError, StoreError
from isomatch.evaluate import run_eval
from isomatch.factories import make_index
from isomatch.resources import Reopening
from isomatch.session import Session
from isomatch.store.load import load


def rows_of(run: Path) -> list[dict[str, Any]]:
    """The rows without times, which are never the same."""
    rows = [json.loads(line) for line in (run / "rows.jsonl").read_text().splitlines()]
    return [{key: value for key, value in row.items() if key != "stages_ms"} for row in rows]


@pytest.mark.parametrize("patterns", ["gold", "ask"])
def test_workers_give_the_same_rows_in_the_same_order(
    data: Path, home: Path, tmp_path: Path, patterns: str
) -> None:
    given = {"home": home, "patterns": patterns}
    here = run_eval("metaqa", data, out=tmp_path / "here", **given)
    calls: list[tuple[int, ...]] = []
    spread = run_eval(
        "metaqa",
        data,
        out=tmp_path / "workers",
        on="processes:2",
        progress=lambda *call: calls.append(call),
        **given,
    )
    rows = rows_of(tmp_path / "workers")
    assert len(rows) == 4
    assert rows == rows_of(tmp_path / "here")
    assert calls == [(n, 4) for n in range(1, 5)]
    assert spread["macro_f1"] == here["macro_f1"]
    record = json.loads((tmp_path / "workers" / "run.json").read_text())
    assert record == json.loads((tmp_path / "here" / "run.json").read_text())


def test_a_run_goes_on_with_workers(data: Path, home: Path, tmp_path: Path) -> None:
    whole, part = tmp_path / "whole", tmp_path / "part"
    run_eval("metaqa", data, home=home, out=whole)
    run_eval("metaqa", data, home=home, out=part)
    lines = (part / "rows.jsonl").read_text().splitlines(keepends=True)
    (part / "rows.jsonl").write_text("".join(lines[:1]))
    run_eval("metaqa", data, home=home, out=part, on="processes:2")
    assert rows_of(part) == rows_of(whole)


def test_an_unknown_place_is_refused(data: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"must be here, processes\[:NUMBER\] or ray"):
        run_eval("metaqa", data, on="cluster")


def test_a_graph_that_only_this_process_has_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "films.csv").write_text("Heat,directed by,Michael Mann\n")
    with (
        isomatch.open(tmp_path / "films.csv") as session,
        pytest.raises(StoreError, match=r"a worker cannot open(.|\n)*is only in that process"),
    ):
        Reopening.of(session.resources).open()


def test_another_graph_at_the_same_place_is_refused(settings: Any, tmp_path: Path) -> None:
    (tmp_path / "films.csv").write_text("Heat,directed by,Michael Mann\n")
    own = settings.model_copy(update={"home": tmp_path / "home"})
    load([tmp_path / "films.csv"], own.graph_path)
    make_index(own)
    with Session.open(own) as session:
        graph = Reopening.of(session.resources)
    graph.open().close()
    (tmp_path / "more.csv").write_text("Ali,directed by,Michael Mann\n")
    load([tmp_path / "more.csv"], own.graph_path)
    make_index(own)
    with pytest.raises(StoreError, match="a worker found another graph or index"):
        graph.open()
