"""Programs of questions: from gold queries, from what gives the known answers, or from the words.

A gold query is read into the program that it is. Where only answers are known, the readings
of the composer (`isomatch.interpret.compose`) are matched, and the likeliest one that gives
just these answers is taken: most programs that give the right answers by chance are none
that the words could mean. A question with neither has its likeliest reading, where that accounts
for every word and no other comes near: what is read so teaches how the others are meant
(Goldwasser et al., Confidence driven unsupervised semantic parsing, ACL 2011).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.chains.graph import ChainGraph
from isomatch.errors import LoadError
from isomatch.interpret.compose.composer import Composer
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.patterns import options_of
from isomatch.interpret.programs.slots import SlotFinder, masked
from isomatch.interpret.programs.tokens import ProgramWriter, Slot
from isomatch.interpret.question import Asked
from isomatch.interpret.types import Span, SpanKind
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
    from isomatch.interpret.compose.readings.answering import Reading
    from isomatch.match.types import MatchResult
    from isomatch.pattern.types import Pattern
    from isomatch.questions.datasets import Question
    from isomatch.resources import Resources

Rows = list[dict[str, Any]]

PART = 50  # questions per shard
CHECKED = 10  # of these, whose composed readings are compared with what they mean
CHOOSING: tuple[SpanKind, ...] = ("operator", "number")
"""Words that change which things are meant; what other words mean may be learnt."""
MOST_READINGS = 12  # that are matched for one question
LIKELY = -0.8
"""Score of a composed reading from which a question is learnt from that has nothing but words."""
CLEAR = 0.05
"""How far below that the next reading of another program has to be.

Of 1,350 questions of ZOGRASCOPE 529 have such a reading, with an edited lexicon. 84 in 100 of
these are the gold query's program, but for the direction in which people know each other.
"""
ROWS = 100_000  # that are read for one of them: the same on every machine
SECONDS = 60.0  # after which the question has no program, and this is told


@dataclass(frozen=True, slots=True)
class Label:
    """The program of one question.

    Attributes:
        id: of the question.
        text: the question with its names masked.
        program: empty where there is none.
        reason: why there is none, else how it was found: ``query``, ``answers``, ``words`` or
            ``feedback``.
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
    def unchecked(self) -> bool:
        """Whether nobody said what most of the questions mean."""
        return 2 * self.found.get("words", 0) > self.kept

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
    """Finds the programs of questions over one graph.

    Attributes:
        resources: the graph.
        kinds: of its things.
    """

    def __init__(self, resources: Resources):
        self.resources = resources
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
        elif question.queries:
            program, reason = (), "neither answers nor a query in Cypher"
        else:
            program, reason = self._of_words(question, slots)
        composed = None
        if check and reason != "words" and (program or question.answers):
            composed = self._composes(question, program, slots)
        return Label(question.id, text, program, reason, composed)

    def _composes(self, question: Question, program: Program, slots: Sequence[Slot]) -> bool | None:
        """Whether the best composed reading is a program; None where none is of every word."""
        for reading, left_out in self.readings(question):
            return None if left_out else self._writer.write(reading.item.value, slots) == program
        return None

    def readings(self, question: Question) -> Iterator[tuple[Reading, Sequence[Span]]]:
        """The composed readings of a question, best first, with what each leaves out."""
        asked = Asked.of(question.text, self.resources.mentions, self.resources.lexicon)
        text, names = asked.text, asked.names
        for reading in self._composer.readings(text, names, asked.beside, self._graph):
            coverage = self._composer.hypothesis(text, reading, names).coverage
            yield reading, coverage.left_out if coverage else ()

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
        wanted = frozenset(map(key, question.answers))
        reason = "it cannot be read"
        for reading, left_out in islice(self.readings(question), MOST_READINGS):
            reason = "no reading gives its answers"
            program = self._writer.write(reading.item.value, slots)
            # All cities may be major ones, and the word means something yet.
            if program is None or any(span.kind in CHOOSING for span in left_out):
                continue
            result = self.match(reading.pattern, reading.item.value)
            ended = result.certificate.ended_by
            if ended == "time":
                return (), f"a reading was matched for {SECONDS:.0f} s without an end"
            if ended:
                continue
            given_names = frozenset(map(key, _names(result)))
            if given_names == wanted or (question.tied and given_names and given_names <= wanted):
                return program, "answers"
        return (), reason

    def _of_words(self, question: Question, slots: Sequence[Slot]) -> tuple[Program, str]:
        readings = (
            (self.written(reading.item.value, slots), reading.score, left_out)
            for reading, left_out in self.readings(question)
        )
        program, score, left_out = next(readings, ((), LIKELY, ()))
        if left_out or not program or score < LIKELY:
            return (), "without answers, it is not read for certain"
        rival = next((other for meant, other, _ in readings if meant != program), -inf)
        if rival > score - CLEAR:
            return (), "without answers, it may mean two things"
        return program, "words"

    def match(self, pattern: Pattern, of: Any) -> MatchResult:
        """The matches of an expression's pattern, as far as the limits go."""
        limits = {"budget_rows": ROWS, "budget_seconds": SECONDS}
        options = Options().with_(**options_of(of), **limits)
        return match_once(self.resources, self.resources.store, pattern, options).result


def _names(result: MatchResult) -> Iterator[str]:
    """What a result answers, as names."""
    if result.pattern.ask:
        yield str(result.holds).lower()
    elif result.pattern.count is not None:
        yield str(result.count())
    elif result.pattern.aggregate is not None:
        value = result.value()
        yield value.name if value else ""
    else:
        yield from (node.name for node in result.answers())


def key(name: str) -> str:
    """A name to compare: numbers by their value."""
    number = value_of(name).number
    return name.casefold() if number is None else f"{float(number):.6g}"
