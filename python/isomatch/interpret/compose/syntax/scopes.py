"""How far "no", "without", "whose" and "with two" reach: not past the verb of the clause around."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from isomatch.interpret.compose.expressions import Named, OfType, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.types import Span
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language

NEVER = "never"
"""The meaning of a word for "not" that says it of all: "does not mentor anyone"."""
Leaves = Mapping[tuple[int, int], Sequence[Item]]


@dataclass(slots=True)
class Scope:
    """What a word for "not", or the first one after "whose" or "with", may be read with.

    Attributes:
        place: of the word.
        open: the clauses around it that still lack their verb.
        noun: place after the class or relation that it denies; 0 where it denies something else.
        taken: whether a verb stands before it, whose object the noun is.
        subject: whether the noun is that of the clause's own verb: "that no critic likes".
        end: place of the verb that it does not reach.
        unclear: whether what follows may describe the noun or what lacks it.
    """

    place: int
    open: frozenset[int]
    noun: int = 0
    taken: bool = False
    subject: bool = False
    end: int | None = None
    unclear: bool = False

    def reaches(self, end: int, following: str, describing: Set[str]) -> bool:
        """Whether the word may be read with the words up to a place.

        Args:
            following: the word there; "in Europe" after "no country" describes that country.
            describing: the words that such a description begins with.
        """
        if self.end is not None and end > self.end:
            return False
        return not (self.taken and end >= self.noun > 0 and following in describing)


class ScopeReader:
    """Finds the scopes of the words for "not", and of "whose", in questions.

    Every clause has one finite verb: "which countries without neighbours use the Euro" asks for
    those that use it, and "border no country that speaks French" has a verb for each of two.

    Args:
        language: of the questions. One of free order is not read: its relative clauses end in
            their verbs, and begin with its articles.
        typed: whether the graph has types, by which "someone" is of some class.
    """

    def __init__(self, language: Language, *, typed: bool):
        self._language, self._is_typed = language, typed
        self._grammar = grammar = language.grammar
        self._describing = (language.prepositions | grammar.relative) - grammar.owning
        self._denying = grammar.lacking
        asking = language.asking
        self._asks = asking.which | asking.who | asking.where | asking.when | asking.how

    def of(self, words: Sequence[Word], leaves: Leaves) -> list[Scope]:
        """The scopes in a question, in their order; "with at least two rivers" has one, too."""
        if self._language.free_order:
            return []
        texts = [word.text for word in words]
        verbs = {start for (start, _), items in leaves.items() if any(map(is_verb, items))}
        # "directed" may stand for those who did: it is no noun.
        nouns = (at for at, items in leaves.items() if any(map(is_thing, items)))
        verbs -= {start for start, _ in nouns}
        verbs -= {start for start in verbs if texts[start] in self._language.prepositions}
        nots = {start for (start, _), items in leaves.items() if any(map(_is_not, items))}
        numbers = {start for (start, _), items in leaves.items() if any(map(_is_number, items))}
        before_nouns = self._denying | self._grammar.whose | self._grammar.articles
        verbs -= {n for n in verbs if n and texts[n - 1] in before_nouns}  # "no neighbours"
        clauses = [0] if self._asks_with_verb(texts) else []
        scopes: list[Scope] = []
        begun, closed = len(texts), False  # the group of verbs that goes on, and its clause
        for place, text in enumerate(texts):
            if place in nots:
                scopes.append(self._scope(place, texts, leaves, verbs, clauses))
                if text in self._denying:
                    begun = len(texts)
                continue
            finite = place in verbs or text in self._grammar.finite
            if not (finite or text in self._language.auxiliaries):
                begun, closed = len(texts), False
                if place + 1 in numbers and text in self._grammar.owning:
                    scopes.append(Scope(place + 1, frozenset(clauses)))
                if place > 1 and text in self._grammar.relative:
                    if text in self._grammar.whose:
                        scopes.append(Scope(place + 1, frozenset(clauses)))
                    clauses.append(place)
                continue
            two = closed and place in verbs and place - 1 in verbs  # "who never acted directed …"
            if begun > place or two:
                begun, closed = self._begin(place, texts, nots), False
            if finite and not closed and not self._goes_on(begun, texts):
                closed = True
                self._close(clauses, scopes, begun, text)
        return scopes

    def read(self, words: Sequence[Word], leaves: Leaves) -> Mapping[tuple[int, int], list[Item]]:
        """The leaves, with nouns after "whose" as what is owned, and "linked" as what joins sets.

        A word for "not" is left out of them where it is unclear how far it reaches.
        """
        unclear = {scope.place for scope in self.of(words, leaves) if scope.unclear}
        whose = self._grammar.whose
        owned = {place + 1 for place, word in enumerate(words) if word.text in whose}
        last = self._verb_at_end(words, leaves)
        read = {
            (start, end): [
                *(
                    i
                    for i in items
                    if not (start in unclear and _is_not(i))
                    if not (start in owned and is_verb(i) and any(map(is_thing, items)))
                    if not (start == last and is_thing(i))
                    if not (i.category == "superlative" and self._is_relative(words, start, leaves))
                ),
                *(replace(i, category="owned") for i in items if start in owned and _is_owned(i)),
            ]
            for (start, end), items in leaves.items()
        }
        by = not self._grammar.by.isdisjoint(w.text for w in words[-2:-1])
        if not by and self._ends_idly(words, leaves):  # "does not mentor anyone": never
            read = {at: [_as_never(i) if _is_not(i) else i for i in read[at]] for at in read}
        for n in self._connecting(words):
            read.setdefault((n, n + 1), []).append(Item("connecting", words[n].text))
        ends = self._grammar.joining | self._grammar.contrast  # "but Ann does not"
        for (_, end), items in read.items():
            if end == len(words) or words[end].text in ends:
                items += [replace(i, category="elided") for i in items if _is_not(i)]
        return read

    def _verb_at_end(self, words: Sequence[Word], leaves: Leaves) -> int | None:
        """The place of the verb that a question with "did" ends with: "did those from Oban tutor".

        That asks for nobody's tutor. None where its last word is no verb, or not right behind what
        may be a subject, as in "did Ann place an order", or the verb is "have".
        """
        start = max((at for at, _ in leaves), default=0)
        items = [item for at, some in leaves.items() if at[0] == start for item in some]
        before = [item for at, some in leaves.items() if at[1] == start for item in some]
        helping = self._language.before_infinitives - self._grammar.being
        texts = {word.text for word in words[:start]}
        does = not helping.isdisjoint(texts) and self._grammar.having.isdisjoint(texts)
        last = start == len(words) - 1 and any(map(is_verb, items))
        return start if does and last and any(map(_may_be_subject, before)) else None

    def _is_relative(self, words: Sequence[Word], place: int, leaves: Leaves) -> bool:
        """Whether a word says when, from now: "last year", where no things are called years."""
        after = [word.text for word in words[place + 1 : place + 2]]
        said = self._language.schemas.calendar.intersection(map(self._language.singular, after))
        things = (item for item in leaves.get((place + 1, place + 2), ()) if item.category == "set")
        return bool(said) and all(is_value(item.value) for item in things)

    def bars(
        self, words: Sequence[Word], leaves: Leaves, places: Sequence[int]
    ) -> set[tuple[int, int]]:
        """The stretches from the place of a scope that end where it cannot end, by places.

        Args:
            places: those of the words that are no function words.
        """
        texts = [*(word.text for word in words), ""]
        return {
            (bisect_left(places, scope.place), number + 1)
            for scope in self.of(words, leaves)
            for number, place in enumerate(places)
            if place > scope.place
            and not scope.reaches(place + 1, texts[place + 1], self._describing)
        }

    def collocated(self, words: Sequence[Word], leaves: Leaves) -> set[int]:
        """The places of words that say no more than others of the question.

        Verbs beside a noun are such: "scored goals". Not where the noun is a type: several
        relations may lead there, and who plays a match is not its referee. "Anything" is one at
        the end: "never ordered anything", but not where a relation says to whom. So is "still"
        before a value, and "a month" beside a "monthly fee".
        """
        language = self._language
        nouns = {
            form
            for (_, end), items in leaves.items()
            if any(is_thing(item) or item.category == "key" for item in items)
            and not any(isinstance(item.value, OfType) for item in items)
            for form in language.noun_forms(words[end - 1].text)
        }
        collocations = language.schemas.collocations
        verbs = {verb for noun in nouns for verb in collocations.get(noun, ())}
        idle = {n for n, w in enumerate(words) if verbs.intersection(language.forms(w.text))}
        idle |= self._designating(words, leaves) | self._made(words, leaves)
        read = {
            place for (start, end), some in leaves.items() if some for place in range(start, end)
        }
        generic = self._grammar.generic  # "items", where nothing of the graph is called so
        idle |= {n for n, w in enumerate(words) if n not in read and w.text in generic}
        idle |= self._rates(words, leaves) | {
            start - 1
            for (start, _), items in leaves.items()
            if start and (words[start - 1].text,) in language.operators.still
            if any(map(_may_last, items))
        }
        ends = {
            n
            for n, word in enumerate(words)
            if word.text in self._grammar.anything and self._ends_clause(n, words, leaves)
        }
        return idle | {n for n in ends if self._ends_idly(words[: n + 1], leaves)}

    def _ends_clause(self, place: int, words: Sequence[Word], leaves: Leaves) -> bool:
        """Whether nothing follows a word, or only a date: "bought something in July"."""
        following = [word.text for word in words[place + 1 : place + 2]]
        then = {"constant", "compared", "comparison"}
        dated = any(
            item.category in then
            for (start, end), items in leaves.items()
            if start in (place + 1, place + 2) and end > place + 1
            for item in items
        )
        return not following or (dated and self._language.prepositions.issuperset(following))

    def _made(self, words: Sequence[Word], leaves: Leaves) -> set[int]:
        """The places of verbs for what is done with things of a class: calls that "were made".

        Not where somebody has a part in it, as in "made by Ann", or "to her".
        """
        language, grammar = self._language, self._grammar
        others = grammar.by | grammar.whither | grammar.whence | grammar.for_ | grammar.about
        if not (others | grammar.owning).isdisjoint(word.text for word in words):
            return set()
        classes = {
            form
            for (_, end), items in leaves.items()
            if any(isinstance(item.value, OfType) for item in items)
            for form in language.noun_forms(words[end - 1].text)
        }
        verbs = {v for noun in classes for v in language.schemas.deeds.get(noun, ())}
        done = (n for n in range(1, len(words)) if words[n - 1].text in self._grammar.been)
        said = (n for n in done if language.is_participle(words[n].text))  # tickets that "are open"
        return {n for n in said if not verbs.isdisjoint(language.forms(words[n].text))}

    def _designating(self, words: Sequence[Word], leaves: Leaves) -> set[int]:
        """The places of "number" and the like beside a noun and a name: "order number 10248".

        And in "the M2 area code", and in "the number 555-0102".
        """
        nouns = {at for at, items in leaves.items() if any(map(_is_noun, items))}
        named = {
            at
            for at, items in leaves.items()
            if any(isinstance(item.value, Named) for item in items)
        }
        first = {start for start, _ in named}
        # In "what is the M2 area code" the code is asked for.
        small = self._grammar.articles | self._grammar.calling
        before = {start: [w.text for w in words[:start] if w.text not in small] for start in first}
        placed = self._language.prepositions
        last = {end for start, end in named if not placed.isdisjoint(before[start][-1:])}
        beside = {end for start, end in nouns if end + 1 in first or start in last}
        said, articles = self._grammar.designating, self._grammar.articles - self._grammar.of
        alone = {n - 1 for n in first if n > 1 and words[n - 2].text in articles}
        return {n for n in beside | alone if n < len(words) and words[n].text in said}

    def _connecting(self, words: Sequence[Word]) -> Iterator[int]:
        """The places of "linked" and the like that stand before "to", or before a thing."""
        grammar, language = self._grammar, self._language
        for n, word in enumerate(words[:-1]):
            joined = words[n + 1].text in language.prepositions or word.text in grammar.vague
            if word.text in grammar.connecting and (
                joined or word.text.endswith(language.endings.going)
            ):
                yield n

    def told(self, words: Sequence[Word], leaves: Leaves) -> set[int]:
        """The places of words that else say little, where relations are called by them.

        "Types" of an "account type", the "words" of a "word count", and the "about" that a question
        ends with. In a graph with types "someone", too, where nothing is denied, and no
        yes or no asked for.
        """
        said = {at: [i for i in items if i.category == "relation"] for at, items in leaves.items()}
        every = [at for at, items in said.items() if items]
        counted = {at[0] for at in every if any(i.value.role == "number" for i in said[at])}
        several = {p for start, end in every if end - start > 1 for p in range(start, end)}
        idle = {p for p in several | counted if words[p].text in self._language.idle}
        ends = {start for start, end in every if end == start + 1 == len(words)}
        idle |= {p for p in ends if words[p].text in self._language.prepositions}
        denied = any(_is_not(item) for items in leaves.values() for item in items)
        whether = words[0].text in self._language.asking.whether
        if denied or whether or not self._is_typed:
            return idle
        return idle | {
            at[0] for at, some in leaves.items() if any(i.category == "anything" for i in some)
        }

    def _rates(self, words: Sequence[Word], leaves: Leaves) -> set[int]:
        """The places of words for a period that the name of a relation says: "per year"."""
        periods = self._language.schemas.periods
        spans = [s for items in leaves.values() for item in items for s in item.spans]
        said = {s.meaning for s in spans if s.kind == "relation"}  # and no name: "Per Lindqvist"
        each = frozenset().union(*self._language.operators.each)
        named = {periods.get(word) for meaning in said for word in tokens(meaning)[:1]}
        named |= {b for meaning in said for a, b in pairwise(tokens(meaning)) if a in each}
        before = self._grammar.indefinite | each
        return {
            place
            for n in range(1, len(words))
            if words[n].text in named and words[n - 1].text in before
            for place in (n - 1, n)
        }

    def _ends_idly(self, words: Sequence[Word], leaves: Leaves) -> bool:
        """Whether a question ends with "anything" after a verb, and this is no name."""
        last, by = len(words) - 1, self._grammar.by
        if not last or words[last].text not in self._grammar.anything:
            return False
        spans = [s for items in leaves.values() for item in items for s in item.spans]
        if any(s.kind == "name" and s.start <= words[last].start < s.end for s in spans):
            return False
        joining = words[last - 1].text
        before = words[last - 1 - (joining in self._language.prepositions)].end
        records = [s for items in leaves.values() for i in items if _is_record(i) for s in i.spans]
        said = [*records, *(s for s in spans if s.kind == "relation")]
        verbs = {s.meaning for s in said if s.end == before}
        ends = {word for verb in verbs for word in tokens(verb)[-1:]}
        if words[last].text in self._grammar.anywhere:
            return bool(verbs)
        if joining in self._language.prepositions - by:
            return ends == {joining}  # "depends on anything"
        return bool(verbs) and ends.isdisjoint(self._language.prepositions - by)

    def _asks_with_verb(self, texts: Sequence[str]) -> bool:
        """Whether a question is a sentence, and not "states without rivers"."""
        asked = texts[self._language.prepositions.issuperset(texts[:1]) :][:1]
        return not (self._asks | self._language.asking.whether).isdisjoint(asked)

    def _scope(
        self,
        place: int,
        texts: Sequence[str],
        leaves: Leaves,
        verbs: Set[int],
        clauses: Sequence[int],
    ) -> Scope:
        before = texts[place - 1] if place else ""
        taken = place - 1 in verbs or before in self._grammar.finite
        scope = Scope(place, frozenset(clauses), taken=taken)
        if texts[place] not in self._denying:
            return scope
        ends = [
            end
            for (start, end), items in leaves.items()
            if start == place + 1 and any(i.category == "relation" or _is_noun(i) for i in items)
        ]
        scope.noun = max(ends, default=0)
        clause = self._grammar.relative | self._language.before_infinitives
        scope.subject = bool(scope.noun) and before in clause - self._grammar.whose
        following = texts[scope.noun] if 0 < scope.noun < len(texts) else ""
        scope.unclear = not taken and following in self._describing - self._grammar.of
        return scope

    def _begin(self, place: int, texts: Sequence[str], nots: Set[int]) -> int:
        """Where a group of verbs begins: "never", too, in "who never acted"."""
        while place - 1 in nots and texts[place - 1] not in self._denying:
            place -= 1
        return place

    def _goes_on(self, begun: int, texts: Sequence[str]) -> bool:
        """Whether verbs have the same subject as those before: "and never acted"."""
        grammar = self._grammar
        before = texts[begun - 1] if begun else ""
        return before in grammar.joining | grammar.choosing | grammar.contrast

    def _close(self, clauses: list[int], scopes: Sequence[Scope], begun: int, text: str) -> None:
        """Give a clause its verb, which the scopes before it do not reach."""
        going = text.endswith(self._language.endings.going)
        clause = clauses.pop() if clauses and not going else None
        for scope in scopes:
            if scope.place >= begun or scope.end is not None:
                continue
            if clause in scope.open and not scope.subject:
                scope.end = begun
            elif clause is None and scope.noun and not scope.taken:
                scope.unclear = True  # "without cities founded in 1900"


def is_verb(item: Item) -> bool:
    return item.category == "relation" and item.value.role in ("forward", "backward")


def _is_noun(item: Item) -> bool:
    return _is_owned(item) or (item.category == "set" and isinstance(item.value, OfType))


def _may_last(item: Item) -> bool:
    """Whether an item says a state, as "active" or "open", that something may "still" have."""
    return item.category == "undone" or (isinstance(item.value, Named) and is_value(item.value))


def is_thing(item: Item) -> bool:
    return _is_noun(item) and not (_is_owned(item) and item.value.role == "inverse noun")


def _is_owned(item: Item) -> bool:
    return item.category == "relation" and "noun" in item.value.role


def _may_be_subject(item: Item) -> bool:
    """Whether an item is a noun or a name, and no value."""
    return _is_noun(item) or (isinstance(item.value, Named) and not is_value(item.value))


def _is_number(item: Item) -> bool:
    return item.category in ("comparison", "comparative", "constant")


def _is_not(item: Item) -> bool:
    return item.category == "not"


def is_never(span: Span, language: Language) -> bool:
    """Whether a word for "not" says it of all that may be done."""
    return span.meaning == NEVER or span.text.lower() in language.grammar.never


def _as_never(item: Item) -> Item:
    return replace(item, spans=tuple(replace(s, meaning=NEVER) for s in item.spans))


def _is_record(item: Item) -> bool:
    return item.category == "record"
