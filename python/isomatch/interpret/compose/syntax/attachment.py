"""Which noun a clause describes: the nearest one before it, where that may be what it says."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence, Set

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Named, OfType, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.syntax.scopes import Leaves, is_thing, is_verb
from isomatch.interpret.words.content import Word

COMPARED = ("comparison", "constant")


class AttachmentReader:
    """Finds the stretches of a question that no clause or name behind them may describe.

    In "who trained a captain that Ann taught" she taught the captain, and not who trained her;
    in "a person with a mentor named Bob" the mentor is called so. Only the nearest noun is
    described, where relations of the graph allow it (right association, Kimball 1973).

    Args:
        kinds: of the graph. In a language of free order nothing is found.
    """

    def __init__(self, kinds: GraphKinds):
        self._kinds, self._language = kinds, kinds.language
        self._grammar = grammar = kinds.language.grammar
        self._auxiliaries = self._language.auxiliaries | grammar.being | grammar.having
        self._small = grammar.articles | grammar.indefinite | self._auxiliaries
        asking = self._language.asking
        self._before_subjects = grammar.relative | grammar.joining | asking.where | asking.when
        self._does_words = self._language.before_infinitives - grammar.being
        self._owning = grammar.owning | grammar.lacking
        self._finite = grammar.singular | grammar.plural

    def bars(
        self, words: Sequence[Word], leaves: Leaves, places: Sequence[int]
    ) -> set[tuple[int, int]]:
        """The stretches that end with a noun that what follows describes, but begin before it.

        Args:
            places: those of the words that are no function words.

        Returns:
            Numbers of places: of the first, and of the one behind the last.
        """
        barred: set[tuple[int, int]] = set()
        if self._language.free_order:
            return barred
        texts = [word.text for word in words]
        at = {place: number for number, place in enumerate(places)}
        for (start, end), items in leaves.items():
            following = next((place for place in places if place >= end), None)
            if following is None or start not in at:
                continue
            place = start, end, following
            if self._has_object(texts, place, leaves) or self._owned_does(texts, place, leaves):
                barred |= {(number, at[following]) for number in range(at[start])}
            kinds = self._kinds_of(items)
            if kinds and self._is_described(texts, place, kinds, leaves):
                first = self._first(at[start], places, leaves)
                barred |= {(number, at[following]) for number in range(first)}
            named = any(isinstance(i.value, Named) for i in items) and not any(map(is_thing, items))
            had = texts[start - 1 : start] and texts[start - 1] in self._grammar.indefinite
            had = had and not self._owning.isdisjoint(texts[start - 2 : start - 1])
            if named or (kinds and had):
                barred |= self._of_subject(texts, place, places, leaves)
        barred |= self._inside_subject(texts, places, leaves)
        barred |= self._beyond_denied(texts, places, leaves)
        numbers = {(at[a], bisect_left(places, b)) for a, b in leaves if a in at}
        return barred - numbers  # "the Alp Hut" is a name

    def _of_subject(
        self,
        texts: Sequence[str],
        name: tuple[int, int, int],
        places: Sequence[int],
        leaves: Leaves,
    ) -> set[tuple[int, int]]:
        """The stretches in which the verb of a question would be said of a name before it.

        "Which projects that have a successor named Atlas were managed by Ann" asks for what she
        managed of these, and so does "which projects with a successor did Ann manage".

        Args:
            name: its place, the place behind it, and that of the next word of content.
        """
        start, end, verb = name
        nouns = [at[0] for at, items in leaves.items() if self._kinds_of(items)]
        head, gap = min(nouns, default=start), texts[end:verb]
        before = texts[start - 1] if start else ""
        says = any(is_verb(i) for at in leaves if at[0] == verb for i in leaves[at])
        finite = bool(gap) and gap[0] in self._finite and says
        elided = any(_denies(i) for at in leaves if at[0] == verb for i in leaves[at])
        finite |= not (elided or self._does_words.isdisjoint(gap[:1]))  # "but Ben does not"
        # "paintings with a pendant hang in Rome", and not "a captain born in Rome"
        plain = not gap and not self._owning.isdisjoint(texts[max(start - 2, 0) : start - 1])
        finite |= plain and says and not self._language.is_participle(texts[verb])
        if not finite or head >= start or before in self._before_subjects:
            return set()
        inside = [n for n, place in enumerate(places) if head < place <= start]
        after = [n + 1 for n, place in enumerate(places) if place >= verb]
        return {(first, last) for first in inside for last in after}

    def _inside_subject(
        self, texts: Sequence[str], places: Sequence[int], leaves: Leaves
    ) -> set[tuple[int, int]]:
        """The stretches that end with the verb of "does", but begin inside its subject.

        "Which teams does the captain of Rovers play for" asks for no captain of those who do.
        """
        does = self._does_words
        first = next((n + 1 for n, text in enumerate(texts) if text in does), len(texts))
        verbs = {at[0] for at, some in leaves.items() if any(map(is_verb, some))}
        verbs -= {at[0] for at, some in leaves.items() if any(map(is_thing, some))}
        clauses = 0  # that lack their verb
        for place in range(first, len(texts)):
            clauses += texts[place] in self._grammar.relative - self._grammar.whose
            if not clauses and texts[place] in self._grammar.having:
                break  # "do you have"
            noun = texts[place - 1] in self._grammar.any_article  # "the captain"
            if place not in verbs or noun or self._grammar.by & {*texts[place + 1 : place + 2]}:
                continue
            if not clauses:
                if not self._grammar.joining.isdisjoint(texts[first:place]):
                    break  # "do Ann and Ben not know"
                begun = sorted({at[0] for at in leaves if first <= at[0] < place})
                if len(begun) == 2 and begun[0] + 1 == begun[1]:
                    break  # "the singer Ann"
                inside = [bisect_left(places, p) for p in begun[1:]]
                after = range(bisect_left(places, place) + 1, len(places) + 1)
                return {(start, end) for start in inside for end in after}
            clauses -= 1
        return set()

    def _beyond_denied(
        self, texts: Sequence[str], places: Sequence[int], leaves: Leaves
    ) -> set[tuple[int, int]]:
        """The stretches that begin behind "not", but end behind an "and" and the verb after it.

        Who is "not born in Oban and owns a ship" owns one: "not" denies one verb, and what follows
        "and" has one of its own.
        """
        barred: set[tuple[int, int]] = set()
        # What follows "did not" may follow "and", too; "do own" and "own" are both in the plural.
        helping = self._language.auxiliaries - self._grammar.being - self._grammar.plural
        for start, end in {at for at, some in leaves.items() if any(map(_denies, some))}:
            behind = [
                n for n, text in enumerate(texts) if n > end and text in self._grammar.joining
            ]
            does = not helping.isdisjoint(texts[start - 1 : start])
            for joined in behind:
                last = bisect_left(places, joined)
                read = [p for p in places[last:] if any(at[0] == p for at in leaves)]
                verb = next(iter(read), len(texts))
                inside = range(bisect_left(places, end), last)
                # "did not write and direct Heat" denies both
                whole = len(inside) > 1
                if whole and self._begins_anew(texts, (joined + 1, verb), leaves, does=does):
                    barred |= {(n, to) for n in inside for to in range(last + 1, len(places) + 1)}
        return barred

    def _begins_anew(
        self, texts: Sequence[str], at: tuple[int, int], leaves: Leaves, *, does: bool
    ) -> bool:
        """Whether what follows "and" has a verb that stands for itself: by auxiliary, or form.

        Args:
            at: the place behind "and", and that of the next word of content.
            does: whether "does not" is before it. An infinitive after "and" may go with that.
        """
        start, place = at
        if not (self._finite | self._grammar.relative).isdisjoint(texts[start:place]):
            return True
        here = [item for (first, _), some in leaves.items() if first == place for item in some]
        # "and lie near Oban" has a verb that stands for nothing by itself
        if (
            not self._small.isdisjoint(texts[start:place])
            or any(map(is_thing, here))
            or not any(map(is_verb, here))
        ):
            return False
        return not does or self._language.singular(texts[start]) != texts[start]

    def _kinds_of(self, items: Sequence[Item]) -> Kinds:
        """The kinds of what a noun is for; none for words that may be verbs or names."""
        found: Kinds = frozenset()
        for item in items:
            if item.category == "set" and isinstance(item.value, OfType):
                found |= item.value.kinds
            elif item.category == "relation" and "noun" in item.value.role:
                back = item.value.role == "inverse noun"
                found |= self._kinds.ends(Step(item.value.relation, back))[1]
            elif item.category == "set" or is_verb(item):
                return frozenset()
        return found

    def _has_object(self, texts: Sequence[str], at: tuple[int, int, int], leaves: Leaves) -> bool:
        """Whether a verb has an object behind it, as in "who trained a captain".

        Args:
            at: the place of the verb, the place behind it, and that of the next word of content.
        """
        start, end, place = at
        before, gap, items = texts[start - 1] if start else "", texts[end:place], leaves[start, end]
        verb = any(map(is_verb, items)) and not any(map(is_thing, items))
        # "Under" is no verb behind "studied".
        verb = verb and all(item.category != "comparison" for item in items)
        helped = self._auxiliaries - self._grammar.having  # "did Ann sell a car"
        active = helped.isdisjoint(texts[:start]) and before not in self._grammar.joining
        articles = bool(gap) and self._grammar.any_article.issuperset(gap)
        return verb and articles and (active or before in self._grammar.relative)

    def _owned_does(self, texts: Sequence[str], at: tuple[int, int, int], leaves: Leaves) -> bool:
        """Whether a noun after "whose" is the subject: "ships whose captain was born in Oslo".

        Args:
            at: the place of the noun, the place behind it, and that of the next word of content.
        """
        start, end, place = at
        if not start or texts[start - 1] not in self._grammar.whose:
            return False
        owners = [self._kinds_of(items) for (_, last), items in leaves.items() if last == start - 1]
        own = any(self._has(leaves[start, end], kinds) for kinds in owners)
        verbs = (i for (first, _), found in leaves.items() if first == place for i in found)
        return own and self._auxiliaries.issuperset(texts[end:place]) and any(map(is_verb, verbs))

    def _first(self, number: int, places: Sequence[int], leaves: Leaves) -> int:
        """Where the noun phrase of a noun begins: at the adjectives before it."""
        while number:
            before = {at for at in leaves if at[1] == places[number]}
            verbs = (item for at in before for item in leaves[at])
            if not before or any(map(is_verb, verbs)):
                break
            number = places.index(min(start for start, _ in before))
        return number

    def _is_described(
        self, texts: Sequence[str], noun: tuple[int, int, int], kinds: Kinds, leaves: Leaves
    ) -> bool:
        """Whether what follows a noun may be said of it.

        Args:
            noun: its place, the place behind it, and that of the next word of content.
        """
        _, end, place = noun
        gap, grammar = texts[end:place], self._grammar
        items = [item for at, found in leaves.items() if at[0] == place for item in found]
        if not grammar.calling.isdisjoint(gap):
            return any(isinstance(i.value, Named) and i.value.kinds & kinds for i in items)
        if gap[:1] and gap[0] in grammar.relative:
            single = self._language.singular(texts[end - 1]) == texts[end - 1]
            agrees = single == grammar.plural.isdisjoint(gap)
            if not agrees and not self._auxiliaries.isdisjoint(gap):
                return False  # "the friends of a nurse who are rich"
            if not grammar.whose.isdisjoint(gap):
                return self._has(items, kinds)
            if not grammar.having.isdisjoint(gap) and self._has(items, kinds):
                return True
            names = any(isinstance(i.value, Named) and not is_value(i.value) for i in items)
            if names or any(item.category == "not" for item in items):  # "that Ann taught"
                return self._does({at[1] for at in leaves if at[0] == place}, kinds, leaves)
            return self._does({place}, kinds, leaves)
        if gap and {*gap} <= grammar.owning | self._small and gap[0] in grammar.owning:
            if any(item.category == "comparison" for item in items):  # "with more than two credits"
                items = [
                    i
                    for at, some in leaves.items()
                    if at[0] in range(place, place + 4)
                    for i in some
                ]
            elif grammar.indefinite.isdisjoint(gap):
                return False
            return self._has(items, kinds)
        ends = {at[1] for at in leaves if at[0] == place}
        by = any(grammar.by & {*texts[behind : behind + 1]} for behind in ends)
        values = [i for i in items if is_verb(i) and self._kinds.gives_value(i.value.relation)]
        compared = any(i.category in COMPARED for at in leaves if at[0] in ends for i in leaves[at])
        participle = not gap and self._language.is_participle(texts[place])
        said = by or (values and compared)  # "published before 1990"
        return participle and bool(said) and self._does({place}, kinds, leaves)

    def _has(self, items: Iterable[Item], kinds: Kinds) -> bool:
        """Whether things of some kinds may have what a noun of a relation is for."""
        nouns = (i.value for i in items if i.category == "relation" and "noun" in i.value.role)
        steps = (Step(word.relation, word.role == "inverse noun") for word in nouns)
        return any(self._kinds.ends(step)[0] & kinds for step in steps)

    def _does(self, places: Set[int], kinds: Kinds, leaves: Leaves) -> bool:
        """Whether things of some kinds may do what a verb at one of some places says."""
        verbs = (i.value for at in leaves if at[0] in places for i in leaves[at] if is_verb(i))
        return any(kinds & end for v in verbs for end in self._kinds.ends(Step(v.relation)))


def _denies(item: Item) -> bool:
    """Whether an item is "not"."""
    return item.category == "not"
