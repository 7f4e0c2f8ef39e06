"""Searches that are given up: what waits is woken, what computes ends, nothing more is sent."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pyoxigraph as ox
import pytest
import rdflib
from tests.oracle.letters import Letters
from tests.servers.faulty import FaultyServer, Reply, Request
from tests.servers.sessions import session_over

from isomatch import ChatModel, Session, cancel
from isomatch.cancel import Cancellation
from isomatch.errors import SearchCancelled
from isomatch.flows import Blocking, arun, run
from isomatch.link.embedder import OpenAIEmbedder
from isomatch.llm import Retry
from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import Query, Store
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.rdflib import RdflibStore
from isomatch.store.sparql import SparqlStore

WAIT = 60  # seconds after which a test that hangs fails
TRIPLES = "".join(f"<http://e/{i}> <http://e/p> <http://e/{i + 1}> .\n" for i in range(400))
# Rows without end, some 400^5.
ENDLESS = Query(
    "SELECT ?a { ?a <http://e/p> [] . ?b <http://e/p> [] . ?c <http://e/p> [] . "
    "?d <http://e/p> [] . ?e <http://e/p> [] }",
    ("a",),
    name="endless",
)
FACT = "<http://e/a> <http://e/p> <http://e/b> ."
ONE = Query("SELECT ?s { ?s <http://e/p> ?o }", ("s",), name="one")


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


@contextmanager
def started(
    threads: ThreadPoolExecutor, work: Callable[[], Any]
) -> Iterator[tuple[Cancellation, Future[Any]]]:
    """Work that runs in a thread under a cancellation."""
    cancellation = Cancellation()

    def inside() -> Any:
        with cancel.scope(cancellation):
            return work()

    try:
        yield cancellation, threads.submit(inside)
    finally:
        cancellation.cancel()


def ended(future: Future[Any]) -> str:
    with pytest.raises(SearchCancelled) as caught:
        future.result(WAIT)
    return str(caught.value)


def test_a_cancelled_search_says_why() -> None:
    given_up = Cancellation()
    given_up.check()
    given_up.cancel("the client closed the connection")
    given_up.cancel("another reason")
    with cancel.scope(given_up), pytest.raises(SearchCancelled) as caught:
        cancel.check()
    assert str(caught.value) == "the search was cancelled: the client closed the connection"
    cancel.check()  # outside the scope nothing is cancelled
    assert cancel.current() is None


def test_a_wait_is_woken_once_and_never_afterwards() -> None:
    given_up, woken = Cancellation(), []
    with given_up.stopping(lambda: woken.append("ended")):
        pass

    def broken_off() -> None:
        with given_up.stopping(lambda: woken.append("now")):
            given_up.cancel()
            raise OSError("broken")

    with pytest.raises(SearchCancelled) as caught:
        broken_off()
    assert woken == ["now"]
    assert isinstance(caught.value.__cause__, OSError)
    with pytest.raises(SearchCancelled), given_up.stopping(lambda: woken.append("late")):
        pytest.fail("a cancelled search begins no wait")
    assert woken == ["now"]


def test_an_inner_scope_ends_with_the_outer_one_and_not_the_other_way() -> None:
    with cancel.scope() as outer:
        with cancel.scope() as inner:
            inner.cancel()
        outer.check()
        with contextlib.suppress(SearchCancelled), cancel.scope() as other:
            outer.cancel()
        assert other.cancelled


def test_a_sleep_ends_with_its_search(threads: ThreadPoolExecutor) -> None:
    with started(threads, lambda: cancel.sleep(10 * WAIT)) as (cancellation, future):
        cancellation.cancel()
        ended(future)


def embedded(turtle: str) -> OxigraphStore:
    graph = ox.Store()
    graph.load(turtle.encode(), ox.RdfFormat.TURTLE)
    return OxigraphStore.memory(graph)


def in_rdflib(turtle: str) -> RdflibStore:
    return RdflibStore(rdflib.Graph().parse(data=turtle, format="turtle"))


def in_rdflib_engine(turtle: str) -> RdflibStore:
    store = in_rdflib(turtle)
    store._copies = False
    return store


@pytest.mark.parametrize("store_of", [embedded, in_rdflib, in_rdflib_engine])
@pytest.mark.parametrize("heavy", [False, True])
def test_rows_of_an_embedded_store_end_with_their_search(
    threads: ThreadPoolExecutor, store_of: Callable[[str], Store], heavy: bool
) -> None:
    store = store_of(TRIPLES)
    endless = replace(ENDLESS, heavy=heavy)
    with started(threads, lambda: sum(1 for _ in store.run(endless))) as (cancellation, future):
        cancellation.cancel()
        ended(future)
    left = [t for t in threading.enumerate() if t.name == "isomatch endless"]
    for thread in left:
        thread.join(WAIT)
        assert not thread.is_alive()
    assert store.describe().triples == 400  # the next search can use it


def test_a_search_that_only_computes_ends(tmp_path: Any, threads: ThreadPoolExecutor) -> None:
    """Between its queries: the first sets the flag that the search looks at."""
    store = embedded(TRIPLES)
    with session_over(store, tmp_path, Letters(12)) as session, cancel.scope() as cancellation:
        asked = store.run

        def run_once(query: Query, **more: Any) -> Any:
            cancellation.cancel()
            return asked(query, **more)

        store.run = run_once  # type: ignore[method-assign]
        with pytest.raises(SearchCancelled):
            session.match('(?a)-[p]-(?b)-[p]-("5")')


class Silent:
    """A server on loopback that takes what it is sent, and says so much of an answer.

    Attributes:
        ended: set when a client has closed its connection.
    """

    def __init__(self, said: bytes = b""):
        self._said = said
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.asked = threading.Event()
        self.ended = threading.Event()
        self.connections = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            with connection, contextlib.suppress(ConnectionResetError):
                connection.recv(65536)
                connection.sendall(self._said)
                self.asked.set()
                while connection.recv(65536):
                    pass
            self.ended.set()

    def __enter__(self) -> Silent:
        return self

    def __exit__(self, *exc: object) -> None:
        self._listener.close()


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nContent-Length: 100000\r\n\r\n"


@pytest.mark.parametrize(
    "said", [b"", b"HTTP/1.1 200", HEAD % b"application/sparql-results+json" + b'{"head":']
)
def test_the_connection_to_an_endpoint_ends_with_its_search(
    threads: ThreadPoolExecutor, said: bytes
) -> None:
    with (
        Silent(said) as server,
        SparqlStore(Endpoint.of(f"http://127.0.0.1:{server.port}/sparql")) as store,
        started(threads, lambda: store.run(ONE)) as (given_up, future),
    ):
        assert server.asked.wait(WAIT)
        given_up.cancel("nobody waits")
        assert ended(future).endswith("nobody waits")
        assert server.ended.wait(WAIT)
        assert server.connections == 1  # it was not asked again


def test_an_endpoint_that_asks_to_wait_is_not_waited_for(threads: ThreadPoolExecutor) -> None:
    with FaultyServer(FACT) as server, SparqlStore.connect(server.url) as store:
        asked = threading.Event()
        before = len(server.requests)

        def busy(request: Request, reply: Reply) -> Reply:
            asked.set()
            return Reply(503, b"busy", "text/plain", {"Retry-After": "50"})

        server.always = busy
        with started(threads, lambda: list(store.run(ONE))) as (given_up, future):
            assert asked.wait(WAIT)
            given_up.cancel()
            ended(future)
        assert len(server.requests) == before + 1
        server.always = None
        assert list(store.run(ONE)) == [("http://e/a",)]


def model_at(server: Silent) -> ChatModel:
    return ChatModel("m", base_url=f"http://127.0.0.1:{server.port}/v1", retry=Retry(attempts=3))


@pytest.mark.parametrize("said", [b"", HEAD % b"application/json" + b"{"])
@pytest.mark.parametrize("way", ["complete", "stream", "acomplete"])
def test_a_language_model_is_not_waited_for(
    threads: ThreadPoolExecutor, said: bytes, way: str
) -> None:
    asked = [{"role": "user", "content": "Who?"}]
    with Silent(said) as server, model_at(server) as model:

        def work() -> Any:
            if way == "acomplete":

                async def reply() -> str:
                    return await cancel.awaited(model.acomplete(asked))

                return asyncio.run(reply())
            return list(getattr(model, way)(asked))

        with started(threads, work) as (given_up, future):
            assert server.asked.wait(WAIT)
            given_up.cancel()
            ended(future)
        assert server.ended.wait(WAIT)
        assert server.connections == 1


def test_an_endpoint_of_embeddings_is_not_waited_for(threads: ThreadPoolExecutor) -> None:
    with Silent() as server:
        embedder = OpenAIEmbedder(
            "m", base_url=f"http://127.0.0.1:{server.port}/v1", api_key="k", retries=0
        )
        with started(threads, lambda: embedder.embed(["Heat"])) as (given_up, future):
            assert server.asked.wait(WAIT)
            given_up.cancel()
            ended(future)
        assert server.ended.wait(WAIT)
        embedder.close()


def waiting(begun: threading.Event, over: threading.Event) -> Callable[[], None]:
    def work() -> None:
        begun.set()
        try:
            cancel.sleep(10 * WAIT)
        finally:
            over.set()

    return work


def test_cancelling_a_task_ends_the_thread_that_works_for_it() -> None:
    begun, over = threading.Event(), threading.Event()

    async def main() -> None:
        task = asyncio.create_task(cancel.in_thread(waiting(begun, over)))
        await asyncio.to_thread(begun.wait, WAIT)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert over.wait(WAIT)


def test_cancelling_amatch_ends_the_search(tmp_path: Any) -> None:
    begun, over = threading.Event(), threading.Event()
    store = embedded(TRIPLES)

    class Slow(Session):
        def match(self, *pattern: Any, **options: Any) -> Any:
            waiting(begun, over)()

    with Slow.of(session_over(store, tmp_path, Letters(12)).resources) as session:

        async def main() -> None:
            task = asyncio.create_task(session.amatch("(?a)-[p]-(?b)"))
            await asyncio.to_thread(begun.wait, WAIT)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await asyncio.to_thread(over.wait, WAIT)

        asyncio.run(main())


def test_a_flow_begins_no_step_of_a_cancelled_search() -> None:
    done: list[str] = []
    given_up = Cancellation()

    def flow() -> Any:
        yield Blocking(given_up.cancel)
        yield Blocking(lambda: done.append("another step"))

    def twice() -> Any:
        given_up.__init__()  # type: ignore[misc]
        return flow()

    with cancel.scope(given_up):
        with pytest.raises(SearchCancelled):
            run(twice())
        with pytest.raises(SearchCancelled):
            asyncio.run(arun(twice()))
    assert done == []
