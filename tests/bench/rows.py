"""Rows of the benchmark: what was measured, against what, and what it must be."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class Row:
    """One figure.

    Attributes:
        value: None where it could not be measured; the note says why.
        baseline: the same measured of the baseline, in the same run.
        ratio: value to baseline.
        must: the bound, in words; None for a figure that is only reported.
        ok: whether it is met; None without a bound or a value.
    """

    name: str
    value: float | None
    unit: str
    baseline: float | None = None
    ratio: float | None = None
    must: str | None = None
    ok: bool | None = None
    note: str = ""


def row(
    name: str,
    value: float | None,
    unit: str,
    *,
    baseline: float | None = None,
    at_least: float | None = None,
    at_most: float | None = None,
    ratio_at_most: float | None = None,
    note: str = "",
) -> Row:
    """A row, judged: by its value, or by its ratio to the baseline."""
    value = None if value is None else float(value)  # numpy's is written to no JSON
    ratio = value / baseline if value is not None and baseline else None
    must = ok = None
    if at_least is not None:
        must, ok = f">= {at_least:g}", None if value is None else value >= at_least
    elif at_most is not None:
        must, ok = f"<= {at_most:g}", None if value is None else value <= at_most
    elif ratio_at_most is not None:
        must, ok = f"<= {ratio_at_most:g}x", None if ratio is None else ratio <= ratio_at_most
    return Row(name, value, unit, baseline, ratio, must, ok, note)


def spread_rows(
    name: str,
    ours: Mapping[str, float],
    theirs: Mapping[str, float],
    musts: Mapping[str, float] | None = None,
    note: str = "",
) -> list[Row]:
    """Median, mean and 99th percentile in milliseconds; musts are ratios."""
    return [
        row(
            f"{name}, {label}",
            ours[key],
            "ms",
            baseline=theirs[key],
            ratio_at_most=(musts or {}).get(key),
            note=note,
        )
        for key, label in (("p50", "median"), ("mean", "mean"), ("p99", "p99"))
    ]


def table(rows: Sequence[Row]) -> str:
    """The rows as aligned text."""
    cells = [("", "value", "unit", "baseline", "ratio", "must", "")]
    for r in rows:
        figures = (_number(r.value), r.unit, _number(r.baseline))
        ratio = "" if r.ratio is None else f"{r.ratio:.2f}x"
        mark = {True: "ok", False: "MISS", None: ""}[r.ok]
        cells.append((r.name, *figures, ratio, r.must or "", mark))
    widths = [max(len(line[i]) for line in cells) for i in range(len(cells[0]))]
    lines = []
    for line in cells:
        name, *rest = line
        right = (cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))
        lines.append(f"{name.ljust(widths[0])}  {'  '.join(right)}".rstrip())
    about: dict[str, list[str]] = {}
    for r in rows:
        if r.note:
            about.setdefault(r.note, []).append(r.name)
    for note, names in about.items():
        others = f" and {len(names) - 1} more" if len(names) > 1 else ""
        lines += ["", f"{names[0]}{others}: {note}"]
    return "\n".join(lines)


def write(rows: Iterable[Row], path: Path) -> None:
    """The rows as a JSON array."""
    path.write_text(json.dumps([asdict(r) for r in rows], indent=1) + "\n", encoding="utf-8")


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"
