"""Results of the demo's examples, as text and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isomatch.answer.types import REFUSAL, Answer
from isomatch.answer.words import bindings_words
from isomatch.demo.examples import ExampleResult
from isomatch.errors import IsomatchError
from isomatch.match.nearness import DEFAULT
from isomatch.match.types import MatchResult
from isomatch.output.json import answer_form, result_form
from isomatch.output.words import certificate_words, nothing_words
from isomatch.pattern import format_text
from isomatch.phrasing import choices_words, clean, triple_words

if TYPE_CHECKING:
    from rich.text import Text

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
    if isinstance(outcome, Answer):
        text.append(f"   as {clean(format_text(matched.pattern), None)}\n", style="cyan")
    for line in _matched(matched):
        text.append(f"   {line}\n")
    text.append(f"   {certificate_words(matched.certificate, bool(matched))}\n", style="dim")
    answered = outcome.supported if isinstance(outcome, Answer) else _is_near(matched)
    return text.append(f"   → {_answer(outcome)}\n", style="green" if answered else "yellow")


def _is_near(result: MatchResult) -> bool:
    return bool(result) and DEFAULT.holds(result.interpretations[0])


def _matched(result: MatchResult) -> list[str]:
    """The best interpretation in words, and its first triples."""
    if not result:
        return [nothing_words(result)]
    best = result.interpretations[0]
    lines = [words] if (words := choices_words(best.choices)) else []
    triples = dict.fromkeys(triple_words(t) for match in best.matches for t in match.triples)
    lines += list(triples)[:MOST_TRIPLES]
    if len(triples) > MOST_TRIPLES:
        lines.append(f"… {len(triples) - MOST_TRIPLES} more triples")
    return lines


def _answer(outcome: Answer | MatchResult) -> str:
    if isinstance(outcome, Answer):
        return clean(outcome.text, None)
    if not _is_near(outcome):
        return REFUSAL
    return clean(bindings_words(outcome.pattern, outcome.interpretations[:1], 10)[0], None)


def result_as_json(result: ExampleResult) -> dict[str, Any]:
    """One result as JSON."""
    outcome = result.outcome
    if isinstance(outcome, IsomatchError):
        form: dict[str, Any] = {"error": {"type": type(outcome).__name__, "message": str(outcome)}}
    else:
        form = answer_form(outcome) if isinstance(outcome, Answer) else result_form(outcome)
    return {
        "shows": result.example.shows,
        "kind": result.example.kind,
        "asked": result.example.text,
        "ms": result.milliseconds,
        **form,
    }
