"""An index that a Ray cluster of two workers embeds on this machine, against local processes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.many_names import many_names
from tests.bench.rows import Row, row
from tests.unit.link.tiny_index import Name, build
from tests.workers import killed_once, whole_index

from isomatch.executor import Executor, Processes, Ray
from isomatch.link.embedder import Embedder, open_embedder
from isomatch.link.parts import ParallelEmbedder

NAMES = 8192
WORKERS = 2
WARM = 2048  # names that are indexed before, so that no time has a start of a worker in it
TURNS = 3  # of processes and Ray, one after the other, since other work slows one and not both


def cluster(metaqa: Path) -> Iterator[Row]:
    """Rates of MiniLM in turn, and one on Ray with a worker that is killed."""
    names = [Name(f"urn:{n}", name) for n, name in enumerate(many_names(metaqa, NAMES))]
    plain = partial(open_embedder, "minilm", threads=1)
    rates: dict[str, list[float]] = {"processes": [], "ray": []}
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        place = Path(folder)
        for turn in range(TURNS):
            for where in sorted(rates, reverse=bool(turn % 2)):
                with _executor(where) as executor:
                    rate = _rate(place / f"{where}-{turn}", names, executor, plain)
                rates[where].append(rate)
        with _executor("ray") as executor:
            killed = _rate(place / "ray-killed", names, executor, partial(_killed, place, plain))
        expected = whole_index(place / "processes-0")
        others = [*(f"ray-{turn}" for turn in range(TURNS)), "ray-killed"]
        equal = [whole_index(place / other) == expected for other in others]
    ratios = [ray / local for local, ray in zip(rates["processes"], rates["ray"], strict=True)]
    local = median(rates["processes"])
    for what, ratio, same in (
        ("", median(ratios), all(equal[:-1])),
        (", a worker killed", killed / local, equal[-1]),
    ):
        yield row(
            f"index on Ray, {WORKERS} workers{what}: share of the rate of processes",
            ratio,
            "",
            at_least=0.85,
            note=f"{NAMES:,} names, MiniLM; median of {TURNS} turns"
            f" ({', '.join(f'{ratio:.2f}' for ratio in ratios)}), local processes {local:,.0f} "
            f"names/s, Ray {median(rates['ray']):,.0f}; a killed worker's start is in its time",
        )
        yield row(f"index on Ray{what}: equal to the bit", float(same), "", at_least=1)


def _executor(where: str) -> Executor:
    return Processes(WORKERS) if where == "processes" else Ray(workers=WORKERS)


def _killed(folder: Path, make: partial[Embedder]) -> Embedder:
    """The same embedder, whose process is killed at its fourth part, once in all."""
    embedder = make()
    embedder.embed = killed_once(folder, embedder.embed, 4)  # type: ignore[method-assign]
    return embedder


def _rate(folder: Path, names: list[Name], executor: Executor, make: partial[Embedder]) -> float:
    """Names a second of a whole build, its workers being there."""
    plain = partial(open_embedder, "minilm", threads=1)
    build(
        folder.with_name(folder.name + "-warm"),
        names[:WARM],
        embedder=ParallelEmbedder(plain(), executor, plain),
        page=1000,
    )
    started = perf_counter()
    build(folder, names, embedder=ParallelEmbedder(plain(), executor, make), page=1000)
    return len(names) / (perf_counter() - started)
