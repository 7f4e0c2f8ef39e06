"""A toy graph of films as a session, with an embedder that needs no file."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
from tests.servers.sessions import session_over
from tests.unit.interpret.words_embedder import LettersEmbedder

from isomatch.questions.datasets import Question
from isomatch.session import Session
from isomatch.store.oxigraph import OxigraphStore

FACTS = """
heat directed mann
ali directed mann
thief directed mann
heat written mann
thief written mann
ronin directed frankenheimer
heat starred pacino
heat starred niro
ronin starred niro
thief starred caan
ali starred smith
"""
NAMES = {
    "heat": "Heat",
    "ali": "Ali",
    "thief": "Thief",
    "ronin": "Ronin",
    "mann": "Michael Mann",
    "frankenheimer": "John Frankenheimer",
    "pacino": "Al Pacino",
    "niro": "Robert De Niro",
    "caan": "James Caan",
    "smith": "Will Smith",
    "directed": "directed by",
    "written": "written by",
    "starred": "starred actors",
}
BASE = "http://films.example/"
DIRECTED, WRITTEN, STARRED = (BASE + name for name in ("directed", "written", "starred"))


class Letters(LettersEmbedder):
    """`LettersEmbedder` with what an index asks of an embedder."""

    name = "letters"
    dimension = 512

    def close(self) -> None:
        """Nothing to release."""


def turtle(facts: str = FACTS) -> str:
    """The facts and the names of all that is in them."""
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    triples = [" ".join(f"<{BASE}{word}>" for word in line.split()) for line in facts.split("\n")]
    names = [f'<{BASE}{word}> {label} "{name}"' for word, name in NAMES.items()]
    return "".join(f"{triple} .\n" for triple in [*filter(None, triples), *names])


def toy(home: Path, facts: str = FACTS) -> Session:
    """A session over the facts, with names indexed under ``home``."""
    engine = ox.Store()
    engine.load(turtle(facts).encode(), format=ox.RdfFormat.TURTLE)
    return session_over(OxigraphStore.memory(engine), home, Letters())  # type: ignore[arg-type]


def asked(id: str, text: str, topics: str | tuple[str, ...], *answers: str) -> Question:
    """A question without gold."""
    names = (topics,) if isinstance(topics, str) else topics
    return Question(id, text, names, answers, None, 0)
