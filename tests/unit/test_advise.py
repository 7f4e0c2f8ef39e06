"""Advice: which indexes are missing, which names may stand in a comment, which rights."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from isomatch.admin.advise import EMBEDDED, PROCEDURES, advice, grants, indexes
from isomatch.schema.types import PropertyIndex, Relation, Schema, Type
from isomatch.settings import Settings
from isomatch.store.templates import queries_folder

ROOT = Path(__file__).resolve().parents[2]


def relation(id: str, *types: str, kinds: tuple[str, ...] = ("text",), **more: object) -> Relation:
    numbers = {"triples": 10, "subjects": 10, "objects": 5, "max_in": 4}
    return Relation(
        id,
        id,
        source_types=dict.fromkeys(types, 10),
        literal_kinds=dict.fromkeys(kinds, 10),
        **{**numbers, **more},
    )


FILMS = Schema(
    "x",
    triples=10,
    nodes=10,
    relations=(
        relation(":ACTED_IN", ":Person", kinds=()),
        relation(".year", ":Film", ":Small", ":", kinds=("number",)),
        relation(".imdb", ":Film", max_in=1, objects=10),
        relation(".tags", ":Film", listed=True),
        relation(".good", ":Film", kinds=("boolean",)),
    ),
    types=(
        Type(":Film", "film", 5000),
        Type(":Person", "person", 7000),
        Type(":Small", "small", 10),
        Type("literal:text", "text", 10),
    ),
    names={":Film": ".title", ":Person": ".name", ":Small": ".name"},
)


def text_of(schema: Schema) -> str:
    return indexes(schema, location="here")


def advised(text: str) -> list[str]:
    return re.findall(r"^CREATE RANGE INDEX IF NOT EXISTS FOR (.*);", text, re.MULTILINE)


def test_what_is_missing_largest_label_first() -> None:
    text = text_of(FILMS)
    assert advised(text) == [
        "(n:`Person`) ON (n.`name`)",
        "(n:`Film`) ON (n.`title`)",
        "(n:`Film`) ON (n.`imdb`)",
        "(n:`Film`) ON (n.`year`)",
    ]
    assert "fewer than 1,000 are read as fast: 2 properties." in text
    assert "the members of lists: 1 property." in text
    constraints = re.findall(r"^// CREATE CONSTRAINT IF NOT EXISTS FOR (.*);$", text, re.MULTILINE)
    assert constraints == ["(n:`Film`) REQUIRE n.`imdb` IS UNIQUE"]


def test_no_index_is_advised_for_texts_that_it_has_no_room_for() -> None:
    text = text_of(dataclasses.replace(FILMS, long_texts=(".imdb", ".tags", ".name")))
    assert advised(text) == ["(n:`Film`) ON (n.`title`)", "(n:`Film`) ON (n.`year`)"]
    assert "no room for the long texts" in text
    assert "finds words in them): 3 properties." in text  # imdb, and name of two labels
    assert "the members of lists: 1 property." in text


@pytest.mark.parametrize(
    ("kind", "properties", "covers"),
    [
        ("range", (".title",), True),
        ("text", (".title",), False),
        ("fulltext", (".title",), False),
        ("range", (".title", ".year"), False),
        ("range", (".year", ".title"), False),
    ],
)
def test_an_index_that_is_there(kind: str, properties: tuple[str, ...], covers: bool) -> None:
    schema = dataclasses.replace(FILMS, indexes=(PropertyIndex(":Film", properties, kind),))
    assert ("(n:`Film`) ON (n.`title`)" not in advised(text_of(schema))) is covers


def test_nothing_is_missing() -> None:
    schema = dataclasses.replace(FILMS, relations=(), names={})
    text = text_of(schema)
    assert advised(text) == []
    assert "Nothing is missing" in text


@pytest.mark.parametrize(
    "key",
    [
        "a`) DROP",
        "a\nDROP CONSTRAINT x;",
        "a\rDROP",
        "a\u2028DROP",
        "a\\u000ADROP",
        "a\\",
        "// a",
        "*/ a /*",
        "{{ 1 }}",
    ],
)
def test_no_name_ends_a_comment(key: str) -> None:
    """A name may hold anything; where it could end a comment it is in none."""
    film = relation(f".{key}", ":Film", max_in=1, objects=10)
    text = text_of(dataclasses.replace(FILMS, relations=(film,), names={}))
    escaped = key.replace("\\", "\\u005C").replace("`", "``")
    statement = f"CREATE RANGE INDEX IF NOT EXISTS FOR (n:`Film`) ON (n.`{escaped}`);"
    assert text.count(statement) == 1
    for line in text.replace(statement, "").splitlines():
        line = line.strip()
        assert not line or line.startswith("//")
        if "CREATE CONSTRAINT" in line:
            assert "\\" not in line
            assert line.endswith("IS UNIQUE;")


def test_every_procedure_that_a_query_calls_is_granted() -> None:
    called = {
        name
        for path in (queries_folder() / "cypher").rglob("*.j2")
        for name in re.findall(r"CALL ([a-z]\w*(?:\.\w+)+)", path.read_text(encoding="utf-8"))
    }
    # Only administrators may call it, and isomatch does without it.
    assert called - {"db.stats.retrieve"} == set(PROCEDURES)


def test_the_file_for_administrators_is_what_is_printed() -> None:
    kept = (ROOT / "db/neo4j/reader.cypher").read_text(encoding="utf-8")
    assert kept == grants("neo4j")


def test_the_embedded_graph_needs_nothing(tmp_path: Path) -> None:
    assert advice(Settings(home=tmp_path, neo4j_uri=None)) == EMBEDDED
    assert list(tmp_path.iterdir()) == []
