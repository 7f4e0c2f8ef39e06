"""Questions in other languages than English: read by their own table, and by no other's."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.turtle import opened
from tests.unit.interpret.domains import spelt
from tests.unit.interpret.test_composer import GRAPH

import isomatch
from isomatch.errors import ConfigurationError
from isomatch.interpret.compose.lexical.voice import beside_verb
from isomatch.interpret.words.content import MOST_WORDS, check_length, words_of
from isomatch.lexicon.language import FILES, language_of
from isomatch.texts import data

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

_FOLDER = Path(__file__).parents[2] / "data" / "domains" / "de"
_DOMAINS = sorted(path.stem for path in _FOLDER.glob("*.ttl"))


def _all(table: str) -> list[tuple[str, str, str]]:
    """The questions of a table, of every domain: (domain, question, answers)."""
    return [
        (domain, question, answers)
        for domain in _DOMAINS
        for question, answers in _questions(domain)[table].items()
    ]


def _questions(domain: str) -> dict[str, Any]:
    return toml.loads((_FOLDER / f"{domain}.toml").read_text("utf-8"))


@pytest.fixture(scope="module")
def german() -> Iterator[dict[str, isomatch.Session]]:
    opens = {
        domain: opened(
            (_FOLDER / f"{domain}.ttl").read_bytes(), language="de", languages=("de", "en")
        )
        for domain in _DOMAINS
    }
    yield opens
    for session in opens.values():
        session.close()


@pytest.fixture(scope="module")
def lands(german: dict[str, isomatch.Session]) -> isomatch.Session:
    return german["laender"]


@pytest.fixture(scope="module")
def states() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


def _found(answer: isomatch.Answer) -> str:
    if answer.holds is not None:
        return "yes" if answer.holds else "no"
    return ", ".join(sorted(spelt(str(node.name)) for node in answer.answers))


@pytest.mark.parametrize(("domain", "question", "answers"), _all("answered"))
def test_a_question_in_german_finds_its_answers(
    german: dict[str, isomatch.Session], domain: str, question: str, answers: str
) -> None:
    answer = german[domain].ask(question, interpreter="schema")

    assert _found(answer) == answers
    assert answer.supported


@pytest.mark.parametrize(("domain", "question", "answers"), _all("answered_or_refused"))
def test_a_question_in_german_is_answered_rightly_or_refused(
    german: dict[str, isomatch.Session], domain: str, question: str, answers: str
) -> None:
    try:
        answer = german[domain].ask(question, interpreter="schema")
    except isomatch.InterpretationError:
        return

    assert not answer.supported or _found(answer) == answers


@pytest.mark.parametrize(
    ("domain", "question"),
    [(d, q) for d in _DOMAINS for q in _questions(d)["refused"]["questions"]],
)
def test_what_is_no_question_in_german_of_the_graph_is_refused(
    german: dict[str, isomatch.Session], domain: str, question: str
) -> None:
    assert not _answered(german[domain], question)


def test_whose_things_do_something_is_not_what_things_do() -> None:
    library = (_FOLDER.parent / "library.ttl").read_bytes()
    with opened(library) as session:
        assert "“Whose”" in _refusal(session, "Whose papers cite Deep Roots?")


@pytest.mark.parametrize(
    ("question", "unplaced"),
    [
        ("Welche Flüsse fließen durch Texas?", "fließen"),
        ("Was ist die Hauptstadt von Texas?", "ist"),
        ("Wie viele Städte liegen in Texas?", "liegen"),
        ("Grenzt Texas an Oklahoma?", "Grenzt"),
        ("Hauptstadt von Texas", "Hauptstadt von"),
        ("Wo liegt Austin?", "liegt"),
        ("Wer hat Heat gedreht?", "gedreht"),
        ("Quelle est la capitale du Texas ?", "est"),
        ("Quels fleuves traversent le Texas ?", "fleuves"),
        ("Qui a réalisé Heat ?", "réalisé"),
        ("La population de Austin ?", "de"),
        ("Quel est le plus grand état ?", "plus"),
    ],
)
def test_a_question_in_another_language_than_english_is_refused_with_its_words(
    states: isomatch.Session, question: str, unplaced: str
) -> None:
    assert f"“{unplaced}”" in _refusal(states, question)


@pytest.mark.parametrize(
    ("question", "unplaced"),
    [
        ("Quelle est la capitale de Loria ?", "capitale"),
        ("Quels fleuves traversent Mara ?", "fleuves"),
        ("Population de Velm ?", "Population"),
        ("What is the capital of Loria?", "capital"),
        ("Which rivers flow through Mara?", "rivers"),
    ],
)
def test_a_question_in_another_language_than_german_is_refused_with_its_words(
    lands: isomatch.Session, question: str, unplaced: str
) -> None:
    assert f"“{unplaced}”" in _refusal(lands, question)


@pytest.mark.parametrize("words", ["Texas", "which river", "what is the capital of Texas and"])
def test_a_question_of_5000_words_is_refused_before_it_is_read(
    states: isomatch.Session, lands: isomatch.Session, words: str
) -> None:
    question = " ".join([words] * (5000 // len(words.split())))
    count = len(question.split())

    for session in (states, lands):
        with pytest.raises(isomatch.InterpretationError, match=rf"{count:,} words.*at most 200"):
            session.ask(question, interpreter="schema")


def test_a_usual_question_of_many_words_is_not_too_long() -> None:
    check_length("which river " * (MOST_WORDS // 2))


def test_a_question_without_words_is_refused() -> None:
    with pytest.raises(isomatch.InterpretationError, match="no words"):
        check_length(" ? ")
    with pytest.raises(isomatch.InterpretationError, match="is text, not NoneType"):
        check_length(None)  # type: ignore[arg-type]


def test_a_language_without_a_table_is_refused_in_words() -> None:
    with pytest.raises(ConfigurationError, match=r"'xx'.*en, de"):
        language_of("xx")


@pytest.mark.parametrize("code", FILES)
def test_the_tables_of_the_package_have_their_codes(code: str) -> None:
    assert language_of(code).code == code


def test_every_table_of_the_package_has_the_keys_of_english() -> None:
    english, *others = (data("isomatch.lexicon", name) for name in FILES.values())
    words = {"contractions", "degrees", "functions", "comparisons", "question_words"}
    words |= {"digraphs", "irregular", "listed", "rephrased", "reworded"}
    for table in others:
        assert table.keys() == english.keys()
        for key in english.keys() - words:
            if isinstance(english[key], dict):
                assert table[key].keys() == english[key].keys(), key


def test_the_sentences_of_every_table_have_the_gaps_of_english() -> None:
    english, *others = (data("isomatch.lexicon", name) for name in FILES.values())
    for table in others:
        for part in ("answers", "assumed"):
            for key, sentence in english[part].items():
                if isinstance(sentence, str):
                    assert table[part][key].count("{") == sentence.count("{"), key


def test_answers_of_a_table_without_their_sentences_are_in_english(tmp_path: Path) -> None:
    table = tmp_path / "it.toml"
    table.write_text('code = "it"\nfunction_words = "il la"', "utf-8")

    english = language_of("en")
    assert language_of(str(table)).answers == english.answers
    assert language_of(str(table)).assumed == english.assumed


@pytest.mark.parametrize(
    ("text", "number"),
    [("1.000.000", "1000000"), ("90.000", "90000"), ("100,5", "100.5"), ("1990", "1990")],
)
def test_numbers_are_read_with_the_marks_of_german(text: str, number: str) -> None:
    assert language_of("de").digits(text) == number
    assert language_of("en").digits(text) == text


@pytest.mark.parametrize(
    ("text", "is_verb"),
    [
        ("fließt durch", True),
        ("geboren in", True),
        ("gegründet", True),
        ("überquert", True),
        ("Hauptstadt", False),
        ("hauptstadt", False),
        ("Höhe", False),
    ],
)
def test_verbs_are_known_in_the_names_of_relations(text: str, is_verb: bool) -> None:
    assert language_of("de").is_verb(text) is is_verb


def _answered(session: isomatch.Session, question: str) -> bool:
    try:
        answer = session.ask(question, interpreter="schema")
    except isomatch.InterpretationError:
        return False
    return answer.supported or bool(answer.answers)


def _refusal(session: isomatch.Session, question: str) -> str:
    """The words of a refusal, an error's or an answer's."""
    try:
        answer = session.ask(question, interpreter="schema")
    except isomatch.InterpretationError as error:
        return str(error)
    assert not answer.supported
    return answer.text


def test_a_table_of_ones_own_is_read_and_a_wrong_one_refused(tmp_path: Path) -> None:
    table = tmp_path / "it.toml"
    table.write_text('code = "it"\nfunction_words = "il la"', "utf-8")
    assert language_of(str(table)).function_words == {"il", "la"}

    for text, problem in (
        ('code = "it"', "function_words: Field required"),
        ('code = "it"\nfunction_words = ""\n[grammar]\nand = "e"', "grammar.and: Extra"),
        ("code = it", "is not valid TOML"),
    ):
        wrong = tmp_path / f"{len(text)}.toml"
        wrong.write_text(text, "utf-8")
        with pytest.raises(ConfigurationError, match=problem):
            language_of(str(wrong))
    with pytest.raises(ConfigurationError, match="cannot be read"):
        language_of(str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("question", "place", "beside"),
    [
        ("Wer bewundert Anna?", 1, "object"),
        ("Wen bewundert Anna?", 1, "subject"),
        ("Wen hat Anna gelehrt?", 3, "subject"),
        ("Bewundert Anna Berta?", 0, "subject"),
        ("Welche Bücher werden von Anna zitiert?", 5, "agent"),
        ("Welche Bücher zitieren Nebel?", 2, "object if named"),
        ("Welche Bücher zitiert Nebel?", 2, "subject if named"),
        ("Welche Bücher hat Nebel zitiert?", 4, "subject if named"),
        ("Welche Bücher haben Nebel zitiert?", 4, "object if named"),
        ("Welche Angestellte zitiert Anna?", 2, None),
        ("Welche Band gewann Anna?", 2, None),
        ("Hat Anna Berta zitiert?", 3, "object"),
        ("Von wem wird Anna zitiert?", 4, "undergoer"),
        ("Von welchem Buch wird Nebel zitiert?", 5, "undergoer if named"),
    ],
)
def test_what_a_name_is_to_a_verb(question: str, place: int, beside: str | None) -> None:
    assert beside_verb(words_of(question), place, language_of("de")) == beside


BORDERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:grenzt_an rdfs:label "grenzt an" . :currency rdfs:label "Währung" .
:people rdfs:label "Einwohner" . :founded rdfs:label "gegründet" .
:Land rdfs:label "Land" . :Currency rdfs:label "Währung" .
:a a :Land ; rdfs:label "Arra" ; :grenzt_an :b , :c ; :currency :m ; :people 5 ;
    :founded "1895-02-02"^^xsd:date .
:b a :Land ; rdfs:label "Berra" ; :grenzt_an :d ; :currency :m ; :people 9 ;
    :founded "1995-02-02"^^xsd:date .
:c a :Land ; rdfs:label "Corra" ; :currency :n ; :people 2 ; :founded "1991-02-02"^^xsd:date .
:d a :Land ; rdfs:label "Dorra" ; :currency :n ; :people 7 ; :founded "2001-02-02"^^xsd:date .
:m a :Currency ; rdfs:label "Mark" . :n a :Currency ; rdfs:label "Nok" .
"""


@pytest.fixture(scope="module")
def borders() -> Iterator[isomatch.Session]:
    with opened(BORDERS, language="de", languages=("de",)) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Welche Länder haben dieselbe Währung wie Arra?", "Berra"),
        ("Welche Länder haben die gleiche Währung wie Dorra?", "Corra"),
        ("Welche Länder grenzen nur an Arra?", "Corra"),
        ("Welche Länder haben mehr Einwohner als Arra?", "Berra, Dorra"),
        ("Welche Länder wurden in den neunziger Jahren gegründet?", "Berra, Corra"),
        ("Welche Länder wurden im 19. Jahrhundert gegründet?", "Arra"),
        ("Welche Länder außer Arra haben die Währung Mark?", "Berra"),
    ],
)
def test_what_is_said_beside_another_thing_in_german(
    borders: isomatch.Session, question: str, answers: str
) -> None:
    answer = borders.ask(question, interpreter="schema")
    assert answer.supported
    assert _found(answer) == answers


def test_a_statement_in_german_asks_for_nothing(borders: isomatch.Session) -> None:
    with pytest.raises(isomatch.InterpretationError, match=r"asks for nothing.*“ist”"):
        borders.ask("Arra ist ein Land.", interpreter="schema")
