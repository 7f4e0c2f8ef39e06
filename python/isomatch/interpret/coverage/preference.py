"""Which of several readings come first, by what each accounts for in a question."""

from __future__ import annotations

from collections.abc import Sequence, Set

from isomatch.interpret.types import Hypothesis
from isomatch.interpret.unsaid.hops import CHOSEN_BY_WORDS
from isomatch.interpret.words.content import words_of
from isomatch.interpret.words.relation_spans import unsaid
from isomatch.lexicon.language import Language


def preferred(
    question: str, given: Sequence[Hypothesis], composed: Set[int], language: Language
) -> list[Hypothesis]:
    """Readings without those that go a hop further than another, and read no more by it.

    "Where does Ann live" asks for her town, and not for its country; and what she maintains is
    not who else does. Where the first leaves out words that composed ones read as names, and
    these leave out none, they come before it.

    Args:
        composed: places of the hypotheses whose interpreter has placed the words itself.
    """
    texts, grammar = [w.text for w in words_of(question)], language.grammar
    where = texts[0] in language.asking.where
    together = language.pointing | grammar.shared | grammar.owning | grammar.both
    kept = list(range(len(given)))
    if where or together.isdisjoint(texts):
        kept = [
            i for i in kept if not any(_goes_on(given[i], other, anywhere=where) for other in given)
        ]
    left = given[kept[0]].coverage if kept else None
    missed = {s.start for s in left.left_out} if left else set()
    if missed:
        kept.sort(key=lambda i: i not in composed or not _names_all(given[i], missed))
    return [given[i] for i in kept]


def _names_all(one: Hypothesis, places: Set[int]) -> bool:
    """Whether a reading leaves out no word, and has names at some places of a question."""
    coverage = one.coverage
    if coverage is None or coverage.left_out:
        return False
    return places <= {s.start for s in coverage.understood if s.kind == "name"}


def _goes_on(longer: Hypothesis, other: Hypothesis, *, anywhere: bool) -> bool:
    """Whether one has all edges of another, and more that tell of no more words.

    Args:
        anywhere: whether the further ones may be of any relation, and not only of one that is
            followed in both already.
    """
    if longer.coverage is None or other.coverage is None:
        return False
    shared = other.pattern.edges
    further = [edge for edge in longer.pattern.edges if edge not in shared]
    less = len(longer.pattern.edges) - len(further) == len(shared)
    spans = longer.coverage.understood
    over = unsaid([*shared, *further], spans, once=True)
    unnamed = unsaid(further, spans, once=False)
    again = all(edge in over and edge not in unnamed for edge in further)
    understood = set(longer.coverage.understood) <= set(other.coverage.understood)
    by_words = longer.source in CHOSEN_BY_WORDS
    same = set(other.coverage.left_out) <= set(longer.coverage.left_out)
    return by_words and bool(further) and less and (anywhere or again) and understood and same
