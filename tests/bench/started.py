"""A graph of very many names: a question in a new process, misspelled names, and a sync.

`python -m tests.bench.started --names 1000000` prints these rows alone.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.many_names import many_names
from tests.bench.names import _rows
from tests.bench.nearest import DATA, LARGE, in_index, texts_of
from tests.bench.processes import CHANGES, RUNS, _run
from tests.bench.rows import Row, row, table

from isomatch import Session, Settings

RELATION = "directed by"
ASKED = 1000  # names that are misspelled
MOST = {"s": 1200, "MB": 4000}  # of an index of ten million names


def started(data: Path, names: int, asked: int = ASKED, compared: int = 0) -> Iterator[Row]:
    """Index the names by the static embedder, ask cold, misspell, and sync after changes.

    Or, instead of the last two, compare the exact scan with numpy's for so many texts.
    """
    listed = many_names(data / "metaqa", names + max(CHANGES, compared) // 2)
    new, listed = listed[names:], listed[:names]
    large = names >= LARGE
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        home = Path(folder) / "home"
        options = ["--home", str(home), "--json"]
        _load(Path(folder) / "graph.txt", listed, options)
        yield from _indexed(names, options)
        yield from _asked(listed, options, large)
        if compared:
            (scans,) = home.glob("index/g*/vectors/scans/nodes")
            texts = texts_of(listed, new[: compared // 2])
            yield from in_index(f"{names:,} names, in the index", scans, texts, "static")
            return
        with Session.open(Settings(home=home, embedder="static")) as session:
            yield from _rows(f"{names:,}", session, asked)
        changed = [*new, *listed[len(new) :]]
        _load(Path(folder) / "changed.txt", changed, [*options, "--replace"])
        seconds, megabytes, output = _run(["index", "--sync", "--embedder", "static", *options])
        report = json.loads(output)
        yield row(
            f"{names:,} names: index --sync after {2 * len(new)} changes, the whole process",
            seconds,
            "s",
            at_most=6 if large else None,
            note=f"{report['embedded']} embedded, {report['deleted']} deleted",
        )
        yield row(f"{names:,} names: index --sync, peak memory", megabytes, "MB")


def _indexed(names: int, options: Sequence[str]) -> Iterator[Row]:
    most = MOST if names >= 10 * LARGE else {}
    before = os.times()
    seconds, megabytes, output = _run(["index", "--embedder", "static", *options])
    after = os.times()
    worked = sum(after[2:4]) - sum(before[2:4])
    title = f"{names:,} names: index"
    yield row(f"{title}, the whole process", seconds, "s", at_most=most.get("s"))
    yield row(f"{title}, processor time", worked, "s")
    yield row(f"{title}, peak memory", megabytes, "MB", at_most=most.get("MB"))
    yield row(f"{title}, embedded and written", json.loads(output)["rate"], "names/s")


def _load(path: Path, names: Sequence[str], options: Sequence[str]) -> None:
    """Every name in one fact: the first of two neighbours is directed by the second."""
    pairs = zip(names[::2], names[1::2], strict=True)
    path.write_text("".join(f"{a}|{RELATION}|{b}\n" for a, b in pairs), encoding="utf-8")
    _run(["load", str(path), "--delimiter", "|", *options])


def _asked(listed: Sequence[str], options: Sequence[str], large: bool) -> Iterator[Row]:
    runs = [_run(["ask", f"who directed [{name}]", *options]) for name in listed[: 2 * RUNS : 2]]
    right = [other in run[2] for other, run in zip(listed[1 : 2 * RUNS : 2], runs, strict=True)]
    seconds = median(run[0] for run in runs)
    title = f"{len(listed):,} names: isomatch ask, cold process"
    note = f"{sum(right)} of {len(right)} answers have the right name"
    yield row(f"{title}: median", seconds, "s", at_most=2.5 if large else None, note=note)
    peak = max(run[1] for run in runs)
    yield row(f"{title}: peak memory", peak, "MB", at_most=600 if large else None)


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the question sets")
    parser.add_argument("--names", type=int, default=1_000_000)
    parser.add_argument("--misspelled", type=int, default=ASKED)
    chosen = parser.parse_args()
    begun = perf_counter()
    print(table(list(started(chosen.data, chosen.names, chosen.misspelled))))
    load = os.getloadavg()[0]
    print(f"\n{perf_counter() - begun:.0f} s, load average {load:.1f} of {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
