"""A small graph with a session over it, for the service to search."""

from __future__ import annotations

from pathlib import Path

from isomatch.factories import make_index
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load

BASE = "http://films.example/"
GRAPH = """
@prefix : <http://films.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Film rdfs:label "film" . :Person rdfs:label "person" .
:directedBy rdfs:label "directed by" . :starring rdfs:label "starring" .
:year rdfs:label "year" .
:heat a :Film ; rdfs:label "Heat"@en ; :directedBy :mann ; :starring :pacino ; :year 1995 .
:collateral a :Film ; rdfs:label "Collateral"@en ; :directedBy :mann ; :starring :cruise ;
    :year 2004 .
:serpico a :Film ; rdfs:label "Serpico"@en ; :directedBy :lumet ; :starring :pacino ; :year 1973 .
:mann a :Person ; rdfs:label "Michael Mann" . :lumet a :Person ; rdfs:label "Sidney Lumet" .
:pacino a :Person ; rdfs:label "Al Pacino" . :cruise a :Person ; rdfs:label "Tom Cruise" .
"""
MANN = r'isomatch:pattern "(?f:film)-[directed by]-(\"Micheal Mann\") return ?f"'


def make_home(folder: Path) -> Settings:
    """`GRAPH`, loaded and indexed under ``folder``."""
    data = folder / "films.ttl"
    data.write_text(GRAPH, encoding="utf-8")
    settings = Settings(home=folder / "home")
    load([data], settings.graph_path)
    make_index(settings)
    return settings


def open_films(folder: Path) -> Session:
    """A session over `make_home`."""
    return Session.open(make_home(folder))


def query(where: str, head: str = "SELECT *") -> str:
    """A query with our prefix."""
    return f"PREFIX isomatch: <urn:isomatch:>\n{head} WHERE {{ {where} }}"
