"""What the setting `exclude` leaves out is not in the schema, the index or any match."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
import rdflib

import isomatch
from isomatch.errors import ConfigurationError
from isomatch.schema.catalog import Tokens
from isomatch.schema.exclusion import left_out_tokens
from isomatch.session import Session
from isomatch.settings import Settings

GRAPH = rdflib.Graph().parse(
    format="turtle",
    data="""
    @prefix : <http://e.test/> . @prefix log: <http://log.test/#> .
    @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
    :heat rdfs:label "Heat" ; :directedBy :mann ; :hash "f00ba4" ; log:seenBy :crawler .
    :mann rdfs:label "Michael Mann" . :crawler rdfs:label "Crawler" ; log:since 2001 .
    """,
)
EXCLUDE = ("http://log.test/#", "http://e.test/hash")


def opened(home: Path, *exclude: str) -> Session:
    return isomatch.open(GRAPH, home=home, exclude=exclude)


def test_excluded_predicates_and_namespaces_are_not_indexed_or_searched(tmp_path: Path) -> None:
    with opened(tmp_path, *EXCLUDE) as session:
        assert [r.id for r in session.schema.relations] == ["http://e.test/directedBy"]
        assert any("3 predicates of 3 facts" in note for note in session.schema.notes)
        assert not session.index.by_name("nodes", "Crawler")
        assert not session.index.values("2001")
        result = session.match('("Heat")-[]-(?x)', k=1)
        found = {m.bindings["x"].name for _, m in result.matches}
        assert found == {"Michael Mann"}
        [note] = [n for n in result.certificate.notes if n.startswith("left out by the settings")]
        assert all(entry in note for entry in EXCLUDE)


def test_an_index_of_other_exclusions_is_made_again(tmp_path: Path) -> None:
    with opened(tmp_path) as session:
        assert session.index.by_name("nodes", "Crawler")
    with opened(tmp_path, *EXCLUDE) as session:
        assert not session.index.by_name("nodes", "Crawler")


@pytest.mark.parametrize(
    ("entry", "hint"),
    [("http://e.test/hosh", "did you mean 'http://e.test/hash'"), ("http://no.test/", "namespace")],
)
def test_an_exclusion_of_nothing_is_an_error(tmp_path: Path, entry: str, hint: str) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        opened(tmp_path, entry)


def test_exclusions_of_an_endpoint_add_to_those_of_all() -> None:
    endpoints = {"films": {"url": "http://localhost/sparql", "exclude": "urn:b"}}
    settings = Settings(endpoint="films", endpoints=endpoints, exclude="urn:a, urn:c")
    assert settings.excluded == ("urn:a", "urn:b", "urn:c")


TOKENS = Tokens(("Film", "Log"), ("RATED", "SEEN"), ("hash", "RATED", "year"))


@pytest.mark.parametrize(
    ("exclude", "types", "keys"),
    [
        ((":RATED", ".hash"), {"RATED"}, {"hash"}),
        (("RATED",), {"RATED"}, {"RATED"}),
        ((".RATED",), set(), {"RATED"}),
    ],
)
def test_types_and_keys_of_a_property_graph_are_left_out(
    exclude: Sequence[str], types: set[str], keys: set[str]
) -> None:
    assert left_out_tokens(exclude, TOKENS) == (types, keys)


@pytest.mark.parametrize(
    ("entry", "hint"), [(":Log", "nodes cannot"), (".hosh", "did you mean '.hash'")]
)
def test_a_label_cannot_be_left_out_nor_what_is_not_there(entry: str, hint: str) -> None:
    with pytest.raises(ConfigurationError, match=hint):
        left_out_tokens([entry], TOKENS)
