"""What becomes of an endpoint's faults: a clear error or a right answer, never a part of one."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from email.utils import formatdate
from typing import Any

import pytest
from tests.servers.faulty import FaultyServer, Reply, Request

from isomatch.errors import QueryTimeout, StoreError
from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import Query
from isomatch.store.profile import Profile
from isomatch.store.sparql import SparqlStore
from isomatch.store.sparql.paging import counting

DATA = "".join(f"<http://e/s{i}> <http://e/p> <http://e/o{i % 10}> .\n" for i in range(100))
ALL = Query("SELECT ?s ?o WHERE { ?s <http://e/p> ?o }", ("s", "o"), name="all")
RIGHT = {(f"http://e/s{i}", f"http://e/o{i % 10}") for i in range(100)}
KNOWN = Profile(engine="oxigraph", rows=10_001)


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer(DATA) as server:
        yield server


Open = Callable[..., SparqlStore]


@pytest.fixture
def opened(server: FaultyServer) -> Iterator[Open]:
    stores = []

    def open_(profile: Profile | None = KNOWN, **settings: Any) -> SparqlStore:
        given = {"url": server.url, "timeout": 20.0, "back_off": 0.001, **settings}
        stores.append(SparqlStore(Endpoint(**given), profile))
        return stores[-1]

    yield open_
    for store in stores:
        store.close()


def rows(store: SparqlStore, query: Query = ALL, timeout: float | None = None) -> set[Any]:
    found = list(store.run(query, timeout=timeout))
    assert len(found) == len(set(found))
    return set(found)


# -- answers that are none ------------------------------------------------------------

PAGE = b"<html><head><style>p {}</style><title>Oops</title></head><body><h1>Down &amp; out</h1>"


@pytest.mark.parametrize("status", [200, 500, 404])
def test_a_page_of_html_becomes_its_words(server: FaultyServer, opened: Open, status: int) -> None:
    server.always = Reply(status, PAGE, "text/html; charset=utf-8")
    with pytest.raises(StoreError, match="Oops Down & out") as failed:
        rows(opened())
    assert ("often ends in /sparql" in str(failed.value)) == (status != 500)
    assert "<" not in str(failed.value)
    assert server.url in str(failed.value)


@pytest.mark.parametrize(
    "body",
    [
        b'{"exception": "out of memory", "status": "ERROR"}',
        b'{"error": {"message": "out of memory"}}',
        b"out of memory",
        b"[]",
        b"null",
        b"",
        b'{"head": {"vars": ["s", "o"]}}',
        b'{"head": {"vars": ["s", "o"]}, "results": {}}',
    ],
)
def test_a_200_with_an_error_in_it_is_an_error(
    server: FaultyServer, opened: Open, body: bytes
) -> None:
    server.always = Reply(body=body)
    with pytest.raises(StoreError, match="'all'"):
        rows(opened())


def test_the_words_of_an_error_in_json_are_told(server: FaultyServer, opened: Open) -> None:
    server.always = Reply(body=b'{"exception": "out of memory", "status": "ERROR"}')
    with pytest.raises(StoreError, match="out of memory"):
        rows(opened())


def test_a_stack_after_half_of_the_rows_is_a_time_out(server: FaultyServer, opened: Open) -> None:
    def broken(_: Request, right: Reply) -> Reply:
        half = right.body[: len(right.body) // 2]
        return replace(right, body=half + b"\njava.util.concurrent.TimeoutException\n\tat x.y(Z)")

    server.always = broken
    with pytest.raises(QueryTimeout, match="TimeoutException"):
        rows(opened())


def test_text_after_the_whole_answer_is_no_answer(server: FaultyServer, opened: Open) -> None:
    server.always = lambda _, right: replace(right, body=right.body + b"\nOutOfMemoryError")
    with pytest.raises(StoreError, match="goes on after its end"):
        rows(opened())


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "image/png", None])
def test_results_of_another_type_are_refused(
    server: FaultyServer, opened: Open, content_type: str | None
) -> None:
    server.always = lambda _, right: replace(right, content_type=content_type)
    with pytest.raises(StoreError, match="in place of results"):
        rows(opened())


@pytest.mark.parametrize("content_type", ["application/sparql-results+xml", "text/csv"])
def test_json_under_the_name_of_another_format_is_refused(
    server: FaultyServer, opened: Open, content_type: str
) -> None:
    server.always = lambda _, right: replace(right, content_type=content_type)
    with pytest.raises(StoreError, match="cannot be read"):
        rows(opened())


def test_another_format_than_was_asked_for_is_read(server: FaultyServer, opened: Open) -> None:
    def xml(request: Request, _: Reply) -> Reply:
        asked = {**request.headers, "accept": "application/sparql-results+xml"}
        return server.right(replace(request, headers=asked))

    server.always = xml
    assert rows(opened()) == RIGHT


@pytest.mark.parametrize("format", ["json", "xml", "tsv", "csv"])
def test_invalid_utf8_is_an_error(server: FaultyServer, opened: Open, format: str) -> None:
    server.always = lambda _, right: replace(
        right, body=right.body.replace(b"http://e/s7", b"http://e/\xff\xfe", 1)
    )
    with pytest.raises(StoreError, match=r"(?i)utf-8"):
        rows(opened(format=format))
    assert len(server.requests) == 1  # it would be the same again


def test_a_missing_column_is_an_error(server: FaultyServer, opened: Open) -> None:
    server.always = lambda _, right: replace(right, body=right.body.replace(b'"o"', b'"x"'))
    with pytest.raises(StoreError, match="no column 'o'"):
        rows(opened())


# -- bodies that are cut --------------------------------------------------------------


@pytest.mark.parametrize("format", ["json", "xml", "tsv", "csv"])
@pytest.mark.parametrize("framing", ["length", "chunked"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.999])
def test_a_cut_body_is_asked_for_again(
    server: FaultyServer, opened: Open, format: str, framing: str, share: float
) -> None:
    def cut(_: Request, right: Reply) -> Reply:
        return replace(right, sent=int(len(right.body) * share), framing=framing)

    server.faults += [cut, cut]
    assert {row[0] for row in rows(opened(format=format))} == {row[0] for row in RIGHT}
    assert len(server.requests) == 3


@pytest.mark.parametrize("format", ["json", "xml"])
@pytest.mark.parametrize("missing", [1, 2, 3, 20, 1000])
def test_a_cut_shows_even_where_the_length_is_not_known(
    server: FaultyServer, opened: Open, format: str, missing: int
) -> None:
    server.always = lambda _, right: replace(
        right, body=right.body.rstrip()[:-missing], framing="close"
    )
    with pytest.raises(StoreError, match=r"cut its answer|cannot be read"):
        rows(opened(format=format, retries=1))


@pytest.mark.parametrize("format", ["tsv", "csv"])
def test_lines_of_unknown_length_are_refused(
    server: FaultyServer, opened: Open, format: str
) -> None:
    server.always = lambda _, right: replace(right, framing="close")
    with pytest.raises(StoreError, match="take another format"):
        rows(opened(format=format))


def test_a_body_that_is_always_cut_is_an_error(server: FaultyServer, opened: Open) -> None:
    server.always = lambda _, right: replace(right, sent=500)
    with pytest.raises(StoreError, match="Try again later"):
        rows(opened(retries=2))
    assert len(server.requests) == 3


# -- 'later', and connections ---------------------------------------------------------


@pytest.mark.parametrize("status", [429, 502, 503])
def test_a_busy_endpoint_is_asked_again(server: FaultyServer, opened: Open, status: int) -> None:
    server.faults += [Reply(status, b"busy", "text/plain")] * 3
    assert rows(opened()) == RIGHT


def test_an_endpoint_that_stays_busy_is_an_error(server: FaultyServer, opened: Open) -> None:
    server.always = Reply(503, b"<p>maintenance", "text/html")
    with pytest.raises(StoreError, match=r"503: maintenance\)"):
        rows(opened(retries=2))
    assert len(server.requests) == 3


def test_retry_after_is_waited_for(server: FaultyServer, opened: Open) -> None:
    server.faults.append(Reply(429, headers={"Retry-After": "1"}))
    started = time.monotonic()
    assert rows(opened()) == RIGHT
    assert time.monotonic() - started >= 1


@pytest.mark.parametrize("after", ["3600", formatdate(4e9, usegmt=True)])
def test_a_long_retry_after_is_told_and_not_waited_for(
    server: FaultyServer, opened: Open, after: str
) -> None:
    server.always = Reply(429, headers={"Retry-After": after})
    with pytest.raises(StoreError, match=r"asks to wait \d{4,} s"):
        rows(opened())
    assert len(server.requests) == 1


def test_a_malformed_retry_after_is_ignored(server: FaultyServer, opened: Open) -> None:
    server.faults.append(Reply(503, headers={"Retry-After": "soon"}))
    assert rows(opened()) == RIGHT


def test_a_connection_closed_without_a_word_is_opened_again(
    server: FaultyServer, opened: Open
) -> None:
    server.faults += [lambda *_: None, lambda *_: None]
    assert rows(opened()) == RIGHT


def test_an_endpoint_that_never_answers_is_told_at_once(server: FaultyServer, opened: Open) -> None:
    server.stop()
    with pytest.raises(StoreError, match="cannot be reached"):
        rows(opened(back_off=60))


def test_one_that_goes_away_between_two_queries_is_an_error(
    server: FaultyServer, opened: Open
) -> None:
    store = opened(retries=1)
    assert rows(store) == RIGHT
    server.stop()
    with pytest.raises(StoreError, match=r"cannot be reached|broke the connection"):
        rows(store)


def test_a_refused_query_is_not_asked_again(server: FaultyServer, opened: Open) -> None:
    with pytest.raises(StoreError, match=r"refused the query 'bad' \(400: cannot parse"):
        rows(opened(), Query("SELECT ?s {", ("s",), name="bad"))
    assert len(server.requests) == 1


# -- time -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "slow",
    [
        Reply(delay=30),
        Reply(body=b"{" * 1000, pause=0.05, slow="body"),
        Reply(body=b"{" * 1000, pause=0.05, slow="body", framing="chunked"),
        Reply(pause=0.05, slow="head", headers={"X-Filling": "x" * 1000}),
        Reply(500, b"x" * 1000, "text/plain", pause=0.05),
    ],
    ids=["silence", "body", "chunks", "headers", "error"],
)
def test_a_slow_answer_ends_in_time(server: FaultyServer, opened: Open, slow: Reply) -> None:
    server.always = slow
    started = time.monotonic()
    with pytest.raises(QueryTimeout, match=r"more than 0\.5 s for the query 'all'"):
        rows(opened(), timeout=0.5)
    assert time.monotonic() - started < 10  # and not the minute that the bytes would take


def test_a_connection_that_nobody_takes_ends_in_time() -> None:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(0)
        address = listening.getsockname()
        waiting = [socket.socket() for _ in range(4)]  # more than the queue holds
        for one in waiting:
            one.setblocking(False)
            one.connect_ex(address)
        url = f"http://127.0.0.1:{address[1]}/"
        with (
            SparqlStore(Endpoint(url=url, connect_timeout=0.3), KNOWN) as store,
            pytest.raises(StoreError, match="cannot be reached"),
        ):
            list(store.run(ALL))
        for one in waiting:
            one.close()


def test_waiting_for_a_free_connection_ends_in_time(server: FaultyServer, opened: Open) -> None:
    server.always = lambda _, right: replace(right, delay=2)
    store = opened(requests_at_a_time=1)
    busy = threading.Thread(target=lambda: rows(store), daemon=True)
    busy.start()
    while not server.requests:
        time.sleep(0.01)
    with pytest.raises(QueryTimeout):
        rows(store, timeout=0.3)
    busy.join()
    assert len(server.requests) == 1


def test_waits_between_attempts_count(server: FaultyServer, opened: Open) -> None:
    server.always = Reply(503)
    with pytest.raises(StoreError, match="503"):
        rows(opened(back_off=50), timeout=1)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (500, "Virtuoso S1T00 Error SR171: Transaction timed out"),
        (500, "Virtuoso 42000 Error The estimated execution time 555 (sec) exceeds the limit"),
        (503, "Query timed out"),
        (504, "Gateway Time-out"),
        (400, "java.util.concurrent.TimeoutException: query timeout"),
    ],
)
def test_a_time_out_there_is_a_time_out_here(
    server: FaultyServer, opened: Open, status: int, said: str
) -> None:
    server.always = Reply(status, said.encode(), "text/plain")
    with pytest.raises(QueryTimeout):
        rows(opened())
    assert len(server.requests) == 1


def test_what_virtuoso_sends_when_its_time_is_up_is_no_answer(
    server: FaultyServer, opened: Open
) -> None:
    server.always = lambda _, right: replace(right, headers={"X-SQL-State": "S1TAT"})
    with pytest.raises(QueryTimeout):
        rows(opened(replace(KNOWN, engine="virtuoso")), timeout=5)
    assert server.requests[0].all("timeout") == ["5000"]


def test_results_under_a_status_of_failure_are_none(server: FaultyServer, opened: Open) -> None:
    server.always = lambda _, right: replace(right, status=500, content_type="text/plain")
    with pytest.raises(QueryTimeout, match="broke off"):
        rows(opened())


# -- limits of rows -------------------------------------------------------------------


@pytest.mark.parametrize("cap", [1, 7, 50, 99, 100, 101])
def test_a_limit_of_rows_loses_none(server: FaultyServer, opened: Open, cap: int) -> None:
    server.row_cap = cap
    store = opened(Profile(engine="oxigraph"))  # that nothing is known of
    for _ in range(2):
        assert rows(store) == RIGHT
    assert len(rows(store, replace(ALL, text=ALL.text + " LIMIT 60"))) == 60


def test_a_limit_lower_than_a_page_loses_none(server: FaultyServer, opened: Open) -> None:
    store = opened(Profile(engine="oxigraph", rows=1))

    def sinking(_: Request, right: Reply) -> Reply:
        server.row_cap = max(3, (server.row_cap or 40) - 7)
        return right

    server.row_cap = 40
    server.always = sinking
    assert rows(store) == RIGHT


def test_a_known_limit_is_paged_around_without_counting(server: FaultyServer, opened: Open) -> None:
    server.row_cap = 40
    assert rows(opened(Profile(engine="oxigraph", rows=40, row_cap=40))) == RIGHT
    assert not any("COUNT" in request.query for request in server.requests)
    assert len(server.requests) == 5  # the first, 40 + 40 + 20 and none


@pytest.mark.parametrize("profile", [Profile(engine="virtuoso", rows=10_001), KNOWN])
def test_a_limit_that_the_server_tells_of_goes_before_what_is_set(
    server: FaultyServer, opened: Open, profile: Profile
) -> None:
    server.row_cap, server.says_cap = 30, True
    for settings in ({"row_cap": 60}, {}):
        store = opened(profile, **settings)
        assert rows(store) == RIGHT
        assert rows(store) == RIGHT
        assert len(rows(store, replace(ALL, text=ALL.text + " LIMIT 25"))) == 25


@pytest.mark.parametrize("cap", [60, 99, 100])
def test_a_limit_that_was_met_is_remembered(server: FaultyServer, opened: Open, cap: int) -> None:
    store = opened(Profile(engine="oxigraph", rows=cap, row_cap=cap))
    server.row_cap = cap
    assert rows(store) == RIGHT

    def sinking(request: Request, right: Reply) -> Reply:
        server.row_cap = 30  # after the first answer
        return right

    server.always = sinking
    assert rows(store) == RIGHT
    assert rows(store) == RIGHT  # 30 rows are fewer than the cap, and known not to be all


def test_an_answer_seen_once_is_not_made_sure_of_again(server: FaultyServer, opened: Open) -> None:
    store = opened(Profile(engine="oxigraph"))
    assert rows(store) == RIGHT
    assert len(server.requests) == 2  # and its count
    shorter = replace(ALL, text=ALL.text.replace("?o }", "?o FILTER(?o != <http://e/o1>) }"))
    assert len(rows(store, shorter)) == 90
    assert len(server.requests) == 3


def test_an_answer_as_long_as_was_asked_for_is_whole(server: FaultyServer, opened: Open) -> None:
    assert len(rows(opened(Profile()), replace(ALL, text=ALL.text + "\nLIMIT 30\n"))) == 30
    assert len(server.requests) == 1


def test_a_count_that_is_refused_leads_to_pages(server: FaultyServer, opened: Open) -> None:
    def without_counts(request: Request, right: Reply) -> Reply:
        return Reply(400, b"no COUNT", "text/plain") if "COUNT" in request.query else right

    server.always = without_counts
    server.row_cap = 30
    assert rows(opened(Profile(engine="oxigraph"))) == RIGHT


def test_pages_that_do_not_keep_their_order_are_an_error(
    server: FaultyServer, opened: Open
) -> None:
    def turning(request: Request, right: Reply) -> Reply:
        if "OFFSET 40" not in request.query:
            return right
        first = [(k, v.replace("OFFSET 40", "OFFSET 20")) for k, v in request.form]
        return server.right(replace(request, form=first))

    server.row_cap = 40
    server.always = turning
    with pytest.raises(StoreError, match="do not keep their order"):
        rows(opened(Profile(engine="oxigraph")))


def test_rows_that_are_written_alike_are_one_row_and_end_no_paging(
    server: FaultyServer, opened: Open
) -> None:
    """As Virtuoso writes the years -0001 and 0000; the server counts what is written otherwise."""

    def alike(request: Request, right: Reply) -> Reply:
        body = right.body.replace(b'http://e/s1"', b'http://e/s11"')
        if "_text" in request.query:
            body = body.replace(b"%d" % len(RIGHT), b"%d" % (len(RIGHT) - 1))
        return replace(right, body=body)

    server.row_cap = 40
    server.always = alike
    assert rows(opened(Profile(engine="oxigraph"))) == RIGHT - {("http://e/s1", "http://e/o1")}


def test_one_that_goes_away_between_two_pages_is_an_error(
    server: FaultyServer, opened: Open
) -> None:
    def leaving(request: Request, right: Reply) -> Reply | None:
        return None if "OFFSET 40" in request.query else right

    server.row_cap = 40
    server.always = leaving
    with pytest.raises(StoreError, match="broke the connection"):
        rows(opened(Profile(engine="oxigraph"), retries=1))


def test_one_that_comes_back_between_two_pages_is_asked_again(
    server: FaultyServer, opened: Open
) -> None:
    left = iter([None])
    server.row_cap = 40
    server.always = lambda request, right: (
        next(left, right) if "OFFSET 40" in request.query else right
    )
    assert rows(opened(Profile(engine="oxigraph"))) == RIGHT


def test_blank_nodes_do_not_cross_pages_where_their_names_do_not(
    server: FaultyServer, opened: Open
) -> None:
    server.store.load(
        "".join(f"_:b{i} <http://e/q> _:c{i} .\n" for i in range(20)).encode(),
        format=_turtle(),
    )
    server.row_cap = 8
    blank = Query("SELECT ?s ?o WHERE { ?s <http://e/q> ?o }", ("s", "o"), name="blank")
    assert len(rows(opened(Profile(engine="oxigraph")), blank)) == 20
    with pytest.raises(StoreError, match="blank nodes"):
        rows(opened(Profile(engine="fuseki")), blank)


def _turtle() -> Any:
    import pyoxigraph as ox

    return ox.RdfFormat.TURTLE


def test_the_time_of_all_pages_together_is_limited(server: FaultyServer, opened: Open) -> None:
    server.row_cap = 1
    server.always = lambda _, right: replace(right, delay=0.05)
    with pytest.raises(QueryTimeout):
        rows(opened(Profile(engine="oxigraph")), timeout=0.5)


@pytest.mark.parametrize(
    "before",
    [
        "PREFIX a: <urn:> ",
        "prefix : <urn:x#y>PREFIX a.b: <urn:>\nBASE <http://e/> ",
        "# one\nPREFIX a: <urn:> # SELECT\n",
        "\n  ",
    ],
)
def test_declarations_stay_before_a_page(server: FaultyServer, opened: Open, before: str) -> None:
    server.row_cap = 40
    store = opened(Profile(engine="oxigraph"))
    assert rows(store, replace(ALL, text=before + ALL.text)) == RIGHT


def test_virtuosos_own_declarations_are_known() -> None:
    text = 'DEFINE sql:select-option "order" define input:inference <urn:x> PREFIX a: <urn:> '
    assert counting(text + "SELECT ?s {}") == {"prologue": text.strip(), "body": "SELECT ?s {}"}


# -- redirects ------------------------------------------------------------------------


@pytest.mark.parametrize("status", [301, 302, 307, 308])
@pytest.mark.parametrize("padding", [0, 5000])
def test_a_redirect_is_followed_with_the_query(
    server: FaultyServer, opened: Open, status: int, padding: int
) -> None:
    def elsewhere(request: Request, right: Reply) -> Reply:
        if request.path == "/new":
            return right
        query = f"?{_form(request)}" if request.method == "GET" else ""
        return Reply(status, headers={"Location": f"/new{query}"})

    server.always = elsewhere
    assert rows(opened(), replace(ALL, text=ALL.text + "#" * padding)) == RIGHT
    assert [r.method for r in server.requests] == ["POST" if padding else "GET"] * 2


def _form(request: Request) -> str:
    from urllib.parse import urlencode

    return urlencode(request.form)


def test_a_circle_of_redirects_is_an_error(server: FaultyServer, opened: Open) -> None:
    server.always = Reply(302, headers={"Location": "/sparql"})
    with pytest.raises(StoreError, match="in a circle"):
        rows(opened())
    assert len(server.requests) == 5


def test_another_server_does_not_learn_who_we_are(server: FaultyServer, opened: Open) -> None:
    with FaultyServer(DATA) as other:
        server.always = lambda request, _: Reply(
            307, headers={"Location": f"{other.url}?{_form(request)}"}
        )
        store = opened(username="me", password="secret", headers={"X-Key": "secret"})
        assert rows(store) == RIGHT
        assert "secret" not in str(other.requests)
        assert "authorization" not in other.requests[0].headers
        assert server.requests[0].headers["x-key"] == "secret"


def test_a_redirect_to_a_malformed_address_is_an_error(server: FaultyServer, opened: Open) -> None:
    server.always = Reply(302, headers={"Location": "gopher://e/\x7f"})
    with pytest.raises(StoreError):
        rows(opened())


# -- many threads ---------------------------------------------------------------------


def test_threads_share_a_store_and_its_connections(server: FaultyServer, opened: Open) -> None:
    now, most, lock = 0, 0, threading.Lock()

    def counted(_: Request, right: Reply) -> Reply:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        time.sleep(0.01)
        with lock:
            now -= 1
        return right

    server.always = counted
    server.row_cap = 40
    store = opened(Profile(engine="oxigraph"), requests_at_a_time=3)
    found: list[Any] = []
    threads = [
        threading.Thread(target=lambda: found.extend(rows(store) for _ in range(3)))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [RIGHT] * 24
    assert 1 < most <= 3
