"""Retrievers in the shape of neo4j-graphrag's."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.answer.results import FILMS, ROLES, directed, result, roles

from isomatch.adapters.retrievers import PatternRetriever
from isomatch.errors import ConfigurationError, InterpretationError, PatternError
from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.lexicon.lexicon import Lexicon
from isomatch.match.types import Bound, MatchResult, OptionalValues
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.pattern.types import Pattern
from isomatch.retrieve import hypotheses
from isomatch.retrieve.types import Acceptance
from isomatch.settings import Settings

OTHER = '(?film)-[filmed by]-("Micheal Man")'


class Session:
    """Answers by pattern, and notes what it was asked."""

    pipeline = SimpleNamespace(acceptance=Acceptance())

    def __init__(self, results: dict[str, MatchResult], options: dict[str, Any] | None = None):
        self.results = {parse(text): found for text, found in results.items()}
        self.options = options or {}
        self.asked: list[Options] = []
        self.resources: Any = self
        self.store: Any = self
        self.lexicon = Lexicon()
        self.settings = Settings()

    def snapshot(self) -> None:
        """The store's: there is one state."""

    def interpret(self, question: str, *, interpreter: str = "auto") -> tuple[Hypothesis, ...]:
        scores = (1.0, 0.5)
        return tuple(
            Hypothesis(pattern, score, self.options, "schema", ("a guess",))
            for pattern, score in zip(self.results, scores, strict=False)
        )

    def match(self, pattern: Pattern, options: Options) -> Any:
        self.asked.append(options)
        candidates = SimpleNamespace(nodes={})
        return SimpleNamespace(
            outcome=SimpleNamespace(candidates=candidates), result=self.results[pattern]
        )


@pytest.fixture(autouse=True)
def search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches are those of `Session` above."""

    def once(of: Session, _: None, pattern: Pattern, options: Options, **__: Any) -> Any:
        return of.match(pattern, options)

    monkeypatch.setattr(hypotheses, "match_once", once)
    monkeypatch.setattr(hypotheses, "with_notes", lambda result, of: result)


def one(film: str, rank: int, distance: float = 0.6):
    return directed([film], rank=rank, distance=distance)


def test_a_pattern_as_text_gives_one_item_for_a_match():
    session = Session({FILMS: result(one("Heat", 1), one("Ali", 2))})
    found = PatternRetriever(session).search(query_text=FILMS, top_k=2)
    assert [i.content for i in found.items] == [
        "Heat | directed by | Michael Mann",
        "Ali | directed by | Michael Mann",
    ]
    assert (session.asked[0].k, session.asked[0].results) == (2, "matches")
    metadata = found.items[1].metadata
    assert (metadata["rank"], metadata["gsd"], metadata["reading"]) == (2, 0.6, 1)
    assert metadata["bindings"]["film"] == {"id": "http://e.test/Ali", "name": "Ali"}
    assert metadata["triples"][0]["relation"]["name"] == "directed by"
    assert metadata["certificate"]["complete"] is True
    assert found.metadata["query_text"] == FILMS
    assert found.metadata["readings"][0]["source"] == "given"
    json.dumps(found.metadata, allow_nan=False)
    json.dumps(metadata, allow_nan=False)


def test_values_of_optional_parts_are_in_the_metadata():
    text = FILMS.partition(" return")[0] + " optional { (?film)-[tagline]-(?t) }"
    given = OptionalValues(({"t": Bound('"War"', "War")},))
    found = one("Heat", 1)
    matches = tuple(replace(match, optional=(given,)) for match in found.matches)
    searched = replace(result(replace(found, matches=matches)), pattern=parse(text))
    metadata = PatternRetriever(Session({text: searched})).search(text).items[0].metadata
    expected = {"rows": [{"t": {"id": '"War"', "name": "War"}}], "cut": False}
    assert metadata["optional"] == [expected]


def test_interpretations_come_with_all_their_matches():
    session = Session({FILMS: result(directed(["Heat", "Ali"]))})
    (item,) = PatternRetriever(session, items="interpretations").search(FILMS).items
    assert item.content.splitlines() == [
        "Heat | directed by | Michael Mann",
        "Ali | directed by | Michael Mann",
    ]
    assert [b["film"]["name"] for b in item.metadata["bindings"]] == ["Heat", "Ali"]
    assert session.asked[0].results == "interpretations"


def test_the_first_hypothesis_with_a_match_counts():
    session = Session({OTHER: result(), FILMS: result(one("Heat", 1), one("Ali", 2))})
    found = PatternRetriever(session).search("which films?", top_k=2)
    assert [i.content.split(" |")[0] for i in found.items] == ["Heat", "Ali"]
    assert [i.metadata["reading"] for i in found.items] == [2, 2]
    assert [(r["score"], r["found"]) for r in found.metadata["readings"]] == [(1.0, 0), (0.5, 2)]
    assert found.metadata["readings"][0]["notes"] == ["a guess"]
    assert "reason" not in found.metadata
    assert found.metadata["answer"] == "Heat and Ali."


def test_other_hypotheses_do_not_fill_top_k():
    session = Session({FILMS: result(one("Heat", 1)), OTHER: result(one("Ali", 1))})
    found = PatternRetriever(session).search("which films?", top_k=2)
    assert [i.content.split(" |")[0] for i in found.items] == ["Heat"]
    assert len(session.asked) == 1


def test_what_is_far_from_the_words_is_not_given():
    far = directed(["Stagecoach"], by="John Ford", rank=2, distance=1.15)
    session = Session({FILMS: result(one("Heat", 1), far)})
    found = PatternRetriever(session).search(FILMS, top_k=2)
    assert [i.content.split(" |")[0] for i in found.items] == ["Heat"]
    nothing = PatternRetriever(Session({FILMS: result(far)})).search(FILMS)
    assert nothing.items == []
    assert nothing.metadata["reason"] == "The graph does not say."
    assert "John Ford" in " ".join(nothing.metadata["notes"])


def test_a_question_without_a_reading_is_an_empty_result_with_the_reason():
    class Unread(Session):
        def interpret(self, question: str, *, interpreter: str = "auto") -> tuple[Hypothesis, ...]:
            raise InterpretationError("no name of the graph is in the question")

    found = PatternRetriever(Unread({})).search("what is the capital of France?")
    assert found.items == []
    assert found.metadata["reason"] == "no name of the graph is in the question"


def test_options_go_from_the_nearest_to_the_farthest():
    session = Session(
        {FILMS: result()}, {"nodes": "anchored", "limit": 5, "direction": "as written"}
    )
    retriever = PatternRetriever(session, limit=7, budget_rows=9)
    retriever.search("which films?", budget_rows=11)
    (asked,) = session.asked
    assert (asked.nodes, asked.limit, asked.direction) == ("anchored", 7, "as written")
    assert asked.budget_rows == 11


def test_nothing_found_is_an_empty_list():
    found = PatternRetriever(Session({FILMS: result()})).search(FILMS)
    assert found.items == []
    assert found.metadata["readings"][0]["found"] == 0


def test_a_reading_that_leaves_out_a_part_of_the_question_gives_nothing():
    class Partly(Session):
        def interpret(self, question: str, *, interpreter: str = "auto") -> tuple[Hypothesis, ...]:
            (read,) = super().interpret(question)
            left = Span(4, 11, question[4:11], "operator")
            return (replace(read, coverage=Coverage(left_out=(left,))),)

    found = PatternRetriever(Partly({FILMS: result(one("Heat", 1))})).search("the longest films")
    assert found.items == []
    assert "answer" not in found.metadata
    assert "no place was found for “longest”" in found.metadata["reason"]
    assert found.metadata["readings"][0]["left_out"] == ["longest"]


def test_wrong_input_is_refused():
    retriever = PatternRetriever(Session({FILMS: result()}))
    with pytest.raises(PatternError):
        retriever.search("(?f)-[broken")
    with pytest.raises(ConfigurationError, match="top_k"):
        retriever.search(FILMS, top_k=0)
    with pytest.raises(ConfigurationError, match="unknown option 'depth'"):
        retriever.search(FILMS, depth=3)
    with pytest.raises(ConfigurationError, match="items"):
        PatternRetriever(Session({}), items="triples")  # type: ignore[arg-type]


def test_the_async_twin_gives_the_same():
    retriever = PatternRetriever(Session({FILMS: result(one("Heat", 1))}))
    assert asyncio.run(retriever.asearch(FILMS)) == retriever.search(FILMS)


def test_two_values_on_one_relationship_are_two_items():
    found = result(roles("Zachry", "Isaac"), pattern=ROLES)
    each = [
        replace(found.interpretations[0], rank=n, matches=(m,))
        for n, m in enumerate(found.interpretations[0].matches, 1)
    ]
    session = Session({ROLES: result(*each, pattern=ROLES)})
    items = PatternRetriever(session).search(query_text=ROLES, top_k=3).items
    assert [item.metadata["bindings"]["role"]["name"] for item in items] == ["Zachry", "Isaac"]
    assert items[0].content == "Tom Hanks | acted in (roles: Zachry, Isaac) | Cloud Atlas"
    assert items[0].metadata["triples"][0]["properties"] == {"roles": ["Zachry", "Isaac"]}
