"""Questions over a small property graph in Neo4j: texts, the server's time, and a restart's."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import perf_counter

from tests.bench.rows import Row, row
from tests.bench.wire import Wire
from tests.servers import northwind
from tests.servers.neo4j import Neo4jServer

from isomatch.chains.graph import FILE
from isomatch.errors import IsomatchError
from isomatch.factories import make_index
from isomatch.session import Session
from isomatch.settings import Settings


def asked(lines: Sequence[str]) -> Iterator[Row]:
    """Thirty different questions, on each release line of the server."""
    yield from _each(lines, _on)


def _on(server: Neo4jServer, home: Path, title: str) -> Iterator[Row]:
    settings = _indexed(server, home)
    first, *others = northwind.QUESTIONS
    with Session.open(settings) as session:
        with Wire() as wire:  # slows what it counts
            for question in northwind.QUESTIONS:
                session.ask(question)
        count = len(northwind.QUESTIONS)
        yield row(f"{title}: texts of {count} questions", len(wire.texts), "", at_most=15)
    server.restart()
    with Session.open(settings) as session:
        seconds = _seconds(session, first)
        yield row(f"{title}: first question after a restart", seconds, "s", at_most=3)
        before = _cpu(server)
        times = [_seconds(session, question) for question in others]
        spent = (_cpu(server) - before) / len(others)
    yield row(f"{title}: server CPU of a question after the first", spent, "s", at_most=0.1)
    yield row(f"{title}: questions after the first, p50", median(times) * 1e3, "ms", at_most=150)


def _each(
    lines: Sequence[str], measure: Callable[[Neo4jServer, Path, str], Iterator[Row]]
) -> Iterator[Row]:
    for line in lines:
        with TemporaryDirectory(prefix="isomatch-bench-") as folder:
            server = Neo4jServer(line, Path(folder, "server"), heap=("1g", "2g"))
            with server:
                yield from measure(server, Path(folder, "home"), f"Neo4j {line}, northwind")


def _indexed(server: Neo4jServer, home: Path) -> Settings:
    """The settings of an index of the graph, which is loaded first."""
    with server.driver() as driver:
        northwind.load(driver)
    settings = server.session_settings(home)
    make_index(settings)
    return settings


ROUNDS = 10


def restarted(lines: Sequence[str]) -> Iterator[Row]:
    """The same questions after restarts, on a server that is slowed to a tenth or not.

    A question that takes too long is an error in words; another answer is wrong.
    """
    yield from _each(lines, _restarted)


def _restarted(server: Neo4jServer, home: Path, title: str) -> Iterator[Row]:
    settings = _indexed(server, home)
    with Session.open(settings) as session:
        first = {question: session.ask(question).text for question in northwind.QUESTIONS}
    counts = dict.fromkeys(("same", "error", "other"), 0)
    for number in range(ROUNDS):
        server.restart()
        for file in home.rglob(FILE):  # what is learned of the graph is learned again
            file.unlink()
        with ExitStack() as stack:
            if number % 2:
                stack.enter_context(_slowed(server))
            session = stack.enter_context(Session.open(settings))
            for question in northwind.QUESTIONS:
                counts[_outcome(session, question, first[question])] += 1
    asked = ROUNDS * len(northwind.QUESTIONS)
    yield row(f"{title}: {asked} questions after restarts: same answer", counts["same"], "")
    yield row(f"{title}: error in words, or not found in time", counts["error"], "")
    yield row(f"{title}: another answer", counts["other"], "", at_most=0)


def _outcome(session: Session, question: str, first: str) -> str:
    try:
        answer = session.ask(question)
    except IsomatchError:
        return "error"
    if answer.text == first:
        return "same"
    ended = answer.result is not None and answer.result.certificate.ended_by
    return "error" if ended and not answer.answers else "other"


@contextmanager
def _slowed(server: Neo4jServer) -> Iterator[None]:
    """The server runs for a tenth of the time."""
    done = Event()

    def slow() -> None:
        pid = server.pid
        assert pid is not None
        while not done.is_set():
            os.kill(pid, signal.SIGSTOP)
            done.wait(0.09)
            os.kill(pid, signal.SIGCONT)
            done.wait(0.01)

    thread = Thread(target=slow, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def _seconds(session: Session, question: str) -> float:
    started = perf_counter()
    session.ask(question)
    return perf_counter() - started


def _cpu(server: Neo4jServer) -> float:
    """Seconds of all processors that the server has used (on Linux)."""
    fields = Path(f"/proc/{server.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
