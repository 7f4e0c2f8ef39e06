"""Builds of an index that are killed, run out of disk, or meet: `python -m tests.soak.index`.

While all of that happens, a thread opens the index again and again and compares its answers with
those of the index in force. Afterwards the next build must give what an undisturbed one gives.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread
from time import monotonic, perf_counter, sleep

from tests.bench.rows import Row, row, table, write
from tests.servers import ROOT
from tests.unit.link.tiny_index import DigestEmbedder
from tests.unit.link.victim import DISK_FULL, command

from isomatch.errors import VectorIndexError
from isomatch.link.index import Index

DIMENSION = 64
ASKED = 40  # texts whose nearest names are compared
LIMIT = 16
SEED = 1
HOWS = ("anew", "sync")
# After the texts are embedded, what was made apart comes together: codes, copies, manifest.
COMING_TOGETHER = (
    *(("optimize", 1), ("vectors written", 1), ("coded", 1), ("optimized", 1), ("close", 1)),
    ("drop", 2),  # of the index that was replaced
)
FULL_AT = (0.02, 0.1, 0.3, 0.6, 0.9, 0.99)  # of the longest file of an index
ALONE = "another process is indexing"
TOLD = ("cannot be written", "cannot be used")


@dataclass
class Soak:
    """One run: an index of the first half of the names, and builds of all of them.

    Attributes:
        seconds: that an undisturbed build takes, by how.
        old, new: what the index of half, and that of all names answers.
        counts: of what was seen.
        wrong: what must not be, in words.
    """

    folder: Path
    names: int
    random: random.Random
    old: str = ""
    new: str = ""
    seconds: dict[str, float] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    @property
    def index(self) -> Path:
        """The folder in which builds are disturbed."""
        return self.folder / "index"

    def prepare(self) -> None:
        """Build both indexes, undisturbed, and time a build."""
        must_end(self.build(self.folder / "half", self.names // 2, "anew"))
        self.old = answers(self.folder / "half", self.names)
        for how in HOWS:
            self.restore()
            began = perf_counter()
            must_end(self.build(self.index, self.names, how))
            self.seconds[how] = perf_counter() - began
        must_end(self.build(self.folder / "whole", self.names, "anew"))
        self.new = answers(self.folder / "whole", self.names)
        if self.new == self.old:
            raise RuntimeError("both indexes answer the same: nothing could be told apart")
        self.must_be(self.index, self.new, "after undisturbed builds")

    def restore(self) -> None:
        """The index of half of the names again."""
        shutil.rmtree(self.index, ignore_errors=True)
        shutil.copytree(self.folder / "half", self.index)

    def build(self, folder: Path, last: int, how: str, *more: str | int) -> subprocess.Popen[str]:
        """A build in a process of its own."""
        given = ("--dimension", DIMENSION, "--scan-from", self.names // 4, *more)
        return subprocess.Popen(
            command(folder, last, how, *given),
            cwd=ROOT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def must_be(self, folder: Path, expected: str, when: str) -> None:
        """Complain unless the index answers so."""
        try:
            found = answers(folder, self.names)
        except VectorIndexError as error:
            self.wrong.append(f"{when}: {error}")
            return
        if found != expected:
            self.wrong.append(f"{when}: the index answers otherwise")

    def ended(self, when: str) -> str:
        """Complain unless the index in force is whole; returns which one it is."""
        try:
            found = answers(self.index, self.names)
        except VectorIndexError as error:
            self.wrong.append(f"{when}: {error}")
            return "none"
        if found not in (self.old, self.new):
            self.wrong.append(f"{when}: the index in force is neither the old one nor the new one")
        return "new" if found == self.new else "old"

    def goes_on(self, how: str, when: str) -> None:
        """The next build must end, give what an undisturbed one gives, and leave nothing behind."""
        process = self.build(self.index, self.names, how)
        _, said = process.communicate()
        if process.returncode:
            self.wrong.append(f"{when}: the next build ended with {said.strip()[-300:]}")
            return
        self.must_be(self.index, self.new, f"{when}, after the next build")
        folders = [path.name for path in self.index.iterdir() if path.is_dir()]
        if len(folders) != 1:
            self.wrong.append(f"{when}: folders were left behind: {', '.join(sorted(folders))}")

    @contextmanager
    def asked(self, when: str) -> Iterator[None]:
        """Ask the index all the time; what it answers is what it was or what it will be."""
        done = Event()

        def ask() -> None:
            while not done.is_set():
                found = self.ended(f"while {when}")
                self.counts[f"asked meanwhile: {found} index"] += 1
                done.wait(0.05)

        thread = Thread(target=ask, daemon=True)
        thread.start()
        try:
            yield
        finally:
            done.set()
            thread.join()


def answers(folder: Path, names: int) -> str:
    """A digest of what an index answers: all of its names, and the nearest of some texts.

    Raises:
        VectorIndexError: it cannot be used.
    """
    embedder = DigestEmbedder(DIMENSION)
    digest = hashlib.sha256()
    with Index.open(folder, embedder=embedder) as index:
        for collection in ("nodes", "relations", "types"):
            digest.update(str(index.count(collection)).encode())
        for name in sorted(index.all_names()):
            digest.update(repr(name).encode())
        texts = [f"name {number * names // ASKED}" for number in range(ASKED)]
        for ids, distances in index.search("nodes", embedder.embed(texts), LIMIT):
            found = index.texts(ids.tolist())
            texts_near = [found[point].text for point in ids.tolist()]
            near = sorted(zip(distances.tolist(), texts_near, strict=True))
            # Of equal distances at the end, others may be there; numbers of points differ.
            digest.update(repr([one for one in near if one[0] < near[-1][0]]).encode())
    return digest.hexdigest()


def must_end(process: subprocess.Popen[str]) -> None:
    """Wait for a build that nothing disturbs.

    Raises:
        RuntimeError: it failed.
    """
    _, said = process.communicate()
    if process.returncode:
        raise RuntimeError(f"an undisturbed build failed: {said}")


def kills(soak: Soak, times: int) -> None:
    """SIGKILL at random moments of a build, each of an old index that is restored."""
    for number in range(times):
        how = HOWS[number % len(HOWS)]
        soak.restore()
        at = soak.random.uniform(0, soak.seconds[how])
        when = f"killed after {at:.2f} s of {soak.seconds[how]:.2f} ({how})"
        with soak.asked(when):
            process = soak.build(soak.index, soak.names, how)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(at)
            process.kill()
            process.communicate()
        which = soak.ended(when)
        killed = process.returncode == -signal.SIGKILL
        soak.counts["killed" if killed else "ended before the kill"] += 1
        soak.counts[f"in force after the kill: the {which} index"] += 1
        soak.goes_on(how, when)


def dying(soak: Soak, _: int) -> None:
    """SIGKILL while what was made apart comes together, at each step."""
    for moment, times in COMING_TOGETHER:
        soak.restore()
        when = f"killed at “{moment}”"
        with soak.asked(when):
            process = soak.build(soak.index, soak.names, "anew", "--moment", moment, times)
            process.communicate()
        if process.returncode != -signal.SIGKILL:
            soak.wrong.append(f"{when}: the build did not come by ({process.returncode})")
        which = soak.ended(when)
        expected = "new" if moment == "drop" else "old"
        if which != expected:
            soak.wrong.append(f"{when}: the {which} index is in force, not the {expected} one")
        soak.counts["killed at a step"] += 1
        soak.goes_on("anew", when)


def disk_full(soak: Soak, _: int) -> None:
    """No file gets longer than a limit, at several limits."""
    longest = max(path.stat().st_size for path in (soak.folder / "whole").rglob("*"))
    for share in FULL_AT:
        soak.restore()
        when = f"the disk full at {share:g} of the longest file"
        limit = int(share * longest)
        with soak.asked(when):
            process = soak.build(soak.index, soak.names, "anew", "--moment", DISK_FULL, limit)
            _, said = process.communicate()
        if process.returncode == 0:
            soak.wrong.append(f"{when}: the build ended well")
        told = process.returncode == 1 and any(words in said for words in TOLD)
        soak.counts["disk full: told" if told else "disk full: the engine ended the build"] += 1
        which = soak.ended(when)
        if which != "old":
            soak.wrong.append(f"{when}: the {which} index is in force, not the old one")
        soak.goes_on("anew", when)


def two_at_once(soak: Soak, times: int) -> None:
    """A second build at a random moment of a first one is refused, and the first one ends."""
    for _ in range(max(1, times // 4)):
        soak.restore()
        at = soak.random.uniform(0, 0.8 * soak.seconds["anew"])
        when = f"two builds, {at:.2f} s apart"
        with soak.asked(when):
            first = soak.build(soak.index, soak.names, "anew")
            sleep(at)
            second = soak.build(soak.index, soak.names, "anew")
            said = {process: process.communicate()[1] for process in (first, second)}
        refused = [process for process in said if process.returncode]
        soak.counts["two builds: one refused"] += len(refused) == 1
        for process in refused:
            if ALONE not in said[process]:
                soak.wrong.append(f"{when}: one ended with {said[process].strip()[-300:]}")
        if len(refused) == 2:
            soak.wrong.append(f"{when}: both were refused")
        soak.must_be(soak.index, soak.new, when)


PHASES: dict[str, Callable[[Soak, int], None]] = {
    "kills at random moments": kills,
    "kills while it comes together": dying,
    "full disk": disk_full,
    "two indexers at once": two_at_once,
}


def soak_index(folder: Path, names: int, times: int, seed: int) -> list[Row]:
    """The rows of one run."""
    soak = Soak(folder, names, random.Random(seed))
    began = monotonic()
    soak.prepare()
    note = ", ".join(f"{how} {seconds:.1f} s" for how, seconds in soak.seconds.items())
    rows = [row("names", names, "", note=f"undisturbed builds of all from a half: {note}")]
    for name, phase in PHASES.items():
        before, started = len(soak.wrong), monotonic()
        phase(soak, times)
        wrong, seconds = soak.wrong[before:], monotonic() - started
        rows.append(row(f"{name}: wrong", len(wrong), "", at_most=0, note="; ".join(wrong)))
        print(f"{name}: {seconds:.0f} s, {len(wrong)} wrong", file=sys.stderr, flush=True)
    rows += [row(name, count, "") for name, count in sorted(soak.counts.items())]
    return [*rows, row("in all", monotonic() - began, "s", note=f"seed {seed}")]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.index", description=__doc__)
    parser.add_argument("--names", type=int, default=20_000, help="of the larger index")
    parser.add_argument("--kills", type=int, default=20, help="at random moments")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--json", type=Path, default=ROOT / "soak-index.json")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="isomatch-soak-index-") as folder:
        rows = soak_index(Path(folder), options.names, options.kills, options.seed)
    print(table(rows))
    write(rows, options.json)
    return 1 if any(one.ok is False for one in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
