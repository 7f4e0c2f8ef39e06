"""Paragraphs of a language model about open questions: shown as far as facts carry them."""

from __future__ import annotations

import asyncio
import json

import pytest
from tests.unit.answer.results import bound, fact
from tests.unit.answer.test_answerer import WAYS
from tests.unit.endpoint import Endpoint

from isomatch import flows
from isomatch.answer.answerer import Answerer
from isomatch.answer.types import MISSING, REFUSAL, Answer, Sentence
from isomatch.errors import ConfigurationError
from isomatch.options import OPEN_FORMS, OpenForm, PrizeOptions
from isomatch.output.json import answer_form
from isomatch.prizes.graph import Size
from isomatch.prizes.selection import Selection
from isomatch.retrieve.types import Retrieved
from isomatch.triples.ranking import ScoredTriple

QUESTION = "How are Heat and Ali connected?"
HEAT = fact("Heat", "directed by", "Michael Mann")
ALI = fact("Ali", "directed by", "Michael Mann")
PACINO = fact("Heat", "starring", "Al Pacino")
ELBA = fact("Elba", "part of", "Italy")
FIRST = "Heat was directed by Michael Mann [1]."
SECOND = "Michael Mann directed Ali [2]."
LAST = f"{MISSING} whether Will Smith likes Heat."


def found(form: OpenForm = "steiner", *groups) -> Retrieved:
    groups = groups or ((HEAT, ALI, PACINO),)
    scored = tuple(ScoredTriple(triple, 1.0) for group in groups for triple in group)
    options = PrizeOptions()
    size, topics = Size(9, 12), (bound("Heat").id, bound("Ali").id)
    chosen = Selection(form, scored, groups, 3.0, 3.0, size, size, options, topics, ())
    return Retrieved(form, triples=scored, topics=frozenset(topics), selection=chosen)


def ask(*replies: str, unsupported="drop", retrieved: Retrieved | None = None, **more):
    endpoint = Endpoint(*replies)
    answerer = Answerer(endpoint.model(), unsupported=unsupported, **more)
    return answerer.answer(QUESTION, retrieved or found()), endpoint


@pytest.mark.parametrize("form", OPEN_FORMS)
def test_each_form_has_a_prompt_of_its_own(form):
    said = f"Heat was directed by Michael Mann, and Michael Mann directed Ali [1].\n{LAST}"
    groups = ((HEAT, ALI), (PACINO,)) if form == "paths" else ()
    answer, endpoint = ask(said, retrieved=found(form, *groups))
    rules, asked = endpoint.said[0]
    assert ("single facts" in rules) == (form == "triplets")
    assert ("An arrow back" in rules) == (form == "paths")
    assert ("a connected part" in rules) == (form == "steiner")
    assert MISSING in rules
    assert "It is about: Heat; Ali\n" in asked
    line = "[1] Heat -directed by-> Michael Mann <-directed by- Ali"
    assert (line if form == "paths" else "[1] Heat | directed by | Michael Mann\n[2] Ali") in asked
    assert answer.supported == (form == "paths")  # elsewhere fact 2 is needed, too


def test_a_paragraph_carried_by_facts_is_the_answer_as_it_is():
    answer, endpoint = ask(f"{FIRST} {SECOND}\n{LAST}")
    assert len(endpoint.bodies) == 1
    assert answer.text == f"{FIRST} {SECOND}\n{LAST}"
    assert (answer.supported, answer.cited, answer.notes) == (True, (1, 2), ())
    assert answer.sentences == (Sentence(FIRST, (1,), True), Sentence(SECOND, (2,), True))
    assert [node.name for node in answer.answers] == ["Michael Mann"]


@pytest.mark.parametrize(
    ("unsupported", "shown"),
    [
        ("drop", f"{FIRST}\n{LAST}"),
        ("mark", f"{FIRST} It won an Oscar [1]. [unsupported]\nA pity. [unsupported]\n{LAST}"),
    ],
)
def test_sentences_without_support_are_dropped_or_marked(unsupported, shown):
    said = f"{FIRST} It won an Oscar [1].\nA pity.\n{LAST}"
    answer, endpoint = ask(said, unsupported=unsupported)
    assert len(endpoint.bodies) == 1
    assert answer.text == shown
    assert (answer.supported, answer.cited) == (True, (1,))
    assert [s.supported for s in answer.sentences] == [True, False, False]
    assert answer.sentences[2] == Sentence("A pity.", (), False, "it cites no fact")
    done = {"drop": "dropped", "mark": "marked"}[unsupported]
    assert answer.notes == (f"2 of 3 sentences had no support and were {done}",)


def test_parts_of_a_sentence_that_cite_for_themselves_are_checked_for_themselves():
    answer, _ = ask(f"Heat is directed by Michael Mann [1]; Ali has Al Pacino [2].\n{LAST}")
    assert answer.text == f"Heat is directed by Michael Mann [1].\n{LAST}"


def test_a_node_that_only_an_unsupported_sentence_names_is_no_answer():
    answer, _ = ask(f"{FIRST} Al Pacino is a friend of Ali [3].", unsupported="mark")
    assert "Al Pacino" in answer.text
    assert [node.name for node in answer.answers] == ["Michael Mann"]


@pytest.mark.parametrize("unsupported", ["mark", "drop"])
@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("They are friends.", "it cites no fact"),
        ("They are friends [1].", "it does not name both ends of fact 1"),
        (f"{FIRST} Ali was made by Michael Mann [7].", "it cites 7, and there is no such fact"),
        (LAST, "it says nothing"),
    ],
)
def test_an_answer_without_support_is_sent_back_once(unsupported, said, problem):
    answer, endpoint = ask(said, f"{SECOND}\n{LAST}", unsupported=unsupported)
    assert len(endpoint.bodies) == 2
    assert endpoint.said[1][:3] == [*endpoint.said[0], said]
    assert problem in endpoint.said[1][3]
    assert "numbers 1 to 3" in endpoint.said[1][3]
    assert answer.text == f"{SECOND}\n{LAST}"
    assert len(answer.notes) == 1
    assert problem in answer.notes[0]


@pytest.mark.parametrize("unsupported", ["mark", "drop"])
def test_what_has_no_support_twice_is_refused(unsupported):
    answer, endpoint = ask("They are friends [1].", unsupported=unsupported)
    assert len(endpoint.bodies) == 2
    assert (answer.text, answer.supported, answer.cited, answer.answers) == (REFUSAL, False, (), ())
    assert answer.sentences[0].reason == "it does not name both ends of fact 1"
    assert "It said: They are friends [1]." in answer.notes[-1]
    assert answer.evidence


def test_the_first_answer_stays_where_the_second_is_worse():
    answer, _ = ask(f"{FIRST} And more [9].\n{LAST}", "They are friends.")
    assert answer.text == f"{FIRST}\n{LAST}"
    assert answer.notes[-1] == "1 of 2 sentences had no support and was dropped"


def test_a_model_that_finds_no_answer_says_so():
    for replies in ((REFUSAL,), ("They are friends.", f"{REFUSAL} Sorry.")):
        answer, _ = ask(*replies)
        assert (answer.text, answer.supported) == (REFUSAL, False)
        assert answer.notes[-1] == "the model found no answer in the facts"


def test_the_rest_of_a_refusal_is_no_statement():
    answer, _ = ask(f"{FIRST} {REFUSAL} {SECOND}", unsupported="drop")
    assert answer.text.startswith(f"{FIRST} {SECOND}\n")


@pytest.mark.parametrize(
    "last",
    [
        "",
        f"\n{MISSING}",
        f"\n{MISSING} nothing.",
        f"\n{MISSING} that Ali was directed by Michael Mann.",  # fact 2 says so
    ],
)
def test_the_last_line_never_says_that_nothing_is_missing(last):
    answer, _ = ask(FIRST + last)
    assert answer.text == (
        f"{FIRST}\n{MISSING} whatever this text does not say; it was written from 3 of the 12 "
        "facts within 2 hops."
    )


def test_the_last_line_is_one_sentence_without_citations():
    answer, _ = ask(f"{FIRST}\n**{MISSING}** who paid [2]. Ali is by Will Smith. {SECOND}\n\n")
    assert answer.text == f"{FIRST}\n{MISSING} who paid."
    assert len(answer.sentences) == 1


@pytest.mark.parametrize("way", WAYS)
def test_sync_async_and_streamed_paragraphs_are_the_same(way):
    for said in (f"{FIRST} {SECOND}\n{LAST}", FIRST, f"{FIRST} It won an Oscar [1]."):
        flow = Answerer(Endpoint(said).model()).flow(QUESTION, found(), streamed="stream" in way)
        answer, pieces = _run(way, flow)
        assert answer.text == ask(said)[0].text
        if pieces and "Oscar" not in said:  # what was added to the model's text is said, too
            assert "".join(pieces) == answer.text


def _run(way: str, flow) -> tuple[Answer, list[str]]:
    if way == "run":
        return flows.run(flow), []
    if way == "arun":
        return asyncio.run(flows.arun(flow)), []

    async def collect():
        return [item async for item in flows.astream(flow)]

    *pieces, answer = asyncio.run(collect()) if way == "astream" else flows.stream(flow)
    return answer, pieces


def test_trees_that_nothing_connects_are_told_apart():
    answer, endpoint = ask(FIRST, retrieved=found("steiner", (HEAT, ALI), (ELBA,)))
    asked = endpoint.said[0][1]
    assert "Part 2, which nothing here connects with the others:\n[3] Elba" in asked
    assert answer.supported


def test_facts_beyond_the_budget_are_told():
    answer, endpoint = ask(FIRST, budget_tokens=30)
    assert "There are more facts that did not fit here." in endpoint.said[0][1]
    assert "from 2 of the 12" in answer.text
    assert answer.notes == ("the token budget of the evidence left facts out",)
    with pytest.raises(ConfigurationError, match="too small"):
        ask(FIRST, budget_tokens=3)


def test_json_has_the_sentences():
    answer, _ = ask(f"{FIRST} It won an Oscar [1].")
    form = json.loads(json.dumps(answer_form(answer)))
    assert form["sentences"] == [
        {"text": FIRST, "cited": [1], "supported": True},
        {
            "text": "It won an Oscar [1].",
            "cited": [1],
            "supported": False,
            "reason": "it does not name both ends of fact 1",
        },
    ]
