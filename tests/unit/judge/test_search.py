"""Searches over texts and over a graph, and what references are read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.learn.toy import BASE, FACTS, Letters, toy, turtle

from isomatch.errors import ConfigurationError, EmptyReferenceError
from isomatch.judge.references import descriptions, graph_facts
from isomatch.judge.search import GraphSearch, PassageSearch, passages_of, texts_of
from isomatch.session import Session

TEXTS = [
    "Heat is a crime film of 1995.\n\nMichael Mann directed it.",
    "Ronin has car chases.",
    "Amélie plays in Paris.",
]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with toy(tmp_path_factory.mktemp("toy")) as opened:
        yield opened


def test_words_find_passages():
    search = PassageSearch(TEXTS)
    assert search("Who directed films?", 1) == ["Michael Mann directed it."]
    assert search("AMELIE", 1) == ["Amélie plays in Paris."]
    assert search("chasing cars", 1) == ["Ronin has car chases."]
    assert search("quantum") == []


@pytest.mark.parametrize("query", ["", "  ", '"', "* OR NOT", "a:b AND (c", "x'; DROP TABLE"])
def test_a_query_has_no_syntax(query: str):
    search = PassageSearch([*TEXTS, "b or c"])
    search(query)
    assert search("Ronin") == ["Ronin has car chases."]


def test_vectors_find_what_words_do_not():
    assert PassageSearch(TEXTS)("Roni") == []
    assert PassageSearch(TEXTS, Letters())("Roni", 1) == ["Ronin has car chases."]


def test_a_search_is_known_by_what_it_searches():
    names = {
        PassageSearch(TEXTS).name,
        PassageSearch(TEXTS[:2]).name,
        PassageSearch(TEXTS, Letters()).name,
    }
    assert len(names) == 3
    assert PassageSearch(TEXTS).name in names


def test_long_paragraphs_are_cut_between_words():
    passages = passages_of("word " * 1000)
    assert all(len(passage) <= 800 for passage in passages)
    assert " ".join(passages).split() == ["word"] * 1000


def test_folders_are_read_with_what_is_in_them(tmp_path: Path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "ronin.md").write_text("Ronin has car chases.", "utf-8")
    (tmp_path / "heat.txt").write_text("\ufeffHeat is a film.", "utf-8")
    (tmp_path / "picture.png").write_bytes(b"\xff\xfe\x00")
    assert texts_of(tmp_path) == ["Ronin has car chases.", "Heat is a film."]
    assert PassageSearch.of_folder(tmp_path)("Heat") == ["Heat is a film."]
    assert texts_of(tmp_path / "heat.txt") == ["Heat is a film."]


def test_a_folder_without_text_is_an_error(tmp_path: Path):
    with pytest.raises(ConfigurationError, match="no folder or file"):
        texts_of(tmp_path / "nowhere")
    with pytest.raises(EmptyReferenceError, match="holds no text"):
        texts_of(tmp_path)
    (tmp_path / "a.txt").write_text(" \n", "utf-8")
    with pytest.raises(EmptyReferenceError, match="holds no text"):
        texts_of(tmp_path)
    with pytest.raises(EmptyReferenceError, match="texts are empty"):
        PassageSearch(["", " … "])
    (tmp_path / "a.txt").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigurationError, match="UTF-8"):
        texts_of(tmp_path)


def test_the_graph_is_searched_around_what_a_query_names(session: Session):
    search = GraphSearch(session)
    assert search("Michael Mann directed Heat")[0] == "Heat | directed by | Michael Mann"
    found = search("who starred in Ronin?")
    assert found == [
        "Ronin | starred actors | Robert De Niro",
        "Ronin | directed by | John Frankenheimer",
    ]
    assert search("") == []
    assert len(GraphSearch(session, facts=1)("Heat", 1)) == 1


def test_where_a_query_has_no_name_the_nearest_are_taken(session: Session):
    assert "Ronin | starred actors | Robert De Niro" in GraphSearch(session)("ronins")


def test_a_reference_has_the_facts_of_what_is_named(session: Session):
    facts = graph_facts(session, ["Who directed Ronin?", "Al Pacino was in Heat."])
    assert set(facts) == {
        "Ronin | directed by | John Frankenheimer",
        "Ronin | starred actors | Robert De Niro",
        "Heat | directed by | Michael Mann",
        "Heat | written by | Michael Mann",
        "Heat | starred actors | Al Pacino",
        "Heat | starred actors | Robert De Niro",
    }
    assert graph_facts(session, ["What is love?"]) == ()


def test_a_reference_has_the_descriptions_of_what_is_named(tmp_path: Path):
    import pyoxigraph as ox
    from tests.servers.sessions import session_over

    from isomatch.store.oxigraph import OxigraphStore

    told = "A crime film about a thief and a policeman who hunts him in Los Angeles"
    plot = "Former spies are hired to steal a mysterious suitcase, at any cost"
    comment = "http://www.w3.org/2000/01/rdf-schema#comment"
    engine = ox.Store()
    text = (
        turtle(FACTS)
        + f'<{BASE}heat> <{comment}> "{told}"@en , "Ein Film"@de .\n'
        + f'<{BASE}ronin> <{BASE}plot> "{plot}" .\n'
    )
    engine.load(text.encode(), format=ox.RdfFormat.TURTLE)
    with session_over(OxigraphStore.memory(engine), tmp_path, Letters()) as session:  # type: ignore[arg-type]
        found = descriptions(session, ["Is Heat like Ronin?"])
        assert found[0] == f"Heat: {told}"
        assert any(line.startswith("Ronin: Former spies") for line in found)
        assert not any("Ein Film" in line for line in found)
        assert descriptions(session, ["Is Ali?"]) == ()
