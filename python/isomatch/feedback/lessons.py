"""What feedback says about questions now: the right answers, and the chains that lead to them.

Of all that was said about one question the last counts. A pattern that was chosen is matched
again, so that the answers are those of the graph as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from isomatch.chains.graph import Chain
from isomatch.errors import ConfigurationError, PatternError, QueryTimeout
from isomatch.feedback.chains import chains_of
from isomatch.feedback.types import Record
from isomatch.match.types import Bound, MatchResult
from isomatch.options import Options
from isomatch.pattern import parse
from isomatch.pattern.types import Pattern, RelationChain
from isomatch.questions.datasets import Question
from isomatch.questions.sets import Problem
from isomatch.retrieve.patterns import match_pattern
from isomatch.trained.masking import mask, mask_topic

if TYPE_CHECKING:
    from isomatch.resources import Resources

MOST_ANSWERS = 1000  # of one question; more cannot be compared
OPTIONS = ("nodes", "direction", "type_weight", "same_as")
"""What of the options of a reading says what its pattern means; the others bound a search."""
NO_CHAIN = "the pattern is no relation chain"


@dataclass(frozen=True, slots=True)
class Topic:
    """A name of a question that a chain starts from.

    Attributes:
        name: as the graph has it.
        masked: the question without the name, as chain models read it.
        chain: from here to the answer.
    """

    name: str
    masked: str
    chain: Chain


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is right for one question.

    Attributes:
        record: the last that was said about it.
        said: how often this was said.
        answers: names of all right answers; empty where there are too many to compare.
        topics: of its chains; empty where there is none.
        known: names of the nodes that its pattern is about, as the graph has them.
        result: of the chosen pattern; None for answers that were typed alone.
        reason: why it has no chains, in words.
    """

    record: Record
    said: int
    answers: tuple[str, ...]
    topics: tuple[Topic, ...] = ()
    known: tuple[str, ...] = ()
    result: MatchResult | None = None
    reason: str = ""

    def walks(self, texts: Mapping[str, str]) -> list[tuple[str, ...]]:
        """Its chains in words, as `isomatch.feedback.chains.walks_of` gives those of a pattern."""
        return sorted(
            tuple(f"{'^' * step.back}{texts[step.relation]}" for step in topic.chain)
            for topic in self.topics
        )

    def question(self, texts: Mapping[str, str]) -> Question:
        """As a question of a set.

        Args:
            texts: of the graph's relations, by id.
        """
        gold = None
        if len(self.topics) == 1:
            gold = RelationChain(self.topics[0].name, *self.walks(texts))
        record, hops = self.record, max((len(t.chain) for t in self.topics), default=0)
        return Question(
            record.id, record.question, self.known, self.answers, gold, hops, kind=record.kind
        )


@dataclass(frozen=True, slots=True)
class Mistake:
    """A reading that was said to be wrong, of a question whose right one is not known.

    Attributes:
        answers: what the reading gives now; empty where that is too many to compare.
    """

    record: Record
    pattern: Pattern
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lessons:
    """Everything that feedback says now.

    Attributes:
        problems: what cannot be used, with the reason.
        stale: how many records are of an earlier state of the graph.
        records: how many there are in all.
    """

    lessons: tuple[Lesson, ...]
    mistakes: tuple[Mistake, ...] = ()
    problems: tuple[Problem, ...] = ()
    stale: int = 0
    records: int = 0

    @property
    def notes(self) -> tuple[str, ...]:
        """In words, what whoever uses them must know."""
        if not self.stale:
            return ()
        return (
            f"{self.stale:,} of {self.records:,} records are of an earlier state of the graph: "
            "their patterns were matched with the graph as it is now",
        )


def lessons_of(
    resources: Resources, records: Sequence[Record], problems: Iterable[Problem] = ()
) -> Lessons:
    """What records say about the graph as it is.

    Args:
        records: oldest first.
        problems: of the file that they are from.

    Raises:
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    reader = _Reader(resources, list(problems))
    said: dict[str, list[Record]] = {}
    for record in records:
        if _is_pattern(record.question):
            text = f"{record.question!r}: a pattern was asked, and no question"
            reader.problems.append(Problem("no question", record.id, text))
        else:
            said.setdefault(record.key, []).append(record)
    lessons, mistakes = [], []
    for group in said.values():
        right, wrong = _last(group, reader.problems)
        if right is not None:
            agreed = sum(_says(r) == _says(right) for r in group if r.kind != "down")
            lesson = reader.lesson(right, agreed)
            lessons += [lesson] if lesson else []
        else:
            mistakes += [m for r in wrong if (m := reader.mistake(r))]
    fingerprint = resources.schema.fingerprint
    stale = sum(record.graph != fingerprint for record in records)
    return Lessons(tuple(lessons), tuple(mistakes), tuple(reader.problems), stale, len(records))


def _last(group: Sequence[Record], problems: list[Problem]) -> tuple[Record | None, list[Record]]:
    """What was last said to be right about a question, and the readings said to be wrong."""
    right: Record | None = None
    wrong: dict[object, Record] = {}
    for record in group:
        if record.kind == "down":
            if record.read is None:
                continue
            form = form_of(record.read)
            wrong[form] = record
            if right is not None and right.chosen and form_of(right.chosen) == form:
                right = None
        elif record.chosen is not None or record.answers:
            if right is not None and _says(right) != _says(record):
                text = f"{record.question!r} was corrected in several ways: the last one counts"
                problems.append(Problem("corrected again", right.id, text))
            right = record
            if record.chosen is not None:
                wrong.pop(form_of(record.chosen), None)
    return right, list(wrong.values())


def _is_pattern(question: str) -> bool:
    try:
        parse(question)
    except PatternError:
        return False
    return True


def _says(record: Record) -> object:
    """Equal for records that say the same, whatever the unknown nodes are called."""
    return record.chosen and form_of(record.chosen), frozenset(record.answers)


def form_of(pattern: Pattern) -> object:
    """Equal for patterns that are the same but for the names of their unknown nodes."""
    places = {node.id: place for place, node in enumerate(pattern.nodes)}
    nodes = tuple((node.text, node.type) for node in pattern.nodes)
    edges = ((places[e.source], e.relation, e.target and places[e.target]) for e in pattern.edges)
    beside = (pattern.where, pattern.parts, pattern.order, pattern.optional)
    functions = tuple(name for name, _ in pattern.functions)
    returned = tuple(places.get(id) for id in pattern.answers)
    return nodes, frozenset(edges), returned, functions, beside


class _Reader:
    """Matches the patterns of records; what cannot be used is a problem."""

    def __init__(self, resources: Resources, problems: list[Problem]):
        self._resources = resources
        self.problems = problems

    def lesson(self, record: Record, said: int) -> Lesson | None:
        typed = self._typed(record.answers)
        if record.chosen is None:
            return Lesson(record, said, typed, reason="it has answers and no pattern")
        result = self._matched(record, record.chosen)
        if result is None:
            return None
        found = Lesson(record, said, typed or self._answers(record, result), result=result)
        known = self._known(result)
        found = replace(found, known=tuple(dict.fromkeys(b.name for b in known.values())))
        chains = chains_of(result)
        if not chains:
            return replace(found, reason=NO_CHAIN)
        masked = {id: self._masked(record.question, known[id]) for id in chains}
        if missing := [known[id].name for id, text in masked.items() if text is None]:
            return replace(found, reason=f"the question does not have the name {missing[0]!r}")
        topics = tuple(Topic(known[id].name, masked[id] or "", chains[id]) for id in chains)
        return replace(found, topics=topics)

    def mistake(self, record: Record) -> Mistake | None:
        assert record.read is not None
        result = self._matched(record, record.read)
        if result is None:
            return None
        return Mistake(record, record.read, self._answers(record, result))

    def _matched(self, record: Record, pattern: Pattern) -> MatchResult | None:
        """The result of a pattern; None where there is none."""
        given = record.reading.options if record.reading else {}
        try:
            chosen = {key: value for key, value in given.items() if key in OPTIONS}
            options = Options().with_(**chosen, k=1, limit=MOST_ANSWERS)
            result = match_pattern(self._resources, pattern, options)
        except (ConfigurationError, PatternError, QueryTimeout) as error:
            why = str(error)
        else:
            if result.found or result.holds is not None:
                return result
            why = "the graph has no match of its pattern"
        self.problems.append(Problem("no match", record.id, f"{record.question!r}: {why}"))
        return None

    def _answers(self, record: Record, result: MatchResult) -> tuple[str, ...]:
        """What a result answers; empty where that is not all."""
        cut = any(interpretation.cut for interpretation in result.interpretations[:1])
        if not cut and result.certificate.ended_by is None:
            return answer_names(result)
        text = f"{record.question!r}: its pattern has more matches than can be compared"
        self.problems.append(Problem("too many answers", record.id, text))
        return ()

    def _typed(self, answers: Sequence[str]) -> tuple[str, ...]:
        """Names of what was typed or chosen, which may be ids."""
        names = self._resources.index.name_of(answers)
        return tuple(dict.fromkeys(names.get(answer, answer) for answer in answers))

    @staticmethod
    def _known(result: MatchResult) -> Mapping[str, Bound]:
        """What the known nodes of a pattern stand for in its best interpretation."""
        found: dict[str, Bound] = {}
        for match in result.interpretations[0].matches if result else ():
            for node in result.pattern.nodes:
                if node.known:
                    found.setdefault(node.id, match.bindings[node.id])
        return found

    def _masked(self, question: str, named: Bound) -> str | None:
        """The question without the name of a node, by the place where it would be read."""
        for mention in self._resources.mentions.find(question):
            if named.id in mention.ids:
                return mask(question, mention.start, mention.end)
        return mask_topic(question, named.name)


def answer_names(result: MatchResult) -> tuple[str, ...]:
    """What the best interpretation of a result answers, as names."""
    if result.pattern.ask:
        return () if result.holds is None else (str(result.holds).lower(),)
    if (count := result.count()) is not None:
        return (str(count),)
    if result.pattern.aggregate is not None:
        value = result.value()
        return () if value is None else (value.name,)
    return tuple(dict.fromkeys(node.name for node in result.answers()))
