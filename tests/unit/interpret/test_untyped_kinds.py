"""Kinds of things in a table of facts without types, by what all of them have."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from isomatch import Session
from isomatch.errors import InterpretationError
from isomatch.factories import make_index
from isomatch.settings import Settings
from isomatch.store.load import load

BOOKS = {
    "The Pine Letters": ("Cy Holm", 1988, 220, "A1"),
    "Salt Map": ("Di Korn", 2007, 350, "A1"),
    "Small Rooms": ("Cy Holm", 2015, 120, "B2"),
    "Old Rain": ("Di Korn", 1999, 90, "B2"),
}
LOANS = {
    "Loan 1": ("Salt Map", "Ann"),
    "Loan 2": ("Old Rain", "Ben"),
    "Loan 3": ("Salt Map", "Ben"),
}
BORN = {"Cy Holm": ("Oslo", 1948), "Di Korn": ("Malmo", 1961)}


def _table(*more: str) -> str:
    rows = list(more)
    for title, (author, year, pages, shelf) in BOOKS.items():
        rows += [f"{title},author,{author}", f"{title},published,{year}"]
        rows += [f"{title},pages,{pages}", f"{title},shelf,{shelf}"]
    for loan, (book, person) in LOANS.items():
        rows += [f"{loan},book,{book}", f"{loan},borrowed by,{person}"]
    for author, (place, year) in BORN.items():
        rows += [f"{author},born in,{place}", f"{author},birth year,{year}"]
    return "\n".join(rows) + "\n"


def _open(folder: Path, table: str) -> Session:
    (folder / "facts.csv").write_text(table, "utf-8")
    settings = Settings(home=folder / "home")
    load([folder / "facts.csv"], settings.graph_path)
    make_index(settings)
    return Session.open(settings)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with _open(tmp_path_factory.mktemp("library"), _table()) as session:
        yield session


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many books are there?", "4"),  # and not the two that were borrowed
        ("Which books have more than 200 pages?", "Salt Map, The Pine Letters"),
        ("Which books were published in 1999?", "Old Rain"),
        ("Which book has the fewest pages?", "Old Rain"),
        ("What is the newest book by Di Korn?", "Salt Map"),
        ("Who is the youngest author?", "Di Korn"),
        ("Which authors were born in Oslo?", "Cy Holm"),
        ("When was Salt Map published?", "2007"),
        ("Who borrowed Salt Map?", "Ann, Ben"),
        ("Who has borrowed a book by Di Korn?", "Ann, Ben"),
    ],
)
def test_a_kind_is_what_has_the_same_relations(library: Session, question: str, found: str) -> None:
    answer = library.ask(question, interpreter="schema")
    names = sorted({node.name.removesuffix(".0") for node in answer.answers})
    assert ", ".join(names) == found, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "How many books are there?",
        "Which books were published in 1999?",
        "What is the oldest book?",
    ],
)
def test_what_only_has_some_of_the_relations_may_be_another_kind(
    tmp_path: Path, question: str
) -> None:
    films = ("Red Sand,director,Ada Voss", "Red Sand,published,1999", "Red Sand,pages,12")
    with _open(tmp_path, _table(*films)) as mixed:
        assert _refuses(mixed, question)


def _refuses(session: Session, question: str) -> bool:
    try:
        return not session.ask(question, interpreter="schema").supported
    except InterpretationError:
        return True


def test_what_another_relation_leads_to_may_be_another_kind(tmp_path: Path) -> None:
    disc = [f"Wind Disc,{name},{of}" for name, of in (("author", "Cy Holm"), ("published", 1999))]
    disc += ["Wind Disc,pages,12", "Wind Disc,shelf,A1"]
    with _open(tmp_path, _table(*disc, "Loan 4,disc,Wind Disc", "Loan 4,borrowed by,Ann")) as mixed:
        assert _refuses(mixed, "How many books are there?")
        assert _refuses(mixed, "Which books were published in 1999?")
