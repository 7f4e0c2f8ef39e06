"""Goals, which are nodes between players and matches, as a team's Neo4j has them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, names_found, opened

import isomatch

GRAPH = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:g1 a :Goal ; rdfs:label "G1" ; :SCORED_IN :m1 ; :SCORED_BY :ann ; :ASSISTED_BY :bo ;
  :isOwnGoal false .
:g2 a :Goal ; rdfs:label "G2" ; :SCORED_IN :m1 ; :SCORED_BY :bo ; :isOwnGoal true .
:g3 a :Goal ; rdfs:label "G3" ; :SCORED_IN :m2 ; :SCORED_BY :ann ; :isOwnGoal false .
:m1 a :Match ; rdfs:label "Rovers v City" ; :PLAYED_AT :dock .
:m2 a :Match ; rdfs:label "City v Rovers" ; :PLAYED_AT :crown .
:dock a :Stadium ; rdfs:label "Dockside Arena" ; :hasRoof false ; :city "Portwick" .
:crown a :Stadium ; rdfs:label "Crown Park" ; :hasRoof true ; :city "Kingsmere" .
:ann a :Player ; rdfs:label "Ann Moor" . :bo a :Player ; rdfs:label "Bo Lind" .
:cy a :Player ; rdfs:label "Cy Reed" .
"""


@pytest.fixture(scope="module")
def league() -> Iterator[isomatch.Session]:
    with opened(GRAPH.encode()) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("In which matches did Ann Moor score?", ["City v Rovers", "Rovers v City"]),
        ("How many goals were scored at Dockside Arena?", ["2"]),
        ("Which goals were scored at Crown Park?", ["G3"]),
    ],
)
def test_what_was_done_in_something_was_done_where_and_by_whom_that_was(
    league: isomatch.Session, question: str, names: list[str]
) -> None:
    assert sorted(names_found(league, question)) == names


def test_players_who_scored_are_none_who_assisted_or_share_a_value(
    league: isomatch.Session,
) -> None:
    answer = asked(league, "Which players scored goals at Dockside Arena?")
    assert answer is None or {node.name for node in answer.answers} == {"Ann Moor", "Bo Lind"}
