"""Nodes of a property graph by a key, over a store that answers from a list."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest

from isomatch.errors import PatternError
from isomatch.link.keys import id_of, with_keys_read
from isomatch.pattern import parse
from isomatch.schema.types import Relation, Schema
from isomatch.store.base import Query
from isomatch.store.cypher import CYPHER, NEO4J

SCHEMA = Schema(
    "f",
    *(1, 2),
    (Relation(".productID", "product id", 2, source_types={":Product": 2, ":": 1}),),
    (),
    names={":Movie": ".title"},
    name_relations=(".title",),
)


class Answering:
    """A store that gives these ids to every query, and remembers it."""

    capabilities = NEO4J

    def __init__(self, *ids: str):
        self.ids = ids
        self.asked: list[Query] = []

    def render(self, template: str, **values: Any) -> str:
        return CYPHER.render(template, **values)

    def run(self, query: Query) -> list[tuple[str]]:
        self.asked.append(query)
        return [(id,) for id in self.ids]


def read(text: str, store: Any) -> str | None:
    return id_of(text, store, SCHEMA)


@pytest.mark.parametrize("text", ["<productID:10>", "<Product.productID:10>"])
def test_a_key_with_its_value_is_the_id_of_the_node(text: str) -> None:
    store = Answering("4:f00:7")
    assert read(text, store) == "<4:f00:7>"
    (query,) = store.asked
    assert query.text.strip() == (
        "MATCH (n:`Product`) WHERE n.`productID` IN $values RETURN elementId(n) AS id LIMIT 2"
    )
    assert query.parameters == {"values": ["10", 10]}


def test_a_key_that_names_nodes_is_one_too() -> None:
    store = Answering("4:f00:8")
    pattern = with_keys_read(parse("(<title:Heat>)-[r]-(?x)"), store, SCHEMA)  # type: ignore[arg-type]
    assert pattern.nodes[0].text == "<4:f00:8>"
    assert store.asked[0].parameters == {"values": ["Heat"]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "<other:10>",
            "no node of the schema has the property 'other'; there is productID, title. Write <KEY",
        ),
        ("<productid:10>", "there is productID. Write"),
        (
            "<Movie.productID:10>",
            "no node of that label has the property in the schema; these have it: Product",
        ),
        ("<http://e.test/heat>", "no node of the schema has the property 'http'"),
    ],
)
def test_a_key_that_the_graph_does_not_have_is_refused(text: str, said: str) -> None:
    store = Answering("4:f00:7")
    with pytest.raises(PatternError, match=re.escape(said)):
        read(text, store)
    assert store.asked == []


@pytest.mark.parametrize("text", ["Heat", "productID:10", "<4:f00:7>"])
def test_what_is_no_key_of_the_graph_stays_and_asks_nothing(text: str) -> None:
    store = Answering("4:f00:7")
    assert read(text, store) == text
    assert store.asked == []


def test_a_value_that_no_node_has_stays() -> None:
    assert read("<productID:99>", Answering()) == "<productID:99>"


def test_a_value_that_several_nodes_have_is_refused() -> None:
    with pytest.raises(PatternError, match="several nodes have productID:10: give a key"):
        read("<productID:10>", Answering("4:f00:7", "4:f00:8"))


def test_rdf_has_no_keys() -> None:
    pattern, rdf = parse("(<title:Heat>)-[r]-(?x)"), SimpleNamespace(property_graph=False)
    store: Any = SimpleNamespace(capabilities=rdf, profile=None)
    assert with_keys_read(pattern, store, SCHEMA) is pattern
    with pytest.raises(PatternError, match=r"'<:Heat>' is no IRI"):
        with_keys_read(parse("(<:Heat>)-[r]-(?x)"), store, SCHEMA)
