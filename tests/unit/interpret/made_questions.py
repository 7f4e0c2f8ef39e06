"""Questions made by a grammar, with what they mean: nested clauses over small random graphs.

Each phrase comes with the set of nodes that it is for, so that an answer is compared with the
meaning of its question and not with what isomatch makes of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

MODIFIED = 0.65  # the share of objects that are described, and not named
NAMED = 0.5  # of things that somebody has, those that are named


class Saying(NamedTuple):
    """A way to say a relation.

    Attributes:
        kind: "noun": what one end is to the other; "verb"; "passive".
        forward: whether the source is the subject; of a noun, whether it is for the target.
        forms: the noun; the verb in the singular, the plural, and perhaps after "does"; or the
            participle.
    """

    kind: str
    forward: bool
    forms: tuple[str, ...]


class Made(NamedTuple):
    """A question or a phrase, and the nodes that it is for."""

    text: str
    found: frozenset[str]


@dataclass(frozen=True)
class Domain:
    """What a graph is about.

    Attributes:
        types: names of the nodes of each type.
        plurals: of the types that are not their singular with an "s".
        people: types of which "who" is said.
        relations: source, target and sayings of each.
        numbers: the type of what has a number, and what is said of more and of less.
    """

    types: dict[str, tuple[str, ...]]
    plurals: dict[str, str]
    people: frozenset[str]
    relations: dict[str, tuple[str, str, tuple[Saying, ...]]]
    numbers: dict[str, tuple[str, str, str]]


def noun(word: str, *, forward: bool = True) -> Saying:
    return Saying("noun", forward, (word,))


def verb(*forms: str, forward: bool = True) -> Saying:
    return Saying("verb", forward, forms)


def passive(participle: str, *, forward: bool) -> Saying:
    return Saying("passive", forward, (participle,))


SHIPS = Domain(
    {
        "Ship": ("Albatross", "Blue Star", "Condor", "Dolphin", "Eider", "Fulmar", "Gannet"),
        "Captain": ("Ned Rook", "Ola Sand", "Per Tide", "Quin Vale", "Rolf West", "Siv Yarrow"),
        "Port": ("Lorne", "Marwick", "Narvik", "Oban"),
        "Shipyard": ("Clyde Works", "Delta Yard", "Forth Docks"),
    },
    {},
    frozenset({"Captain"}),
    {
        "captain": ("Ship", "Captain", (noun("captain"),)),
        "homePort": ("Ship", "Port", (noun("home port"),)),
        "builtBy": ("Ship", "Shipyard", (passive("built by", forward=True),)),
        "trained": (
            "Captain",
            "Captain",
            (verb("trained", "trained"), passive("trained by", forward=False)),
        ),
        "servedUnder": ("Captain", "Captain", (verb("served under", "served under"),)),
        "bornIn": ("Captain", "Port", (verb("was born in", "were born in"),)),
        "owner": ("Ship", "Captain", (noun("owner"),)),
        "locatedIn": ("Shipyard", "Port", (verb("is located in", "are located in"),)),
    },
    {
        "launched": ("Ship", "launched after {}", "launched before {}"),
        "depth": ("Port", "with a depth over {}", "with a depth under {}"),
    },
)

OFFICE = Domain(
    {
        "Person": ("Ann Lee", "Bob Ray", "Cid Moe", "Dan Poe", "Eva Orr", "Flo Kay", "Gus Ott"),
        "Company": ("Brixo", "Corvid", "Dovetail", "Elmstone"),
        "City": ("Kiel", "Bonn", "Ulm"),
        "Project": ("Atlas", "Borealis", "Cinder", "Dynamo", "Eclipse"),
    },
    {"Person": "people", "Company": "companies", "City": "cities"},
    frozenset({"Person"}),
    {
        "mentor": ("Person", "Person", (noun("mentor"),)),
        "livesIn": ("Person", "City", (verb("lives in", "live in", "live in"),)),
        "employer": ("Person", "Company", (noun("employer"),)),
        "manages": (
            "Person",
            "Project",
            (verb("manages", "manage", "manage"), passive("managed by", forward=False)),
        ),
        "headedBy": (
            "Company",
            "Person",
            (passive("headed by", forward=True), verb("heads", "head", "head", forward=False)),
        ),
        "successor": ("Project", "Project", (noun("successor"),)),
        "advisorOf": ("Person", "Company", (noun("advisor", forward=False),)),
    },
    {"budget": ("Project", "with a budget over {}", "with a budget under {}")},
)


class Graph:
    """A random graph of a domain.

    Attributes:
        turtle: its text.
        names: of the nodes, by id.
    """

    def __init__(self, domain: Domain, random: Random):
        self.domain = domain
        self.by_type = {
            type: [f"{type.lower()}{n}" for n in range(len(names))]
            for type, names in domain.types.items()
        }
        self.names = {
            id: name
            for type, names in domain.types.items()
            for id, name in zip(self.by_type[type], names, strict=True)
        }
        self.edges = {
            relation: {
                (a, b)
                for a in self.by_type[source]
                if random.random() < 0.85
                for b in random.sample([b for b in self.by_type[target] if b != a], 1)
            }
            for relation, (source, target, _) in domain.relations.items()
        }
        self.values = {
            key: dict(
                zip(
                    self.by_type[type],
                    random.sample(range(1900, 1990), len(self.by_type[type])),
                    strict=True,
                )
            )
            for key, (type, _, _) in domain.numbers.items()
        }

    @property
    def turtle(self) -> str:
        lines = [
            "@prefix : <http://example.org/> .",
            "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
            *(
                f':{id} a :{type} ; rdfs:label "{self.names[id]}" .'
                for type, ids in self.by_type.items()
                for id in ids
            ),
            *(f":{a} :{r} :{b} ." for r, edges in self.edges.items() for a, b in sorted(edges)),
            *(f":{a} :{k} {v} ." for k, values in self.values.items() for a, v in values.items()),
        ]
        return "\n".join(lines)

    def across(self, relation: str, of: frozenset[str], *, forward: bool) -> frozenset[str]:
        """What a relation leads to from some nodes, or back."""
        pairs = self.edges[relation]
        return frozenset(b if forward else a for a, b in pairs if (a if forward else b) in of)


class Maker:
    """Makes phrases and questions about a graph."""

    def __init__(self, graph: Graph, random: Random):
        self._graph, self._domain, self._random = graph, graph.domain, random

    def questions(self, count: int) -> Iterator[Made]:
        """Different questions that something is found for, by chance."""
        asked: set[str] = set()
        while len(asked) < count:
            makers = (self._which, self._which, self._what, self._list, self._list, self._does)
            make = self._random.choice(makers)
            made = make(self._random.choice((1, 2, 2, 3)))
            if made is not None and made.found and made.text not in asked:
                asked.add(made.text)
                yield made

    def _which(self, depth: int) -> Made | None:
        type = self._type()
        sayings = [s for s in self._sayings(type) if s[0].kind != "noun"]
        if not sayings:
            return None
        saying, relation, other = self._random.choice(sayings)
        of = self._thing(other, depth - 1)
        found = self._graph.across(relation, of.found, forward=not saying.forward)
        done = saying.forms[1] if saying.kind == "verb" else f"are {saying.forms[0]}"
        return Made(f"Which {self._plural(type)} {done} {of.text}?", found)

    def _does(self, depth: int) -> Made | None:
        type = self._type()
        verbs = [s for s in self._sayings(type) if s[0].kind == "verb" and len(s[0].forms) > 2]
        if not verbs:
            return None
        saying, relation, other = self._random.choice(verbs)
        of = self._thing(type, depth - 1)
        found = self._graph.across(relation, of.found, forward=saying.forward)
        return Made(f"Which {self._plural(other)} does {of.text} {saying.forms[2]}?", found)

    def _what(self, depth: int) -> Made | None:
        nouns = [
            (saying.forms[0], relation, saying.forward, *ends)
            for relation, (*ends, sayings) in self._domain.relations.items()
            for saying in sayings
            if saying.kind == "noun"
        ]
        word, relation, forward, source, target = self._random.choice(nouns)
        of = self._thing(source if forward else target, depth - 1)
        asked = "Who" if (target if forward else source) in self._domain.people else "What"
        found = self._graph.across(relation, of.found, forward=forward)
        return Made(f"{asked} is the {word} of {of.text}?", found)

    def _list(self, depth: int) -> Made | None:
        type = self._type()
        clause = self._clause(type, depth, several=True)
        if clause is None:
            return None
        found = clause.found & frozenset(self._graph.by_type[type])
        return Made(f"List the {self._plural(type)} {clause.text}", found)

    def _thing(self, type: str, depth: int) -> Made:
        """A thing by its name, or by what is said of it."""
        clause = None
        if depth > 0 and self._random.random() < MODIFIED:
            clause = self._clause(type, depth, several=False)
        if clause is None:
            return self._name(type)
        return Made(f"{_one(type.lower())} {clause.text}", clause.found)

    def _clause(self, type: str, depth: int, *, several: bool) -> Made | None:
        """What is said of things of a type, behind the noun for them."""
        numbers = [(key, n) for key, n in self._domain.numbers.items() if n[0] == type]
        sayings = self._sayings(type)
        if numbers and self._random.random() < 1 / (2 + len(sayings)):
            return self._compared(*self._random.choice(numbers))
        if not sayings:
            return None
        saying, relation, other = self._random.choice(sayings)
        who = "who" if type in self._domain.people else "that"
        if saying.kind == "noun":
            text, of = self._had(saying.forms[0], other, who, depth, several=several)
        else:
            of = self._thing(other, depth - 1)
            text = f"{saying.forms[0]} {of.text}"
            if saying.kind == "verb":
                text = f"{who} {saying.forms[several]} {of.text}"
        return Made(text, self._graph.across(relation, of.found, forward=not saying.forward))

    def _had(
        self, noun: str, type: str, who: str, depth: int, *, several: bool
    ) -> tuple[str, Made]:
        """What is said of things that have something, and the things that they have."""
        chance = self._random.random()
        if chance < 1 / 4:
            of = self._name(type)
            return f"whose {noun} is {of.text}", of
        done = [s for s in self._sayings(type) if s[0].kind != "noun"]
        if chance < 1 / 2 and depth > 1 and done:
            saying, relation, other = self._random.choice(done)
            of = self._thing(other, depth - 2)
            found = self._graph.across(relation, of.found, forward=not saying.forward)
            does = f"{'is ' if saying.kind == 'passive' else ''}{saying.forms[0]}"
            return f"whose {noun} {does} {of.text}", Made("", found)
        clause = self._clause(type, depth - 1, several=False) if depth > 1 else None
        if clause is None or self._random.random() < NAMED:
            of = self._name(type)
            clause = Made(f"named {of.text}", of.found)
        has = self._random.choice(("with", f"{who} have" if several else f"{who} has"))
        return f"{has} {_one(noun)} {clause.text}", clause

    def _compared(self, key: str, number: tuple[str, str, str]) -> Made:
        values = self._graph.values[key]
        limit = self._random.choice(sorted(values.values()))
        more = self._random.random() < 1 / 2
        compare: Callable[[int], bool] = limit.__lt__ if more else limit.__gt__
        found = frozenset(id for id, value in values.items() if compare(value))
        return Made(number[1 if more else 2].format(limit), found)

    def _name(self, type: str) -> Made:
        id = self._random.choice(self._graph.by_type[type])
        return Made(self._graph.names[id], frozenset({id}))

    def _type(self) -> str:
        return self._random.choice(list(self._domain.types))

    def _plural(self, type: str) -> str:
        return self._domain.plurals.get(type, f"{type.lower()}s")

    def _sayings(self, type: str) -> list[tuple[Saying, str, str]]:
        """What may be said of things of a type: how, which relation, and of what other type."""
        found = []
        for relation, (source, target, sayings) in self._domain.relations.items():
            for saying in sayings:
                own, other = (source, target) if saying.forward else (target, source)
                if own == type:
                    found.append((saying, relation, other))
        return found


def _one(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
