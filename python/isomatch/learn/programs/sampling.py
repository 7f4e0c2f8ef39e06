"""Questions made up from a schema, with their programs: for graphs without questions.

A set of things is sampled from the relations between types and said by the lexicon's words:
"films that were directed by [0 person]". The sentence around it asks for the set, for a value
of its members, for their number, or for the greatest of them. Names need not be known: a model
reads what a name is, not which.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from isomatch.chains.graph import Step
from isomatch.interpret.compose.kinds import LITERAL, GraphKinds
from isomatch.interpret.programs.tree import arranged
from isomatch.learn.examples import Example
from isomatch.lexicon.lexicon import Lexicon, RelationWords
from isomatch.schema.types import Relation
from isomatch.trained.alignment import Program
from isomatch.trained.program_vocabulary import MOST_SLOTS

if TYPE_CHECKING:
    from isomatch.resources import Resources

DEPTH = 3
TRIES = 20
_SLOT = re.compile(r"\[(\d+) ")
_ASKING = ("Which {}?", "What are the {}?", "List all {}.", "Show me the {}.", "Who are the {}?")
_COUNTING = ("How many {} are there?", "What is the number of {}?", "Count the {}.")
_VALUES = ("What is the {0} of the {1}?", "Give me the {0} of the {1}.", "The {0} of the {1}?")
_EXTREME = {
    True: ("greatest", "highest", "latest", "most"),
    False: ("least", "lowest", "earliest", "smallest"),
}


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
        if said is not None and said.text not in seen:
            seen.add(said.text)
            yield Example("retrieval", said.text, ((said.program, 1.0),), "synthetic", f"s{place}")
        if len(seen) == number:
            return


class _Sampler:
    """Samples questions over one schema."""

    def __init__(self, resources: Resources, rng: random.Random):
        self._rng = rng
        self._lexicon: Lexicon = resources.lexicon
        self._kinds = GraphKinds(resources.schema, resources.lexicon)
        self._names = 0
        relations = self._kinds.relations
        self._values = [r for r in relations if self._kinds.gives_value(r.id)]
        self._links = [r for r in relations if not self._kinds.gives_value(r.id)]
        sizes = resources.schema.sizes
        known = [t for t in resources.lexicon.types if not t.startswith(LITERAL)]
        self.types = sorted(t for t in known if self._of(t) and sizes.get(t, 0))

    def question(self) -> _Said:
        """One question, its names numbered as they were made."""
        self._names = 0
        type = self._rng.choice(self.types)
        things = self._set(type, self._rng.choice((1, 1, 2, DEPTH)))
        draw = self._rng.random()
        values = [r for r in self._values if type in self._sources(r)]
        if draw < 0.3:
            return _Said(self._pick(_COUNTING).format(things.text), ("count", *things.program))
        if values and draw < 0.6:
            relation = self._rng.choice(values)
            noun = self._noun(relation)
            if draw < 0.45:
                text = self._pick(_VALUES).format(noun, things.text)
                return _Said(text, (f"+{relation.id}", *things.program))
            descending = self._rng.random() < 0.5
            word = self._pick(_EXTREME[descending])
            text = self._pick(_ASKING).format(f"{things.text} with the {word} {noun}")
            program = ("max" if descending else "min", f"+{relation.id}", *things.program)
            return _Said(text, program)
        return _Said(self._pick(_ASKING).format(things.text), things.program)

    def _set(self, type: str, depth: int) -> _Said:
        """Things of a type that one or two relations bound."""
        words = self._lexicon.types[type]
        noun = self._rng.choice((words.plural, words.plural, *words.also))
        first = self._bound(type, depth)
        text, program = first.text.format(noun), first.program
        if depth < DEPTH and self._rng.random() < 0.3:
            second = self._bound(type, 1)
            text = second.text.format(text)
            program = ("and", *first.program, *second.program)
        return _Said(text, program)

    def _bound(self, type: str, depth: int) -> _Said:
        """A bound of things of a type; ``{}`` in its text stands for them."""
        relation, back = self._rng.choice(self._of(type))
        if self._kinds.gives_value(relation.id):
            name = self._name(relation.text)
            noun = self._noun(relation)
            forms = (
                f"{{}} with the {noun} {name[0]}",
                f"{{}} whose {noun} is {name[0]}",
                f"{name[0]} {{}}",
            )
            return _Said(self._pick(forms), (f"-{relation.id}", name[1]))
        step = Step(relation.id, not back)  # from the other things to these
        others = sorted(t for t in self._kinds.ends(step)[0] if t in self._lexicon.types)
        both = not self._kinds.ends(step)[0].isdisjoint(self._kinds.ends(step)[1])
        sign = "~" if both else "-" if step.back else "+"
        other = self._rng.choice(others)
        if depth > 1 and self._of(other):
            of = self._set(other, depth - 1)
        else:
            name = self._name(self._lexicon.types[other].word)
            of = _Said(name[0], (name[1],))
        return _Said(self._link(relation, back, of.text), (f"{sign}{relation.id}", *of.program))

    def _link(self, relation: Relation, back: bool, other: str) -> str:
        """In words, that things have a relation with others."""
        words = self._lexicon.relations.get(relation.id, RelationWords())
        words = words.inverse() if back else words
        forms = [f"{{}} that {verb} {other}" for verb in words.forward]
        forms += [f"{{}} that {other} {verb}" for verb in words.backward]
        forms += [f"{{}} with the {noun} {other}" for noun in words.nouns]
        forms += [f"{self._plural(noun)} of {other}" for noun in words.inverse_nouns]
        return self._pick(tuple(forms or (f"{{}} {relation.text} {other}",)))

    def _plural(self, noun: str) -> str:
        return self._lexicon.language.plural(noun)

    def _name(self, kind: str) -> tuple[str, str]:
        self._names += 1
        number = self._names - 1
        return f"[{number} {kind}]", f"@{number}"

    def _noun(self, relation: Relation) -> str:
        words = self._lexicon.relations.get(relation.id, RelationWords())
        return self._pick((*words.nouns, relation.text))

    def _of(self, type: str) -> Sequence[tuple[Relation, bool]]:
        """The relations that things of a type have, and whether they are its targets."""
        found = [(r, False) for r in self._values if type in self._sources(r)]
        for relation in self._links:
            source, target = self._kinds.ends(Step(relation.id))
            if type in source and any(t in self._lexicon.types for t in target):
                found.append((relation, False))
            if type in target and any(t in self._lexicon.types for t in source):
                found.append((relation, True))
        return found

    def _sources(self, relation: Relation) -> frozenset[str]:
        return self._kinds.ends(Step(relation.id))[0]

    def _pick(self, forms: Sequence[str]) -> str:
        return self._rng.choice(forms)


def _numbered(said: _Said) -> _Said | None:
    """The same with its names in the order of the text; None where there are too many."""
    order = list(dict.fromkeys(_SLOT.findall(said.text)))
    if len(order) > MOST_SLOTS or len(order) != sum(t[0] == "@" for t in said.program):
        return None
    number = {old: str(new) for new, old in enumerate(order)}
    text = _SLOT.sub(lambda match: f"[{number[match[1]]} ", said.text)
    program = tuple(f"@{number[t[1:]]}" if t[0] == "@" else t for t in said.program)
    return _Said(text, arranged(program))
