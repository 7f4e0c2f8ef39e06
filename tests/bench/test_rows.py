"""The benchmark's rows judge rightly, and say what was not measured."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.bench.rows import row, spread_rows, table, write


@pytest.mark.parametrize(
    ("given", "must", "ok"),
    [
        ({"value": 2.0, "at_least": 1.5}, ">= 1.5", True),
        ({"value": 2.0, "at_most": 1.5}, "<= 1.5", False),
        ({"value": 2.0, "baseline": 4.0, "ratio_at_most": 0.5}, "<= 0.5x", True),
        ({"value": 3.0, "baseline": 4.0, "ratio_at_most": 0.5}, "<= 0.5x", False),
        ({"value": None, "at_most": 1.5}, "<= 1.5", None),
        ({"value": 3.0, "ratio_at_most": 0.5}, "<= 0.5x", None),
        ({"value": 3.0}, None, None),
    ],
)
def test_a_row_is_judged(given, must, ok):
    found = row("speed", given.pop("value"), "ms", **given)
    assert (found.must, found.ok) == (must, ok)


def test_the_table_and_the_file(tmp_path: Path):
    ours, theirs = {"p50": 1.0, "mean": 2.0, "p99": 3.0}, {"p50": 2.0, "mean": 2.0, "p99": 2.0}
    rows = [
        *spread_rows("match", ours, theirs, {"p50": 1.0, "p99": 1.0}),
        row("recall", np.float32(0.5), "", at_least=0.4),
        row("memory", None, "MB", note="not measured: no such file"),
    ]
    lines = table(rows).splitlines()
    assert [line.split()[-1] for line in lines[1:4]] == ["ok", "1.00x", "MISS"]
    assert lines[-1] == "memory: not measured: no such file"
    write(rows, tmp_path / "bench.json")
    kept = json.loads((tmp_path / "bench.json").read_text())
    assert [r["ok"] for r in kept] == [True, None, False, True, None]
    assert set(kept[0]) >= {"name", "value", "unit", "baseline", "ratio", "must", "ok"}
