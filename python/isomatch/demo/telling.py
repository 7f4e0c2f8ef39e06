"""The demo's tour, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isomatch.answer.types import REFUSAL, Answer
from isomatch.answer.words import bindings_words
from isomatch.demo.tour import Stopped
from isomatch.errors import IsomatchError
from isomatch.match.types import MatchResult
from isomatch.output.json import answer_form, result_form
from isomatch.output.words import certificate_words, is_near, nothing_words
from isomatch.pattern import format_text
from isomatch.phrasing import choices_words, clean, triple_words

if TYPE_CHECKING:
    from rich.text import Text

SHOWN = 3  # triples of one stop

NEXT = """\
Next, on your own data:
  isomatch load FILES                   RDF, or tables of triples
  isomatch index
  isomatch match '("NAME")-[RELATION]-(?x)'"""


def stop_text(number: int, stopped: Stopped) -> Text:
    """What was asked, how it was read, the matched triples, the proof, the answer."""
    from rich.text import Text

    text = Text.assemble(
        (f"{number}. {stopped.stop.shows}", "bold"),
        (f"  {stopped.milliseconds:.0f} ms\n", "dim"),
        f"   {stopped.stop.text}\n",
    )
    outcome = stopped.outcome
    if isinstance(outcome, IsomatchError):
        return text.append(f"   → {outcome}\n", style="yellow")
    result = outcome.result if isinstance(outcome, Answer) else outcome
    assert result is not None  # every stop matches a pattern
    if isinstance(outcome, Answer):
        text.append(f"   as {clean(format_text(result.pattern), None)}\n", style="cyan")
    for line in _matched(result):
        text.append(f"   {line}\n")
    text.append(f"   {certificate_words(result.certificate, bool(result))}\n", style="dim")
    found = outcome.supported if isinstance(outcome, Answer) else _answered(result)
    text.append(f"   → {_answer(outcome)}\n", style="green" if found else "yellow")
    return text


def _answered(result: MatchResult) -> bool:
    return bool(result) and is_near(result.interpretations[0])


def _matched(result: MatchResult) -> list[str]:
    """How the nearest reading took the words, and its first triples."""
    if not result:
        return [nothing_words(result)]
    best = result.interpretations[0]
    lines = [words] if (words := choices_words(best.choices)) else []
    triples = dict.fromkeys(triple_words(t) for match in best.matches for t in match.triples)
    lines += list(triples)[:SHOWN]
    if len(triples) > SHOWN:
        lines.append(f"… {len(triples) - SHOWN} more triples")
    return lines


def _answer(outcome: Answer | MatchResult) -> str:
    if isinstance(outcome, Answer):
        return clean(outcome.text, None)
    if not _answered(outcome):
        return REFUSAL
    return clean(bindings_words(outcome.pattern, outcome.interpretations[:1], 10)[0], None)


def stop_form(stopped: Stopped) -> dict[str, Any]:
    """One stop as JSON."""
    outcome = stopped.outcome
    if isinstance(outcome, IsomatchError):
        form: dict[str, Any] = {"error": {"type": type(outcome).__name__, "message": str(outcome)}}
    elif isinstance(outcome, Answer):
        form = answer_form(outcome)
    else:
        form = result_form(outcome)
    return {
        "shows": stopped.stop.shows,
        "kind": stopped.stop.kind,
        "asked": stopped.stop.text,
        "ms": stopped.milliseconds,
        **form,
    }
