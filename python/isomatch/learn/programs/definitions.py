"""What adjectives before class words mean, found by the answers of the questions that have them.

"Major cities" are those of more than 150,000 people, if that gives the answers of the questions
that say so: a reading that leaves out the adjective alone gives all of them, the answers are
those that it keeps, and a number lies between the values of these and those of the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, inf, log10
from typing import TYPE_CHECKING, Any

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Count, OfType, Valued
from isomatch.interpret.compose.patterns import to_pattern
from isomatch.interpret.words.content import words_of
from isomatch.learn.programs.labels import Label, ProgramLabeller, key
from isomatch.lexicon.lexicon import Definition
from isomatch.link.normalise import value_of

if TYPE_CHECKING:
    from isomatch.match.types import Bound, MatchResult
    from isomatch.pattern.types import Operator
    from isomatch.questions.datasets import Question

LEAST = 3  # questions that a meaning has to explain
CERTAIN = 0.8  # of those that have the words


def definitions(
    labeller: ProgramLabeller, questions: Sequence[Question], labels: Sequence[Label]
) -> dict[str, Definition]:
    """What adjectives before class words mean, as far as answers tell.

    Args:
        labels: of the questions; what has a program needs no adjective.
    """
    told: dict[tuple[str, str], list[_Told]] = {}
    needless: Counter[str] = Counter()
    for question, label in zip(questions, labels, strict=True):
        if "cypher" in question.queries or not (described := _described(labeller, question)):
            continue
        phrase, type, start = described
        needless[phrase] += bool(label.program)
        if not label.program and (one := _told(labeller, question, start)):
            told.setdefault((phrase, type), []).append(one)
    found: dict[str, Definition] = {}
    for (phrase, type), of in sorted(told.items()):
        least = max(LEAST, CERTAIN * (len(of) + needless[phrase]))
        meanings = (_meaning(type, *values, of) for values in _values(labeller, type))
        if len(of) >= least:
            best, rival, *_ = *sorted(meanings, key=lambda m: -m[0]), (0, None), (0, None)
            if best[1] is not None and best[0] >= least and best[0] > rival[0]:
                found[phrase] = best[1]
    return found


def _described(labeller: ProgramLabeller, question: Question) -> tuple[str, str, int] | None:
    """The class that is asked for with the word before it, its id, and the word's place."""
    words, singular = words_of(question.text), labeller.kinds.language.singular
    types = labeller.resources.lexicon.types.items()
    classes = {word: id for id, of in types for word in of.phrases()}
    nouns = [singular(word.text) for word in words]
    place = next((n for n, noun in enumerate(nouns) if noun in classes), 0)
    if not place:
        return None
    before, noun = words[place - 1], nouns[place]
    return f"{before.text} {noun}", classes[noun], before.start


def _told(labeller: ProgramLabeller, question: Question, start: int) -> _Told | None:
    """What a question tells of the word at a place, if a reading lacks it alone."""
    wanted = frozenset(map(key, question.answers))
    for reading, left_out in labeller.readings(question) if wanted else ():
        if [span.start for span in left_out] != [start]:
            continue
        of = reading.item.value
        result = _matched(labeller, of.of if isinstance(of, Count) else of)
        nodes = result.answers() if result else ()
        if isinstance(of, Count):
            count = value_of(question.answers[0]).number
            return _Told(nodes, wanted, int(count)) if nodes and count is not None else None
        return _Told(nodes, wanted) if wanted <= {key(node.name) for node in nodes} else None
    return None


def _values(labeller: ProgramLabeller, type: str) -> Iterator[tuple[str, Mapping[str, float]]]:
    """The numbers of all nodes of a type, by relation."""
    of = OfType(type, labeller.kinds.of_type(type))
    for relation in labeller.kinds.values(of.kinds):
        result = _matched(labeller, Valued(of, Step(relation.id), of.kinds))
        best = result.interpretations[:1] if result else ()
        facts = [match.triples[0] for one in best for match in one.matches]
        numbers = {fact.source.id: value_of(fact.target.name).number for fact in facts}
        yield relation.id, {id: float(n) for id, n in numbers.items() if n is not None}


def _matched(labeller: ProgramLabeller, of: Any) -> MatchResult | None:
    """All matches of an expression; None where it has no pattern, or they are too many."""
    pattern = to_pattern(of, labeller.kinds)
    result = labeller.match(pattern, of) if pattern else None
    return None if result is None or result.certificate.ended_by else result


@dataclass(frozen=True, slots=True)
class _Told:
    """What a question tells of a word: the names of the nodes that it keeps, or how many."""

    nodes: tuple[Bound, ...]
    kept: frozenset[str]
    count: int | None = None

    def bounds(self, values: Mapping[str, float]) -> tuple[float, float] | None:
        """The greatest number that is left out and the least that is kept, if that explains it."""
        ranked = sorted(
            ((values.get(node.id, -inf), key(node.name) in self.kept) for node in self.nodes),
            reverse=True,
        )
        number = sum(kept for _, kept in ranked) if self.count is None else self.count
        listed = self.count is not None or all(kept for _, kept in ranked[:number])
        ends = [inf, *(value for value, _ in ranked), -inf]
        explained = listed and number <= len(ranked) and ends[number + 1] < ends[number]
        return (ends[number + 1], ends[number]) if explained else None


def _meaning(
    type: str, relation: str, values: Mapping[str, float], told: Sequence[_Told]
) -> tuple[int, Definition | None]:
    """What a word means by a relation, at best, and how many questions that explains."""
    best: tuple[int, Definition | None] = (0, None)
    limits: tuple[tuple[Operator, int], ...] = ((">", 1), ("<", -1))
    for operator, sign in limits:
        signed = {id: sign * value for id, value in values.items()}
        bounds = [b for one in told if (b := one.bounds(signed)) is not None]
        for low, _ in bounds:
            kept = [least for most, least in bounds if most <= low < least]
            if -inf < low and min(kept) < inf and len(kept) > best[0]:
                limit = sign * _roundest(low, min(kept))
                best = len(kept), Definition(type, relation, operator, f"{limit:.15g}")
    return best


def _roundest(low: float, high: float) -> float:
    """The number of the fewest digits from one to below another."""
    scale = 10.0 ** round(log10(max(abs(low), 1e-9)) + 1)
    for digit in range(16):
        for step in (scale / 10**digit, scale / 10**digit / 2):
            if (number := ceil(low / step) * step) < high:
                return float(number)
    return low
