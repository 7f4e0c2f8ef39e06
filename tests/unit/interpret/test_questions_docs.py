"""The page on questions: its example runs, and what it says of the code is so."""

from __future__ import annotations

import doctest
import re
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest
from tests.turtle import opened
from tests.unit.interpret.test_composer import GRAPH

import isomatch
from isomatch.chains import graph
from isomatch.interpret.compose.chart import BEAM
from isomatch.interpret.compose.composer import MOST_PLACES
from isomatch.interpret.schema import TOP_TYPED, SchemaInterpreter
from isomatch.interpret.words.content import MOST_WORDS
from isomatch.lexicon import draft, lexicon, mentions
from isomatch.lexicon.file import read_lexicon
from isomatch.lexicon.language import Language
from isomatch.lexicon.relation_words import RelationWords

PAGE = Path(__file__).resolve().parents[3] / "docs" / "questions.md"
TEXT = PAGE.read_text("utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", TEXT, re.S)


def rows(heading: str) -> list[list[str]]:
    """The rows of the table with this head."""
    lines = TEXT[TEXT.index(heading) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    lengths = GRAPH.replace(b":length ", b":length_km ") + b':length_km rdfs:label "length" .'
    with opened(lengths) as session:
        yield session


@pytest.mark.parametrize("row", rows("| | for example | answer |"), ids=lambda row: row[0])
def test_what_the_page_says_is_read_is_read(session: isomatch.Session, row: list[str]) -> None:
    answer = session.ask(row[1], interpreter="schema")
    assert answer.supported
    text, _, joined = answer.text.partition(" Joined by ")
    assert text == f"{row[2]}."
    assert not joined or joined == "“traverses”, which no word says."


@pytest.mark.parametrize("row", rows("| question | without | why |"), ids=lambda row: row[1])
def test_what_the_page_says_is_refused_is_refused(
    session: isomatch.Session, row: list[str]
) -> None:
    answer = session.ask(row[0], interpreter="schema")
    assert not answer.supported
    assert f"“{row[1]}”" in answer.text


def test_the_refused_question_of_the_page_is_answered_so(session: isomatch.Session) -> None:
    [(question, shown)] = re.findall(r"\$ isomatch ask '(.*?)'\n(.*?)```", TEXT, re.S)
    assert session.ask(question, interpreter="schema").text == " ".join(shown.split())


def test_the_words_of_the_page_are_read(session: isomatch.Session, tmp_path: Path) -> None:
    resources = session.resources
    path = tmp_path / "lexicon.toml"
    path.write_text(BLOCKS[1], "utf-8")
    edited = read_lexicon(path, resources.lexicon)
    reader = SchemaInterpreter(
        resources.store, resources.schema, resources.embedder, resources.mentions, edited
    )
    table = TEXT[TEXT.index("| table | says |") : TEXT.index("A relation or key that")]
    for question, found in (
        ("which towns are in Texas", ["Austin", "Houston"]),
        ("the most crowded city", ["Houston"]),
        ("which big cities are in Texas", ["Houston"]),
    ):
        assert f'"{question}"' in table
        (best, *_) = reader.interpret(question)
        [asked] = best.pattern.returns
        matches = session.match(best.pattern).interpretations[0].matches
        assert sorted({str(m.bindings[asked].name) for m in matches}) == found


def test_the_example_of_the_questions_page_runs() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert (result.failed, result.attempted > 10) == (0, True)


def test_docstring_examples_of_interpret_run() -> None:
    assert doctest.testmod(lexicon).failed == doctest.testmod(mentions).failed == 0


LANDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:lona a :nazione ; rdfs:label "Lona" ; :capitale :porto .
:tisa a :nazione ; rdfs:label "Tisa" ; :capitale :campo .
:porto a :città ; rdfs:label "Porto" ; :nazione :lona . :villa a :città ; rdfs:label "Villa" ;
    :nazione :lona . :campo a :città ; rdfs:label "Campo" ; :nazione :tisa .
:arvo a :fiume ; rdfs:label "Arvo" ; :attraversa :lona ; :lunghezza 310 .
:brenta a :fiume ; rdfs:label "Brenta" ; :attraversa :lona, :tisa ; :lunghezza 720 .
:ceno a :fiume ; rdfs:label "Ceno" ; :attraversa :tisa ; :lunghezza 95 .
"""


@pytest.fixture(scope="module")
def italian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[isomatch.Session]:
    table = tmp_path_factory.mktemp("tables") / "it.toml"
    table.write_text(BLOCKS[2], "utf-8")
    with opened(LANDS, language=str(table)) as session:
        yield session


@pytest.mark.parametrize(
    "row", rows("| question with this table | answer |"), ids=lambda row: row[0]
)
def test_the_table_of_the_page_reads_its_questions(
    italian: isomatch.Session, row: list[str]
) -> None:
    answer = italian.ask(row[0], interpreter="schema")
    assert answer.supported
    assert answer.text == f"{row[1]}."


def test_the_keys_of_tables_on_the_page_are_there() -> None:
    table = TEXT[TEXT.index("| `lemmas` |") : TEXT.index("What a table leaves out")]
    named = {name for line in table.splitlines() for name in re.findall(r"`\[*(\w+)\]*`", line)}
    assert named - {"false"} <= Language.model_fields.keys()


def test_the_lexicon_of_the_page_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.toml"
    path.write_text(BLOCKS[0], "utf-8")
    (words,) = read_lexicon(path).relations.values()
    assert "other half" in words.nouns


def test_every_key_is_explained() -> None:
    table = TEXT[TEXT.index("| key |") : TEXT.index("More words never harm")]
    assert set(re.findall(r"`(\w+)`", table)) == {f.name for f in fields(RelationWords)}


def test_the_numbers_of_the_questions_page_are_the_codes() -> None:
    drafted = lexicon.draft_lexicon.__kwdefaults__["limit"]
    guessed = draft.MOST_GUESSED
    assert f"sample of {graph.SAMPLE} nodes" in TEXT
    assert (
        f"the {drafted:,} most frequent relations; class words are guessed for the first {guessed}"
        in TEXT
    )
    assert f"at most {MOST_PLACES} places" in TEXT
    assert SchemaInterpreter.__init__.__kwdefaults__["top"] == 10
    assert (BEAM, TOP_TYPED) == (8, 5)
    assert f"`{mentions.FILE}`" in TEXT
    assert f"`{graph.FILE}`" in TEXT
    assert f"more than {MOST_WORDS} words" in TEXT
    assert draft.CLASSES
