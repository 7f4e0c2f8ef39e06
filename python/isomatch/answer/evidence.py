"""Evidence: the facts of the best matches, numbered, within a token budget."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from isomatch.answer.types import Evidence
from isomatch.match.types import Interpretation, MatchResult, Triple
from isomatch.phrasing import bound_words, relation_words

BUDGET = 2000
_NAME = 200  # characters of a name that a prompt shows
# Some models cite with lenticular brackets.
_CITATION = re.compile(r"[\[【]\s*(\d+(?:\s*[,;–-]\s*\d+)*)\s*[\]】]")
Key = tuple[str, str, str, "str | None"]
_RANGE = re.compile(r"(\d+)\s*[–-]\s*(\d+)")


def gather(
    result: MatchResult,
    budget_tokens: int = BUDGET,
    *,
    interpretations: Sequence[Interpretation] | None = None,
    count: Callable[[str], int] | None = None,
) -> tuple[tuple[Evidence, ...], bool]:
    """The facts of a result, most relevant first, and whether some were left out.

    Lowest GSD goes first, then the order of matches. A match comes whole or not
    at all, and the first that does not fit ends the list. A fact that several
    matches share is listed once.

    Args:
        result: of a search.
        budget_tokens: most tokens of all the facts' lines together.
        interpretations: those to use; None for all of the result.
        count: tokens of a text, by the model's tokenizer; None for
            `estimate_tokens`.
    """
    count = count or estimate_tokens
    chosen = result.interpretations if interpretations is None else interpretations
    found: dict[Key, Evidence] = {}
    spent = 0
    for interpretation in sorted(chosen, key=lambda i: (i.gsd, i.rank)):
        for match in interpretation.matches:
            new = {k: t for t in match.triples if (k := key_of(t)) not in found}
            facts = {
                key: Evidence(number, triple, interpretation.rank, interpretation.gsd)
                for number, (key, triple) in enumerate(new.items(), len(found) + 1)
            }
            spent += sum(count(line(fact) + "\n") for fact in facts.values())
            if spent > budget_tokens:
                return tuple(found.values()), True
            found |= facts
    return tuple(found.values()), False


def estimate_tokens(text: str) -> int:
    """A token for every three bytes of UTF-8, rounded up.

    Tokenizers take about four bytes of English and three of Chinese for one, so
    this errs on the safe side.

    Example:
        >>> estimate_tokens("Michael Mann")
        4
    """
    return -(-len(text.encode(errors="replace")) // 3)


def line(fact: Evidence) -> str:
    """A fact as a prompt shows it: ``[1] Heat | directed by | Michael Mann``."""
    triple = fact.triple
    source, target = bound_words(triple.source, _NAME), bound_words(triple.target, _NAME)
    return f"[{fact.number}] {source} | {relation_words(triple, _NAME)} | {target}"


def citations(text: str) -> tuple[int, ...]:
    """The numbers that a text cites, as first cited: ``[1]``, ``[1, 3]``, ``[2-4]``.

    Example:
        >>> citations("Heat [2] and Ali [1, 3-4].")
        (2, 1, 3, 4)
    """
    cited: dict[int, None] = {}
    for group in _CITATION.findall(text):
        for part in re.split(r"[,;]", group):
            if span := _RANGE.search(part):
                first, last = int(span[1][:9]), int(span[2][:9])
                # A range over more than can be cited is not walked through.
                few = last - first < 10_000
                cited |= dict.fromkeys(range(first, last + 1) if few else (first, last))
            else:
                cited[int(part.strip()[:9])] = None
    return tuple(cited)


def without_citations(text: str) -> str:
    """The text with blanks for what it cites."""
    return _CITATION.sub(" ", text)


def key_of(triple: Triple) -> Key:
    """What two triples of one fact have in common."""
    return triple.source.id, triple.relation.id, triple.target.id, triple.id
