"""What a reading of a question accounts for, and that nothing is answered without it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from tests.turtle import opened

import isomatch
from isomatch.interpret.coverage.reader import MOST_COMPARED
from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import words_of
from isomatch.output.json import answer_form
from isomatch.output.words import certificate_words, coverage_words
from isomatch.pattern import parse

GRAPH = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:texas a :State ; rdfs:label "Texas" ; :borders :oklahoma, :louisiana ; :highest_point :guadalupe ;
    :population 14229000 .
:oklahoma a :State ; rdfs:label "Oklahoma" ; :borders :texas ; :population 3025000 .
:louisiana a :State ; rdfs:label "Louisiana" ; :borders :texas ; :population 4206000 .
:guadalupe a :Mountain ; rdfs:label "Guadalupe Peak" ; :state :texas .
:houston a :City ; rdfs:label "Houston" ; :state :texas .
:austin a :City ; rdfs:label "Austin" ; :state :texas .
:red a :River ; rdfs:label "Red River" ; :traverses :texas, :oklahoma .
:heat a :Film ; rdfs:label "Heat" ; :starred_actor :pacino ; :filmed_in :texas ;
    :release_year 1995 .
:pacino a :Actor ; rdfs:label "Al Pacino" .
"""


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Which states border Texas but aren't big", "aren't"),
        ("Which states bordered Texas after 2000?", "2000"),
        ("Which states border Texas or have a population?", "or"),
        ("Which major cities are in Texas?", "major"),
        ("Which non-bordering states does Texas have?", "non-bordering"),
        ("What is the second-highest point of Texas?", "second-highest"),
        ("Which twenty-five states border Texas?", "twenty-five"),
        ("Which films starring Al Pacino are of January?", "January"),
        ("Which films were filmed in Texas in all?", "in all"),
        ("How old are the states that border Texas?", "How old"),
        ("Why does Texas border states?", "Why"),
        ("Which states almost border Texas?", "almost"),
        ("Who supposedly starred in Heat?", "supposedly"),
        ("Which films were probably filmed in Texas?", "probably"),
        ("What is the highest state whose highest point is Guadalupe Peak?", "highest"),
        ("What is the population density of Texas?", "density"),
        ("Welche Staaten grenzen an Texas?", "grenzen"),
    ],
)
def test_a_question_whose_reading_lacks_a_part_is_refused_and_the_part_named(
    session: isomatch.Session, question: str, missing: str
) -> None:
    answer = session.ask(question, interpreter="schema")

    assert not answer.supported
    assert answer.answers == ()
    assert answer.is_not_read
    assert f"“{missing}”" in answer.text


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("Which state is the rainiest capital?", "rainiest capital"),
        ("What is the capital of oldtown?", "oldtown"),
        ("What is the email of Texas?", "email"),
        ("Where do Texas and Oklahoma play?", "play"),
        ("Where does Al Pacino star?", "Where"),
    ],
)
def test_what_is_only_taken_for_a_name_a_relation_or_a_place_is_named(
    session: isomatch.Session, question: str, missing: str
) -> None:
    answer = session.ask(question, interpreter="schema")

    assert not answer.supported
    assert answer.is_not_read
    assert f"“{missing}”" in answer.text


HOMONYMS = b"""
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:usd a :Currency ; rdfs:label "Dollar" . :cad a :Currency ; rdfs:label "Dollar" .
:eur a :Currency ; rdfs:label "Euro" .
:usa a :Country ; rdfs:label "Usa" ; :currency :usd ; :neighbour :canada .
:palau a :Country ; rdfs:label "Palau" ; :currency :usd .
:canada a :Country ; rdfs:label "Canada" ; :currency :cad ; :neighbour :usa .
:france a :Country ; rdfs:label "France" ; :currency :eur .
"""


def test_a_number_for_a_name_of_several_things_is_refused() -> None:
    with opened(HOMONYMS) as session:
        several = session.ask("How many countries have the Dollar?", interpreter="schema")
        unread = session.ask("Which countries have the cheapest Dollar?", interpreter="schema")
        one = session.ask("How many countries have the Euro?", interpreter="schema")
        which = session.ask("Which countries have the Dollar?", interpreter="schema")

    assert not several.supported
    assert several.text.startswith("Several things are called “Dollar”")
    assert "several things are called “Dollar”, and no place was found for “cheapest”. Say" in (
        unread.text
    )
    assert one.text == "1."
    assert sorted(a.name for a in which.answers) == ["Canada", "Palau", "Usa"]


def test_a_name_that_no_node_of_the_pattern_has_is_left_out(session: isomatch.Session) -> None:
    given = Hypothesis(parse('(?x:state)-[borders]->("Texas") return ?x'), 1.0, source="llm")

    read = _read(session, "Which states border Texas and Louisiana?", given)

    assert [s.text for s in read.missing] == ["Louisiana"]
    assert [s.kind for s in read.missing] == ["name"]


def test_a_word_that_is_part_of_a_relation_is_no_operator(session: isomatch.Session) -> None:
    answer = session.ask("What is the highest point of Texas?", interpreter="schema")

    assert [a.name for a in answer.answers] == ["Guadalupe Peak"]
    assert answer.hypothesis is not None
    assert answer.hypothesis.coverage is not None
    assert answer.hypothesis.coverage.left_out == ()


def test_how_many_is_read_where_the_relation_gives_a_number(session: isomatch.Session) -> None:
    answer = session.ask("How many people live in Oklahoma?", interpreter="schema")

    assert [a.name for a in answer.answers] == ["3025000"]


def test_a_degree_is_read_where_the_relation_is_one(session: isomatch.Session) -> None:
    size = Hypothesis(parse('("Oklahoma")-[population]->(?x) return ?x'), 1.0, source="schema")
    other = Hypothesis(parse('("Oklahoma")-[borders]->(?x) return ?x'), 1.0, source="schema")

    assert _read(session, "How big is Oklahoma?", size).missing == ()
    assert [s.text for s in _read(session, "How big is Oklahoma?", other).missing] == ["How big"]


def test_of_the_other_films_is_the_kind_that_is_asked_for(session: isomatch.Session) -> None:
    given = Hypothesis(parse('("Heat")-[starred_actor]->(?x) return ?x'), 1.0, source="schema")

    read = _read(session, "Which of the other films star actors of Heat?", given)

    assert ("films", "kind") in [(s.text, s.kind) for s in read.missing]


def test_when_asks_for_a_date_where_the_graph_has_dates(session: isomatch.Session) -> None:
    given = Hypothesis(parse('("Heat")-[filmed_in]->(?x) return ?x'), 1.0, source="schema")

    read = _read(session, "When was Heat filmed?", given)

    assert [(s.text, s.kind) for s in read.missing] == [("When", "kind")]


def test_a_word_of_another_relation_is_missing_also_beside_a_synonym_of_a_class(
    session: isomatch.Session,
) -> None:
    given = Hypothesis(parse('(?x)-[starred_actor]->("Al Pacino") return ?x'), 1.0, source="schema")

    read = _read(session, "Which movies released star Al Pacino and have a population?", given)

    assert ("movies", "film") in [(s.text, s.meaning) for s in read.understood]
    assert [(s.text, s.kind) for s in read.missing] == [("population", "relation")]


def test_names_beside_a_given_topic_are_missing(session: isomatch.Session) -> None:
    question = "Which states border Texas and Louisiana?"

    answer = session.ask(question, interpreter="schema", topics=["Texas"])

    assert not answer.supported
    assert "“Louisiana”" in answer.text


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Which state is the largest?", "Texas"),
        ("Which state is the largest?", "Texaz"),
        ("Which state is the largest?", "<http://example.org/texas>"),
        ("What is the population of the capital?", "Nobody"),  # added by a relation not said
    ],
)
def test_a_topic_that_question_and_reading_do_not_name_is_missing(
    session: isomatch.Session, question: str, topic: str
) -> None:
    answer = session.ask(question, interpreter="schema", topics=[topic])

    assert not answer.supported
    assert f"“{topic}”" in answer.text


def test_a_name_is_listed_once_where_a_full_stop_follows(session: isomatch.Session) -> None:
    (best, *_) = session.interpret("List the states that border Texas.", interpreter="schema")

    assert best.coverage is not None
    assert [s.text for s in best.coverage.understood if s.kind == "name"] == ["Texas"]


def test_of_many_unknown_words_a_part_is_compared(
    session: isomatch.Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Hypothesis(parse('(?x)-[borders]->("Texas") return ?x'), 1.0, source="schema")
    unknown = [f"item{'x' * (n % 30)}{'y' * (n // 30)}" for n in range(300)]
    embedded: list[str] = []
    embed = session.resources.embedder.embed

    def counted(texts: Sequence[str]) -> Any:
        embedded.extend(texts)
        return embed(texts)

    monkeypatch.setattr(session.resources.embedder, "embed", counted)

    read = _read(session, f"Which states border Texas and {' and '.join(unknown)}", given)

    assert [s.text for s in read.left_out] == unknown
    assert len(set(unknown) & set(embedded)) == MOST_COMPARED


@pytest.mark.parametrize(
    "question", ["How many states border Texas?", "What is the number of states bordering Texas?"]
)
def test_a_pattern_that_counts_accounts_for_how_many(
    session: isomatch.Session, question: str
) -> None:
    given = Hypothesis(parse('(?x:state)-[borders]->("Texas") return count(?x)'), 1.0, source="llm")

    read = _read(session, question, given)

    assert read.missing == ()
    assert "count" in [s.meaning for s in read.understood]


def test_from_a_year_that_the_pattern_has_compares_nothing(session: isomatch.Session) -> None:
    given = Hypothesis(parse('(?x:film)-[release_year]->("1995") return ?x'), 1.0, source="llm")

    assert _read(session, "List the films from 1995", given).missing == ()
    assert [s.text for s in _read(session, "List the films after 1995", given).missing] == ["after"]


def test_nothing_of_another_type_answers_for_the_kind_that_is_asked_for(
    session: isomatch.Session,
) -> None:
    answer = session.ask("Which mountains border Texas?", interpreter="schema")

    assert not answer.supported


def test_the_kind_that_is_asked_for_is_the_type_of_the_answer(session: isomatch.Session) -> None:
    answer = session.ask("Which cities are in Texas?", interpreter="schema")

    assert {a.name for a in answer.answers} == {"Houston", "Austin"}


@pytest.mark.parametrize("source", ["schema", "llm", "another"])
def test_the_kind_that_is_asked_for_is_put_on_patterns_of_every_interpreter(
    session: isomatch.Session, source: str
) -> None:
    given = Hypothesis(parse('(?x)-[state]->("Texas") return ?x'), 1.0, source=source)

    assert _read(session, "Which cities have state Texas?", given).asked_types == ("city",)
    assert _read(session, "What has state Texas?", given).asked_types == ()
    typed = Hypothesis(parse('(?x:town)-[state]->("Texas") return ?x'), 1.0, source=source)
    assert _read(session, "Which cities have state Texas?", typed).asked_types == ()


def test_spans_are_the_parts_of_the_question(session: isomatch.Session) -> None:
    question = "What is the cheapest state that borders Texas?"

    reading = answer_form(session.ask(question, interpreter="schema"))["reading"]

    spans = [*reading["understood"], *reading["left_out"]]
    assert all(question[s["start"] : s["end"]] == s["text"] for s in spans)
    assert {"Texas", "borders"} <= {s["text"] for s in reading["understood"]}
    assert [(s["text"], s["kind"]) for s in reading["left_out"]] == [("cheapest", "operator")]
    json.dumps(reading)


def test_plain_words_are_told_and_refused_only_where_it_is_set(session: isomatch.Session) -> None:
    question = "Which wonderful states border Texas?"

    told = session.ask(question, interpreter="schema")

    assert told.supported
    assert told.text.endswith(" This leaves out “wonderful”, which was not understood.")
    assert told.hypothesis is not None
    assert told.result is not None
    coverage = told.hypothesis.coverage
    assert "left out: “wonderful”" in coverage_words(coverage)
    assert "leaves out" in certificate_words(told.result.certificate, True, coverage)
    with opened(GRAPH, left_out_words="refuse") as strict:
        refused = strict.ask(question, interpreter="schema")
    assert not refused.supported
    assert "“wonderful”" in refused.text


@pytest.mark.parametrize(
    ("name", "text", "source", "kept"),
    [
        ('"Oklahoma"', "Oklahoma", "gsr", True),
        ('"Oklahoma"', "Oklahoma", "schema", False),  # chosen by words, which say nothing of it
        ('topic "Ruritania"', "Ruritania", "gsr", False),  # which the graph lacks
        ('"Oklahoma"', "Oklahomo", "gsr", False),
    ],
)
def test_of_a_name_that_is_only_near_every_hop_must_be_said(
    session: isomatch.Session, name: str, text: str, source: str, kept: bool
) -> None:
    question = f"What is the highest point of {text}?"
    pattern = parse(f"({name})-[borders]->(?x)-[highest_point]->(?y) return ?y")

    coverage = _read(session, question, Hypothesis(pattern, 1.0, source=source))

    assert any(s.text == text and s.kind == "name" for s in coverage.left_out) != kept


@pytest.mark.parametrize(("named", "kept"), [(True, True), (False, False)])
def test_a_name_that_a_trained_model_found_asks_for_no_kind(
    session: isomatch.Session, named: bool, kept: bool
) -> None:
    question = "How many rivers touch Texas?"  # as if there were things called "River"
    river = Span(9, 15, "rivers", "name", "River")
    pattern = parse('(?x)-[borders]->("Texas") return count(?x)')
    texas = Span(22, 27, "Texas", "name", "Texas")
    coverage = Coverage((river, texas) if named else (texas,), (), exact=True)

    read = _read(session, question, Hypothesis(pattern, 1.0, source="programs", coverage=coverage))

    assert (not read.missing) == kept


def test_the_last_noun_of_a_type_of_two_words_is_asked_for() -> None:
    graph = b"""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :Phone a rdfs:Class ; rdfs:label "phone" . :PhoneCall a rdfs:Class ; rdfs:label "phone call" .
    :p a :Phone ; rdfs:label "0161" . :q a :Phone ; rdfs:label "0162" .
    :one a :PhoneCall ; :to :p . :two a :PhoneCall ; :to :p .
    """
    with opened(graph) as session:
        kinds = AskedKinds(session.schema, session.resources.lexicon)
    for question, asked in (
        ("How many phone calls were there?", "calls"),
        ("Which phone calls went to 0161?", "calls"),
        ("Which phones called 0161?", "phones"),
        ("How many have the phone 0161?", ""),  # anything that has
        ("How many owns the phone 0161?", ""),
        ("How many zorbs have the phone 0161?", "zorbs"),
        ("Which calls went to phones which 0162 called?", "calls"),
        ("Where are the calls which phones took?", ""),
    ):
        words = words_of(question)
        assert [w.text for w in kinds.kind_words(words, set(words))] == asked.split()


def test_who_asks_for_people_of_any_type_and_for_no_other_things() -> None:
    graph = b"""
    @prefix : <http://example.org/> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :ann a :Person ; rdfs:label "Ann" ; :knows :bob . :bob a :Person ; rdfs:label "Bob" .
    :jo a :Officer ; rdfs:label "Jo" . :theft a :Crime ; rdfs:label "Theft" ; :probe :jo .
    :oak a :Tree ; rdfs:label "Oak" . :theft :scene :oak .
    """
    with opened(graph) as session:
        kinds = AskedKinds(session.schema, session.resources.lexicon)
    assert kinds.may_be_doers(parse('("Theft")-[probe]->(?x) return ?x'))
    assert not kinds.may_be_doers(parse('("Theft")-[scene]->(?x) return ?x'))


def test_an_answer_by_a_misspelled_name_says_so_first(session: isomatch.Session) -> None:
    answer = session.ask("Which rivers traverse Oklahomo?", interpreter="schema")

    assert answer.text == "If “Oklahomo” means “Oklahoma”: Red River."


def test_a_pattern_by_hand_has_no_words_to_account_for(session: isomatch.Session) -> None:
    answer = session.ask('(?x:state)-[borders]->("Texas") return ?x', interpreter="given")

    assert answer.supported
    assert answer.hypothesis is not None
    assert answer.hypothesis.coverage is None
    assert coverage_words(None) == ""


def _read(session: isomatch.Session, question: str, given: Hypothesis):  # type: ignore[no-untyped-def]
    from isomatch.interpret.coverage.reader import CoverageReader

    resources = session.resources
    reader = CoverageReader(resources.schema, resources.lexicon, resources.embedder)
    (read,) = reader.read(question, resources.mentions.find(question), [given])
    assert read.coverage is not None
    return read.coverage
