"""What the notes of an answer say of the search: for those who run it, and so in English."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.match.types import Interpretation, MatchResult, lacks_answers
from isomatch.pattern import Pattern, format_text
from isomatch.phrasing import clean, reading_words


def how_read(best: Sequence[Interpretation], pattern: Pattern | None = None) -> list[str]:
    """How the words of a pattern were read, and that there are more readings or matches."""
    notes = [words] if (words := reading_words(best[0])) else []
    hypotheses = {tuple(c.id for c in i.choices) for i in best}
    if len(hypotheses) > 1:
        single = pattern is not None and pattern.without_count() is not pattern
        joined = "gives the number of each" if single else "joins them"
        notes.append(f"{len(hypotheses)} interpretations are equally near; the answer {joined}")
    if any(lacks_answers(pattern, i) if pattern else i.cut for i in best):
        notes.append("an interpretation may have more matches than these")
    return notes


def not_joined(best: Sequence[Interpretation], result: MatchResult) -> list[str]:
    """That the search ended among the equally near, as where more than k things have one name."""
    ties = result.certificate.ties
    if ties is False or result.pattern.ask or best[-1] != result.interpretations[-1]:
        return []
    are = "are" if ties else "may be"
    return [f"the answer may not be whole: others {are} equally near, and a higher k joins them"]


def found_instead(result: MatchResult | None) -> list[str]:
    """What the search found instead, in words."""
    if result is None:
        return ["no facts were found near what the question is about"]
    if not result:
        what = "nothing found in its budget" if result.certificate.ended_by else "no match"
        return [f"{what} for {clean(format_text(result.pattern), None)}"]
    nearest = (reading_words(i) for i in result.interpretations[:3])
    return [f"too far to answer: {words}" for words in nearest if words]
