"""A graph's copy in memory: when it is read, and that it owns up to what it lacks."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from itertools import count
from threading import Event
from typing import Any

import pytest
from neo4j.exceptions import ServiceUnavailable

from isomatch import cancel
from isomatch.errors import QueryTimeout, StoreError
from isomatch.store.base import Fact, GraphState, Query
from isomatch.store.neo4j import following
from isomatch.store.neo4j.copies import AT_ONCE, OLDEST, ROOM, Copies
from isomatch.store.neo4j.copy import GraphCopy
from isomatch.store.neo4j.copy_values import LongText
from isomatch.store.neo4j.reading import Table

HEAT, MANN, ALIEN = "4:x:0", "4:x:1", "4:x:2"
NAN = float("nan")
NODES = [
    [HEAT, ["Film"], ["year", "plot", "tags"], ["tags"], [["year", 1995], ["tags", ["a", "b"]]]],
    [MANN, ["Person"], ["born", "plot", "score"], [], [["born", 1995.0], ["score", NAN]]],
    [ALIEN, [], ["raw", "vector", "score"], ["vector"], [["raw", b"x"], ["score", NAN]]],
]
RELATIONSHIPS = [
    ["5:x:0", "MADE", MANN, HEAT, 1, [["as", "director"]]],
    ["5:x:1", "LIKES", MANN, MANN, 0, []],
]


@pytest.fixture
def graph() -> GraphCopy:
    return GraphCopy(NODES, RELATIONSHIPS)


def page(name: str, state: str = "1") -> Table:
    """All nodes or relationships, as they are read."""
    rows = NODES if name == "copy_nodes" else RELATIONSHIPS
    return Table([], [[0, rows[:1]], [1, rows[1:]]], state)


def followed(
    graph: GraphCopy,
    start: Mapping[str, Any],
    *hops: Mapping[str, Any],
    shown: Sequence[int] = (),
    places: Sequence[str] = ("",),
    timeout: float | None = None,
) -> list[Any] | None:
    """Rows of one way, hop by hop from its start.

    Args:
        places: of a large graph, those in which values are looked up.
    """
    rules = {rule: [] for rule in ("apart", "called", "edges", "facts", "labels", "names")}
    rows = [{"i": 7, "ways": [{**start, "hops": list(range(len(hops))), "form": 0}]}]
    forms = [{"shown": list(shown), **rules}]
    given: dict[str, Any] = {"asked": {"rows": rows, "forms": forms, "hops": list(hops)}}
    given |= {"places": list(places), "called": [], "naming": {}, "limit": 9, "wanted": 1}
    columns = ("i", *(f"c{n}" for n in range(len(shown))))
    return graph.answer(Query("", columns, given, ways=True), timeout)


def walk(type: str, out: bool | None) -> dict[str, Any]:
    return {"f": 0, "r": type, "how": "walk", "out": out}


def test_a_walk_keeps_its_direction_and_a_loop_has_both(graph: GraphCopy):
    assert followed(graph, {"id": HEAT}, walk("MADE", False), shown=[1]) == [("7", MANN)]
    assert followed(graph, {"id": HEAT}, walk("MADE", True), shown=[1]) == []
    for out in (True, False, None):
        assert followed(graph, {"id": MANN}, walk("LIKES", out), shown=[1]) == [("7", MANN)]


def test_whole_numbers_equal_decimal_ones_and_nan_equals_nothing(graph: GraphCopy):
    find = {"f": 0, "how": "find", "places": ["Film", "Person", ""]}
    assert followed(graph, {"value": 1995}, {**find, "r": "born"}, shown=[1]) == [("7", MANN)]
    assert followed(graph, {"value": NAN}, {**find, "r": "score"}, shown=[1]) == []
    assert followed(graph, {"value": "b"}, {**find, "r": "tags"}, shown=[1]) == [("7", HEAT)]


def test_values_of_a_large_graph_are_looked_up_in_places(graph: GraphCopy):
    born = {"f": 0, "how": "find", "r": "born"}
    places = (":Film.year", ":Person.born")

    def holders(place: str) -> list[Any] | None:
        hop = {**born, "places": [place]}
        return followed(graph, {"value": 1995}, hop, shown=[1], places=places)

    assert holders(":Person.born") == [("7", MANN)]
    assert holders(":Film.born") == []


def test_what_the_copy_lacks_is_left_to_the_server(graph: GraphCopy):
    read = {"f": 0, "how": "read"}
    find = {"f": 0, "how": "find", "places": ["Film"]}
    for key in ("raw", "vector"):
        assert followed(graph, {"id": ALIEN}, {**read, "r": key}, shown=[1]) is None
        assert followed(graph, {"value": "b"}, {**find, "r": key}, shown=[1]) is None
    assert followed(graph, {"value": "x" * 9999}, {**find, "r": "plot"}, shown=[1]) is None
    again = {**find, "f": 1, "r": "plot"}
    assert followed(graph, {"id": HEAT}, {**read, "r": "plot"}, again) is None
    assert graph.answer(Query("", (), {}, "brute"), None) is None


def test_a_long_text_exists_and_is_to_be_read(graph: GraphCopy):
    rows = followed(graph, {"id": HEAT}, {"f": 0, "how": "read", "r": "plot"}, shown=[0, 1])
    assert rows == [("7", HEAT, f"{HEAT} plot")]
    assert isinstance(rows[0][2], LongText)


def test_relations_and_facts_of_nodes_are_those_of_both_ends(graph: GraphCopy):
    asked = [":MADE", ":LIKES", ".year", ".vector"]
    assert graph.incidence([HEAT, MANN, "4:x:9"], asked) == {
        (HEAT, "-:MADE"),
        (HEAT, "+.year"),
        (MANN, "+:MADE"),
        (MANN, "+:LIKES"),
        (MANN, "-:LIKES"),
    }
    assert graph.facts([(HEAT, ":MADE", MANN)]) == [(Fact(False, "5:x:0", {"as": "director"}),)]
    assert graph.facts([(HEAT, ":MADE", MANN, '"producer"')]) == [()]
    assert len(graph.facts([(HEAT, ":MADE", MANN, '"director"', "as")])[0]) == 1
    assert graph.facts([(HEAT, ":MADE", MANN, '"director"', "by")]) == [()]
    lacking = [*RELATIONSHIPS[:1], ["5:x:1", "LIKES", MANN, MANN, 1, []]]
    assert GraphCopy(NODES, lacking).facts([(HEAT, ":MADE", MANN)]) is None


def test_nodes_are_named_by_property_and_key(graph: GraphCopy):
    given: dict[str, Any] = {"ids": [HEAT, ALIEN, "4:x:9"], "ranks": {"Film": 0}, "longest": 9}
    given |= {"named": {"Film": "tags"}, "keys": {"Film": "year"}}
    assert graph.answer(Query("", (), given, "schema names"), None) == [
        (HEAT, "0", "a", "Film", "1995"),
        (HEAT, "0", "b", "Film", "1995"),
        (HEAT, None, None, "Film", "1995"),
        (ALIEN, None, None, None, None),
    ]
    for named in ("plot", "score"):
        other = given | {"ids": [MANN], "ranks": {"Person": 0}, "named": {"Person": named}}
        assert graph.answer(Query("", (), other, "schema names"), None) is None


def test_a_copy_that_takes_too_long_is_an_error(graph: GraphCopy, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(following, "LOOK_EVERY", 1)
    with pytest.raises(QueryTimeout):
        followed(graph, {"id": MANN}, walk("MADE", True), timeout=-1.0)


def test_a_graph_is_copied_again_when_it_has_changed_but_not_while_it_is_written_to(
    monkeypatch: pytest.MonkeyPatch,
):
    seconds = count()  # to read a copy takes some of these, whatever else the machine does
    monkeypatch.setattr("isomatch.store.neo4j.copies.perf_counter", lambda: float(next(seconds)))
    kept = Copies()
    read: list[str] = []

    def rows(name: str, given: Mapping[str, Any], state: str = "1") -> Table:
        read.append(name)
        return page(name, state)

    first = kept.of(GraphState("1"), 5, rows)
    assert first is not None
    assert kept.of(GraphState("1"), 5, rows) is first
    assert len(read) == 2
    kept._again = 0.0
    assert kept.of(GraphState("2"), 5, rows) is None  # what was read is of another state
    assert len(read) == 4
    assert kept.of(GraphState("2"), 5, rows) is None  # too soon
    assert len(read) == 4
    kept._again = 0.0
    second = kept.of(GraphState("2"), 5, lambda *asked: rows(*asked, "2"))
    assert second not in (None, first)


def test_an_old_copy_is_read_again_for_what_a_user_may_read_by_now():
    kept = Copies()

    def rows(name: str, given: Mapping[str, Any]) -> Table:
        return page(name)

    first = kept.of(GraphState("1"), 5, rows)
    kept._read_at -= OLDEST
    kept._again = 0.0
    assert kept.of(GraphState("1"), 5, rows) not in (None, first)


def test_a_graph_that_cannot_be_copied_is_left_to_the_server():
    def rows(name: str, given: Mapping[str, Any]) -> Table:
        raise StoreError("a date of the year 12000")

    kept = Copies()
    assert kept.of(GraphState("1"), 5, rows) is None
    assert not kept.possible


def test_a_long_text_in_a_list_is_left_to_the_server():
    long = "x" * 1500
    nodes = [
        ["4:x:0", ["Film"], ["note"], ["note"], [["note", [long]]]],
        ["4:x:1", ["Film"], ["note"], [], []],
    ]
    find = {"f": 1, "how": "find", "places": ["Film"], "r": "note"}
    read = {"f": 0, "how": "read", "r": "note"}
    assert followed(GraphCopy(nodes, []), {"id": "4:x:0"}, read, find, shown=[2]) is None
    around = {"values": ["a", long], "sources": {"tags": ["Film"]}, "end": "", "key": ""}
    unread = [["4:x:0", ["Film"], ["tags"], ["tags"], []]]
    assert GraphCopy(unread, []).answer(Query("", (), around, "around"), None) is None


@pytest.mark.parametrize(
    ("state", "size"), [(GraphState("5 nodes", whole=False), 5), (GraphState("1"), 10**6)]
)
def test_a_large_graph_or_one_that_hides_its_changes_is_never_copied(state: GraphState, size: int):
    kept = Copies()
    assert kept.of(state, size, lambda name, given: pytest.fail(name)) is None
    assert not kept.possible


class Server:
    """Gives the rows of a graph, once it is let go on, and keeps what was asked."""

    def __init__(self, size: int = 1000, *, goes_on: bool = True) -> None:
        self.asked: list[str] = []
        self.goes_on = Event()
        if goes_on:
            self.goes_on.set()
        self._size = size

    def __call__(self, name: str, given: Mapping[str, Any]) -> Table:
        self.asked.append(name)
        with cancel.stopping(self.goes_on.set):
            self.goes_on.wait(60)
        return Table([], [[self._size], [0]], "1") if name == "copy_size" else page(name)


def read_beside() -> None:
    """Wait for the threads that read copies."""
    for thread in threading.enumerate():
        if thread.name == "isomatch copy":
            thread.join(60)


@pytest.fixture
def settled(monkeypatch: pytest.MonkeyPatch) -> None:
    """A graph counts as asked about for long from the second time on."""
    monkeypatch.setattr("isomatch.store.neo4j.copies.SETTLED", 0.0)


def test_a_larger_graph_is_copied_while_the_server_answers(settled: None):
    kept, server, state = Copies(), Server(goes_on=False), GraphState("1")
    assert kept.of(state, AT_ONCE + 1, server) is None
    assert kept.of(state, AT_ONCE + 1, server) is None  # it is being read
    server.goes_on.set()
    read_beside()
    assert isinstance(kept.of(state, AT_ONCE + 1, server), GraphCopy)
    assert server.asked == ["copy_size", "copy_nodes", "copy_relationships"]


def test_a_larger_graph_that_is_asked_about_once_is_not_copied():
    kept = Copies()
    for _ in range(3):
        assert kept.of(GraphState("1"), AT_ONCE + 1, lambda name, given: pytest.fail(name)) is None
    assert kept.possible


def test_a_graph_of_many_or_long_values_is_not_copied(settled: None):
    kept, server = Copies(AT_ONCE + 1), Server(size=ROOM * (AT_ONCE + 1) + 1)
    kept.of(GraphState("1"), AT_ONCE + 1, server)
    read_beside()
    assert server.asked == ["copy_size"]
    assert not kept.possible


def test_a_store_that_is_closed_ends_its_reading(settled: None):
    kept, server = Copies(), Server(goes_on=False)
    kept.of(GraphState("1"), AT_ONCE + 1, server)
    kept.close()
    read_beside()
    assert server.asked == ["copy_size"]
    assert kept.of(GraphState("1"), AT_ONCE + 1, server) is None


def test_a_limit_of_zero_copies_nothing():
    assert not Copies(0).possible


def test_reading_beside_that_fails_is_told_and_tried_again(
    settled: None, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("isomatch.store.neo4j.copies.SELDOM", 0.0)
    kept, state = Copies(), GraphState("1")

    def broken(name: str, given: Mapping[str, Any]) -> Table:
        raise RuntimeError("the loop is closed")

    kept.of(state, AT_ONCE + 1, broken)
    read_beside()
    assert "the loop is closed" in caplog.text
    kept.of(state, AT_ONCE + 1, Server())
    read_beside()
    assert kept.of(state, AT_ONCE + 1, Server()) is not None


def test_an_error_that_may_pass_is_no_reason_to_give_up():
    def rows(name: str, given: Mapping[str, Any]) -> Table:
        raise StoreError("the server restarts") from ServiceUnavailable("gone")

    kept = Copies()
    assert kept.of(GraphState("1"), 5, rows) is None
    assert kept.possible


def test_a_copy_that_is_finished_after_closing_is_not_kept():
    kept = Copies()

    def rows(name: str, given: Mapping[str, Any]) -> Table:
        kept.close()
        return page(name)

    kept.of(GraphState("1"), 5, rows)
    assert kept._last is None
