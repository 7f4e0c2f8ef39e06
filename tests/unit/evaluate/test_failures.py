"""Why a question failed, one case for each reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from isomatch.evaluate.metrics import DEFAULT, score
from isomatch.evaluate.outcome import (
    Outcome,
    format_chains,
    match_chains,
    pattern_chains,
)
from isomatch.evaluate.scoring import REASONS, Scorer, failure_reason
from isomatch.llm import Usage
from isomatch.match.types import Bound, Choice, Match, Triple
from isomatch.pattern import parse
from isomatch.pattern.types import RelationChain
from isomatch.questions.datasets import Question

QUESTION = Question("1", "which films are by Mann", ("Mann",), ("Heat",), None, 1)
GOLD = pattern_chains(RelationChain("Mann", ("^directed by",)).to_pattern())
OTHER = pattern_chains(RelationChain("Mann", ("^starred actors",)).to_pattern())
MANN = Choice("node", "Mann", "m", "Mann", 0.0)
READ = Outcome(
    QUESTION,
    {},
    found=(("Ali",),),
    pattern=RelationChain("Mann", ("^directed by",)).to_pattern(),
    choices=(MANN,),
    chains=(GOLD,),
    written_chains=GOLD,
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
        (replace(READ, chains=(OTHER,), written_chains=OTHER), GOLD, "chain wrong"),
        (replace(READ, chains=(), written_chains=OTHER), GOLD, "chain wrong"),
        (replace(READ, chains=(OTHER,)), GOLD, "link wrong"),
        (replace(READ, cut=True), GOLD, "search cut"),
        (replace(READ, chains=(), cut=True), GOLD, "search cut"),
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
def test_each_failure_has_its_reason(outcome, gold, expected):
    scored = None if outcome.found is None else score(outcome.found, QUESTION.answers)
    assert failure_reason(outcome, scored, gold, naming=DEFAULT) == expected
    assert expected is None or expected in REASONS


def test_an_answer_that_the_graph_lacks_is_nobodys_fault():
    scored = score(READ.found or (), QUESTION.answers)
    why = failure_reason(READ, scored, GOLD, answerable=False, naming=DEFAULT)
    assert why == "answer not in the graph"


def test_a_chain_is_followed_in_either_direction_but_by_its_own_relations():
    turned = frozenset(tuple((r, not back) for r, back in walk) for walk in GOLD)
    assert READ.follows(GOLD)
    assert replace(READ, chains=(turned,)).follows(GOLD)
    assert replace(READ, chains=()).follows(GOLD)
    assert not replace(READ, chains=(OTHER,)).follows(GOLD)  # linked to another relation
    assert not replace(READ, chains=(turned,), written_chains=turned).follows(GOLD)
    assert (
        failure_reason(replace(READ, chains=(turned,)), WRONG, GOLD, naming=DEFAULT)
        == "gold differs"
    )


def test_words_of_the_gold_chain_that_were_taken_for_others_are_no_hit(session):
    scorer = Scorer(session, DEFAULT)
    question = replace(QUESTION, gold=RelationChain("Mann", ("^directed by",)))
    for walks, hit in (((GOLD,), True), ((OTHER,), False)):
        row = scorer.row("", replace(READ, question=question, chains=walks))
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
    assert format_chains(match_chains(pattern, match)) == "^directed by → starred actors"
    assert format_chains(pattern_chains(pattern)) == "directed by → starred actors"


def test_every_known_node_begins_a_walk():
    pattern = parse('("Spain")<-[born in]-(?p)-[plays for]->("Real") return ?p')
    assert format_chains(pattern_chains(pattern)) == "^born in ∧ ^plays for"
