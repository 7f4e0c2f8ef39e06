"""What happens to the service while it is asked, one thing after the other."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import signal
import socket
import subprocess
import sys
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from urllib.parse import urlsplit

import httpx
from tests.servers import ServerFailed
from tests.servers.ports import LOOPBACK
from tests.soak.graphs import EMBEDDED, NEO4J, SPARQL, WITH_MODEL, Served
from tests.soak.questions import Question
from tests.soak.traffic import PROBLEM, Traffic

ISOMATCH = (sys.executable, "-c", "from isomatch.cli import main; main()")
LOADING, LAST = "loading", "SIGTERM"  # phases in which memory is not watched
LEAVER = "leaver"  # name of the key that is revoked
ASKED_MODEL = 12  # questions that wait for the model at a time; more than searches may run
UNREAD = 10  # clients that read nothing
PIPELINED = 100  # requests of each
QUIET = 200  # connections that send nothing
BACK = 90.0  # seconds in which a database that runs again must be searched again
DISK = 1 << 20  # bytes of the disk that fills
SLACK = 10.0  # seconds that an answer may be late on a machine that is busy


@dataclass
class Run:
    """What the phases act on.

    Attributes:
        request_seconds: that the service has for a request.
        complaints: what did not go as it must, in words.
        told: what was seen, in words.
    """

    folder: Path
    served: Served
    traffic: Traffic
    service: subprocess.Popen[str]
    questions: Sequence[Question]
    leaver: str
    request_seconds: float
    complaints: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def must(self, true: bool, words: str) -> None:
        """Complain unless something is as it must be."""
        if not true:
            self.complaints.append(f"{self.traffic.phase}: {words}")

    def one(self, graph: str, kind: str = "match") -> Question:
        """A question about a graph."""
        return next(q for q in self.questions if (q.graph, q.kind) == (graph, kind))


Phase = Callable[[Run, float], Awaitable[None]]


async def plain(run: Run, seconds: float) -> None:
    """Nothing happens."""
    await asyncio.sleep(seconds)


async def loading(run: Run, _: float) -> None:
    """Once what loads something for good when it first happens, before memory is watched.

    That is the client of language models, and the debug information that the vector engine
    reads when it closes an index whose files are gone.
    """
    await index_replaced(run, 0)
    await model_hangs(run, 0)


async def database_killed(run: Run, seconds: float) -> None:
    """Neo4j is killed, and started again."""
    server = run.served.neo4j
    if server is None or (pid := server.pid) is None:
        raise ServerFailed("Neo4j does not run")
    run.traffic.excused = frozenset({NEO4J})
    os.kill(pid, signal.SIGKILL)
    await asyncio.sleep(seconds / 4)
    await asyncio.to_thread(server.start)
    await _until_searched(run, NEO4J, "Neo4j was killed")


async def endpoint_hangs(run: Run, seconds: float) -> None:
    """Fuseki hangs, and goes on: it keeps its data in memory, so that it cannot be killed."""
    server = run.served.fuseki
    if server is None or (pid := server.pid) is None:
        raise ServerFailed("Fuseki does not run")
    run.traffic.excused = frozenset({SPARQL})
    os.kill(pid, signal.SIGSTOP)
    try:
        await asyncio.sleep(seconds / 2)
    finally:
        os.kill(pid, signal.SIGCONT)
    await _until_searched(run, SPARQL, "Fuseki was stopped")


async def _until_searched(run: Run, graph: str, what: str) -> None:
    back = monotonic()
    async with run.traffic.connect() as http:
        while await run.traffic.ask(http, run.one(graph)) != "right":
            if monotonic() > back + BACK:
                run.must(False, f"{graph} was not searched again {BACK:g} s after it was back")
                break
            await asyncio.sleep(0.5)
    run.told.append(f"{what}; searched again {monotonic() - back:.1f} s after it was back")
    await asyncio.sleep(run.request_seconds)  # for requests that began before
    run.traffic.excused = frozenset()


async def index_replaced(run: Run, seconds: float) -> None:
    """`isomatch index` makes new indexes of the graphs that are searched, again and again."""
    homes = [[EMBEDDED, "--home", str(run.folder / EMBEDDED)]]
    if (fuseki := run.served.fuseki) is not None:
        homes.append([SPARQL, "--home", str(run.folder / SPARQL), "--endpoint", fuseki.url])
    ending, made = monotonic() + seconds, 0
    while made == 0 or monotonic() < ending:
        for graph, *arguments in homes:
            manifest = run.folder / graph / "index" / "manifest.json"
            before = manifest.stat()
            said = await _isomatch(run, "index", *arguments)
            run.must(manifest.stat().st_ino != before.st_ino, f"no new index of {graph}: {said}")
            made += 1
        await asyncio.sleep(2)  # the service looks once a second
    run.told.append(f"{made} indexes were replaced")


async def model_hangs(run: Run, seconds: float) -> None:
    """Questions wait for a language model that never answers."""
    ending, lasted = monotonic() + seconds, []
    body = {"graph": WITH_MODEL, "question": "which films are there", "interpreter": "llm"}

    async def ask() -> None:
        async with run.traffic.connect() as http:
            began = monotonic()
            reply = await http.post("/v1/ask", json=body)
            lasted.append(monotonic() - began)
            run.must(reply.status_code == 504, f"ask gave {reply.status_code} {reply.text[:200]}")

    while not lasted or monotonic() < ending:
        await asyncio.gather(*(ask() for _ in range(ASKED_MODEL)))
    late = run.request_seconds + SLACK
    run.must(max(lasted) < late, f"ask took {max(lasted):.1f} s where it has {late:g}")
    run.told.append(
        f"{len(lasted)} questions waited for a model that hangs, for {min(lasted):.1f} to "
        f"{max(lasted):.1f} s"
    )


async def slow_readers(run: Run, seconds: float) -> None:
    """Clients send requests, and read no answer."""
    question = run.one(EMBEDDED)
    address = urlsplit(run.traffic.url)
    request = (
        f"POST {question.path} HTTP/1.1\r\nHost: {address.netloc}\r\n"
        f"Authorization: Bearer {run.traffic.key}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(question.body)}\r\n\r\n"
    ).encode() + question.body
    with ExitStack() as open_ones:
        for _ in range(UNREAD):
            client = open_ones.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect((LOOPBACK, address.port))
            client.setblocking(False)
            with contextlib.suppress(BlockingIOError):  # the service takes no more, which is right
                client.send(request * PIPELINED)
        await asyncio.sleep(seconds)


async def silent_connections(run: Run, seconds: float) -> None:
    """Connections that send nothing."""
    port = urlsplit(run.traffic.url).port
    quiet = await asyncio.gather(*(asyncio.open_connection(LOOPBACK, port) for _ in range(QUIET)))
    await asyncio.sleep(seconds)
    run.told.append(f"{sum(r.at_eof() for r, _ in quiet)} of {QUIET} connections were closed")
    for _, writer in quiet:
        writer.close()


async def disk_full(run: Run, seconds: float) -> None:
    """Feedback cannot be kept; searches go on."""
    run.must(await _feedback(run) == 201, "feedback was not kept while there was room")
    with contextlib.ExitStack() as full:
        try:
            full.enter_context(_full_disk(run))
            run.told.append("the disk was full: a tmpfs")
        except PermissionError:
            full.enter_context(_no_longer_files(run))
            run.told.append("the disk was full: a limit on the length of files (RLIMIT_FSIZE)")
        ending = monotonic() + seconds
        while True:
            refused = await _feedback(run)
            run.must(refused == 503, f"feedback gave {refused} where the disk is full")
            if monotonic() > ending:
                break
            await asyncio.sleep(1)
    run.must(await _feedback(run) == 201, "feedback was not kept after there was room again")


async def _feedback(run: Run) -> int:
    """The status of a thumb up."""
    body = {"graph": EMBEDDED, "question": "which films are there", "kind": "up"}
    async with run.traffic.connect() as http:
        reply = await http.post("/v1/feedback", json=body)
    if reply.is_error:
        in_words = reply.headers["content-type"] == PROBLEM and "feedback" in reply.text
        run.must(in_words, f"the refusal does not say what it is about: {reply.text[:200]}")
    return reply.status_code


@contextmanager
def _full_disk(run: Run) -> Iterator[None]:
    """The file of feedback on a small disk of its own, which is full.

    Raises:
        PermissionError: no disks may be mounted here.
    """
    disk = run.folder / "disk"
    disk.mkdir(exist_ok=True)
    mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(disk)]
    try:
        mounted = subprocess.run(mount, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise PermissionError("there is no mount") from error
    if mounted.returncode:
        raise PermissionError(mounted.stderr)
    try:
        file = run.folder / EMBEDDED / "feedback.jsonl"
        kept = file.read_bytes()
        kept += b"\n" * (-len(kept) % resource.getpagesize())  # else its last page has room
        (disk / file.name).write_bytes(kept)
        file.unlink()
        file.symlink_to(disk / file.name)
        with contextlib.suppress(OSError), (disk / "filler").open("wb", buffering=0) as filler:
            while True:
                filler.write(bytes(1024))
        yield
        file.unlink()
        file.write_bytes((disk / file.name).read_bytes())
        run.must(file.read_bytes() == kept, "the file of feedback was changed")
    finally:
        subprocess.run(["umount", str(disk)], check=True)


@contextmanager
def _no_longer_files(run: Run) -> Iterator[None]:
    """The service may write no file beyond what that of feedback has."""
    file = run.folder / EMBEDDED / "feedback.jsonl"
    kept = file.read_bytes()
    before = resource.prlimit(run.service.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(run.service.pid, resource.RLIMIT_FSIZE, (len(kept), before[1]))
    try:
        yield
        run.must(file.read_bytes() == kept, "the file of feedback was changed")
    finally:
        resource.prlimit(run.service.pid, resource.RLIMIT_FSIZE, before)


async def key_revoked(run: Run, seconds: float) -> None:
    """A key is revoked: its holder is refused with the next request, all others are answered."""
    question = run.one(EMBEDDED)
    headers = {"Authorization": f"Bearer {run.leaver}", **question.headers}
    async with httpx.AsyncClient(base_url=run.traffic.url, timeout=60.0) as http:

        async def status() -> int:
            reply = await http.post(question.path, content=question.body, headers=headers)
            return reply.status_code

        run.must(await status() in (200, 429), "the key was refused before it was revoked")
        await _isomatch(run, "keys", "revoke", LEAVER)
        for _ in range(5):  # an address with very many wrong keys is refused
            run.must((refused := await status()) == 401, f"the revoked key got {refused}")
            await asyncio.sleep(seconds / 5)


async def terminated(run: Run, _: float) -> None:
    """SIGTERM: what the service has taken, it answers."""
    run.traffic.told_to_end()
    run.service.send_signal(signal.SIGTERM)
    try:
        await asyncio.to_thread(run.service.wait, 60)
    except subprocess.TimeoutExpired:
        run.must(False, "the service did not end within a minute")
    run.traffic.end()


async def _isomatch(run: Run, *arguments: str) -> str:
    """What a command says."""
    process = await asyncio.create_subprocess_exec(
        *ISOMATCH,
        *arguments,
        "--json",
        cwd=run.folder,
        env={**os.environ, "ISOMATCH_CONFIG": str(run.folder / "isomatch.toml")},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said = (await process.communicate())[0].decode()
    run.must(process.returncode == 0, f"isomatch {' '.join(arguments)}: {said}")
    return json.dumps(said)


@asynccontextmanager
async def silent_model(listener: socket.socket) -> AsyncIterator[None]:
    """A language model's endpoint that takes requests and never answers."""

    async def take(reader: StreamReader, writer: StreamWriter) -> None:
        while await reader.read(4096):  # until the client gives up
            pass
        writer.close()

    server = await asyncio.start_server(take, sock=listener)
    async with server:
        yield


PHASES: dict[str, tuple[float, Phase]] = {
    LOADING: (0.0, loading),
    "plain": (0.2, plain),
    "database killed": (0.18, database_killed),
    "endpoint hangs": (0.12, endpoint_hangs),
    "index replaced": (0.12, index_replaced),
    "model hangs": (0.1, model_hangs),
    "slow readers": (0.08, slow_readers),
    "silent connections": (0.05, silent_connections),
    "disk full": (0.05, disk_full),
    "key revoked": (0.05, key_revoked),
    "plain again": (0.05, plain),
    LAST: (0.0, terminated),
}
"""What happens, in this order, and its share of the time."""
OF_SERVERS = ("database killed", "endpoint hangs")
