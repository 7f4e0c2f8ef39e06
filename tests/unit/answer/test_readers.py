"""Evidence by retriever: paths, triples, both; and what a reader's text answers."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.shared import examples
from tests.unit.answer.results import bound, fact
from tests.unit.endpoint import Endpoint

from isomatch.answer.answerer import Answerer
from isomatch.answer.evidence import estimate_tokens, key_of
from isomatch.answer.types import REFUSAL
from isomatch.errors import ConfigurationError
from isomatch.interpret.types import Hypothesis
from isomatch.match.types import (
    Certificate,
    Choice,
    Interpretation,
    Match,
    MatchResult,
    Profile,
    Triple,
)
from isomatch.pattern.types import RelationChain
from isomatch.retrieve.types import Retrieved

QUESTION = "which other films did the director of Heat make?"


@dataclass(frozen=True)
class Scored:
    """A fact with a score, as the scorer of triples gives it."""

    triple: Triple
    score: float


def chain(films: list[str], score: float, relation: str = "directed by", distance: float = 0.0):
    """Heat, whoever made it, and other films of theirs."""
    pattern = RelationChain("Heat", (relation, f"^{relation}")).to_pattern()
    matches = tuple(
        Match(
            {"topic": bound("Heat"), "x1": bound("Mann"), "x2": bound(film)},
            (fact("Heat", relation, "Mann"), fact(film, relation, "Mann")),
        )
        for film in films
    )
    choice = Choice("relation", "made by", bound(relation).id, relation, distance)
    interpretations = (Interpretation(1, distance, (choice,), matches),) if matches else ()
    result = MatchResult(pattern, interpretations, Certificate(True, True), Profile())
    return Hypothesis(pattern, score, source="gsr"), result


def triples(*facts: tuple[str, str, str]) -> tuple[Scored, ...]:
    return tuple(Scored(fact(*f), 1.0 - i / 100) for i, f in enumerate(facts))


PATHS = Retrieved("chain", (chain(["Ali", "Thief"], 0.9), chain(["Manhunter"], 0.1, "written by")))
NEAR_HEAT = triples(
    ("Mann", "born in", "Chicago"),
    ("Heat", "directed by", "Mann"),
    ("Ali", "directed by", "Mann"),
    ("Heat", "genre", "crime"),
)
TRIPLES = Retrieved("triples", triples=NEAR_HEAT, topics=frozenset({bound("Heat").id}))


def names(answer) -> list[str]:
    return [node.name for node in answer.answers]


def test_paths_are_grouped_by_chain_and_numbered_whole():
    endpoint = Endpoint("Ali [1] and Thief [2].")
    answer = Answerer(endpoint.model()).answer(QUESTION, PATHS)
    system, user = endpoint.said[0]
    assert user.splitlines() == [
        f"Question: {QUESTION}",
        "",
        "Chain 1 (score 0.90):",
        "[1] Heat -directed by-> Mann <-directed by- Ali",
        "[2] Heat -directed by-> Mann <-directed by- Thief",
        "",
        "Chain 2 (score 0.10):",
        "[3] Heat -written by-> Mann <-written by- Manhunter",
    ]
    assert "[number] name -relation-> name" in system
    assert [(e.number, e.rank, e.score) for e in answer.evidence] == [
        *[(1, 1, 0.9), (1, 1, 0.9), (2, 1, 0.9), (2, 1, 0.9)],
        *[(3, 2, 0.1), (3, 2, 0.1)],
    ]
    assert names(answer) == ["Ali", "Thief"]
    assert answer.supported
    assert answer.retriever == "chain"
    assert answer.hypothesis is PATHS.matched[0][0]


def test_a_cited_path_of_another_chain_answers():
    answer = Answerer(Endpoint("Manhunter [3].").model()).answer(QUESTION, PATHS)
    assert names(answer) == ["Manhunter"]


def test_a_path_that_is_not_there_is_sent_back():
    endpoint = Endpoint("Ali [4].", "Ali [1].")
    answer = Answerer(endpoint.model()).answer(QUESTION, PATHS)
    assert "numbers 1 to 3" in endpoint.said[1][-1]
    assert names(answer) == ["Ali"]


def test_a_path_of_two_chains_is_told_once():
    found = Retrieved("chain", (chain(["Ali"], 0.9), chain(["Ali", "Thief"], 0.5)))
    answer = Answerer(Endpoint("Ali [1].").model()).answer(QUESTION, found)
    assert [e.number for e in answer.evidence] == [1, 1, 2, 2]


def test_a_reader_without_a_model_answers_with_the_best_chain():
    answer = Answerer().answer(QUESTION, PATHS)
    assert (answer.text, names(answer)) == ("Ali and Thief.", ["Ali", "Thief"])
    assert answer.cited == (1, 2)


def test_a_chain_that_is_not_believed_answers_nothing():
    found = Retrieved("chain", (chain(["Ali"], 0.3), chain(["Thief"], 0.2)))
    for answerer in (Answerer(), Answerer(Endpoint("Ali [1].").model())):
        answer = answerer.answer(QUESTION, found)
        assert answer.text.startswith(
            'The whole question was not understood: it may mean (topic "Heat")'
        )
        assert not answer.supported
        assert "too little certainty (0.30)" in answer.notes[-1]


def test_a_chain_whose_words_are_far_is_left_out():
    far = chain(["Thief"], 0.5, "zoned as", distance=1.3)
    endpoint = Endpoint("Ali [1].")
    answer = Answerer(endpoint.model()).answer(
        QUESTION, Retrieved("chain", (chain(["Ali"], 0.9), far))
    )
    assert "zoned as" not in endpoint.said[0][1]
    assert {e.number for e in answer.evidence} == {1}


def test_triples_of_the_topics_come_first():
    endpoint = Endpoint("Heat is by Mann [1], as Ali is [4].\nans: Ali [4]")
    answer = Answerer(endpoint.model()).answer(QUESTION, TRIPLES)
    assert endpoint.said[0][1].splitlines() == [
        f"Question: {QUESTION}",
        "",
        "Facts:",
        "[1] Heat | directed by | Mann",
        "[2] Heat | genre | crime",
        "[3] Mann | born in | Chicago",
        "[4] Ali | directed by | Mann",
    ]
    assert [(e.number, e.rank, e.score) for e in answer.evidence] == [
        (1, 2, 0.99),
        (2, 4, 0.97),
        (3, 1, 1.0),
        (4, 3, 0.98),
    ]
    assert names(answer) == ["Ali"]
    assert answer.cited == (1, 4)
    assert answer.result is None
    assert answer.pattern is None


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("ans: Ali [4]\nans: Mann [1]", ["Ali", "Mann"]),
        ("Ans: ALI, by Mann [4]", ["Ali", "Mann"]),
        ("It is Ali [4].", ["Ali"]),  # no line is marked: the whole text
        ("Heat was directed by Mann [1].", ["Mann"]),  # of whom Heat was asked about
        ("ans: Heat [1]", ["Heat"]),
        ("Mann made Ali [4].", ["Mann", "Ali"]),  # in the order of the text
        ("As [4] has it.\nans: Ali", ["Ali"]),  # the number stands elsewhere
        ("ans: Chicago [4]", []),  # the cited fact does not hold it
        ("ans: Alien [4]", []),  # a name is whole words
    ],
)
def test_what_lines_of_answers_name(said: str, found: list[str]):
    answer = Answerer(Endpoint(said).model()).answer(QUESTION, TRIPLES)
    assert names(answer) == found
    assert answer.supported


def test_a_number_is_no_name():
    found = Retrieved("triples", triples=triples(("Heat", "takes", "2"), ("Heat", "by", "Mann")))
    answer = Answerer(Endpoint("ans: Mann [2][1]").model()).answer(QUESTION, found)
    assert names(answer) == ["Mann"]


def test_answers_come_first_where_that_is_wanted():
    for first in (False, True):
        endpoint = Endpoint("ans: Ali [4]")
        Answerer(endpoint.model(), answer_first=first).answer(QUESTION, TRIPLES)
        rule = next(x for x in endpoint.said[0][0].splitlines() if x.startswith("4."))
        assert rule.startswith("4. First give each answer" if first else "4. First explain")


def test_triples_alone_are_no_answer_without_a_model():
    answer = Answerer().answer(QUESTION, TRIPLES)
    assert (answer.text, answer.supported, answer.answers) == (REFUSAL, False, ())
    assert len(answer.evidence) == 4
    assert "a language model is needed" in answer.notes[-1]


def test_nothing_around_the_topics_is_said():
    answer = Answerer(Endpoint("?").model()).answer(QUESTION, Retrieved("triples"))
    assert answer.text == REFUSAL
    assert answer.notes == ("no facts were found near what the question is about",)


def test_fused_evidence_says_nothing_twice():
    endpoint = Endpoint("ans: Ali [1]")
    found = Retrieved("fused", PATHS.matched[:1], NEAR_HEAT, TRIPLES.topics)
    answer = Answerer(endpoint.model()).answer(QUESTION, found)
    assert endpoint.said[0][1].splitlines()[2:] == [
        "Chain 1 (score 0.90):",
        "[1] Heat -directed by-> Mann <-directed by- Ali",
        "[2] Heat -directed by-> Mann <-directed by- Thief",
        "",
        "Facts:",
        "[3] Heat | genre | crime",
        "[4] Mann | born in | Chicago",
    ]
    assert names(answer) == ["Ali"]
    assert {e.number for e in answer.evidence} == {1, 2, 3, 4}


def test_fused_evidence_answers_from_triples_where_no_chain_is_near():
    read = (chain([], 0.9),)
    said = "ans: Ali [4]"
    fused = Retrieved("fused", read, NEAR_HEAT, TRIPLES.topics)
    assert names(Answerer(Endpoint(said).model()).answer(QUESTION, fused)) == ["Ali"]
    alone = Answerer().answer(QUESTION, fused)
    assert not alone.supported
    assert names(Answerer().answer(QUESTION, Retrieved("fused", PATHS.matched, NEAR_HEAT))) == [
        "Ali",
        "Thief",
    ]


WORDS = st.text(min_size=1, max_size=12)


@settings(max_examples=examples(60))
@given(
    st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=8),
    st.lists(WORDS, max_size=6, unique=True),
    st.integers(1, 120),
)
def test_one_budget_holds_for_all(facts, films, budget):
    endpoint = Endpoint(REFUSAL)
    found = Retrieved("fused", (chain(films, 0.9),), triples(*facts), frozenset())
    try:
        answer = Answerer(endpoint.model(), budget_tokens=budget).answer(QUESTION, found)
    except ConfigurationError:  # too small for one
        return
    shown = [x for x in endpoint.said[0][1].splitlines() if x.startswith("[")]
    assert sum(estimate_tokens(x + "\n") for x in shown) <= budget
    assert len(shown) == answer.evidence[-1].number
    assert [e.number for e in answer.evidence] == sorted(e.number for e in answer.evidence)
    keys = {key_of(scored.triple) for scored in found.triples}
    keys |= {key_of(t) for _, match in found.matched[0][1].matches for t in match.triples}
    assert answer.cut or {key_of(e.triple) for e in answer.evidence} == keys
