"""The lexicon: drafted from names, kept in a file, refused when wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from isomatch.errors import ConfigurationError
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.lexical.grading import Grading
from isomatch.lexicon.file import read_lexicon, write_lexicon
from isomatch.lexicon.lexicon import (
    Lexicon,
    draft_lexicon,
    draft_words,
)
from isomatch.lexicon.relation_words import RelationWords
from isomatch.lexicon.type_words import TypeWords
from isomatch.schema.types import Relation, Schema, Type


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "directed by",
            RelationWords(nouns=("director",), forward=("directed by",), backward=("directed",)),
        ),
        (
            "written by",
            RelationWords(nouns=("writer",), forward=("written by",), backward=("wrote",)),
        ),
        (
            "starred actors",
            RelationWords(nouns=("actor",), forward=("starred",), backward=("starred in",)),
        ),
        ("has genre", RelationWords(nouns=("genre",))),
        ("children", RelationWords(nouns=("child",))),
        ("in language", RelationWords(nouns=("language",), forward=("in",))),
        ("is in country", RelationWords(nouns=("country",), forward=("in",))),
        ("place of birth", RelationWords(nouns=("place of birth", "birth place"))),
        (
            "plays in club",
            RelationWords(nouns=("club",), inverse_nouns=("player",), forward=("plays in",)),
        ),
        ("capital of", RelationWords(inverse_nouns=("capital",), forward=("is the capital of",))),
        ("acted in", RelationWords(inverse_nouns=("actor",), forward=("acted in",))),
    ],
)
def test_names_of_relations_become_words(name: str, words: RelationWords) -> None:
    assert draft_words(name) == words


def test_an_inverse_has_the_words_turned_round() -> None:
    assert draft_words("plays position inverse") == draft_words("plays position").inverse()
    assert draft_words("inverse of directed by") == draft_words("directed by").inverse()


@given(st.text(min_size=1).filter(str.strip))
def test_any_name_has_a_draft(name: str) -> None:
    words = draft_words(name)
    assert words.inverse().inverse() == words


SCHEMA = Schema(
    "print",
    3,
    4,
    (
        Relation("ex:directed_by", "directed by", 2, source_types={"ex:Film": 2}),
        Relation("ex:birth_place", "birth place", 1),
    ),
    (Type("ex:Film", "Film", 2), Type("literal:text", "text", 1)),
)


def test_class_words_come_from_types_then_guesses_then_nouns() -> None:
    guesses = {("ex:birth_place", "source"): "person"}
    lexicon = draft_lexicon(SCHEMA, classify=lambda r, end: guesses.get((r.id, end)))
    assert lexicon.types == {"ex:Film": TypeWords("film", "films", ("movie",))}
    directed, born = lexicon.relations.values()
    assert (directed.source, directed.target) == ("film", "director")
    assert (born.source, born.target) == ("person", "birth place")


def test_superclasses_are_wider_words_in_the_schemas_order(tmp_path: Path) -> None:
    types = tuple(Type(f"ex:{text}", text, 1) for text in ("actor", "director", "person", "agent"))
    below = {"ex:agent": ("ex:actor", "ex:director"), "ex:person": ("ex:actor",)}
    lexicon = draft_lexicon(replace(SCHEMA, types=types, subclasses=below))
    wider = {"actor": ("agent", "person"), "director": ("agent",)}
    assert list(lexicon.wider.items()) == list(wider.items())
    write_lexicon(tmp_path / "lexicon.toml", lexicon)
    assert read_lexicon(tmp_path / "lexicon.toml", lexicon).wider == wider
    (tmp_path / "lexicon.toml").write_text('[types."ex:person"]\nword = "human"')
    edited = read_lexicon(tmp_path / "lexicon.toml", lexicon)
    assert edited.wider["actor"] == ("agent", "human")


def test_the_words_of_a_lexicon_know_plurals_and_verbs() -> None:
    assert {"film", "films", "director", "directors", "directed", "direct"} <= draft_lexicon(
        SCHEMA
    ).words()


WORD = st.text(min_size=1).filter(str.strip)
SEVERAL = st.lists(WORD, max_size=3).map(tuple)
WORDS = st.builds(RelationWords, WORD, WORD, SEVERAL, SEVERAL, SEVERAL, SEVERAL)


@given(
    st.dictionaries(WORD, WORDS, max_size=3),
    st.dictionaries(WORD, st.builds(TypeWords, WORD, WORD), max_size=2),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_file_gives_back_what_was_written(
    tmp_path: Path, relations: dict[str, RelationWords], types: dict[str, TypeWords]
) -> None:
    path = tmp_path / "lexicon.toml"
    lexicon = Lexicon(relations, types)
    write_lexicon(path, lexicon)
    assert read_lexicon(path) == lexicon


def test_what_a_file_leaves_out_comes_from_the_draft(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.toml"
    path.write_text(
        '[relations."ex:directed_by"]\nnouns = ["maker"]\n[types."ex:Film"]\nword = "movie"'
    )
    lexicon = read_lexicon(path, draft_lexicon(SCHEMA))
    assert lexicon.relations["ex:directed_by"].nouns == ("maker",)
    assert lexicon.relations["ex:directed_by"].forward == ("directed by",)
    assert lexicon.types["ex:Film"] == TypeWords("movie", "movies", ("movie",))
    assert "ex:birth_place" in lexicon.relations


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '[relations."ex:directed_by"]\nnoun = ["x"]',
            "unknown key in .*'noun'; did you mean 'nouns'",
        ),
        ('[relations."ex:directed_of"]\nnouns = []', "did you mean 'ex:directed_by'"),
        (
            '[relation."ex:directed_by"]\nnouns = []',
            "unknown table: 'relation'; did you mean 'relations'",
        ),
        (
            '[relations."ex:directed_by"]\nnouns = "x"',
            r"nouns in .* must be a list of words.*not 'x'",
        ),
        ('[relations."ex:directed_by"]\nnouns = [" "]', "must be a list of words"),
        ('[relations."ex:directed_by"]\nsource = ["x"]', "must be a word"),
        ("relations = 3", "relations must be tables"),
        ('[types."ex:Film"]\nplural = 3', "must be a word"),
        ("[relations", "is not valid TOML"),
    ],
)
def test_wrong_lexicon_files_are_refused_by_name(
    tmp_path: Path, content: str, message: str
) -> None:
    path = tmp_path / "lexicon.toml"
    path.write_text(content)
    with pytest.raises(ConfigurationError, match=message) as caught:
        read_lexicon(path, draft_lexicon(SCHEMA))
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"none\.toml cannot be read: No such file"):
        read_lexicon(tmp_path / "none.toml")


def test_a_name_that_is_a_path_ends_with_the_relation_and_says_its_class() -> None:
    """Freebase has them: "people deceased person cause of death" is no noun that anybody says."""
    paths = ("people.deceased_person.cause_of_death", "people.person.spouse_s")
    relations = (Relation(f"http://f.org/ns/{p}", re.sub("[._]", " ", p), 1) for p in paths)
    death, spouse = draft_lexicon(Schema("f", 2, 4, tuple(relations), ())).relations.values()
    assert "cause of death" in death.nouns
    assert death.source == "deceased person"
    assert "spouse" in spouse.nouns


def test_a_label_is_no_path() -> None:
    relation = Relation("http://f.org/ns/a.b.place", "place of birth", 1)
    (words,) = draft_lexicon(Schema("f", 1, 2, (relation,), ())).relations.values()
    assert words.source == "thing"
    assert "place" not in words.nouns


def test_a_relation_without_words_is_no_date_of_anything() -> None:
    """Over a graph with more relations than get words, no question could be asked."""
    dates = ("founded", "opened", "release date")
    relations = tuple(
        Relation(f"ex:{n}", text, 3 - n, literal_kinds={"date": 3 - n})
        for n, text in enumerate(dates)
    )
    schema = Schema("f", 6, 9, relations, ())
    lexicon = draft_lexicon(schema, limit=1)
    grading = Grading(GraphKinds(schema, lexicon), lexicon)
    assert grading.dates <= {"ex:0"}


def test_a_class_that_the_file_gives_is_no_guess(tmp_path: Path) -> None:
    path = tmp_path / "lexicon.toml"
    path.write_text('[relations."ex:birth_place"]\nsource = "sailor"')
    draft = replace(draft_lexicon(SCHEMA), doubtful=frozenset(("ex:birth_place", "ex:directed_by")))
    assert read_lexicon(path, draft).doubtful == {"ex:directed_by"}
