"""Questions made up from a schema, with their programs: for graphs without questions.

A set of things is sampled from the relations between types and said by the lexicon's words:
"films that were directed by [0 person]". The sentence around it asks for the set, for a value
of its members, for their number, or for the greatest of them. Names need not be known: a model
reads what a name is, not which.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch.chains.graph import Step
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.programs.tree import arranged, is_vacuous, parse
from isomatch.learn.examples import Example
from isomatch.lexicon.lexicon import Lexicon
from isomatch.schema.types import Relation, node_types
from isomatch.trained.alignment import Program
from isomatch.trained.program_vocabulary import MOST_SLOTS

if TYPE_CHECKING:
    from isomatch.resources import Resources

DEPTHS = (1, 1, 2, 2, 3, 4)
"""How many relations lie between the things that are asked for and the farthest name."""
TRIES = 20
SHARES = {"counted": 0.25, "whether": 0.05, "valued": 0.2, "extreme": 0.2, "asked": 0.3}
"""Of each kind of question."""
NARROWED, CALLED, COMPARED, EXCLUDED = 0.3, 0.12, 0.1, 0.06
"""How often a set is narrowed once more, by a name, a comparison, or others that are left out."""
ANY, VALUED = 0.15, 0.4
"""How often the farthest things are any of their type ("people who own a car"), or have a value."""
WORKED = 0.3
"""How often not a value is asked for, but the greatest or least one, or that of an extreme."""
_SLOT = re.compile(r"\[(\d+) ")


@dataclass(frozen=True, slots=True)
class _Said:
    """A set, in words with its names numbered, and as a program with the same numbers."""

    text: str
    program: Program


def sample_questions(resources: Resources, number: int, seed: int) -> Iterator[Example]:
    """Questions with programs, each different; fewer where the schema has not so many.

    Args:
        number: of questions.
        seed: the same one gives the same questions.
    """
    sampler = _Sampler(resources, random.Random(f"{seed} programs"))  # noqa: S311 - repeatable
    seen: set[str] = set()
    for place in range(number * TRIES if sampler.types else 0):
        said = _numbered(sampler.question())
        if said is None or is_vacuous(parse(said.program), sampler.kinds):
            continue
        if said.text not in seen:
            seen.add(said.text)
            yield Example("retrieval", said.text, ((said.program, 1.0),), "synthetic", f"s{place}")
        if len(seen) == number:
            return


class _Sampler:
    """Samples questions over one schema.

    Attributes:
        kinds: of the schema.
        types: of which there are things with relations.
    """

    def __init__(self, resources: Resources, rng: random.Random):
        self._rng = rng
        self._lexicon: Lexicon = resources.lexicon
        self._words = resources.lexicon.language.made_up
        self.kinds = GraphKinds(resources.schema, resources.lexicon)
        self._names = 0
        relations = self.kinds.relations
        self._values = [r for r in relations if self.kinds.gives_value(r.id)]
        self._links = [r for r in relations if not self.kinds.gives_value(r.id)]
        sizes = resources.schema.sizes
        known = node_types(resources.lexicon.types)
        self.types = sorted(t for t in known if self._of(t) and sizes.get(t, 0))
        self._adjectives = _adjectives(resources.lexicon)

    def question(self) -> _Said:
        """One question, its names numbered as they were made."""
        self._names = 0
        # People ask more of what has more relations.
        (type,) = self._rng.choices(self.types, [len(self._of(t)) for t in self.types])
        things = self._set(type, self._rng.choice(DEPTHS))
        (kind,) = self._rng.choices(list(SHARES), list(SHARES.values()))
        values = self._values_of(type)
        worked = kind == "valued" and self._rng.random() < WORKED
        if kind == "extreme" or (worked and self._rng.random() < 0.5):
            things, worked = self._extreme(type, things, values), False
        if kind == "valued" and values:
            relation = self._rng.choice(values)
            noun, tokens = self._noun(relation), (f"+{relation.id}", *things.program)
            if worked and relation.is_ordered:
                greatest = self._rng.random() < 0.5
                forms = self._words.greatest if greatest else self._words.least
                noun = f"{self._rng.choice(forms)} {noun}"
                tokens = ("max:" if greatest else "min:", *tokens)
            return _Said(self._say(self._words.valued, things=things.text, value=noun), tokens)
        if kind == "counted":
            text = self._say(self._words.counted, things=things.text)
            return _Said(text, ("count", *things.program))
        if kind == "whether":
            text = self._say(self._words.whether, things=things.text)
            return _Said(text, ("whether", *things.program))
        return _Said(self._say(self._words.asked, things=things.text), things.program)

    def _extreme(self, type: str, things: _Said, values: Sequence[Relation]) -> _Said:
        """Those of some things with the greatest or least value, or with the most others."""
        words, links = self._words, [one for one in self._of(type) if one[0] in self._links]
        if links and self._rng.random() < 0.2:
            relation, back = self._rng.choice(links)
            step = Step(relation.id, not back)
            other = self._rng.choice(self._others(step))
            text = self._say(words.most_of, things=things.text, others=self._plurals(other))
            sign = "-" if step.back else "+"
            turned = "+" if sign == "-" else "-"
            program = ("most", f"{turned}{relation.id}", f"type:{other}", *things.program)
            return _Said(text, program)
        if not values:
            return things
        relation, descending = self._rng.choice(values), self._rng.random() < 0.5
        adjectives = self._adjectives.get((relation.id, descending), ())
        if adjectives and self._rng.random() < 0.5:
            text = self._say(
                words.adjective, things=things.text, adjective=self._rng.choice(adjectives)
            )
        else:
            graded = self._rng.choice(words.greatest if descending else words.least)
            noun = self._noun(relation)
            text = self._say(words.extreme, things=things.text, extreme=graded, value=noun)
        return _Said(text, ("max" if descending else "min", f"+{relation.id}", *things.program))

    def _set(self, type: str, depth: int) -> _Said:
        """Things of a type that one or two relations bound."""
        draw = self._rng.random()
        if draw < CALLED and self._rng.random() < 0.5:
            return self._bound(type, depth, _Said(*self._name(self._lexicon.types[type].word)))
        things = self._bound(type, depth)
        if draw > NARROWED + CALLED + EXCLUDED:
            return things
        if draw < CALLED:
            name = self._name(self._lexicon.types[type].word)
            text = self._say(self._words.called, things=things.text, name=name[0])
            return _Said(text, ("and", *name[1], *things.program))
        if draw < CALLED + EXCLUDED:
            less = self._bound(type, 1)
            text = self._say(self._words.excluded, things=things.text, others=less.text)
            return _Said(text, ("not", *things.program, *less.program))
        return self._bound(type, self._rng.choice((1, 2)), things)

    def _bound(self, type: str, depth: int, of: _Said | None = None) -> _Said:
        """Things of a type that a relation bounds; of some of them, where these are given."""
        things = of.text if of else self._plurals(type)
        relation, back = self._rng.choice(self._of(type))
        if relation.is_ordered and self._rng.random() < COMPARED / NARROWED:
            return self._compared(relation, things, of.program if of else (f"type:{type}",))
        bound = self._related(relation, back, things, depth)
        return _Said(bound.text, ("and", *of.program, *bound.program)) if of else bound

    def _compared(self, relation: Relation, things: str, program: Program) -> _Said:
        """Things with a value above or below another."""
        above, name = self._rng.random() < 0.5, self._name("value")
        forms = self._words.above if above else self._words.below
        text = self._say(forms, things=things, value=self._noun(relation), name=name[0])
        return _Said(text, (">" if above else "<", f"+{relation.id}", *name[1], *program))

    def _related(self, relation: Relation, back: bool, things: str, depth: int) -> _Said:
        """Things with a value, or with a relation to others."""
        if self.kinds.gives_value(relation.id):
            name, noun = self._name(relation.text), self._noun(relation)
            text = self._say(self._words.with_value, things=things, value=noun, name=name[0])
            return _Said(text, (f"-{relation.id}", *name[1]))
        step = Step(relation.id, not back)  # from the other things to these
        source, target = self.kinds.ends(step)
        sign = "~" if not source.isdisjoint(target) else "-" if step.back else "+"
        other = self._rng.choice(self._others(step))
        values, draw = self._values_of(other), self._rng.random()
        if depth > 1 and self._of(other):
            of = self._set(other, depth - 1)
        elif draw < ANY:
            of = _Said(self._plurals(other), (f"type:{other}",))
        elif values and draw < ANY + VALUED:
            of = self._related(self._rng.choice(values), False, self._plurals(other), 1)
        else:
            of = _Said(*self._name(self._lexicon.types[other].word))
        text = self._link(relation, back, things, of.text)
        return _Said(text, (f"{sign}{relation.id}", *of.program))

    def _link(self, relation: Relation, back: bool, things: str, others: str) -> str:
        """In words, that things have a relation with others."""
        of, forms = self._lexicon.of_relation(relation.id), self._words
        words = of.inverse() if back else of
        said = {"things": things, "others": others, "relation": relation.text}
        phrases = [self._say(forms.subject, verb=verb, **said) for verb in words.forward]
        phrases += [self._say(forms.object, verb=verb, **said) for verb in words.backward]
        phrases += [self._say(forms.has, noun=noun, **said) for noun in words.nouns]
        phrases += [
            self._say(forms.of, noun=self._plural(noun), **said) for noun in words.inverse_nouns
        ]
        return self._rng.choice(phrases or [self._say(forms.related, **said)])

    def _others(self, step: Step) -> list[str]:
        """The types of the things that a step leads away from."""
        return sorted(t for t in self.kinds.ends(step)[0] if t in self._lexicon.types)

    def _plurals(self, type: str) -> str:
        words = self._lexicon.types[type]
        return self._rng.choice((words.plural, words.plural, *words.also))

    def _plural(self, noun: str) -> str:
        return self._lexicon.language.plural(noun)

    def _name(self, kind: str) -> tuple[str, Program]:
        self._names += 1
        number = self._names - 1
        return f"[{number} {kind}]", (f"@{number}",)

    def _noun(self, relation: Relation) -> str:
        words = self._lexicon.of_relation(relation.id)
        return self._rng.choice((*words.nouns, relation.text))

    def _of(self, type: str) -> Sequence[tuple[Relation, bool]]:
        """The relations that things of a type have, and whether they are its targets."""
        found = [(r, False) for r in self._values_of(type)]
        for relation in self._links:
            source, target = self.kinds.ends(Step(relation.id))
            if type in source and any(t in self._lexicon.types for t in target):
                found.append((relation, False))
            if type in target and any(t in self._lexicon.types for t in source):
                found.append((relation, True))
        return found

    def _values_of(self, type: str) -> list[Relation]:
        return [r for r in self._values if type in self._sources(r)]

    def _sources(self, relation: Relation) -> frozenset[str]:
        return self.kinds.ends(Step(relation.id))[0]

    def _say(self, forms: Sequence[str], **words: str) -> str:
        return self._rng.choice(forms).format(**words)


def _adjectives(lexicon: Lexicon) -> Mapping[tuple[str, bool], Sequence[str]]:
    """The superlatives for the greatest and for the least values of each relation."""
    found: dict[tuple[str, bool], list[str]] = {}
    for scale in lexicon.language.scales:
        for id in lexicon.adjectives[scale.high[0]].relations if scale.high else ():
            many = not id.startswith("-")
            for words, high in ((scale.highest, True), (scale.lowest, False)):
                found.setdefault((id.removeprefix("-"), high == many), []).extend(words)
    return found


def _numbered(said: _Said) -> _Said | None:
    """The same with its names in the order of the text; None where there are too many."""
    order = list(dict.fromkeys(_SLOT.findall(said.text)))
    if len(order) > MOST_SLOTS or len(order) != sum(t[0] == "@" for t in said.program):
        return None
    number = {old: str(new) for new, old in enumerate(order)}
    text = _SLOT.sub(lambda match: f"[{number[match[1]]} ", said.text)
    program = tuple(f"@{number[t[1:]]}" if t[0] == "@" else t for t in said.program)
    return _Said(text, arranged(program))
