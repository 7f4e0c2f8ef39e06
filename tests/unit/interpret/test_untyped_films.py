"""Films as DBpedia has them, without types: what is a film there is only guessed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import asked, opened

import isomatch

FILM = """
:{film} :director :{director} ; :starring :{star} , :{other} ; :writer :{writer} ;
    :producer :{producer} ; :distributor :{firm} ; :productionCompany :{maker} ;
    :musicComposer :{composer} ; :cinematography :Sven_Nilsson ; :editing :Ida_Falk .
"""
KEYS = ("film", "director", "star", "other", "writer", "producer", "firm", "maker", "composer")
FILMS = """
Red_Lake Ann_Berg Carl_Dahl Eva_Holm Ann_Berg Per_Lund Nordisk Orion Hans_Roth
Blue_Hill Ann_Berg Ann_Berg Carl_Dahl Ivar_Moe Per_Lund Orion Nordisk Hans_Roth
Old_Mill Finn_Ek Eva_Holm Ann_Berg Ann_Berg Gro_Vik Nordisk Orion Lise_Bo
Far_Shore Finn_Ek Carl_Dahl Gro_Vik Ivar_Moe Per_Lund Orion Orion Hans_Roth
"""
GRAPH = (
    "@prefix : <http://example.org/> .\n"
    + "".join(
        FILM.format(**dict(zip(KEYS, line.split(), strict=True)))
        for line in FILMS.strip().splitlines()
    )
    + ":Long_Road :narrator :Carl_Dahl ; :executiveProducer :Per_Lund , :Ann_Berg .\n"
).encode()

COUPLES = b"""
:Ann_Berg :spouse :Ulf_Berg ; :employer :Velt_Media ; :birthPlace :Oslo .
:Eva_Holm :spouse :Jon_Holm .
"""


@pytest.fixture(scope="module")
def couples() -> Iterator[isomatch.Session]:
    with opened(GRAPH + COUPLES) as session:
        yield session


@pytest.fixture(scope="module")
def films() -> Iterator[isomatch.Session]:
    with opened(GRAPH) as session:
        yield session


def _names(session: isomatch.Session, question: str) -> set[str] | None:
    """The names of the answers; None where the question is refused."""
    answer = asked(session, question)
    return {node.name for node in answer.answers} if answer is not None else None


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which films did Ann Berg direct?", {"Red Lake", "Blue Hill"}),
        (
            "Which films did Hans Roth compose the music for?",
            {"Red Lake", "Blue Hill", "Far Shore"},
        ),
        ("Who distributed Red Lake?", {"Nordisk"}),
        ("Which films were distributed by Nordisk and directed by Finn Ek?", {"Old Mill"}),
        ("Which films starring Carl Dahl were directed by Finn Ek?", {"Far Shore"}),
    ],
)
def test_films_are_what_has_a_director(
    films: isomatch.Session, question: str, names: set[str]
) -> None:
    assert _names(films, question) == names


@pytest.mark.parametrize(
    "question",
    [
        "Which films did Ann Berg both direct and star in?",
        "Which films did Ann Berg write but not direct?",
        "Who directed and starred in Blue Hill?",
        "Who else starred in films with Gro Vik?",
        "Which films won a Berg?",
    ],
)
def test_no_further_film_is_made_up(films: isomatch.Session, question: str) -> None:
    """They were answered with films that others had narrated, or with who filmed them."""
    right = {"Blue Hill"}, {"Old Mill"}, {"Carl Dahl"}, {"Ann Berg"}
    found = _names(films, question)
    assert found is None or found in right


def test_what_has_a_production_company_is_no_company(films: isomatch.Session) -> None:
    sources = {words.source for words in films.resources.lexicon.relations.values()}
    assert "company" not in sources


def test_a_class_that_is_only_guessed_is_told(films: isomatch.Session) -> None:
    answer = films.ask("Which films did Ann Berg direct?", interpreter="schema")
    assert "“films” are all that have “director”: the graph has no types" in answer.notes


def test_a_kind_of_a_guessed_class_is_not_dropped(films: isomatch.Session) -> None:
    """Documentary films were all films."""
    assert _names(films, "Which documentary films did Ann Berg direct?") is None
    assert _names(films, "Movies starring Hans Roth") is None


@pytest.mark.parametrize(
    "question",
    [
        "Who is the spouse of Red Lake?",
        "Who is the spouse of Velt Media?",
        "What is the birth place of Velt Media?",
        "Who is the director of Orion?",
        "Who is the composer of Carl Dahl?",
    ],
)
def test_nobody_is_left_out_between_a_noun_and_what_it_is_of(
    couples: isomatch.Session, question: str
) -> None:
    """They gave the spouses of those who work there."""
    assert _names(couples, question) is None


def test_a_noun_of_what_it_is_of_is_read(couples: isomatch.Session) -> None:
    assert _names(couples, "Who is the spouse of Ann Berg?") == {"Ulf Berg"}
    assert _names(couples, "What is the birth place of Ann Berg?") == {"Oslo"}
    assert _names(couples, "Who is the spouse of the director of Red Lake?") == {"Ulf Berg"}
