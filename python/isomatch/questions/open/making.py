"""Make open questions about a graph: fill templates with its names, word, score and keep them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from isomatch.answer.sentences import sentences
from isomatch.errors import ConfigurationError
from isomatch.lexicon.folding import tokens
from isomatch.llm import Usage, continued, prompt
from isomatch.phrasing import clean
from isomatch.questions.open.scores import PACKAGE, by_model, by_rules, fact_words, mean
from isomatch.questions.open.sets import TYPES, OpenQuestion
from isomatch.questions.open.things import Thing, Things
from isomatch.seed import SEED, shuffled
from isomatch.texts import data, find_word

if TYPE_CHECKING:
    from isomatch.llm import ChatModel, Message
    from isomatch.match.types import Triple
    from isomatch.session import Session

LEAST_SCORE = 6.0
LEAST_FACTS, LEAST_RELATIONS = 5, 3
TRIES = 8  # candidates for each question that is wanted
_LOOKED = 2_000  # things that a template may pass over before it is given up
_SECOND = {
    "connected": " with anything connected to it",
    "comparable": " with anything to compare it with",
    "neighbour": " with a fact about anything else",
}
_LONGEST = 60  # words of a question that a model wrote


@dataclass(frozen=True, slots=True)
class Making:
    """How questions are made.

    Attributes:
        count: how many are wanted.
        types: of `isomatch.questions.open.sets.TYPES`; empty for all.
        least_score: of the mean of the five angles, from 1 to 10.
        least_facts, least_relations: what the graph must say of each topic.
        seed: of all choices.
    """

    count: int = 30
    types: tuple[str, ...] = ()
    least_score: float = LEAST_SCORE
    least_facts: int = LEAST_FACTS
    least_relations: int = LEAST_RELATIONS
    seed: int = SEED

    def __post_init__(self) -> None:
        for key in ("count", "least_facts", "least_relations"):
            if (value := getattr(self, key)) < 1:
                raise ConfigurationError(f"{key} must be a whole number from 1 on, not {value!r}")
        if not 1 <= self.least_score <= 10:
            raise ConfigurationError(f"least_score must lie from 1 to 10, not {self.least_score!r}")
        for type in self.types:
            if type not in TYPES:
                raise ConfigurationError(f"type must be one of {', '.join(TYPES)}, not {type!r}")


@dataclass(slots=True)
class Made:
    """Questions, and what became of the other candidates.

    Attributes:
        questions: those that were kept.
        dropped: number of candidates by reason.
        notes: which templates the graph has nothing for, and what a model got wrong.
        usage: what a model has cost.
    """

    questions: list[OpenQuestion] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Filled:
    """A template with names of the graph in its places."""

    text: str
    topics: tuple[str, ...]
    further: tuple[str, ...]
    facts: tuple[Triple, ...]


def make_questions(
    session: Session,
    making: Making | None = None,
    *,
    model: ChatModel | None = None,
    progress: Callable[..., None] | None = None,
) -> Made:
    """Questions about the graph of a session, of each kind that it has something for.

    Args:
        model: words and scores them; None for the templates' words, scored by rules.
        progress: called with (kept, wanted).

    Raises:
        ConfigurationError: the graph has nothing that is rich enough, or no candidate was
            good enough to be kept.
        ModelError: the model's endpoint failed.
    """
    making = making or Making()
    maker = _Maker(session, making, model)
    before = Usage() if model is None else model.usage
    made = maker.made
    streams = maker.streams()
    tries = 0
    while streams and len(made.questions) < making.count and tries < TRIES * making.count:
        for name in list(streams):
            if len(made.questions) >= making.count:
                break
            filled = next(streams[name], None)
            if filled is None:
                del streams[name]
                if not maker.had[name]:
                    made.notes.append(maker.nothing_for(name))
                continue
            maker.had[name] += 1
            tries += 1
            maker.consider(name, filled)
            if progress:
                progress(len(made.questions), making.count)
    if model is not None:
        made.usage = model.usage - before
    if not maker.had.total():
        raise ConfigurationError(
            "no questions can be made: nothing in the graph has a name of its own and at least "
            f"{making.least_facts} facts of {making.least_relations} relations, of the kinds that "
            f"the templates ask for ({'; '.join(made.notes)})"
        )
    if not made.questions:
        why = ", ".join(f"{count} {reason}" for reason, count in made.dropped.most_common())
        raise ConfigurationError(f"no question was good enough to be kept: {why}")
    if len(made.questions) < making.count:
        made.notes.append(
            f"{len(made.questions):,} of {making.count:,}: the graph gave no more that were good "
            "enough"
        )
    return made


class _Maker:
    def __init__(self, session: Session, making: Making, model: ChatModel | None):
        self.made = Made()
        self.had: Counter[str] = Counter()
        self._session = session
        self._making = making
        self._model = model
        self._templates = data(PACKAGE, "templates.toml")
        self._used: Counter[str] = Counter()
        self._seen: set[str] = set()
        self._things = Things(
            session.resources, making.seed, making.least_facts, making.least_relations
        )

    def streams(self) -> dict[str, Iterator[Filled]]:
        """By template, what it can be filled with."""
        types = self._making.types or TYPES
        return {
            name: self._fillings(name, template)
            for name, template in self._templates.items()
            if template["type"] in types
        }

    def nothing_for(self, name: str) -> str:
        template = self._templates[name]
        wanted = " or ".join(template["first"])
        second = _SECOND.get(template.get("second", ""), "")
        return f"{template['name']}: no {wanted}{second} was found"

    def consider(self, name: str, filled: Filled) -> None:
        """Word and score a candidate, and keep it where it is good enough."""
        text, worded = self._worded(name, filled)
        if text in self._seen:
            self.made.dropped["the same again"] += 1
            return
        self._seen.add(text)
        scores = self._scores(text, filled)
        if scores is None:
            self.made.dropped["not scored: the model gave no scores in two attempts"] += 1
            return
        if mean(scores) < self._making.least_score:
            self.made.dropped[f"scored below {self._making.least_score:g}"] += 1
            return
        self._used.update(filled.topics)
        number = len(self.made.questions) + 1
        self.made.questions.append(
            OpenQuestion(
                id=f"open-{self._making.seed}-{number}",
                text=text,
                topics=filled.topics,
                type=self._templates[name]["type"],
                template=name,
                scores=scores,
                worded=worded,
            )
        )

    # -- filling --------------------------------------------------------------------------

    def _fillings(self, name: str, template: dict[str, Any]) -> Iterator[Filled]:
        """A thing of the first kind that the graph has, with what else the template needs."""
        for kind in template["first"]:
            found = False
            since = 0
            for thing in self._things.all(name):
                since += 1
                if kind not in ("thing", thing.kind):
                    if since > _LOOKED:
                        break
                    continue
                filled = self._filled(name, template, thing)
                if filled is not None:
                    found, since = True, 0
                    yield filled
                elif since > _LOOKED:
                    break
            if found:
                return

    def _filled(self, name: str, template: dict[str, Any], thing: Thing) -> Filled | None:
        topics, further, facts = [thing.name], [], list(thing.facts)
        values = {"a": thing.name}
        second = template.get("second")
        if second == "connected":
            found = next(self._things.connected(thing), None)
            if found is None:
                return None
            other, way = found
            topics.append(other.name)
            facts = [*way, *thing.facts, *other.facts]
        elif second == "comparable":
            pair = next(self._things.comparable(thing), None)
            if pair is None:
                return None
            other, values["aspect"] = pair
            topics.append(other.name)
            further.append(values["aspect"])
            facts = [*_alternating(thing.facts, other.facts)]
        elif second == "neighbour":
            near = [end.name for end in thing.neighbours if end.name != thing.name]
            if not near:
                return None
            topics.append(shuffled(near, self._salt(name, thing.name))[0])
        if template.get("fact"):
            told = self._fact(name, thing)
            if told is None:
                return None
            values["fact"] = told
            further.append(told)
        if len(topics) > 1:
            values["b"] = topics[1]
        text = shuffled(template["texts"], self._salt(name, thing.name))[0].format(**values)
        return Filled(clean(text, None), tuple(topics), tuple(further), tuple(facts))

    def _salt(self, *parts: str) -> str:
        return " ".join([str(self._making.seed), *parts])

    def _fact(self, name: str, thing: Thing) -> str | None:
        """A fact of a thing, as the end of a sentence."""
        ends = {end.id for end in thing.neighbours}
        facts = [t for t in thing.facts if ends & {t.source.id, t.target.id}]
        if not facts:
            return None
        fact = shuffled(facts, self._salt(name, thing.name))[0]
        single = {r.id for r in self._session.schema.relations if r.max_out == 1}
        (told,) = sentences([fact], self._session.lexicon, single=single)
        told = told.rstrip(".")
        return told[:1].lower() + told[1:] if told.startswith("The ") else told

    # -- wording and scoring --------------------------------------------------------------

    def _worded(self, name: str, filled: Filled) -> tuple[str, str]:
        """The question in a model's words where these can be used, else in the template's."""
        if self._model is None:
            return filled.text, "template"
        template = self._templates[name]
        asked = prompt(
            PACKAGE,
            "word.j2",
            kind=template["name"],
            type=template["type"],
            plain=filled.text,
            topics=filled.topics,
            facts=fact_words(filled.facts),
        )
        messages: list[Message] = [{"role": "user", "content": asked}]
        for _ in range(2):
            said = self._model.complete(messages)
            text = " ".join(said.strip().strip('"“”').split())
            problem = _problem(text, filled.topics)
            if not problem:
                return text, "model"
            repair = prompt(PACKAGE, "word_repair.j2", problem=problem)
            messages = continued(messages, said, repair)
        self.made.dropped["model's wordings: the template's words are used"] += 1
        return filled.text, "template"

    def _scores(self, text: str, filled: Filled) -> dict[str, float] | None:
        if self._model is not None:
            return by_model(self._model, text, filled.topics, fact_words(filled.facts))
        facts = len(filled.facts)
        return by_rules(text, filled.topics, filled.further, facts, self._used)


def _problem(text: str, topics: Sequence[str]) -> str:
    """Why a model's words cannot be a question; empty where they can."""
    missing = [topic for topic in topics if find_word(text, topic) is None]
    if missing:
        return f"it does not name {', '.join(f'“{name}”' for name in missing)}"
    count = len(tokens(text))
    if not 4 <= count <= _LONGEST:
        return f"it has {count} words"
    if not text.endswith(("?", ".")):
        return "it does not end as a question or a request"
    return ""


def _alternating(first: Sequence[Triple], second: Sequence[Triple]) -> list[Triple]:
    """Facts of two things in turns, so that a prompt has some of both."""
    pairs = [fact for both in zip(first, second, strict=False) for fact in both]
    least = min(len(first), len(second))
    return list(dict.fromkeys([*pairs, *first[least:], *second[least:]]))
