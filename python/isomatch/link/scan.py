"""An exact scan that reads little: codes of one byte a dimension, and full vectors for the rest.

A vector x is turned by an orthonormal V of m columns (principal components of a sample) and
becomes z(x) = (Vᵀ(x - μ), r(x)), where r is the length of what V leaves out. This map never
makes distances longer: V keeps inner products, and | r(x) - r(q) | is at most the length of
the difference of the two remainders (Cauchy-Schwarz). Nor does cutting the components of z off at
±127·s, beyond which few are: so the step s is small. They are stored as int8 codes c, and ε is
the length of s·c - z(x), measured for each vector, its maximum kept by block. So

    s · |c(x) - c(q)| - ε(block) - ε(q)  <=  |x - q|

Codes are stored in parts: r and the components that vary most, then those that vary less. Without
the later parts of z, and of all that is made from it, the same holds. So the first part of all
vectors is compared, and each other part of those that the parts before it leave, with the ε of the
parts so far, which is less than that of all. Sides are compared as whole numbers, which are exact.
All else is computed with 64 bits. The least exact part is r, the root of a small difference of
large squares: these are wrong by at most 2 · √m · dimension · 2⁻⁵³ of the vector's squared length,
so r by the root of that, 3.1e-6 of the length at 3,072 dimensions. `SLACK` is more, and the bound
is lowered by it. Vectors that the bound leaves are read in full from a file, and measured with 64
bits. A page is thus what a scan of everything gives.
The products of the codes are made by numkong, which has int8 kernels for each processor.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import finalize
from zipfile import BadZipFile

from isomatch.errors import VectorIndexError
from isomatch.link.turn import Rows, Turn, coded, lengths, make_durable, mapped, squares, step_for
from isomatch.link.work import Map, compared, threads

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from isomatch.link.vectors import Hits, Matrix

    Doubles = NDArray[np.float64]
    Squares = NDArray[np.int32]
    ToCode = Callable[..., Squares]  # of a slice or of rows, into a second argument if given

WIDTH = 64  # bytes of a part of the codes: a line of the processor's cache
BLOCK = 65_536  # vectors that share a largest error, and are read by one thread
TOGETHER = 4  # blocks that a thread takes at a time, of many
SAMPLE = 20_000  # vectors whose principal components are taken
PART = 2048  # vectors that are coded together; a divisor of the former
GROUP = 64  # vectors of which the nearest by the first part is looked at first
LIKELY = 128  # codes that are completed first, for each vector that is asked for
MOST_LIKELY = 4096
FIRST = 4  # of these, vectors that are read first: codes do not order the nearest exactly
ABREAST = 4  # codes that numkong takes for one of four times the length: three times as fast
READ = 256  # vectors that are read in full together, at first
MOST_READ = 8192
MAPPED = 2**27  # bytes of all vectors that are read from the mapping: a row in a tenth of the time
SLACK = 4e-6  # of the vectors' lengths
LEAST = 1.5e-45  # by which distances of 32 bits differ near zero, where a millionth is less


class Scan:
    """The vectors of one collection, open for searches; thread-safe.

    Attributes:
        ids: of the vectors, ascending.
        dimension: of the vectors.
        read: how many full vectors the searches have read so far.
    """

    def __init__(self, folder: Path):
        """Map what `write` wrote.

        Raises:
            VectorIndexError: a file is missing, or is not as it was written.
        """
        import numpy as np

        self.read = 0
        # Of an earlier search: to get as much memory anew takes as long as half of a search.
        self._spare: deque[Squares] = deque(maxlen=1)
        try:
            about = json.loads((folder / "scan.json").read_text("utf-8"))
            count = int(about["count"])
            self.dimension = int(about["dimension"])
            self._step = float(about["step"])
            with np.load(folder / "turn.npz") as turn:
                self._turn = Turn(turn["mean"], turn["axes"], float(turn["middle"]))
                errors: Doubles = turn["errors"]
            width = self._turn.width
            self.ids: NDArray[np.int64] = mapped(folder / "ids.i64", np.int64)
            self._parts = [_Codes(folder, place, count) for place in _places(width)]
            shape = (count, self.dimension)
            self._full = np.memmap(folder / "vectors.f32", np.float32, "r", shape=shape)
            self._file = os.open(folder / "vectors.f32", os.O_RDONLY)
            finalize(self, os.close, self._file)
            if errors.shape[-1:] != (-(-count // BLOCK),):
                raise ValueError("an error is missing for some blocks")
            # An earlier version kept those of whole codes, which are not less than of a part.
            self._errors = np.broadcast_to(errors, (len(self._parts), errors.shape[-1]))
            blocks = range(self._errors.shape[1])
            some = max(1, min(TOGETHER, len(blocks) // 8))
            self._tasks = [blocks[n : n + some] for n in blocks[::some]]
            if len(self.ids) != count:
                raise ValueError(f"{len(self.ids)} of {count} vectors have an id")
            if not (self.ids[1:] > self.ids[:-1]).all():
                raise ValueError("the ids are not ascending")
            self._reach = float(about["longest"]) + 2 * float(np.linalg.norm(self._turn.mean))
        except (OSError, ValueError, KeyError, TypeError, BadZipFile) as error:
            raise VectorIndexError(
                f"the vectors at {folder} cannot be used: {error}; run `isomatch index` to rebuild "
                "them"
            ) from error

    def __len__(self) -> int:
        return len(self.ids)

    def search(self, vectors: Matrix, limit: int) -> list[Hits]:
        """For each row, the nearest ``limit`` vectors: ids and L2 distances.

        Ascending by distance, then by id. Distances are those of 64-bit arithmetic, rounded
        to 32 bits.

        Raises:
            VectorIndexError: a row has what is no number.
        """
        import numpy as np

        rows = np.asarray(vectors, np.float64)
        if not np.isfinite(rows).all():
            raise VectorIndexError("a vector to search for has an infinite value or none")
        limit = min(limit, len(self))
        if limit <= 0:
            return [(np.empty(0, np.int64), np.empty(0, np.float32)) for _ in rows]
        return [self._nearest(row, limit) for row in rows]

    def has(self, ids: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether each of some ids is here."""
        found: NDArray[np.bool_] = self.ids[self._places(ids)] == ids
        return found

    def vectors(self, ids: NDArray[np.int64]) -> Matrix:
        """The vectors of ids that are here, in their order."""
        return self._rows(self._places(ids))

    def within(self, vector: Matrix, ids: NDArray[np.int64]) -> Hits:
        """Those of some ids that are here, with distances as `search` has them."""
        import numpy as np

        here = ids[self.has(ids)]
        rounded = self._measure(np.asarray(vector, np.float64), self._places(here))
        compared(len(here))
        return here, rounded.astype(np.float32)

    def _places(self, ids: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.ids.searchsorted(ids).clip(max=len(self.ids) - 1)

    def _coded(self, row: Doubles) -> tuple[NDArray[np.int8], Doubles]:
        """The code of a query, and what to take off bounds because of it, by the parts so far."""
        import numpy as np

        (code,), apart = coded(self._turn(row[None]), self._step)
        errors = _errors(apart, [part.place for part in self._parts])
        loose = errors + SLACK * (self._reach + float(np.linalg.norm(row)))
        return code, loose

    def _nearest(self, row: Doubles, limit: int) -> Hits:
        import numpy as np

        code, loose = self._coded(row)
        first_part, *others = (part.to(code) for part in self._parts)
        with threads(min(os.cpu_count() or 1, len(self._tasks), 8)) as run:
            every, least = self._apart(first_part, run)
            likely = min(len(self), max(limit, min(LIKELY * limit, MOST_LIKELY)))
            rows = np.sort(_likely(every, least, likely))
            some = min(FIRST * limit, likely)
            best = np.argpartition(_whole(every[rows], rows, others), some - 1)[:some]
            first = np.sort(rows[best])
            distances = self._measure(row, first)
            most = float(np.partition(distances, limit - 1)[limit - 1])
            left, apart = self._within(every, others, most, loose, run)
        self._spare.append(every)
        order = np.argsort(apart, kind="stable")
        order = order[~np.isin(left[order], first)]
        left, apart = left[order], apart[order]
        found, start, size = [first], 0, READ
        while start < len(left):
            # What is beyond the limit by now may lie in a block with a smaller error.
            part = slice(start, start + size)
            rows = np.sort(left[part][self._may_be(apart[part], left[part], most, loose)])
            start, size = start + size, min(2 * size, MOST_READ)
            found.append(rows)
            distances = np.concatenate([distances, self._measure(row, rows)])
            most = float(np.partition(distances, limit - 1)[limit - 1])
        ids = self.ids[np.concatenate(found)]
        rounded = distances.astype(np.float32)
        order = np.lexsort((ids, rounded))[:limit]
        self.read += len(rounded)
        compared(len(rounded))
        return ids[order], rounded[order]

    def _apart(self, first: ToCode, run: Map) -> tuple[Squares, Squares]:
        """The squared distance of each vector by the first part of its code, in steps.

        And the least ones of groups of them, by block; of a block that is not full none.
        """
        import numpy as np

        try:
            apart = self._spare.pop()
        except IndexError:
            apart = np.empty(len(self), np.int32)
        least = np.empty((len(self) // BLOCK, BLOCK // GROUP), np.int32)

        def scan(numbers: range) -> None:
            for number in numbers:
                block = slice(number * BLOCK, (number + 1) * BLOCK)
                first(block, apart[block])
                if number < len(least):
                    apart[block].reshape(GROUP, -1).min(axis=0, out=least[number])

        list(run(scan, self._tasks))
        return apart, least

    def _within(
        self,
        apart: Squares,
        others: Sequence[ToCode],
        most: float,
        loose: Doubles,
        run: Map,
    ) -> tuple[NDArray[np.int64], Squares]:
        """What may be at most so far by its whole code, and the squared distances of these."""
        import numpy as np

        limits = self._limits(most, loose)

        def left(numbers: range) -> tuple[NDArray[np.int64], Squares]:
            blocks = [
                np.flatnonzero(apart[n * BLOCK : (n + 1) * BLOCK] <= limits[0, n]) + n * BLOCK
                for n in numbers
            ]
            rows = np.concatenate(blocks)
            found = apart[rows]
            for to_part, limit in zip(others, limits[1:], strict=True):
                found += to_part(rows)
                kept = found <= limit[rows // BLOCK]
                rows, found = rows[kept], found[kept]
            return rows, found

        rows, found = zip(*run(left, self._tasks), strict=True)
        return np.concatenate(rows), np.concatenate(found)

    def _limits(self, most: float, loose: Doubles) -> Squares:
        """The greatest squared distance in steps of what may be nearer than ``most``.

        By the parts that are compared, and by block.

        Two distances of 64 bits can be one of 32 bits, which the id then orders.
        """
        import numpy as np

        steps = (most * (1 + 1e-6) + LEAST + self._errors + loose[:, None]) / self._step
        return np.minimum(np.ceil(steps**2 * (1 + 1e-9)), 2.0**31 - 1).astype(np.int32)

    def _may_be(
        self, apart: Squares, rows: NDArray[np.int64], most: float, loose: Doubles
    ) -> NDArray[np.bool_]:
        """Whether rows at these squared distances, by whole codes, may be at most so far."""
        found: NDArray[np.bool_] = apart <= self._limits(most, loose)[-1][rows // BLOCK]
        return found

    def _rows(self, rows: NDArray[np.int64]) -> Matrix:
        """Full vectors; what is read from a mapping stays in the process's memory."""
        import numpy as np

        if self._full.nbytes <= MAPPED or not hasattr(os, "pread"):
            return self._full.take(rows, 0)
        size = 4 * self.dimension
        read = b"".join(os.pread(self._file, size, size * row) for row in rows.tolist())
        return np.frombuffer(read, np.float32).reshape(len(rows), self.dimension)

    def _measure(self, row: Doubles, rows: NDArray[np.int64]) -> Doubles:
        import numpy as np

        parts = [
            lengths(np.subtract(self._rows(rows[start : start + READ]), row, dtype=np.float64))
            for start in range(0, len(rows), READ)
        ]
        return np.concatenate(parts) if parts else np.empty(0)


class _Codes:
    """One part of all codes, and the squares of these, from files."""

    def __init__(self, folder: Path, place: slice, count: int):
        import numpy as np

        self.place, self._width = place, place.stop - place.start
        self._rows = mapped(folder / _named(place), np.int8).reshape(count, self._width)
        self._squares = mapped(folder / _named(place, "squares.i32"), np.int32)
        if len(self._squares) != count:
            raise ValueError(f"{len(self._squares)} of {count} codes have a square")

    def to(self, code: NDArray[np.int8]) -> ToCode:
        """A function that gives the squared distances of rows to a whole code, in steps."""
        import numkong
        import numpy as np

        code = code[self.place]
        square = np.int32(code.astype(np.int64) @ code.astype(np.int64))
        abreast = np.zeros((ABREAST, ABREAST * self._width), np.int8)
        for number in range(ABREAST):
            abreast[number, number * self._width : (number + 1) * self._width] = code
        packed = numkong.dots_pack(abreast)

        def apart(rows: slice | NDArray[np.int64], found: Squares | None = None) -> Squares:
            codes = self._rows[rows] if isinstance(rows, slice) else self._rows.take(rows, 0)
            found = np.empty(len(codes), np.int32) if found is None else found
            even = len(codes) // ABREAST * ABREAST
            if even:
                together = codes[:even].reshape(-1, ABREAST * self._width)
                products = np.asarray(numkong.dots_packed(together, packed)).reshape(-1)
                np.multiply(products, -2, out=found[:even])
            found[even:] = -2 * (codes[even:].astype(np.int32) @ code.astype(np.int32))
            found += self._squares[rows]
            found += square
            return found

        return apart


def _places(width: int) -> list[slice]:
    """Where the parts of a code of so many bytes are."""
    return [slice(start, min(start + WIDTH, width)) for start in range(0, width, WIDTH)]


def _errors(apart: Doubles, places: Sequence[slice]) -> Doubles:
    """The greatest length of what codes lack, each of the parts up to a place."""
    import numpy as np

    parts = [squares(apart[:, place]) for place in places]
    errors: Doubles = np.sqrt(np.cumsum(parts, axis=0).max(axis=1))
    return errors


def _named(place: slice, of: str = "i8") -> str:
    return f"codes-{place.start}.{of}"


def _whole(apart: Squares, rows: NDArray[np.int64], others: Iterable[ToCode]) -> Squares:
    """The squared distances of whole codes; those of the first part are given."""
    for to_part in others:
        apart = apart + to_part(rows)
    return apart


def _likely(apart: Squares, least: Squares, limit: int) -> NDArray[np.int64]:
    """``limit`` places with small values; not always the smallest, which takes longer.

    Args:
        least: of groups of the values, see `Scan._apart`.
    """
    import numpy as np

    if limit * 2 > least.size:
        return np.argpartition(apart, limit - 1)[:limit]
    groups = least.shape[1]
    block, group = np.divmod(np.argpartition(least, limit - 1, axis=None)[:limit], groups)
    grouped = apart[: len(least) * BLOCK].reshape(len(least), GROUP, groups)
    place = grouped[block, :, group].argmin(axis=1)
    found: NDArray[np.int64] = (block * GROUP + place) * groups + group
    return found


def write(folder: Path, pages: Iterable[tuple[NDArray[np.int64], Matrix]]) -> None:
    """Write the files of a scan; the folder is there when all of them are.

    Args:
        folder: made, or replaced.
        pages: ids and vectors, by id, each once; at least one.

    Raises:
        OSError: the disk is full, or may not be written.
        VectorIndexError: there is no vector, or one has what is no number.
    """
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    rows = None
    for ids, vectors in pages:
        rows = rows or Rows(partial, vectors.shape[1])
        rows.append(ids, vectors)
    finish(rows or Rows(partial, 1), folder)


def finish(rows: Rows, folder: Path) -> None:
    """Write the codes of the vectors that are there, and put all where it is searched.

    Raises:
        OSError, VectorIndexError: see `write`.
    """
    if not len(rows):
        raise VectorIndexError(f"there are no vectors for {folder}; run `isomatch index`")
    _write_codes(rows.folder, len(rows), rows.dimension)
    for path in rows.folder.iterdir():
        make_durable(path)
    shutil.rmtree(folder, ignore_errors=True)
    rows.folder.rename(folder)


def _write_codes(folder: Path, count: int, dimension: int) -> None:
    import numpy as np

    with (folder / "vectors.f32").open("rb") as vectors:  # pages of a mapping stay in memory
        rows = []
        for number in range(0, count, max(1, count // SAMPLE)):
            vectors.seek(4 * dimension * number)
            rows.append(np.fromfile(vectors, np.float32, dimension))
    sample = np.array(rows)
    turn = Turn.of(sample, WIDTH)
    step = step_for(turn(sample)[:, :WIDTH])
    places = _places(turn.width)
    errors, longest = np.zeros((len(places), -(-count // BLOCK))), 0.0
    with ExitStack() as opened:
        vectors = opened.enter_context((folder / "vectors.f32").open("rb"))
        files = {
            name: opened.enter_context((folder / name).open("wb"))
            for place in places
            for name in (_named(place), _named(place, "squares.i32"))
        }
        for start in range(0, count, PART):
            read = np.fromfile(vectors, np.float32, PART * dimension)
            part = read.reshape(-1, dimension).astype(np.float64)
            code, apart = coded(turn(part), step)
            block = start // BLOCK
            errors[:, block] = np.maximum(errors[:, block], _errors(apart, places))
            longest = max(longest, float(squares(part).max()) ** 0.5)
            for place in places:
                files[_named(place)].write(code[:, place].tobytes())
                square = squares(code[:, place].astype(np.int32))
                files[_named(place, "squares.i32")].write(square.tobytes())
    np.savez(folder / "turn.npz", mean=turn.mean, axes=turn.axes, middle=turn.middle, errors=errors)
    about = {"count": count, "dimension": dimension, "step": step, "longest": longest}
    (folder / "scan.json").write_text(json.dumps(about) + "\n", "utf-8")
