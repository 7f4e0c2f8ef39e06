"""A store that takes too long gives the same answer, an error or a statement: no other answer."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.servers.sessions import session_over
from tests.unit.interpret.test_chains import EX, iri, store
from tests.unit.learn.toy import Letters

from isomatch.chains import graph as chains
from isomatch.chains.graph import FILE, ChainGraph, Step
from isomatch.errors import QueryTimeout
from isomatch.interpret.llm.examples import examples_from_graph
from isomatch.schema.introspect import introspect
from isomatch.session import Session
from isomatch.store.base import Query, Row
from isomatch.store.oxigraph import OxigraphStore

__all__ = ["store"]  # the fixture
DIRECTOR = Step(EX + "directed_by")
QUESTIONS = (
    "who directed Heat",
    "which films were directed by Michael Mann",
    "which actors starred in the films directed by Michael Mann",
    "which films of Michael Mann starred Al Pacino",
    "which genres are the films directed by the director of Heat",
)


class SlowStore(OxigraphStore):
    """Breaks off the queries that ``late`` picks by their number, after one row; counts all."""

    late: Callable[[int], bool] = staticmethod(lambda number: False)
    asked = 0

    def run(self, query: Query, *, timeout: float | None = None) -> Iterator[Row]:
        self.asked += 1
        return self._broken_off(query) if self.late(self.asked) else super().run(query)

    def _broken_off(self, query: Query) -> Iterator[Row]:
        yield from list(super().run(query))[:1]
        raise QueryTimeout(f"the query {query.name!r} took too long")


@pytest.fixture
def slow(store: OxigraphStore) -> SlowStore:
    return SlowStore(store.graph)


@pytest.fixture
def session(slow: SlowStore, tmp_path: Path) -> Iterator[Session]:
    with session_over(slow, tmp_path, Letters()) as opened:
        yield opened


def said(session: Session, question: str) -> tuple[str, ...] | None:
    """The names of the answers; None for an error, or the statement that time ran out."""
    try:
        answer = session.ask(question, interpreter="schema")
    except QueryTimeout:
        return None
    if answer.result is not None and answer.result.certificate.ended_by:
        assert answer.answers or answer.text.startswith("Not found in time")
        return tuple(sorted(node.name for node in answer.answers)) or None
    return tuple(sorted(node.name for node in answer.answers))


def forgotten(session: Session, folder: Path) -> None:
    """As after a restart with an empty cache."""
    for file in folder.rglob(FILE):
        file.unlink()
    session.resources._derived.clear()


def test_a_time_out_changes_no_answer_wherever_it_comes(
    session: Session, slow: SlowStore, tmp_path: Path
) -> None:
    for question in QUESTIONS:
        forgotten(session, tmp_path)
        slow.asked = 0
        expected = said(session, question)
        assert expected
        for number in range(1, slow.asked + 1):
            forgotten(session, tmp_path)
            slow.asked, slow.late = 0, lambda n, late=number: n == late
            assert said(session, question) in (None, expected), (question, number)
            # Nothing of it is kept, not even over a restart.
            session.resources._derived.clear()
            slow.late = lambda n: False
            assert said(session, question) == expected, (question, number)


def test_a_store_that_stays_slow_is_an_error_in_words(
    session: Session, slow: SlowStore, tmp_path: Path
) -> None:
    forgotten(session, tmp_path)
    slow.late = lambda number: True
    with pytest.raises(QueryTimeout, match=r"did not say within 30 s which relations lead away"):
        session.ask(QUESTIONS[0], interpreter="schema")
    assert not list(tmp_path.rglob(FILE))


def test_existing_chains_are_never_supposed(slow: SlowStore) -> None:
    graph = ChainGraph(slow, introspect(slow))
    slow.late = lambda number: True
    with pytest.raises(QueryTimeout, match="which chains of relations exist"):
        graph.existing([iri("Heat")], [(DIRECTOR,)])


def test_a_question_has_the_same_chains_with_a_cache_and_without(slow: SlowStore) -> None:
    graph = ChainGraph(slow, introspect(slow), steps=1)
    for _ in range(2):
        graph.begin()
        assert graph.followers(DIRECTOR)
        assert graph.followers(DIRECTOR.inverse) == {}


def test_cached_steps_are_of_the_schema_that_they_were_read_with(
    slow: SlowStore, tmp_path: Path
) -> None:
    graph = ChainGraph(slow, introspect(slow), tmp_path)
    assert graph.followers(DIRECTOR.inverse)
    graph.save()
    # With other names, what names the nodes today is a fact, and what did is none.
    other = introspect(slow, label_relations=[EX + "has_genre"])
    slow.asked = 0
    again = ChainGraph(slow, other, tmp_path)
    assert Step(EX + "has_genre") not in again.followers(DIRECTOR.inverse)
    assert slow.asked == 1


@pytest.mark.parametrize("spoil", ["old", "of the future", "unknown relation", "cut"])
def test_a_cache_that_is_old_or_damaged_is_read_again(
    slow: SlowStore, tmp_path: Path, spoil: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    schema = introspect(slow)
    graph = ChainGraph(slow, schema, tmp_path)
    expected = graph.followers(DIRECTOR)
    graph.save()
    content = json.loads((tmp_path / FILE).read_text())
    if spoil == "old":
        content["value"]["since"] -= chains.CACHE_SECONDS
    elif spoil == "of the future":
        content["value"]["since"] += 1e6
    elif spoil == "unknown relation":
        content["value"]["followers"][0][2].append(["http://gone", False, 1.0])
    else:
        del content["value"]["followers"][0][2]
    (tmp_path / FILE).write_text(json.dumps(content))
    slow.asked = 0
    assert ChainGraph(slow, schema, tmp_path).followers(DIRECTOR) == expected
    assert slow.asked == 1


def test_examples_that_took_too_long_are_told_and_not_kept(slow: SlowStore) -> None:
    schema = introspect(slow)
    slow.late = lambda number: True
    notes: list[str] = []
    assert examples_from_graph(slow, schema, notes=notes) == ()
    assert "took too long" in notes[0]
    slow.late = lambda number: False
    assert examples_from_graph(slow, schema)
