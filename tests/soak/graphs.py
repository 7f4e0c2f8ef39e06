"""Graphs whose answers tell them apart: each has a word of its own in every name."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.servers.fuseki import FusekiServer
from tests.servers.neo4j import USER, Neo4jServer

from isomatch.factories import make_index
from isomatch.settings import Settings
from isomatch.store.load import load

EMBEDDED, NEO4J, SPARQL, WITH_MODEL = "amber", "birch", "cobalt", "dune"
NAMES = (EMBEDDED, NEO4J, SPARQL, WITH_MODEL)
FILMS = (
    *("River", "Harbour", "Winter", "Station", "Orchard", "Lantern", "Bridge", "Island"),
    *("Desert", "Mirror", "Garden", "Signal", "Market", "Tower", "Forest", "Letter"),
    *("Morning", "Engine", "Valley", "Window", "Circus", "Comet", "Violin", "Anchor"),
)
DIRECTORS = ("Mann", "Lumet", "Varda", "Ozu", "Campion", "Herzog")
ACTORS = ("Pacino", "Cruise", "Streep", "Huppert", "Mifune", "Blanchett", "Ganz", "Moreau")


@dataclass(frozen=True)
class Film:
    """A film with its people, by name."""

    title: str
    director: str
    actors: tuple[str, ...]


@dataclass(frozen=True)
class SoakGraph:
    """A graph that is served.

    Attributes:
        own: its settings, as in a table ``[graphs.NAME]``.
    """

    name: str
    films: tuple[Film, ...]
    own: Mapping[str, Any]

    @property
    def marker(self) -> str:
        """The word in every name."""
        return self.name.capitalize()

    @property
    def settings(self) -> Settings:
        """The settings of a session over it."""
        return Settings(**self.own)


@dataclass
class Served:
    """The graphs of one run, and their servers."""

    graphs: list[SoakGraph] = field(default_factory=list)
    neo4j: Neo4jServer | None = None
    fuseki: FusekiServer | None = None


@contextmanager
def made(folder: Path, model_url: str, *, servers: bool) -> Iterator[Served]:
    """All graphs, loaded and indexed under a folder, with `isomatch.toml` written there.

    Args:
        model_url: of the language model of one graph.
        servers: whether to start Neo4j and Fuseki too.

    Raises:
        ServerUnavailable: this machine lacks what they need.
    """
    served = Served()
    with ExitStack() as stack:
        served.graphs.append(_embedded(EMBEDDED, folder))
        model = {"model": "silent", "openai_base_url": model_url, "openai_api_key": "none"}
        served.graphs.append(_embedded(WITH_MODEL, folder, **model))
        if servers:
            neo4j = Neo4jServer("5.26", folder / "neo4j", brief=True)
            served.neo4j = stack.enter_context(neo4j)
            served.graphs.append(_in_neo4j(neo4j, folder))
            fuseki = FusekiServer(folder / "fuseki", brief=True)
            served.fuseki = fuseki
            stack.enter_context(fuseki)
            served.graphs.append(_in_fuseki(fuseki, folder))
        for graph in served.graphs:
            make_index(graph.settings)
        yield served


def write_config(folder: Path, graphs: list[SoakGraph], **serve: Any) -> None:
    """Write `isomatch.toml`, with the graphs and the table ``[serve]``."""
    tables = {"serve": serve, **{f"graphs.{graph.name}": graph.own for graph in graphs}}
    lines = []
    for name, table in tables.items():
        lines.append(f"[{name}]")
        lines += [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    (folder / "isomatch.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def films_of(name: str) -> tuple[Film, ...]:
    """The films of a graph: the same words in each graph, but other facts."""
    chance = random.Random(name)
    word = name.capitalize()
    return tuple(
        Film(
            f"{word} {title}",
            f"{word} {chance.choice(DIRECTORS)}",
            tuple(f"{word} {actor}" for actor in chance.sample(ACTORS, 2)),
        )
        for title in FILMS
    )


def turtle(name: str) -> str:
    """The films of a graph as RDF."""
    films = films_of(name)
    people = sorted({person for film in films for person in (film.director, *film.actors)})
    lines = [
        f"@prefix : <http://{name}.example/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        ':Film rdfs:label "film" . :Person rdfs:label "person" .',
        ':directedBy rdfs:label "directed by" . :starring rdfs:label "starring" .',
        *(f':{_local(person)} a :Person ; rdfs:label "{person}" .' for person in people),
    ]
    for film in films:
        actors = ", ".join(f":{_local(actor)}" for actor in film.actors)
        lines.append(
            f':{_local(film.title)} a :Film ; rdfs:label "{film.title}" ; '
            f":directedBy :{_local(film.director)} ; :starring {actors} ."
        )
    return "\n".join(lines)


def _local(name: str) -> str:
    return name.replace(" ", "_")


def _embedded(name: str, folder: Path, **more: Any) -> SoakGraph:
    data = folder / f"{name}.ttl"
    data.write_text(turtle(name), encoding="utf-8")
    graph = SoakGraph(name, films_of(name), {"home": str(folder / name), **more})
    load([data], graph.settings.graph_path)
    return graph


def _in_neo4j(server: Neo4jServer, folder: Path) -> SoakGraph:
    films = films_of(NEO4J)
    rows = [{"t": film.title, "d": film.director, "a": list(film.actors)} for film in films]
    with server.driver() as driver:
        driver.execute_query(
            "UNWIND $rows AS row CREATE (f:Film {title: row.t}) "
            "MERGE (d:Person {name: row.d}) CREATE (f)-[:DIRECTED_BY]->(d) "
            "WITH f, row UNWIND row.a AS name MERGE (a:Person {name: name}) "
            "CREATE (f)-[:STARRING]->(a)",
            rows=rows,
        )
    own = {
        "home": str(folder / NEO4J),
        "neo4j_uri": server.uri,
        "neo4j_username": USER,
        "neo4j_password": server.password,
    }
    return SoakGraph(NEO4J, films, own)


def _in_fuseki(server: FusekiServer, folder: Path) -> SoakGraph:
    server.load(turtle(SPARQL))
    own = {"home": str(folder / SPARQL), "endpoint": server.url}
    return SoakGraph(SPARQL, films_of(SPARQL), own)
