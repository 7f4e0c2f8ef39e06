"""`isomatch serve`: what HTTP costs over the library, how much it answers, how it starts."""

from __future__ import annotations

import asyncio
import http.client
import json
import math
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import NamedTuple
from urllib.parse import urlsplit

from pydantic_core import to_json
from tests.bench.assistants import measure_cap
from tests.bench.rows import Row, row
from tests.bench.timing import patterns_of
from tests.servers.process import end_with_parent

from isomatch.evaluate.metrics import spread
from isomatch.output.json import result_form
from isomatch.pattern import to_json as pattern_form
from isomatch.questions.dataset_sessions import open_session, settings_for
from isomatch.questions.datasets import read
from isomatch.session import Session

PATTERNS = 200
PASSES = 3
CLIENTS = 50
SECONDS = 10.0
STARTS = 3


@contextmanager
def serving(
    home: Path | None, *arguments: str, folder: Path | None = None
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A service in a process of its own: its address, and the process.

    Args:
        home: of its graph; None for the graphs of the settings.
        folder: that has `isomatch.toml`; None for this one.
    """
    command = [sys.executable, "-c", "from isomatch.cli import main; main()", "serve"]
    given = () if home is None else ("--home", str(home))
    process = subprocess.Popen(
        [*command, *given, "--port", "0", "--json", *arguments],
        stdout=subprocess.PIPE,
        text=True,
        cwd=folder,
        preexec_fn=end_with_parent,
    )
    try:
        assert process.stdout is not None
        told = ""
        while not told.endswith("}\n"):
            if not (line := process.stdout.readline()):
                raise RuntimeError("the service ended before it was ready")
            told += line
        yield json.loads(told)["url"], process
    finally:
        process.kill()
        process.wait()


def service(data: Path) -> Iterator[Row]:
    """One client, many clients, a stop under load, and a cold start."""
    part = read("metaqa", data, hops=2)[0]
    with open_session(part, None, memory=False) as session:  # as the service reads it
        bodies = [
            json.dumps({"pattern": pattern_form(pattern)}).encode()
            for pattern in patterns_of(part, PATTERNS, "names")
        ]
        home = settings_for(part, None).home
        with serving(home) as (url, _):
            yield from _overhead(session, url, bodies)
        yield from _throughput(session, home, bodies)
    yield from _stopped(home, bodies)
    yield from _cold(home)
    yield from measure_cap()


def _library(session: Session, body: bytes) -> bytes:
    """What a request does, without HTTP."""
    return to_json(result_form(session.match(json.loads(body)["pattern"])))


def _overhead(session: Session, url: str, bodies: Sequence[bytes]) -> Iterator[Row]:
    with _over_http(url) as over_http:
        yield from _more_than_library(session, over_http, bodies)


@contextmanager
def _over_http(url: str) -> Iterator[Callable[[bytes], bytes]]:
    """Posts to a service, over a bare socket: Python's own client takes .4 to .5 ms itself."""
    address = urlsplit(url)
    with (
        socket.create_connection((address.hostname, address.port)) as connection,
        connection.makefile("rb", 1 << 18) as answers,
    ):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

        def post(body: bytes) -> bytes:
            connection.sendall(_request(body))
            status = answers.readline()
            headers = b"".join(iter(answers.readline, b"\r\n"))
            answer = answers.read(_length(headers))
            if b" 200 " not in status:
                raise RuntimeError(f"{status!r}: {answer!r}")
            return answer

        yield post


def _request(body: bytes) -> bytes:
    head = "POST /v1/match HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


def _length(headers: bytes) -> int:
    """Bytes of the body after some headers."""
    lines = headers.lower().split(b"\r\n")
    return next(int(line[15:]) for line in lines if line.startswith(b"content-length:"))


def _more_than_library(
    session: Session, over_http: Callable[[bytes], bytes], bodies: Sequence[bytes]
) -> Iterator[Row]:
    for body in bodies:  # both warm
        over_http(body)
        _library(session, body)
    ours, theirs = [], []
    for body in bodies:
        ours.append(_timed(over_http, body))
        theirs.append(_timed(partial(_library, session), body))
    more = spread([our.around - their.around for our, their in zip(ours, theirs, strict=True)])
    note = (
        f"MetaQA 2 hops, {len(bodies)} patterns, median of {PASSES} each, one connection; the time "
        "of the search itself, as its profile has it, is taken off both sides: it varies by more"
    )
    for key, most in (("p50", 2.0), ("p99", 6.0)):
        yield row(
            f"match over HTTP, warm, 1 client: {key} of what it takes more than the library",
            more[key],
            "ms",
            at_most=most,
            note=note,
        )
    for name, of in (("p50", "total"), ("p50 of the search itself", "search")):
        yield row(
            f"match over HTTP, warm, 1 client: {name}",
            median(getattr(our, of) for our in ours),
            "ms",
            baseline=median(getattr(their, of) for their in theirs),
        )


class _Times(NamedTuple):
    """Milliseconds of a request: medians of `PASSES`."""

    total: float
    search: float
    around: float  # what is not the search


def _timed(ask: Callable[[bytes], bytes], body: bytes) -> _Times:
    totals, searches = [], []
    for _ in range(PASSES):
        started = perf_counter()
        answer = ask(body)
        totals.append((perf_counter() - started) * 1e3)
        searches.append(json.loads(answer)["profile"]["stages_ms"]["total"])
    around = [total - search for total, search in zip(totals, searches, strict=True)]
    return _Times(median(totals), median(searches), median(around))


def _throughput(session: Session, home: Path, bodies: Sequence[bytes]) -> Iterator[Row]:
    with serving(home) as (url, _):
        asyncio.run(_load(url, bodies, len(bodies) / 100, 4))  # warm
        answered, failed = asyncio.run(_load(url, bodies, SECONDS, CLIENTS))
    rate = _library_rate(session, bodies)
    yield row(
        f"match over HTTP, {CLIENTS} clients: throughput, against {CLIENTS} threads of the library",
        answered / SECONDS,
        "1/s",
        baseline=rate,
        note=f"ratio must be >= 0.8: {'met' if answered / SECONDS >= 0.8 * rate else 'not met'}; "
        f"{failed} requests failed; the clients take processor time too",
    )


def _library_rate(session: Session, bodies: Sequence[bytes]) -> float:
    """Searches a second of the library in as many threads as there are clients."""
    end = perf_counter() + SECONDS

    def work(start: int) -> int:
        done = 0
        for body in islice(cycle(bodies), start, None):
            if perf_counter() > end:
                return done
            _library(session, body)
            done += 1
        return done

    with ThreadPoolExecutor(CLIENTS) as threads:
        return sum(threads.map(work, range(CLIENTS))) / SECONDS


async def _load(url: str, bodies: Sequence[bytes], seconds: float, clients: int) -> tuple[int, int]:
    """Requests that were answered, and that were not, by clients that ask without a pause."""
    address = urlsplit(url)
    end = perf_counter() + seconds
    counts = [0, 0]

    async def client(start: int) -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        for body in islice(cycle(bodies), start, None):
            if perf_counter() > end:
                break
            status = await _post(reader, writer, body)
            counts[status != 200] += 1
        writer.close()

    await asyncio.gather(*(client(number) for number in range(clients)))
    return counts[0], counts[1]


async def _post(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, body: bytes) -> int:
    """The status of one request; the answer is read to its end."""
    writer.write(_request(body))
    head = await reader.readuntil(b"\r\n\r\n")
    await reader.readexactly(_length(head))
    return int(head.split()[1])


def _stopped(home: Path, bodies: Sequence[bytes]) -> Iterator[Row]:
    """SIGTERM under load: what had been sent whole must be answered."""
    with serving(home) as (url, process):
        cut = asyncio.run(_terminated(url, bodies, lambda: process.send_signal(signal.SIGTERM)))
        process.wait(60)
    yield row(
        "SIGTERM under load: requests in flight that got no answer",
        cut,
        "",
        at_most=0,
        note=f"{CLIENTS} clients",
    )


async def _terminated(url: str, bodies: Sequence[bytes], stop: Callable[[], None]) -> int:
    """Requests that the service had begun with when it was told to end, and did not answer."""
    address = urlsplit(url)
    told = math.inf
    cut = 0

    async def client(start: int) -> None:
        nonlocal cut
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        for body in islice(cycle(bodies), start, None):
            sent = perf_counter()
            try:
                await _post(reader, writer, body)
            except (OSError, asyncio.IncompleteReadError):
                cut += sent < told
                return
            if sent > told:
                return

    async def end() -> None:
        nonlocal told
        await asyncio.sleep(2)
        told = perf_counter()
        stop()

    await asyncio.gather(end(), *(client(number) for number in range(CLIENTS)))
    return cut


def _cold(home: Path) -> Iterator[Row]:
    """From the start of the process until it is ready."""

    def start() -> float:
        started = perf_counter()
        with serving(home) as (url, _):
            while True:
                connection = http.client.HTTPConnection(urlsplit(url).netloc)
                connection.request("GET", "/readyz")
                if connection.getresponse().status == 200:
                    return perf_counter() - started
                sleep(0.02)

    seconds = median(start() for _ in range(STARTS))
    yield row("isomatch serve, MetaQA: cold until /readyz", seconds, "s", at_most=4.0)


if __name__ == "__main__":
    from tests.bench.bench import DATA

    for one in service(DATA / "metaqa"):
        print(one)
