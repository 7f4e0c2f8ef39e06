"""Which noun a clause describes: the nearest one before it, where that may be what it says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Named, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.syntax.parts import (
    Part,
    Parts,
    Stretch,
    is_plain_verb,
    kinds_of_part,
)
from isomatch.interpret.compose.syntax.scopes import Leaves, is_thing, is_verb
from isomatch.interpret.compose.syntax.subjects import SubjectReader
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens

COMPARED = ("comparison", "constant")
NEAR = 4  # words behind "with more than" among which the noun for what is compared stands


class AttachmentReader:
    """Finds the stretches of a question that no clause or name behind them may describe.

    In "who trained a captain that Ann taught" she taught the captain, and not who trained her;
    in "a person with a mentor named Bob" the mentor is called so. Only the nearest noun is
    described, where relations of the graph allow it (right association, Kimball 1973).

    Args:
        kinds: of the graph.
    """

    def __init__(self, kinds: GraphKinds):
        self._kinds, self._language = kinds, kinds.language
        self._grammar = grammar = kinds.language.grammar
        self._auxiliaries = self._language.auxiliaries | grammar.being | grammar.having
        self._subjects = SubjectReader(kinds)

    def bars(self, words: Sequence[Word], leaves: Leaves, places: Sequence[int]) -> set[Stretch]:
        """The stretches that are no parts of a question; none in a language of free order.

        They end with what the words behind describe or need, but begin before that, or have a verb
        that is said of something else, see `SubjectReader`.

        Args:
            places: those of the words that are no function words.
        """
        if self._language.free_order:
            return set()
        parts = Parts([word.text for word in words], leaves, places)
        barred = self._subjects.bars(parts)
        for part in parts:
            such = self._is_anything_such(parts, part) or self._is_adjective(parts, part)
            if such or self._has_object(parts, part) or self._is_subject(parts, part):
                barred |= parts.up_to(parts.number(part.start), part)
            kinds = kinds_of_part(part.items, self._kinds)
            if kinds and self._is_described(parts, part, kinds):
                barred |= parts.up_to(self._first(parts, part), part)
        return barred.difference(parts.stretches())  # "the Alp Hut" is a name

    def _is_anything_such(self, parts: Parts, part: Part) -> bool:
        """Whether more is said of "someone": "who lives in Kiel", "older than 30", "in Kiel"."""
        if not any(item.category == "anything" for item in part.items):
            return False
        gap, following = parts.gap(part), parts.texts[part.following]
        compared = any(item.category == "comparison" for item in parts.at(part.following))
        going = following.endswith(self._language.endings.going) and not gap
        clause = not self._grammar.relative.isdisjoint(gap[:1])
        people = self._language.schemas.nouns.get("person", ())
        placed = not self._grammar.placing.union(self._grammar.whence).isdisjoint(gap[:1])
        placed = placed and parts.texts[part.start] in people
        return going or (compared and not gap) or clause or placed

    def _is_adjective(self, parts: Parts, value: Part) -> bool:
        """Whether a value describes the noun behind it: "a home policy and a life policy"."""
        before = parts.texts[max(0, value.start - 2) : value.start]
        if len(before) < 2 or before[0] not in self._grammar.joining or parts.gap(value):
            return False
        named = any(isinstance(i.value, Named) and is_value(i.value) for i in value.items)
        nouns = {i.value for i in parts.at(value.following) if is_thing(i)}
        others = (some for (_, end), some in parts.leaves.items() if end == value.start - 2)
        again = any(is_thing(i) and i.value in nouns for some in others for i in some)
        return named and again and before[1] in self._grammar.indefinite

    def _has_object(self, parts: Parts, verb: Part) -> bool:
        """Whether a verb has an object behind it: "trained a captain", of whom more is said."""
        before, gap = parts.before(verb), parts.gap(verb)
        helped = self._auxiliaries - self._grammar.having  # "did Ann sell a car"
        active = helped.isdisjoint(parts.texts[: verb.start])
        active = active and before not in self._grammar.joining
        articles = bool(gap) and self._grammar.any_article.issuperset(gap)
        said = active or before in self._grammar.relative
        return articles and said and is_plain_verb(verb.items)

    def _is_subject(self, parts: Parts, noun: Part) -> bool:
        """Whether a noun after "whose" is the subject: "ships whose captain was born in Oslo"."""
        if parts.before(noun) not in self._grammar.whose:
            return False
        owners = (some for (_, end), some in parts.leaves.items() if end == noun.start - 1)
        own = any(self._has(noun.items, kinds_of_part(some, self._kinds)) for some in owners)
        helped = self._auxiliaries.issuperset(parts.gap(noun))
        return own and helped and any(map(is_verb, parts.at(noun.following)))

    def _first(self, parts: Parts, noun: Part) -> int:
        """The number of the place where a noun's phrase begins: at the adjectives before it."""
        number = parts.number(noun.start)
        while number:
            before = [at for at in parts.leaves if at[1] == parts.places[number]]
            if not before or any(is_verb(item) for at in before for item in parts.leaves[at]):
                break
            number = parts.number(min(start for start, _ in before))
        return number

    def _is_described(self, parts: Parts, noun: Part, kinds: Kinds) -> bool:
        """Whether what follows a noun may be said of it."""
        gap, grammar, items = parts.gap(noun), self._grammar, parts.at(noun.following)
        if not grammar.calling.isdisjoint(gap):  # "named Bob"
            return any(isinstance(i.value, Named) and i.value.kinds & kinds for i in items)
        if not gap:
            return self._is_done(parts, noun, kinds)
        if gap[0] in grammar.relative:
            return self._agrees(parts, noun) and self._has_clause(parts, noun, kinds)
        with_ = gap[0] in grammar.owning
        with_ = with_ and self._auxiliaries.union(grammar.any_article).issuperset(gap[1:])
        if with_ and any(item.category == "comparison" for item in items):
            # "With more than two credits" has the noun behind the number.
            behind = range(noun.following, noun.following + NEAR)
            return self._has((item for place in behind for item in parts.at(place)), kinds)
        return with_ and not grammar.indefinite.isdisjoint(gap) and self._has(items, kinds)

    def _is_done(self, parts: Parts, noun: Part, kinds: Kinds) -> bool:
        """Whether a participle behind a noun says what was done: "built by", "opened in 1990"."""
        verb = noun.following
        if not self._language.is_participle(parts.texts[verb]):
            return False
        ends = parts.ends(verb)
        by = any(self._grammar.by & {*parts.texts[end : end + 1]} for end in ends)
        values = (i for i in parts.at(verb) if is_verb(i))
        valued = any(self._kinds.gives_value(i.value.relation) for i in values)
        compared = any(item.category in COMPARED for end in ends for item in parts.at(end))
        return (by or (valued and compared)) and self._does(parts, {verb}, kinds)

    def _agrees(self, parts: Parts, noun: Part) -> bool:
        """Whether a clause has the number of a noun: "the friends of a nurse who are rich"."""
        word, gap = parts.texts[noun.end - 1], parts.gap(noun)
        single = self._language.singular(word) == word
        alike = single == self._grammar.plural.isdisjoint(gap)
        return alike or self._auxiliaries.isdisjoint(gap)

    def _has_clause(self, parts: Parts, noun: Part, kinds: Kinds) -> bool:
        """Whether a relative clause may be said of a noun by the relation that it begins with."""
        gap, items, verb = parts.gap(noun), parts.at(noun.following), noun.following
        whose = not self._grammar.whose.isdisjoint(gap)
        has = whose or not self._grammar.having.isdisjoint(gap)
        if (has and self._has(items, kinds)) or self._is_graded(items, kinds):
            return True
        names = any(isinstance(i.value, Named) and not is_value(i.value) for i in items)
        apart = names or any(item.category == "not" for item in items)  # "that Ann taught"
        return not whose and self._does(parts, parts.ends(verb) if apart else {verb}, kinds)

    def _is_graded(self, items: Iterable[Item], kinds: Kinds) -> bool:
        """Whether things of some kinds have a value that a comparison is of: "older than 50"."""
        scales = (i.value[1] for i in items if i.category == "comparison" and i.value[1])
        of = {word.removeprefix("-") for scale in scales for word in scale.of}
        return any(not of.isdisjoint(tokens(value.text)) for value in self._kinds.values(kinds))

    def _has(self, items: Iterable[Item], kinds: Kinds) -> bool:
        """Whether things of some kinds may have what a noun of a relation is for."""
        nouns = (i.value for i in items if i.category == "relation" and "noun" in i.value.role)
        return any(self._kinds.ends(word.to_things)[0] & kinds for word in nouns)

    def _does(self, parts: Parts, places: Set[int], kinds: Kinds) -> bool:
        """Whether things of some kinds may do or undergo what a verb at some place says."""
        verbs: Sequence[Item] = [i for place in places for i in parts.at(place) if is_verb(i)]
        ends = (end for verb in verbs for end in self._kinds.ends(Step(verb.value.relation)))
        return any(kinds & end for end in ends)
