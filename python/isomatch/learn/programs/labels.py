"""Programs of questions: from gold queries, or from what gives the known answers.


A gold query is read into the program that it is. Where only answers are known, the readings
of the composer (`isomatch.interpret.compose`) are matched, and the likeliest one that gives
just these answers is taken: most programs that give the right answers by chance are none
that the words could mean.

Answers also tell what an adjective means which no reading places: "major cities" are those of
more than 150,000 people, if that gives the answers of the questions that have the words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from math import ceil, inf, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.chains.graph import ChainGraph, Step
from isomatch.errors import LoadError
from isomatch.interpret.compose.composer import Composer, options_of
from isomatch.interpret.compose.expressions import Count, OfType, Valued
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.patterns import to_pattern
from isomatch.interpret.content import words_of
from isomatch.interpret.programs.slots import SlotFinder, masked
from isomatch.interpret.programs.tokens import ProgramWriter, Slot
from isomatch.interpret.types import Coverage, SpanKind
from isomatch.learn.examples import Example, Source
from isomatch.learn.programs.cypher import read_cypher
from isomatch.learn.programs.gold import to_expression
from isomatch.learn.workdir import Shards
from isomatch.lexicon.lexicon import Definition
from isomatch.lexicon.rank import Ranker
from isomatch.link.normalise import value_of
from isomatch.options import Options
from isomatch.retrieve.patterns import match_once
from isomatch.trained.alignment import Program

if TYPE_CHECKING:
    from isomatch.lexicon.mentions import Mention
    from isomatch.match.types import Bound, MatchResult
    from isomatch.pattern.types import Operator, Pattern
    from isomatch.questions.datasets import Question
    from isomatch.resources import Resources

Rows = list[dict[str, Any]]

PART = 50  # questions per shard
CHECKED = 10  # of these, whose composed readings are compared with what they mean
CHOOSING: tuple[SpanKind, ...] = ("operator", "number")
"""Words that change which things are meant; what other words mean may be learnt."""
MOST_READINGS = 12  # that are matched for one question
ROWS = 100_000  # that are read for one of them: the same on every machine
DEFINED = 3  # questions that a meaning of an adjective has to explain
CERTAIN = 0.8  # of those that have it
SECONDS = 60.0  # after which the question has no program, and this is told


@dataclass(frozen=True, slots=True)
class Label:
    """The program of one question.

    Attributes:
        id: of the question.
        text: the question with its names masked.
        program: empty where there is none.
        reason: why there is none, else how it was found: ``query``, ``answers`` or ``feedback``.
        composed: whether the composer's best reading is this program; None where that was not
            looked at, or where the composer has no reading of the whole question.
    """

    id: str
    text: str
    program: Program
    reason: str
    composed: bool | None = None

    def example(self) -> Example:
        """What the model learns from it."""
        source: Source = "feedback" if self.reason == "feedback" else "weak"
        return Example("retrieval", self.text, ((self.program, 1.0),), source, self.id)


@dataclass(frozen=True)
class ProgramReport:
    """How many questions have a program, by how it was found, and why the others have none.

    Attributes:
        first: the first question that has none, with the reason; empty where all have one.
        composed: how often the composer's best reading was looked at, and was right.
        definitions: what adjectives were found to mean.
    """

    questions: int
    found: dict[str, int]
    fell: dict[str, int]
    first: str = ""
    composed: tuple[int, int] = (0, 0)
    definitions: dict[str, Definition] = field(default_factory=dict)

    @classmethod
    def of(
        cls, labels: Sequence[Label], definitions: dict[str, Definition] | None = None
    ) -> ProgramReport:
        """The report of some labels."""
        found = Counter(label.reason for label in labels if label.program)
        fell = Counter(label.reason for label in labels if not label.program)
        first = next((f"{label.id}: {label.reason}" for label in labels if not label.program), "")
        seen = [label.composed for label in labels if label.composed is not None]
        fallen, composed = dict(fell.most_common()), (len(seen), sum(seen))
        found_by = dict(found.most_common())
        return cls(len(labels), found_by, fallen, first, composed, definitions or {})

    @property
    def kept(self) -> int:
        """Questions that are learnt from."""
        return sum(self.found.values())

    @property
    def trust(self) -> float:
        """The share of questions that the composer reads rightly; 0 where that is not known."""
        seen, right = self.composed
        return round(right / (seen + 1), 3)  # of few it says little

    def rows(self) -> Iterator[tuple[str, int]]:
        """Pairs of label and value, for a table."""
        yield "questions", self.questions
        for how, count in self.found.items():
            yield f"program from its {how}", count
        for reason, count in self.fell.items():
            yield f"no program: {reason}", count
        for phrase, of in self.definitions.items():
            yield f"{phrase}: {of.relation} {of.operator} {of.value}, as answers tell", 1


class ProgramLabeller:
    """Finds the programs of questions over one graph."""

    def __init__(self, resources: Resources):
        self._resources = resources
        self.kinds = GraphKinds(resources.schema, resources.lexicon)
        self._graph = ChainGraph(resources.store, resources.schema, None)
        self._slots = SlotFinder(self.kinds, resources.mentions, resources.lexicon.language)
        self._writer = ProgramWriter(self.kinds)
        ranker = Ranker(resources.embedder, resources.lexicon)
        self._composer = Composer(resources.schema, resources.lexicon, ranker)

    def run(
        self,
        questions: Sequence[Question],
        folder: Path,
        watch: Callable[[int, int], None],
        each: Callable[[Iterable[Sequence[Question]]], Iterator[Rows]] | None = None,
    ) -> list[Label]:
        """The labels of questions, kept in a folder so that a stopped run can be resumed.

        Args:
            watch: called with how many are done, and how many there are.
            each: does `part` on many items, in workers perhaps; None for one after the other.
        """
        shards = Shards(folder, {"questions": len(questions)})
        parts = [questions[first : first + PART] for first in range(0, len(questions), PART)]
        missing = (some for number, some in enumerate(parts) if number not in shards)
        made = (each or partial(map, self.part))(missing)
        labels: list[Label] = []
        for number in range(len(parts)):
            rows = shards.get(number, lambda: next(made))
            labels += [Label(**{**row, "program": tuple(row["program"])}) for row in rows]
            watch(len(labels), len(questions))
        return labels

    def definitions(
        self, questions: Sequence[Question], labels: Sequence[Label]
    ) -> dict[str, Definition]:
        """What adjectives before class words mean, as far as answers tell.

        Args:
            labels: of the questions; what has a program needs no adjective.
        """
        told: dict[tuple[str, str], list[_Told]] = {}
        needless: Counter[str] = Counter()
        for question, label in zip(questions, labels, strict=True):
            if question.answers and "cypher" not in question.queries:
                for phrase, type, start in self._described(question):
                    needless[phrase] += bool(label.program)
                    one = None if label.program else self._told(question, start)
                    told.setdefault((phrase, type), []).extend([one] if one else [])
        found: dict[str, Definition] = {}
        for (phrase, type), of in sorted(told.items()):
            least = max(DEFINED, CERTAIN * (len(of) + needless[phrase]))
            meanings = (_meaning(type, *values, of) for values in self._values(type))
            if len(of) >= least:
                best, rival, *_ = *sorted(meanings, key=lambda m: -m[0]), (0, None), (0, None)
                if best[1] is not None and best[0] >= least and best[0] > rival[0]:
                    found[phrase] = best[1]
        return found

    def _described(self, question: Question) -> list[tuple[str, str, int]]:
        """The class that is asked for with the word before it, its id, and the word's place."""
        words, singular = words_of(question.text), self.kinds.language.singular
        types = self._resources.lexicon.types.items()
        classes = {word: id for id, of in types for word in (of.word, *of.also)}
        nouns = [singular(word.text) for word in words]
        place = next((n for n, noun in enumerate(nouns) if noun in classes), 0)
        if not place:
            return []
        before = words[place - 1]
        return [(f"{before.text} {nouns[place]}", classes[nouns[place]], before.start)]

    def _told(self, question: Question, start: int) -> _Told | None:
        """What a question tells of the word at a place, if a reading lacks it alone."""
        names = self._names(question)
        wanted = frozenset(map(_key, question.answers))
        for reading in self._composer.readings(question.text, names, names, self._graph):
            coverage = self._composer.hypothesis(reading, names).coverage or Coverage()
            if [span.start for span in coverage.left_out] != [start]:
                continue
            of = reading.item.value
            result = self._matched(of.of if isinstance(of, Count) else of)
            nodes = result.answers() if result else ()
            if isinstance(of, Count):
                count = value_of(question.answers[0]).number
                return _Told(nodes, wanted, int(count)) if nodes and count is not None else None
            return _Told(nodes, wanted) if wanted <= {_key(node.name) for node in nodes} else None
        return None

    def _values(self, type: str) -> Iterator[tuple[str, Mapping[str, float]]]:
        """The numbers of all nodes of a type, by relation."""
        of = OfType(type, self.kinds.of_type(type))
        for relation in self.kinds.values(of.kinds):
            result = self._matched(Valued(of, Step(relation.id), of.kinds))
            best = result.interpretations[:1] if result else ()
            facts = [match.triples[0] for one in best for match in one.matches]
            numbers = {fact.source.id: value_of(fact.target.name).number for fact in facts}
            yield relation.id, {id: float(n) for id, n in numbers.items() if n is not None}

    def _matched(self, of: Any) -> MatchResult | None:
        """All matches of an expression; None where it has no pattern, or they are too many."""
        pattern = to_pattern(of, self.kinds)
        result = self._match(pattern, of) if pattern else None
        return None if result is None or result.certificate.ended_by else result

    def _match(self, pattern: Pattern, of: Any) -> MatchResult:
        limits = {"budget_rows": ROWS, "budget_seconds": SECONDS}
        options = Options().with_(**options_of(of), **limits)
        return match_once(self._resources, self._resources.store, pattern, options).result

    def part(self, questions: Sequence[Question]) -> Rows:
        """The labels of some questions, as JSON."""
        return [asdict(self.label(q, check=n < CHECKED)) for n, q in enumerate(questions)]

    def label(self, question: Question, *, check: bool = False) -> Label:
        """The program of a question.

        Args:
            check: whether to compare the composer's best reading with it.
        """
        text, slots = self.masked(question.text, question.topics or None)
        if "cypher" in question.queries:
            program, reason = self._of_query(question.queries["cypher"], slots)
        elif question.answers:
            program, reason = self._of_answers(question, slots)
        else:
            program, reason = (), "neither answers nor a query in Cypher"
        composed = None
        if check and (program or question.answers):
            composed = self._composes(question, program, slots)
        return Label(question.id, text, program, reason, composed)

    def _composes(self, question: Question, program: Program, slots: Sequence[Slot]) -> bool | None:
        """Whether the best composed reading is a program; None where none is of every word."""
        names = self._names(question)
        readings = self._composer.readings(question.text, names, names, self._graph)
        if not readings:
            return None
        coverage = self._composer.hypothesis(readings[0], names).coverage
        if coverage is None or coverage.left_out:
            return None
        return self._writer.write(readings[0].item.value, slots) == program

    def _names(self, question: Question) -> Sequence[Mention]:
        finder = self._resources.mentions
        names = finder.find(question.text)
        return (*names, *finder.inside(question.text, names))

    def masked(
        self, question: str, topics: Sequence[str] | None = None
    ) -> tuple[str, tuple[Slot, ...]]:
        """A question as the model reads it, with its names and values."""
        self._graph.begin(same=True)  # many questions have the same names
        slots = self._slots.find(question, self._graph, topics)
        return masked(question, slots, self.kinds), slots

    def written(self, expression: Any, slots: Sequence[Slot]) -> Program:
        """The program of an expression; empty where it has none."""
        return self._writer.write(expression, slots) or ()

    def _of_query(self, query: str, slots: Sequence[Slot]) -> tuple[Program, str]:
        try:
            expression = to_expression(read_cypher(query), self.kinds)
        except LoadError:
            return (), "its query is of another shape"
        program = self._writer.write(expression, slots)
        if program is None:
            return (), "a name or value of its query is not in the question"
        return program, "query"

    def _of_answers(self, question: Question, slots: Sequence[Slot]) -> tuple[Program, str]:
        names = self._names(question)
        readings = self._composer.readings(question.text, names, names, self._graph)
        wanted = frozenset(map(_key, question.answers))
        for reading in readings[:MOST_READINGS]:
            coverage = self._composer.hypothesis(reading, names).coverage or Coverage()
            program = self._writer.write(reading.item.value, slots)
            # All cities may be major ones, and the word means something yet.
            if program is None or any(span.kind in CHOOSING for span in coverage.left_out):
                continue
            result = self._match(reading.pattern, reading.item.value)
            ended = result.certificate.ended_by
            if ended == "time":
                return (), f"a reading was matched for {SECONDS:.0f} s without an end"
            if ended:
                continue
            given_names = frozenset(map(_key, _names(result)))
            if given_names == wanted or (question.tied and given_names and given_names <= wanted):
                return program, "answers"
        return (), "no reading gives its answers" if readings else "it cannot be read"


@dataclass(frozen=True, slots=True)
class _Told:
    """What a question tells of a word: the names of the nodes that it keeps, or how many."""

    nodes: tuple[Bound, ...]
    kept: frozenset[str]
    count: int | None = None

    def bounds(self, values: Mapping[str, float]) -> tuple[float, float] | None:
        """The greatest number that is left out and the least that is kept, if that explains it."""
        ranked = sorted(
            ((values.get(node.id, -inf), _key(node.name) in self.kept) for node in self.nodes),
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
            least = [least for most, least in bounds if most <= low < least]
            if low > -inf and len(least) > best[0]:
                limit = sign * _roundest(low, min(least))
                best = len(least), Definition(type, relation, operator, f"{limit:.15g}")
    return best


def _roundest(low: float, high: float) -> float:
    """The number of the fewest digits from one to below another."""
    scale = 10.0 ** round(log10(max(abs(low), 1e-9)) + 1)
    for digit in range(16):
        for step in (scale / 10**digit, scale / 10**digit / 2):
            if (number := ceil(low / step) * step) < high:
                return float(number)
    return low


def _names(result: MatchResult) -> Iterator[str]:
    """What a result answers, as names."""
    if result.pattern.ask:
        yield str(result.holds).lower()
    elif result.pattern.count is not None:
        yield str(result.count())
    elif result.pattern.aggregate is not None:
        yield str(result.value())
    else:
        yield from (node.name for node in result.answers())


def _key(name: str) -> str:
    """A name to compare: numbers by their value."""
    number = value_of(name).number
    return name.casefold() if number is None else f"{float(number):.6g}"
