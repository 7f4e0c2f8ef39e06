"""What a store over an endpoint says of facts and ports, within the endpoint's limits."""

from __future__ import annotations

from collections.abc import Iterator

import pyoxigraph as ox
import pytest
from tests.servers.faulty import FaultyServer, Reply, Request

from isomatch.settings.endpoint import Endpoint
from isomatch.store.base import Fact, Store
from isomatch.store.oxigraph import OxigraphStore
from isomatch.store.profile import Profile
from isomatch.store.sparql import SparqlStore

DATA = """
PREFIX e: <http://e/>
e:heat e:by e:mann ; e:year 1995 ; e:name "Heat"@en , "}#>\\"" .
e:mann e:knows e:deniro . e:deniro e:knows e:mann .
e:heat e:cast _:role . _:role e:actor e:deniro ; e:in _:scene . e:self e:knows e:self .
"""
E = "http://e/"
YEAR = '"1995"^^<http://www.w3.org/2001/XMLSchema#integer>'


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    with FaultyServer(DATA) as server:
        yield server


def blank_nodes(server: FaultyServer) -> tuple[str, str]:
    """(role, scene) as the server names them."""
    [quad] = server.store.quads_for_pattern(None, ox.NamedNode(E + "in"), None)
    return str(quad.subject), str(quad.object)


def over(server: FaultyServer, **profile: object) -> SparqlStore:
    given = {"engine": "oxigraph", "rows": 10_001, **profile}
    return SparqlStore(Endpoint(url=server.url), Profile(**given))  # type: ignore[arg-type]


TRIPLES = [
    (E + "heat", E + "by", E + "mann"),
    (E + "mann", E + "by", E + "heat"),
    (E + "mann", E + "knows", E + "deniro"),
    (E + "self", E + "knows", E + "self"),
    (E + "heat", E + "year", YEAR),
    (YEAR, E + "year", E + "heat"),
    (E + "heat", E + "name", '"}#>\\""'),
    (E + "heat", E + "name", '"Heat"'),
    (E + "none", E + "by", E + "mann"),
]


def test_facts_are_those_of_the_embedded_store(server: FaultyServer) -> None:
    embedded: Store = OxigraphStore.memory(server.store)
    with over(server) as store:
        assert store.facts(TRIPLES) == embedded.facts(TRIPLES)
        assert store.facts([]) == []
        assert len(server.requests) == 1


@pytest.mark.parametrize("limits", [{"values_block": 3}, {"longest_query": 600}])
def test_facts_and_ports_are_asked_in_queries_that_are_taken(
    server: FaultyServer, limits: dict[str, int]
) -> None:
    longest = limits.get("longest_query", 10_000)
    server.always = lambda request, right: Reply(414) if len(request.query) > longest else right
    nodes = [E + name for name in ("heat", "mann", "deniro", "self", "none")] + [YEAR]
    relations = [E + name for name in ("by", "knows", "year")]
    embedded = OxigraphStore.memory(server.store)
    with over(server, **limits) as store:
        assert store.facts(TRIPLES) == embedded.facts(TRIPLES)
        assert len(server.requests) > 1
        assert store.incidence(nodes, relations, timeout=20) == embedded.incidence(nodes, relations)


def test_facts_with_a_blank_node(server: FaultyServer) -> None:
    role, scene = blank_nodes(server)
    asked = [
        (E + "heat", E + "cast", role),
        (role, E + "cast", E + "heat"),
        (E + "deniro", E + "actor", role),
        (E + "heat", E + "cast", scene),
    ]
    with over(server) as store:  # its names of blank nodes hold
        found = [(Fact(True),), (Fact(False),), (Fact(False),), ()]
        assert store.facts(asked) == found
    with over(server, engine="fuseki") as store:  # they do not: any blank node will do
        assert store.facts(asked) == [*found[:3], (Fact(True),)]
        assert store.facts([(role, E + "in", scene)]) == [()]


def test_nothing_is_asked_of_what_cannot_be_named(server: FaultyServer) -> None:
    with over(server) as store:
        assert store.facts([("_:a", E + "in", "_:b"), ("no iri", E + "by", "no > iri")]) == [(), ()]
    assert server.requests == []


def test_the_time_for_ports_is_for_all_queries_together(server: FaultyServer) -> None:
    from isomatch.errors import QueryTimeout

    def slow(_: Request, right: Reply) -> Reply:
        server.wait(0.2)
        return right

    server.always = slow
    with over(server, values_block=2) as store, pytest.raises(QueryTimeout):
        store.incidence([f"{E}{i}" for i in range(20)], [E + "by"], timeout=0.5)
    assert len(server.requests) < 5
