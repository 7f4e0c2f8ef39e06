"""Where things come from and go to, what depends on what, and what is used."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.turtle import opened

import isomatch

SHIPMENTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:s1 a :Shipment ; rdfs:label "SH-100" ; :origin :ham ; :destination :rot ; :weightKg 1200 .
:s2 a :Shipment ; rdfs:label "SH-101" ; :origin :ham ; :destination :gdn ; :weightKg 800 .
:s3 a :Shipment ; rdfs:label "SH-102" ; :origin :rot ; :destination :ham ; :weightKg 300 .
:s4 a :Shipment ; rdfs:label "SH-103" ; :origin :gdn ; :destination :rot ; :weightKg 2500 .
:ham a :Port ; rdfs:label "Hamburg" . :rot a :Port ; rdfs:label "Rotterdam" .
:gdn a :Port ; rdfs:label "Gdansk" .
"""
HOSTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:web a :Service ; rdfs:label "web-frontend" ; :dependsOn :api , :auth ; :runsOn :h1 .
:api a :Service ; rdfs:label "orders-api" ; :dependsOn :auth ; :runsOn :h2 .
:auth a :Service ; rdfs:label "auth" ; :runsOn :h2 .
:db a :Database ; rdfs:label "orders-db" ; :engine "PostgreSQL" .
:cache a :Database ; rdfs:label "session-cache" ; :engine "Redis" .
:h1 a :Host ; rdfs:label "host-01" ; :os "Linux" ; :commissioned "2020-05-01"^^xsd:date .
:h2 a :Host ; rdfs:label "host-02" ; :os "Windows" ; :commissioned "2017-03-01"^^xsd:date .
"""


@pytest.fixture(scope="module")
def sessions() -> Iterator[dict[str, isomatch.Session]]:
    with opened(SHIPMENTS) as shipments, opened(HOSTS) as hosts:
        yield {"shipments": shipments, "hosts": hosts}


@pytest.mark.parametrize(
    ("graph", "question", "names"),
    [
        ("shipments", "Which shipments are from Hamburg?", {"SH-100", "SH-101"}),
        ("shipments", "Shipments to Rotterdam", {"SH-100", "SH-103"}),
        ("shipments", "Shipments from Hamburg to Rotterdam", {"SH-100"}),
        ("shipments", "Which shipments go from Hamburg to Rotterdam?", {"SH-100"}),
        ("shipments", "Which shipments went to Hamburg?", {"SH-102"}),
        ("shipments", "Which shipments left Hamburg?", {"SH-100", "SH-101"}),
        ("shipments", "The lightest shipment to Rotterdam", {"SH-100"}),
        ("shipments", "Where does SH-103 come from?", {"Gdansk"}),
        ("shipments", "Where is SH-101 going?", {"Gdansk"}),
        ("shipments", "Where does SH-100 go?", {"Rotterdam"}),
        ("hosts", "What depends on auth?", {"orders-api", "web-frontend"}),
        ("hosts", "What runs on host-02?", {"auth", "orders-api"}),
        ("hosts", "Which hosts run Linux?", {"host-01"}),
        ("hosts", "Which services run on host-01?", {"web-frontend"}),
        ("hosts", "Which databases use PostgreSQL?", {"orders-db"}),
        ("hosts", "What engine does session-cache use?", {"Redis"}),
        ("hosts", "Which host is the oldest?", {"host-02"}),
    ],
)
def test_journeys_dependencies_and_what_is_used(
    sessions: dict[str, isomatch.Session], graph: str, question: str, names: set[str]
) -> None:
    answer = sessions[graph].ask(question)
    assert {found.name for found in answer.answers} == names
    assert answer.supported
