"""Things of a graph that a question can be about: those of which it says enough.

What kind of thing one is (a person, an event, a method) is known by its facts: by the types at
that end of their relations, or, where these have none, by the words of the relations. The words
are in ``kinds.toml``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from heapq import nsmallest
from typing import TYPE_CHECKING

from isomatch.errors import ConfigurationError
from isomatch.lexicon.folding import fold, tokens
from isomatch.match.types import Bound, Triple
from isomatch.store.terms import is_blank, is_literal
from isomatch.texts import data
from isomatch.triples.features import Elements, has_words
from isomatch.triples.neighbourhood import Neighbourhood
from isomatch.triples.ranking import Surroundings

if TYPE_CHECKING:
    from isomatch.resources import Resources
    from isomatch.schema.types import Relation

POOL = 20_000  # names that are looked through, chosen by the seed
LONGEST = 60  # characters of a name that a question may hold
_TYPED = 0.8  # share of a relation's ends that must be of a kind
_FACTS = 300  # of one thing that are read
_AROUND = 2_000  # facts within two hops of one
_SIDES = ("sources", "targets")


@dataclass(frozen=True)
class Thing:
    """A node with the facts around it.

    Attributes:
        id, name: of the node.
        facts: those that it is an end of, some of a hub.
        kind: a table of ``kinds.toml``, or None.
    """

    id: str
    name: str
    facts: tuple[Triple, ...]
    kind: str | None = None

    @cached_property
    def sides(self) -> frozenset[tuple[str, bool]]:
        """Its relations, each with whether it is their target."""
        return frozenset((t.relation.id, t.target.id == self.id) for t in self.facts)

    @property
    def relations(self) -> int:
        return len({relation for relation, _ in self.sides})

    @cached_property
    def neighbours(self) -> tuple[Bound, ...]:
        """What it has a fact with, but for values and what has no name."""
        ends = (t.source if t.target.id == self.id else t.target for t in self.facts)
        return tuple(dict.fromkeys(end for end in ends if end.id != self.id and _is_named(end)))


class Things:
    """Finds things that a graph says enough of, in an order that the seed decides.

    Args:
        least_facts, least_relations: what the graph must say of each.

    Raises:
        ConfigurationError: the index was made without the names of nodes.
    """

    def __init__(self, resources: Resources, seed: int, least_facts: int, least_relations: int):
        if resources.index.nodes is not None:
            raise ConfigurationError(
                "making questions needs the graph's names, but the index was made without nodes: "
                f"unset {resources.index.nodes.setting}, then run `isomatch index`"
            )
        self._resources = resources
        self._seed = seed
        self._least = least_facts, least_relations
        self._elements = Elements(resources)
        self._kept: dict[str, Thing | None] = {}

    def all(self, salt: str = "") -> Iterator[Thing]:
        """Things that are rich enough, at most once each; ``salt`` gives another order."""
        for name, id in self._pool(salt):
            thing = self.of(id, name)
            if thing is not None:
                yield thing

    def of(self, id: str, name: str) -> Thing | None:
        """A node as a thing; None where the graph says too little, or its name is no name."""
        if id not in self._kept:
            self._kept[id] = self._read(id, name)
        return self._kept[id]

    def connected(self, thing: Thing) -> Iterator[tuple[Thing, tuple[Triple, ...]]]:
        """Rich things two facts away, each with these facts; then those one fact away.

        What has most facts comes last: two things that have "human" in common are not
        connected by much.
        """
        ways = self._ways(self._hood([thing.id], 2, _AROUND), thing)
        for id in sorted(ways, key=lambda id: self._order("connected", thing.name + id)):
            way, name = ways[id]
            other = self.of(id, name)
            if other is not None:
                yield other, way

    def comparable(self, thing: Thing) -> Iterator[tuple[Thing, str]]:
        """Rich things of the same kind that share relations, each with what one of them gives.

        That is a relation of which both are the source: "director" of two films.
        """
        near = dict.fromkeys(end.id for end in thing.neighbours for end in self._beside(thing, end))
        names = self._elements.names(near)
        for id in sorted(near, key=lambda id: self._order("comparable", thing.name + id)):
            other = self.of(id, names[id])
            if other is None or other.kind != thing.kind:
                continue
            shared = thing.sides & other.sides
            aspects = sorted({self._noun(relation) for relation, back in shared if not back})
            if aspects and 2 * len(shared) >= min(len(thing.sides), len(other.sides)):
                yield other, min(aspects, key=lambda text: self._order(thing.name, text))

    # -- reading --------------------------------------------------------------------------

    def _pool(self, salt: str) -> list[tuple[str, str]]:
        names: dict[str, str] = {}
        pairs = self._resources.index.all_names()
        chosen = nsmallest(POOL, pairs, key=lambda pair: self._order(salt, pair[0] + pair[1]))
        for name, id in chosen:
            names.setdefault(id, name)
        return [(name, id) for id, name in names.items()]

    def _order(self, salt: str, text: str) -> bytes:
        return blake2b(f"{self._seed} {salt} {text}".encode(), digest_size=8).digest()

    def _read(self, id: str, name: str) -> Thing | None:
        if not _is_named(Bound(id, name)) or len(name) > LONGEST or not self._is_alone(id, name):
            return None
        hood = self._hood([id], 1, _FACTS)
        facts = self._triples(hood)
        thing = Thing(id, name, facts, self._kind(id, facts))
        least_facts, least_relations = self._least
        rich = len(facts) >= least_facts and thing.relations >= least_relations
        return thing if rich else None

    def _is_alone(self, id: str, name: str) -> bool:
        """Whether the name is the node's own, and no other's."""
        index = self._resources.index
        ids = {id for ids in index.keys(index.by_name("nodes", name), 2).values() for id in ids}
        return ids == {id} and self._elements.names([id])[id] == name

    def _hood(self, ids: Sequence[str], hops: int, facts: int) -> Neighbourhood:
        around = Surroundings(hops, facts, cap=facts // 4, seconds=None)
        return around.neighbourhood(self._resources, ids, self._elements)

    def _triples(self, hood: Neighbourhood) -> tuple[Triple, ...]:
        def node(place: int) -> Bound:
            return Bound(hood.nodes[place], hood.names[place])

        rows = zip(hood.heads.tolist(), hood.links.tolist(), hood.tails.tolist(), strict=True)
        return tuple(
            Triple(
                node(head),
                Bound(hood.relations[link], self._text(hood.relations[link])),
                node(tail),
            )
            for head, link, tail in rows
        )

    def _ways(self, hood: Neighbourhood, thing: Thing) -> dict[str, tuple[tuple[Triple, ...], str]]:
        """Ids of what is near, with the facts on a way there and its name."""
        near: dict[str, list[tuple[Triple, Bound]]] = {}
        for triple in self._triples(hood):
            for here, there in ((triple.source, triple.target), (triple.target, triple.source)):
                if _is_named(there) and here.id != there.id:
                    near.setdefault(here.id, []).append((triple, there))
        ways: dict[str, tuple[tuple[Triple, ...], str]] = {}
        once = near.get(thing.id, [])
        for first, middle in sorted(once, key=lambda each: len(near.get(each[1].id, ()))):
            for second, end in near.get(middle.id, ()):
                if end.id != thing.id and second != first:
                    ways.setdefault(end.id, ((first, second), end.name))
        for first, end in once:
            ways.setdefault(end.id, ((first,), end.name))
        return ways

    def _beside(self, thing: Thing, end: Bound) -> list[Bound]:
        """Other nodes that have the relation of a neighbour to it, on the same side."""
        sides = {
            (t.relation.id, t.target.id == thing.id)
            for t in thing.facts
            if end.id in (t.source.id, t.target.id)
        }
        found = []
        for triple in self._facts_of(end.id):
            back = triple.source.id == end.id
            other = triple.target if back else triple.source
            if (triple.relation.id, back) in sides and other.id != thing.id and _is_named(other):
                found.append(other)
        return found

    @cached_property
    def _facts_of(self):  # type: ignore[no-untyped-def]
        return cache(lambda id: self._triples(self._hood([id], 1, _FACTS)))

    # -- kinds ----------------------------------------------------------------------------

    def _kind(self, id: str, facts: Sequence[Triple]) -> str | None:
        """The kind that most of its relations speak for; None where several do alike."""
        votes: Counter[str] = Counter()
        for relation, back in {(t.relation.id, t.target.id == id) for t in facts}:
            for kind, sides in self._sides.items():
                votes[kind] += (relation, back) in sides
        best = votes.most_common(2)
        clear = len(best) < 2 or best[0][1] > best[1][1]
        return best[0][0] if best and best[0][1] and clear else None

    @cached_property
    def _sides(self) -> Mapping[str, frozenset[tuple[str, bool]]]:
        """By kind, the relations whose sources or targets are of it."""
        schema = self._resources.schema
        types = {type.id: set(tokens(fold(type.text))) for type in schema.types}
        found = {}
        for kind, words in data("isomatch.questions.open", "kinds.toml").items():
            named = set(words["types"].split())
            of_kind = {id for id, parts in types.items() if parts & named}
            found[kind] = frozenset(
                (relation.id, bool(back))
                for relation in schema.relations
                for back, side in enumerate(_SIDES)
                if _speaks_for(relation, bool(back), of_kind, words[side])
            )
        return found

    def _noun(self, relation: str) -> str:
        """What a relation gives, in a word: "director"."""
        words = self._resources.lexicon.relations.get(relation)
        return words.nouns[0] if words is not None and words.nouns else self._text(relation)

    def _text(self, relation: str) -> str:
        return self._resources.schema.by_id[relation].text


def _speaks_for(relation: Relation, back: bool, types: set[str], words: Sequence[str]) -> bool:
    """Whether what is at one end of a relation is of a kind."""
    ends = relation.end_types(back)
    if back and relation.literal_kinds:
        return False
    if ends:
        of_kind = sum(count for type, count in ends.items() if type in types)
        return of_kind >= _TYPED * max(ends.values())
    return fold(relation.text) in words


def _is_named(node: Bound) -> bool:
    return not (is_literal(node.id) or is_blank(node.id)) and has_words(node.id, node.name)
