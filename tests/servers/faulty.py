"""A small SPARQL endpoint that fails on demand, for the tests of what becomes of it.

It answers queries rightly, by pyoxigraph, until a test says otherwise: `faults` are played
once each, before anything is answered; `row_cap` and the like hold for all answers.
"""

from __future__ import annotations

import json
import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pyoxigraph as ox

JSON = "application/sparql-results+json"
_FORMATS = {
    JSON: ox.QueryResultsFormat.JSON,
    "application/sparql-results+xml": ox.QueryResultsFormat.XML,
    "text/tab-separated-values": ox.QueryResultsFormat.TSV,
    "text/csv": ox.QueryResultsFormat.CSV,
}


@dataclass(frozen=True)
class Request:
    """A request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    form: list[tuple[str, str]]

    @property
    def query(self) -> str:
        """The query's text; empty for none."""
        return dict(self.form).get("query", "")

    def all(self, key: str) -> list[str]:
        """Every value of a parameter."""
        return [value for name, value in self.form if name == key]


@dataclass
class Reply:
    """What is sent back.

    Attributes:
        sent: bytes of the body that are sent before the connection is closed; None
            for all of them.
        framing: ``length``, ``chunked``, or ``close`` for neither.
        pause: seconds after each byte of the headers or of the body, see ``slow``.
        slow: ``head`` or ``body``; what ``pause`` is for.
        delay: seconds before anything is sent.
    """

    status: int = 200
    body: bytes = b""
    content_type: str | None = JSON
    headers: dict[str, str] = field(default_factory=dict)
    sent: int | None = None
    framing: str = "length"
    pause: float = 0.0
    slow: str = "body"
    delay: float = 0.0


Fault = Reply | Callable[[Request, Reply], Reply | None]
"""A reply, or what makes one of the right reply; None closes the connection."""


class FaultyServer:
    """An endpoint on loopback; a context manager.

    Attributes:
        store: what it answers from.
        faults: played by the next requests, one each.
        always: played by every request that has no fault of its own.
        row_cap: rows that an answer is cut to; None for all.
        says_cap: whether it says so where it has cut, as Virtuoso does.
        server: its header ``Server``.
        requests: what came, in order.
    """

    def __init__(self, data: str = "", *, row_cap: int | None = None, server: str = "faulty/1"):
        self.store = ox.Store()
        self.store.load(data.encode(), format=ox.RdfFormat.TURTLE)
        self.faults: deque[Fault] = deque()
        self.always: Fault | None = None
        self.row_cap = row_cap
        self.says_cap = False
        self.server = server
        self.requests: list[Request] = []
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._http = _Server(("127.0.0.1", 0), _handler(self))
        self.port = self._http.server_address[1]
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Where queries go."""
        return f"http://127.0.0.1:{self.port}/sparql"

    def __enter__(self) -> FaultyServer:
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop()

    def stop(self) -> None:
        """End it, and all connections; safe to call twice."""
        self._stopping.set()
        self._http.shutdown()
        self._http.server_close()
        self._http.close_all()

    def encrypt(self, context: ssl.SSLContext) -> None:
        """Speak TLS with those who come from now on."""
        self._http.socket = context.wrap_socket(self._http.socket, server_side=True)

    def answer(self, request: Request) -> Reply | None:
        """What goes back for a request; None closes the connection."""
        with self._lock:
            self.requests.append(request)
            fault = self.faults.popleft() if self.faults else self.always
        if isinstance(fault, Reply):
            return fault
        right = self.right(request)
        return right if fault is None else fault(request, right)

    def right(self, request: Request) -> Reply:
        """The right reply."""
        try:
            results = self.store.query(request.query, use_default_graph_as_union=True)
        except (SyntaxError, ValueError, RuntimeError) as error:
            return Reply(400, f"cannot parse: {error}".encode(), "text/plain")
        if self.row_cap is not None and isinstance(results, ox.QuerySolutions):
            body, was_cut = _json(results, self.row_cap)
            told = {"X-SPARQL-MaxRows": str(self.row_cap)} if self.says_cap and was_cut else {}
            return Reply(body=body, headers=told)
        accept = request.headers.get("accept", "").split(",")[0]
        body = results.serialize(format=_FORMATS.get(accept, ox.QueryResultsFormat.JSON))
        return Reply(body=body, content_type=accept)  # type: ignore[arg-type]

    def wait(self, seconds: float) -> None:
        """Sleep, unless the server is stopped meanwhile."""
        self._stopping.wait(seconds)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, *args: Any) -> None:
        self.open: set[socket.socket] = set()
        super().__init__(*args)

    def process_request(self, request: Any, client_address: Any) -> None:
        self.open.add(request)
        super().process_request(request, client_address)

    def close_all(self) -> None:
        """End the connections that clients keep for their next request."""
        for connection in list(self.open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is none."""


def _handler(faulty: FaultyServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # headers and body are two writes

        def do_GET(self) -> None:
            self._answer()

        def do_POST(self) -> None:
            self._answer()

        def _answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length", 0))).decode()
            parts = urlsplit(self.path)
            headers = {key.lower(): value for key, value in self.headers.items()}
            form = parse_qsl(parts.query) + parse_qsl(body)
            reply = faulty.answer(Request(self.command, parts.path, headers, form))
            self.close_connection = True
            with suppress(OSError):
                if reply is not None:
                    self._send(reply)

        def _send(self, reply: Reply) -> None:
            faulty.wait(reply.delay)
            body = reply.body if reply.sent is None else reply.body[: reply.sent]
            headers = {"Server": faulty.server, **reply.headers}
            if reply.content_type is not None:
                headers["Content-Type"] = reply.content_type
            if reply.framing == "length":
                headers["Content-Length"] = str(len(reply.body))
                self.close_connection = reply.sent is not None
            elif reply.framing == "chunked":
                headers["Transfer-Encoding"] = "chunked"
                end = b"0\r\n\r\n" if reply.sent is None else b""
                body = (b"%x\r\n%b\r\n" % (len(body), body) if body else b"") + end
                self.close_connection = reply.sent is not None
            else:
                headers["Connection"] = "close"
            lines = [
                f"HTTP/1.1 {reply.status} Whatever",
                *(f"{k}: {v}" for k, v in headers.items()),
            ]
            head = "\r\n".join(lines).encode() + b"\r\n\r\n"
            for name, text in (("head", head), ("body", body)):
                pause = reply.pause if reply.slow == name else 0.0
                for piece in _pieces(text, pause):
                    self.wfile.write(piece)
                    faulty.wait(pause)

        def log_message(self, format: str, *args: object) -> None:
            """Quiet."""

    return Handler


def _json(results: ox.QuerySolutions, cap: int) -> tuple[bytes, bool]:
    """The first rows as JSON, in the form in which the engine writes it; were there more?"""
    whole = json.loads(results.serialize(format=ox.QueryResultsFormat.JSON) or b"{}")
    rows = whole["results"]["bindings"]
    whole["results"]["bindings"] = rows[:cap]
    return json.dumps(whole).encode(), len(rows) > cap


def _pieces(text: bytes, pause: float) -> list[bytes]:
    return [text[i : i + 1] for i in range(len(text))] if pause else [text]
