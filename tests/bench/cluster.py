"""An index that a Ray cluster of two workers embeds on this machine, against local processes."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter

from tests.bench.many_names import many_names
from tests.bench.rows import Row, row
from tests.unit.link.tiny_index import Name, build
from tests.workers import killed_once, whole_index

from isomatch.executor import Executor, Processes, Ray
from isomatch.link.embedder import Embedder, open_embedder
from isomatch.link.parts import ParallelEmbedder

NAMES = 20_000
WORKERS = 2
WARM = 2048  # names that are indexed before, so that no time has a start of a worker in it


def cluster(metaqa: Path) -> Iterator[Row]:
    """Rates of MiniLM, the second time on Ray with a worker that is killed."""
    names = [Name(f"urn:{n}", name) for n, name in enumerate(many_names(metaqa, NAMES))]
    plain = partial(open_embedder, "minilm", threads=1)
    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        place = Path(folder)
        with Processes(WORKERS) as executor:
            local = _rate(place / "local", names, executor, plain)
        expected = whole_index(place / "local")
        with Ray(workers=WORKERS) as executor:
            for what, make in (("", plain), (", a worker killed", partial(_killed, place, plain))):
                rate = _rate(place / f"ray{what}", names, executor, make)
                equal = whole_index(place / f"ray{what}") == expected
                yield row(
                    f"index on Ray, {WORKERS} workers{what}: share of the rate of processes",
                    rate / local,
                    "",
                    at_least=0.85,
                    note=f"{NAMES:,} names, MiniLM: {rate:,.0f} names/s, local processes "
                    f"{local:,.0f}; a killed worker's start is in its time",
                )
                yield row(f"index on Ray{what}: equal to the bit", float(equal), "", at_least=1)


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
