"""Many clients on one session over a SPARQL server: errors, throughput, memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from time import perf_counter

from tests.bench.rows import Row, row
from tests.bench.sparql import JUDGED, served, write_triples
from tests.bench.timing import WARM_UP, patterns_of

from isomatch.evaluate.metrics import spread
from isomatch.pattern.types import Pattern
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import read
from isomatch.session import Session

CLIENTS = 8
SECONDS = 60
THIRD = SECONDS // 3
GROWTH = 1.02  # of the resident memory; the allocator keeps a little


def at_once(data: Path, questions: int) -> Iterator[Row]:
    """`CLIENTS` threads ask one session object for `SECONDS`."""
    parts = read("metaqa", data)
    patterns = [p for part in parts for p in patterns_of(part, questions, "names")]
    with open_session(parts[0], None) as embedded, TemporaryDirectory() as folder:
        file = Path(folder) / "metaqa.nt"
        write_triples(embedded.store, file)
        for engine in JUDGED:
            with served(engine, file, embedded) as here:
                yield from _rows(f"{engine}, MetaQA, {CLIENTS} clients", here.session, patterns)


def _rows(title: str, session: Session, patterns: Sequence[Pattern]) -> Iterator[Row]:
    for pattern in patterns[:WARM_UP]:
        session.match(pattern)
    clients = _Clients(session, patterns)
    memory = clients.run()
    note = "; ".join(sorted(set(clients.errors))[:3])
    yield row(f"{title}: errors", len(clients.errors), "", at_most=0, note=note)
    yield row(f"{title}: matches a second", len(clients.times) / SECONDS, "1/s")
    times = spread(clients.times)
    yield row(f"{title}: one match, median", times["p50"], "ms")
    yield row(f"{title}: one match, p99", times["p99"], "ms")
    if memory:
        yield row(
            f"{title}: resident memory, last third of {SECONDS} s to second third",
            median(memory[2 * THIRD :]) / median(memory[THIRD : 2 * THIRD]),
            "",
            at_most=GROWTH,
            note=f"{memory[0]:.0f} MB at first, {memory[-1]:.0f} MB at last",
        )


class _Clients:
    """Threads that match patterns over and over, each beginning at another one."""

    def __init__(self, session: Session, patterns: Sequence[Pattern]):
        self.times: list[float] = []
        self.errors: list[str] = []
        self._session = session
        self._patterns = patterns
        self._lock = Lock()
        self._over = Event()

    def run(self) -> list[float]:
        """Megabytes of resident memory, once a second; empty where they are not told."""
        threads = [Thread(target=self._client, args=(number,)) for number in range(CLIENTS)]
        for thread in threads:
            thread.start()
        memory = []
        while not self._over.wait(1.0):
            memory.append(_resident())
            if len(memory) == SECONDS:
                self._over.set()
        for thread in threads:
            thread.join()
        return [megabytes for megabytes in memory if megabytes is not None]

    def _client(self, number: int) -> None:
        first = number * len(self._patterns) // CLIENTS
        for pattern in cycle([*self._patterns[first:], *self._patterns[:first]]):
            if self._over.is_set():
                return
            started = perf_counter()
            try:
                self._session.match(pattern)
            except Exception as error:  # counted, and told
                with self._lock:
                    self.errors.append(f"{type(error).__name__}: {error}"[:200])
            else:
                with self._lock:
                    self.times.append((perf_counter() - started) * 1e3)


def _resident() -> float | None:
    """Megabytes of this process in memory, where the system tells them as Linux does."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return None
    (kilobytes,) = (line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))
    return int(kilobytes) / 1024
