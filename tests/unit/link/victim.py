"""A build of an index in a process of its own, which ends itself at a moment of the build.

`python -m tests.unit.link.victim FOLDER --last 5000 --moment upsert 2` is killed after its second
slice of vectors. Without a moment it runs to its end, or until something else ends it.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.servers import ROOT
from tests.unit.link.tiny_index import DigestEmbedder, Name, schema_of

from isomatch.errors import VectorIndexError
from isomatch.link import scan
from isomatch.link.build import build_index
from isomatch.link.edge import EdgeHome, EdgeVectors

DISK_FULL = "disk full"  # no file gets longer than the moment's number
PAGE = 500


class Moments:
    """Kills this process when it comes by a moment for the given time."""

    def __init__(self, moment: str, times: int):
        self.moment, self.left = moment, times

    def passes(self, here: str) -> None:
        """Say where the build is."""
        if here == self.moment:
            self.left -= 1
            if self.left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


def home_of(folder: Path, moments: Moments) -> EdgeHome:
    """The embedded engine, which says where it is."""
    passes = moments.passes

    class Store(EdgeVectors):
        def upsert(self, *given: Any) -> None:
            super().upsert(*given)
            passes("upsert")

        def delete(self, *given: Any) -> None:
            super().delete(*given)
            passes("delete")

        def flush(self) -> None:
            passes("flush")
            super().flush()
            passes("flushed")

        def optimize(self, collection: str) -> bool:
            passes("optimize")
            approximate = super().optimize(collection)
            passes("optimized")
            return approximate

        def close(self) -> None:
            passes("close")
            super().close()

    class Home(EdgeHome):
        def open(self, generation: str) -> EdgeVectors:
            return Store(self.folder / generation / "vectors")

        def copy(self, *given: Any) -> None:
            super().copy(*given)
            passes("copied")

        def drop(self, generation: str) -> None:
            passes("drop")
            super().drop(generation)

    return Home(folder)


class Pages(list[list[Name]]):
    """Pages of names, which say when one was read."""

    def __init__(self, first: int, last: int, moments: Moments):
        names = names_from(first, last)
        super().__init__(names[at : at + PAGE] for at in range(0, len(names), PAGE))
        self.moments = moments

    def __iter__(self) -> Iterator[list[Name]]:
        for page in super().__iter__():
            yield page
            self.moments.passes("read")


def names_from(first: int, last: int) -> list[Name]:
    """The names of so many nodes."""
    return [Name(f"urn:{n}", f"name {n}") for n in range(first, last)]


def command(folder: Path, last: int, how: str, *more: str | int) -> list[str]:
    """What starts a build of the names up to ``last``."""
    given = [folder, "--last", last, "--how", how, *more]
    return [sys.executable, "-m", "tests.unit.link.victim", *map(str, given)]


def run(folder: Path, moment: tuple[str, int], first: int, last: int, how: str) -> int:
    """The exit status of a build.

    Raises:
        VectorIndexError: it failed; with the last line of what it said.
    """
    more = ("--first", first, "--moment", *moment)
    ended = subprocess.run(
        command(folder, last, how, *more), cwd=ROOT, capture_output=True, text=True, check=False
    )
    if ended.returncode == 1:
        raise VectorIndexError(ended.stderr.strip().splitlines()[-1])
    return ended.returncode


def main() -> None:
    """Build the index."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--last", type=int, required=True)
    parser.add_argument("--how", choices=("sync", "anew"), default="anew")
    parser.add_argument("--moment", nargs=2, default=("never", "0"))
    parser.add_argument("--dimension", type=int, default=3)
    parser.add_argument("--scan-from", type=int, help="texts from which on there is a scan")
    chosen = parser.parse_args()
    moment, times = chosen.moment[0], int(chosen.moment[1])
    if moment == DISK_FULL:
        resource.setrlimit(resource.RLIMIT_FSIZE, (times, times))
    moments = Moments(moment, times)
    coded = scan._write_codes

    def write_codes(*given: Any) -> None:
        moments.passes("vectors written")
        coded(*given)
        moments.passes("coded")

    if chosen.scan_from is not None:
        patch("isomatch.link.build.APPROXIMATE_FROM", chosen.scan_from).start()
    patch("isomatch.link.scan._write_codes", write_codes).start()
    build_index(
        chosen.folder,
        Pages(chosen.first, chosen.last, moments),
        schema_of(),
        DigestEmbedder(chosen.dimension),
        vectors=home_of(chosen.folder, moments),
        sync=chosen.how == "sync",
    )


if __name__ == "__main__":
    main()
