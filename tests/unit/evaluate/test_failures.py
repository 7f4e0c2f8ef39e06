"""Why a question failed, one case for each reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isomatch.evaluate.failures import REASONS, reason
from isomatch.evaluate.judge import Judge
from isomatch.evaluate.metrics import DEFAULT, score
from isomatch.evaluate.outcome import (
    Outcome,
    matched_walks,
    walk_words,
    written_walks,
)
from isomatch.llm import Usage
from isomatch.match.types import Bound, Choice, Match, Triple
from isomatch.pattern import parse
from isomatch.pattern.types import RelationChain
from isomatch.questions.datasets import Question

QUESTION = Question("1", "which films are by Mann", ("Mann",), ("Heat",), None, 1)
GOLD = written_walks(RelationChain("Mann", ("^directed by",)).to_pattern())
OTHER = written_walks(RelationChain("Mann", ("^starred actors",)).to_pattern())
MANN = Choice("node", "Mann", "m", "Mann", 0.0)
READ = Outcome(
    QUESTION,
    {},
    found=(("Ali",),),
    pattern=RelationChain("Mann", ("^directed by",)).to_pattern(),
    choices=(MANN,),
    walks=(GOLD,),
    written=GOLD,
)
WRONG = score(READ.found or (), QUESTION.answers)
ASKED = Usage(1, 1, 10, 2)
HEAT = Triple(Bound("h", "Heat"), Bound("d", "directed by"), Bound("m", "Mann"))


@pytest.mark.parametrize(
    ("outcome", "gold", "expected"),
    [
        (replace(READ, found=(("Heat",),)), GOLD, None),
        (replace(READ, found=None), GOLD, None),  # nothing reads answers
        (Outcome(QUESTION, {}, error="no name"), GOLD, "mention not found"),
        (Outcome(QUESTION, {}, error="no pattern", usage=ASKED), GOLD, "no reading"),
        (
            replace(READ, choices=(), pattern=RelationChain("Man", ("x",)).to_pattern()),
            GOLD,
            "mention not found",
        ),
        (replace(READ, choices=(replace(MANN, id="o", name="Manny"),)), GOLD, "link wrong"),
        (replace(READ, walks=(OTHER,), written=OTHER), GOLD, "chain wrong"),
        (replace(READ, walks=(), written=OTHER), GOLD, "chain wrong"),
        (replace(READ, walks=(OTHER,)), GOLD, "link wrong"),
        (replace(READ, cut=True), GOLD, "search cut"),
        (replace(READ, walks=(), cut=True), GOLD, "search cut"),
        (replace(READ, found=(), refused=True), GOLD, "refused"),
        (replace(READ, usage=ASKED, triples=(HEAT,)), GOLD, "reader wrong"),
        (READ, GOLD, "gold differs"),
        (READ, None, "reading wrong"),
        (Outcome(QUESTION, {}, found=(("Ali",),), triples=(HEAT,)), None, "reader wrong"),
        (
            Outcome(QUESTION, {}, triples=(replace(HEAT, source=Bound("a", "Ali")),)),
            None,
            "not retrieved",
        ),
        (  # a reader that was shown only the first of what was ranked
            Outcome(QUESTION, {}, found=(("Ali",),), triples=(HEAT,), shown=()),
            None,
            "not retrieved",
        ),
        (Outcome(QUESTION, {}, found=(("Ali",),), usage=ASKED), None, "not retrieved"),
        (Outcome(QUESTION, {}, query="MATCH", error="refused"), None, "query failed"),
        (Outcome(QUESTION, {}, query="MATCH"), None, "query wrong"),
    ],
)
def test_a_failure_has_the_expected_reason(outcome, gold, expected):
    scored = None if outcome.found is None else score(outcome.found, QUESTION.answers)
    assert reason(outcome, scored, gold, naming=DEFAULT) == expected
    assert expected is None or expected in REASONS


def test_an_answer_that_the_graph_lacks_is_nobodys_fault():
    scored = score(READ.found or (), QUESTION.answers)
    why = reason(READ, scored, GOLD, answerable=False, naming=DEFAULT)
    assert why == "answer not in the graph"


def test_a_chain_is_followed_in_either_direction_but_by_its_own_relations():
    turned = frozenset(tuple((r, not back) for r, back in walk) for walk in GOLD)
    assert READ.follows(GOLD)
    assert replace(READ, walks=(turned,)).follows(GOLD)
    assert replace(READ, walks=()).follows(GOLD)
    assert not replace(READ, walks=(OTHER,)).follows(GOLD)  # linked to another relation
    assert not replace(READ, walks=(turned,), written=turned).follows(GOLD)
    assert reason(replace(READ, walks=(turned,)), WRONG, GOLD, naming=DEFAULT) == "gold differs"


def test_words_of_the_gold_chain_that_were_taken_for_others_are_no_hit(session):
    judge = Judge(session, DEFAULT)
    question = replace(QUESTION, gold=RelationChain("Mann", ("^directed by",)))
    for walks, hit in (((GOLD,), True), ((OTHER,), False)):
        row = judge.row("", replace(READ, question=question, walks=walks))
        assert row["chains"]["hit_at_1"] is hit


def test_walks_have_the_directions_of_the_graph():
    pattern = parse('("Mann")-[directed by]-(?x)-[starred_actors]->(?y) return ?y')
    nodes = {n.id: Bound(n.id, n.text or n.id) for n in pattern.nodes}
    mann, film, actor = (nodes[n.id] for n in pattern.nodes)
    match = Match(
        nodes,
        (
            Triple(film, Bound("d", "directed by"), mann),
            Triple(film, Bound("s", "starred actors"), actor),
        ),
    )
    assert walk_words(matched_walks(pattern, match)) == "^directed by → starred actors"
    assert walk_words(written_walks(pattern)) == "directed by → starred actors"


def test_every_known_node_begins_a_walk():
    pattern = parse('("Spain")<-[born in]-(?p)-[plays for]->("Real") return ?p')
    assert walk_words(written_walks(pattern)) == "^born in ∧ ^plays for"
