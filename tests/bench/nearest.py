"""The nearest names of very many: the exact scan against numpy's flat one, in the same run.

`python -m tests.bench.nearest --names 1000000 --embedder static` prints these rows alone.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from tests.bench.many_names import many_names
from tests.bench.names import FEWEST, _slip
from tests.bench.rows import Row, row, table

from isomatch.link.embedder import open_embedder
from isomatch.link.scan import Scan, write
from isomatch.seed import SEED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.link.vectors import Matrix

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
LIMIT = 16
LARGE = 1_000_000  # names from which on the bound of the time holds
COMPARED = 1000  # texts whose results are compared
TIMED = 100  # of these, how many are timed
TOGETHER = 50  # texts that numpy compares at a time, where nothing is timed
NEAR = 256  # that numpy finds in 32 bits, to be ordered in 64
FLAT = 2_000_000  # vectors up to which numpy's scan is timed; that of more takes as much longer
BLOCK = 65_536  # vectors that numpy compares at a time, where nothing is timed
PAGE = 8192
NOTE = (
    "names made from MetaQA's (tests/bench/many_names.py), embedded by {spec}; of the texts a "
    "half are names that the collection lacks, a quarter names that it has, a quarter misspelled; "
    "numpy: squares - 2 * (vectors @ text) in 32 bits, argpartition; each has a loop of its own"
)


def nearest(data: Path, names: int, spec: str = "static") -> Iterator[Row]:
    """Time, what is read, and whether the results are those of a scan of everything."""
    listed = many_names(data / "metaqa", names + COMPARED // 2)
    held_out, listed = listed[names:], listed[:names]
    texts = texts_of(listed, held_out)
    embedder = open_embedder(spec)
    title = f"{len(listed):,} names, {embedder.name}"
    spent = 0.0

    def pages() -> Iterator[tuple[NDArray[np.int64], Matrix]]:
        nonlocal spent
        for start in range(0, len(listed), PAGE):
            began = perf_counter()
            vectors = embedder.embed(listed[start : start + PAGE])
            spent += perf_counter() - began
            yield np.arange(start, start + len(vectors)), vectors

    with tempfile.TemporaryDirectory(prefix="isomatch-bench-") as folder:
        started = perf_counter()
        write(Path(folder) / "scan", pages())
        yield row(f"{title}: embedded", len(listed) / spent, "names/s")
        yield row(f"{title}: files of the scan written", perf_counter() - started - spent, "s")
        yield from in_index(title, Path(folder) / "scan", texts, spec)
    embedder.close()


def texts_of(listed: Sequence[str], held_out: Sequence[str]) -> list[str]:
    """Names that the collection lacks; as many others are in it, half of them misspelled."""
    random = Random(f"{SEED} nearest")
    known = random.sample([name for name in listed if len(name) > FEWEST], len(held_out))
    half = len(known) // 2
    texts = [*held_out, *known[:half], *(_slip(name, random) for name in known[half:])]
    random.shuffle(texts)
    return texts


def in_index(title: str, folder: Path, texts: Sequence[str], spec: str) -> Iterator[Row]:
    """The same of the scan that an index has, in its own folder."""
    scan = Scan(folder)
    shape = (len(scan), scan.dimension)
    vectors = np.memmap(folder / "vectors.f32", np.float32, "r", shape=shape)
    embedder = open_embedder(spec)
    yield from _compared(title, scan, vectors, embedder.embed(texts), spec)
    embedder.close()


def _compared(
    title: str, scan: Scan, vectors: np.memmap[Any, Any], asked: Matrix, spec: str
) -> Iterator[Row]:
    flat = _flat_times(vectors, asked[:TIMED])
    ours = _times(lambda text: scan.search(text[None], LIMIT), asked[:TIMED])
    read, same = [], 0
    truth = _truth(vectors, scan.ids, asked)
    for text, expected in zip(asked, truth, strict=True):
        before = scan.read
        ((ids, distances),) = scan.search(text[None], LIMIT)
        read.append(scan.read - before)
        same += list(zip(ids.tolist(), distances.tolist(), strict=True)) == expected
    note = NOTE.format(spec=spec)
    if len(vectors) > FLAT:
        note += f"; numpy's time is that of {FLAT:,} vectors, times {len(vectors) / FLAT:g}"
    cores = f"{os.cpu_count()} cores"
    must = 0.1 if len(vectors) >= LARGE else None
    for label, of in (("median", median), ("fastest", min)):
        name = f"{title}: nearest {LIMIT}, one text, warm, {cores}: {label}"
        yield row(name, of(ours), "ms", baseline=of(flat), ratio_at_most=must, note=note)
    yield row(f"{title}: vectors read in full, median", median(read), "", baseline=len(vectors))
    yield row(f"{title}: vectors read in full, most", max(read), "", baseline=len(vectors))
    words = f"{title}: identical: {same:,} of {len(asked):,}"
    about = f"to numpy's scan of all in 32 bits, whose nearest {NEAR} are ordered in 64"
    yield row(words, same, "texts", at_least=len(asked), note=about)


def _times(search: Callable[[Matrix], object], texts: Matrix) -> list[float]:
    """Milliseconds of each, after some that warm up."""
    for text in texts[:5]:
        search(text)
    times = []
    for text in texts:
        started = perf_counter()
        search(text)
        times.append((perf_counter() - started) * 1e3)
    return times


def _flat_times(vectors: Matrix, texts: Matrix) -> list[float]:
    """Milliseconds of numpy's scans of all vectors; of very many, computed from a part."""
    part = vectors if len(vectors) <= FLAT else np.array(vectors[:FLAT])
    squares = np.einsum("ij,ij->i", part, part)
    return [ms * len(vectors) / len(part) for ms in _times(partial(_flat, part, squares), texts)]


def _flat(vectors: Matrix, squares: Matrix, text: Matrix) -> NDArray[np.int64]:
    apart = squares - 2 * (vectors @ text)
    some = np.argpartition(apart, LIMIT - 1)[:LIMIT]
    return some[np.argsort(apart[some], kind="stable")]


def _truth(
    vectors: np.memmap[Any, Any], ids: NDArray[np.int64], asked: Matrix
) -> Iterator[list[tuple[int, float]]]:
    """By text, ids and distances of the nearest, by comparing all vectors."""
    for text, (rows, bound) in zip(asked, _near(vectors, asked), strict=True):
        rows = np.sort(rows)
        apart = _rows(vectors, rows).astype(np.float64) - text.astype(np.float64)
        distances = np.sqrt((apart**2).sum(axis=1))
        rounded = distances.astype(np.float32)
        order = np.lexsort((ids[rows], rounded))[:LIMIT]
        # What numpy left out is farther, by more than 32 bits can be wrong.
        last = float(distances[order[-1]]) ** 2 - float((text.astype(np.float64) ** 2).sum())
        if bound - last < 1e-4:
            raise AssertionError("more names are as near than are ordered in 64 bits")
        yield list(zip(ids[rows[order]].tolist(), rounded[order].tolist(), strict=True))


def _rows(vectors: np.memmap[Any, Any], rows: NDArray[np.int64]) -> Matrix:
    """Through the mapping, each row would be read with megabytes of its neighbours."""
    size = vectors.shape[1]
    read = partial(np.fromfile, vectors.filename, np.float32, size)
    return np.array([read(offset=4 * size * row) for row in rows.tolist()])


def _near(vectors: Matrix, asked: Matrix) -> list[tuple[NDArray[np.int64], float]]:
    """By text, the rows that are nearest in 32 bits, and what no other is nearer than."""
    found = [(np.empty(0, np.int64), np.empty(0, np.float32)) for _ in asked]
    bounds = [np.inf] * len(asked)
    for begin in range(0, len(vectors), BLOCK):
        block = np.array(vectors[begin : begin + BLOCK])
        squares = np.einsum("ij,ij->i", block, block)
        for start in range(0, len(asked), TOGETHER):
            for place, products in enumerate(asked[start : start + TOGETHER] @ block.T, start):
                apart = squares - 2 * products
                rows = np.flatnonzero(apart <= bounds[place])
                rows, apart = (
                    np.concatenate([found[place][0], rows + begin]),
                    np.concatenate([found[place][1], apart[rows]]),
                )
                if len(rows) > NEAR:
                    order = np.argpartition(apart, NEAR)
                    bounds[place] = float(apart[order[NEAR]])
                    rows, apart = rows[order[:NEAR]], apart[order[:NEAR]]
                found[place] = rows, apart
    return [(rows, bound) for (rows, _), bound in zip(found, bounds, strict=True)]


def main() -> None:
    """Print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the question sets")
    parser.add_argument("--names", type=int, default=1_000_000)
    parser.add_argument("--embedder", default="static")
    chosen = parser.parse_args()
    print(table(list(nearest(chosen.data, chosen.names, chosen.embedder))))
    print(f"\nload average {os.getloadavg()[0]:.1f} of {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
