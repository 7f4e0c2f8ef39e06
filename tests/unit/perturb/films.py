"""A graph of films with names, types, values, and a node without an IRI."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.shared import made_once

from isomatch.factories import make_index
from isomatch.settings import Settings
from isomatch.store.load import load

EX = "http://example.org/"


def turtle() -> str:
    """Twelve films with directors, actors and years: 38 facts."""
    lines = [f"@prefix : <{EX}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."]
    for number in range(12):
        lines.append(
            f':film{number} a :Film ; rdfs:label "Film number {number}" ; :year {1990 + number} ; '
            f":directed :person{number % 4} ; :starred :person{4 + number % 5} ."
        )
    lines += [f':person{n} a :Person ; rdfs:label "Person {n}" .' for n in range(9)]
    lines.append(':film0 :note [ rdfs:label "A note" ; :year "a \\"quoted\\" year"@en ] .')
    return "\n".join(lines)


def make_films(factory: pytest.TempPathFactory) -> Settings:
    """The graph with its index, made once a run; only read, or copied."""

    def make(folder: Path) -> None:
        settings = Settings(home=folder / "home")
        (folder / "films.ttl").write_text(turtle(), encoding="utf-8")
        load([folder / "films.ttl"], settings.graph_path)
        make_index(settings)

    return Settings(home=made_once(factory, "perturbed films", make) / "home")
