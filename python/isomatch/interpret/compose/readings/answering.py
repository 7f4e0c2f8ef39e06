"""Which sets may answer a question, by the word that it begins with."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from isomatch.interpret.compose.analysis import (
    function_said,
    goes_back,
    is_given,
    is_in_common,
    is_of_any,
    is_of_each,
    is_of_name,
    is_of_several,
    is_together,
    is_whole,
    leads_on_from_any,
    narrowing,
    steps_along,
    steps_back,
)
from isomatch.interpret.compose.expressions import (
    TEXTS,
    Along,
    Apart,
    Both,
    Count,
    Expression,
    Extreme,
    Listed,
    Named,
    OfType,
    PerEach,
    Valued,
    Whether,
    Worked,
    is_value,
    last_steps,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.voice import asks_for_agent
from isomatch.interpret.compose.readings.beside_names import (
    asks_for_doers,
    is_of_either_between,
    is_said_in,
)
from isomatch.interpret.compose.readings.where import are_located
from isomatch.interpret.compose.rules.choices import is_of_chosen
from isomatch.interpret.compose.rules.dates import has_other_date
from isomatch.interpret.compose.sets.joins import Joins
from isomatch.interpret.types import Coverage, Span
from isomatch.interpret.words.content import Word
from isomatch.interpret.words.universal import sums_all
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.lexicon import Lexicon
from isomatch.pattern.types import Pattern
from isomatch.schema.types import LITERAL

BOOLEANS = frozenset((f"{LITERAL}boolean",))


@dataclass(frozen=True, slots=True)
class Reading:
    """One meaning of a question, with the pattern of its expression."""

    pattern: Pattern
    item: Item
    score: float


def coverage_of(spans: Sequence[Span], language: Language, *, whole: bool) -> Coverage:
    """What the words of a question became; those that became nothing and may not are operators.

    Of a count or sum any such word makes another number: "open tickets". "Lent books" are not all
    books, and who "lent books" is no book.

    Args:
        spans: of all words with content; those without a meaning became nothing.
        whole: whether something is worked out of a whole set.
    """
    ordered = sorted(spans, key=lambda s: s.start)
    before_class = {a for a, b in pairwise(ordered) if b.kind == "type"}
    read, left = (tuple(s for s in ordered if bool(s.meaning) == known) for known in (True, False))

    def is_lost(span: Span) -> bool:
        word = span.text.lower()
        done = language.is_verb(word) and language.singular(word) == word
        return span.kind == "word" and (whole or (done and span in before_class))

    left = tuple(replace(s, kind="operator") if is_lost(s) else s for s in left)
    return Coverage(read, left, exact=True)


def ranked(readings: Iterable[Reading], language: Language) -> list[Reading]:
    """Readings by descending score.

    That something is "resolved" may be the value of its status, or that somebody resolved it. So
    these are as likely, and neither may answer where they tell otherwise.
    """
    found = sorted(readings, key=lambda reading: -reading.score)
    return found[:1] + [
        replace(one, score=found[0].score) if _is_state(found[0].item, one.item, language) else one
        for one in found[1:]
    ]


def _is_state(one: Item, other: Item, language: Language) -> bool:
    """Whether two readings differ only in that a verb is a name to one of them."""
    kinds = [{(s.start, s.end): s.kind for s in item.spans} for item in (one, other)]
    if kinds[0].keys() != kinds[1].keys():
        return False
    differ = [s for s in one.spans if kinds[0][s.start, s.end] != kinds[1][s.start, s.end]]
    is_verb = len(differ) == 1 and language.is_verb(differ[0].text)
    return is_verb and {k[s.start, s.end] for k in kinds for s in differ} == {"name", "relation"}


def with_states(item: Item, leaves: Mapping[tuple[int, int], Sequence[Item]]) -> Item:
    """What asks if something was done, also by its state: a ticket is "resolved" by its status.

    Args:
        leaves: what the words may mean, by their places.
    """
    of = item.value
    if not (isinstance(of, Whether) and isinstance(of.of, Valued)):
        return item
    verbs = {span.start for span in item.spans if span.kind == "relation"}
    named = (one.value for some in leaves.values() for one in some if _at(one) in verbs)
    states = tuple(
        Both(of.of.of, Along(value, step, of.of.kinds), of.of.kinds)
        for value in named
        if isinstance(value, Named) and is_value(value) and value.kinds
        for step in sorted(value.steps, key=repr)
        if step.back
    )
    return replace(item, value=replace(of, otherwise=(*of.otherwise, *states)))


def _at(item: Item) -> int:
    return item.spans[0].start if item.spans else -1


class Answering:
    """What may answer questions over one graph.

    Args:
        joins: of the graph.
        lexicon: words of types.
    """

    def __init__(self, joins: Joins, lexicon: Lexicon):
        kinds = joins.kinds
        self._joins = joins
        self._language = language = lexicon.language
        self._asking = language.asking
        grammar = language.grammar
        self._shared, self._sharing = grammar.shared, grammar.sharing
        self._both, self._placing, self._having = grammar.both, grammar.placing, grammar.having
        alike = language.pointing | grammar.sharing | grammar.alike | grammar.with_
        self._alike = alike | self._shared | (grammar.connecting - lexicon.words())
        self._whose = grammar.whose
        who = (language.question_words.get(word, ()) for word in language.asking.who)
        called = {word for words in who for word in words}
        self._people = {
            kind
            for type_id, words in lexicon.types.items()
            if called.intersection(words.phrases())
            for kind in kinds.of_type(type_id)
        }
        self._deeds = {
            type_id
            for relation in kinds.relations
            for type_id in relation.source_types
            if type_id in lexicon.types and not kinds.gives_value(relation.id)
            if lexicon.types[type_id].word in language.forms(relation.text.lower())
        }
        types, things = lexicon.types.items(), language.schemas.things
        self._deeds |= {id for id, of in types if not things.isdisjoint(of.phrases())}

    def described(self, words: Sequence[Word], item: Item) -> Item:
        """What "what is E11.9" asks of a name: the one relation that says it in words."""
        texts, of, grammar = [word.text for word in words], item.value, self._language.grammar
        if not (isinstance(of, Named) and len(item.spans) == 1 < len(words)):
            return item
        short = words[0].end - words[0].start > len(texts[0])  # "what's"
        if texts[0] not in self._asking.which or not (short or texts[1] in grammar.being):
            return item
        name, last = item.spans[0], self._language.schemas.descriptions
        rest = [word for word in words[2 - short :] if word.text not in grammar.articles]
        ways = [
            (step, text)
            for step in of.steps
            if not step.back and self._joins.kinds.knows(step)
            for text in [self._joins.kinds.schema.by_id[step.relation].text]
            if not last.isdisjoint(tokens(text)[-1:])
        ]
        if len(ways) != 1 or any(not name.start <= word.start < name.end for word in rest):
            return item
        (step, text), said = ways[0], " ".join(texts[: 2 - short])
        asked = Span(words[0].start, words[1 - short].end, said, "relation", text)
        return replace(item, value=self._joins.step(of, step), spans=(asked, *item.spans))

    def who_has(self, words: Sequence[str], item: Item) -> Expression | None:
        """What a set means in a question, which is not what somebody is said to have.

        "Who has a mentor" asks for those who have one, and for no mentors. None where that
        cannot be told.
        """
        of: Expression = item.value
        has = words[0] in self._asking.who and words[1:2] and words[1] in self._having
        if words[0] in self._whose and is_value(of):
            return None  # a date has nothing: "whose orders have been paid"
        if not (has or words[0] in self._whose) or item.head < 0:
            return self._living(words, of)
        if isinstance(of, Along) and is_whole(of) and self._is_some(of, words):
            return Valued(of.of, of.step, of.of.kinds)  # "who has an email"
        owners = self._joins.owners(of)
        if owners is None or not owners.kinds & (self._people | of.kinds):
            return None  # ships have captains, and are no people
        return owners

    def _living(self, words: Sequence[str], of: Expression) -> Expression | None:
        """Those of several classes who may live somewhere: banks and customers are in Germany.

        None where that cannot be told, since who lives somewhere is of several classes.
        """
        relative = self._language.grammar.relative
        main = takewhile(lambda word: word not in relative, words[1:])
        living = {form for word in main for form in self._language.forms(word)}
        living &= self._language.living
        if not living or words[0] not in self._asking.who or not isinstance(of, Along):
            return of
        are_people = self._joins.grading.are_called_people
        people = [kind for kind in of.kinds if are_people(frozenset((kind,)))]
        texts, schemas = self._joins.kinds.type_texts, self._language.schemas
        apart = of.kinds.difference(people)
        others = {tokens(texts.get(kind, ""))[-1:][0] for kind in apart if texts.get(kind)}
        others -= schemas.people
        if not people or not others:
            return of
        if len(people) > 1 or not others <= schemas.things | schemas.places | self._language.sites:
            return None
        return Both(OfType(people[0], frozenset(people)), of, frozenset(people))

    def _is_some(self, of: Along, words: Sequence[str]) -> bool:
        """Whether a value is one that some have, after "has a", and no number or flag."""
        one = not self._language.grammar.indefinite.isdisjoint(words[2:3])
        plain = self._joins.kinds.only_texts_or_dates(of.step.relation)
        return one and is_value(of) and not of.step.back and plain

    def _says_what(self, words: Sequence[str], of: Expression) -> bool:
        """Whether a value says what people are: "who is an engineer"."""
        being = not self._language.grammar.being.isdisjoint(words[1:2])
        if words[0] not in self._asking.who or not being or not isinstance(of, Along):
            return False
        back = of.step.back and isinstance(of.of, Named)
        return back and self._joins.kinds.may_stand(of.step.relation)

    def _is_only_way(self, of: Expression, item: Item) -> bool:
        """Whether no other relations lead to what is in common, or words say by which it is."""
        kinds = self._joins.kinds
        said = {span.meaning for span in item.spans if span.kind == "relation"}
        ways = {step.relation for step in last_steps(of)}
        return all(kinds.schema.by_id[r].text in said or not kinds.rivals(r) for r in ways)

    def may_be(self, words: Sequence[str], item: Item, inside: Set[int] = frozenset()) -> bool:
        """Whether a set may answer: "who" and "where" are no numbers, "where" no people.

        Args:
            words: of the question.
            inside: where in it words of clauses begin that end with their verbs.
        """
        asking, of, first = self._asking, item.value, words[0]
        shared, both = (not some.isdisjoint(words) for some in (self._shared, self._both))
        each = self._says_of_each(item, shared=shared, both=both)
        any_of = isinstance(of, Whether) and is_of_several(of.of)  # "does she teach Ann and Bob"
        any_of = any_of and self._language.grammar.choosing.isdisjoint(words)
        if any_of or not each or is_of_either_between(words, item, self._language):
            return False
        if steps_back(of) and self._alike.isdisjoint(words) and self._is_unsaid(item):
            return False  # "the songs that Ann played" are not those of gigs with a song of hers
        told = goes_back(of) or is_in_common(of) or isinstance(of, Whether)
        if not (told or self._sharing.isdisjoint(words) or is_said_in(item, self._sharing)):
            return False  # "which towns share a river" have one that another has
        common = any(at in self._placing and word in self._shared for at, word in pairwise(words))
        if common and not (is_in_common(of) and self._is_only_way(of, item)):
            return False
        named = all(span.kind == "name" and not self._is_class(span) for span in item.spans)
        if named or (first in asking.who and _is_itself(of) and not self._says_deed(words, item)):
            return self._says_what(words, of)
        apart = any(self._stands_apart(name, words, item) for name in narrowing(of))
        if apart or self._counts_by_date(words, of) or self._asks_for_owner(words, item):
            return False
        if first not in asking.who and all(s.kind in ("operator", "number") for s in item.spans):
            return False  # "what is the largest" does not say of what
        if has_other_date(item, self._joins) or asks_for_doers(words, item, self._language):
            return False
        asked_of = first in (asking.which | asking.who) and self._is_subject(words, item, inside)
        if asked_of or is_of_chosen(of):
            return False
        if is_value(of) and asks_for_agent(words, item.spans, self._language):
            return False  # no value does what a thing is "used by"
        summed = (sums_all(words, place, self._language) for place in range(len(words)))
        if isinstance(of, Count) and any(summed):
            return False  # "how many films do all actors have": each of them, or together
        if isinstance(of, Worked) and of.step and self._joins.kinds.gives_texts(of.step.relation):
            return False  # "the average price" of "£8,000" and "on request"
        if of.kinds == BOOLEANS and (first in asking.which or not is_of_name(of)):
            return False  # "rooted devices" are no yes and no
        if item.category == "set" and function_said(item, self._language):
            return False  # it is worked out
        if first in asking.nodes and isinstance(of, Worked):
            return False
        if first in asking.where and are_located(words, item, self._people, self._joins):
            return False
        if first in asking.who and item.head >= 0 and self._is_object(words, item):
            return False  # "who sold cars" asks for no cars
        ends = words[-1] in self._language.prepositions and not isinstance(of, Listed)
        bare = all(s.kind == "type" and words[-1] not in tokens(s.text)[1:] for s in item.spans)
        if ends and (item.category == "answer" or bare):
            return False  # nor does "who were the cars sold to", or "what are the cars for"
        if item.category == "number of" or first not in asking.nodes | asking.when:
            return True
        if of.kinds == TEXTS and (first in asking.who or self._says_place(of)):
            return True  # names, as a "contact name" and a "city"
        return self._gives_values(of) == (first in asking.when)

    def _says_place(self, of: Expression) -> bool:
        """Whether texts are the names of places, by the name of their relation: a "city"."""
        texts = [self._joins.kinds.schema.by_id[s.relation].text for s in last_steps(of)]
        return bool(texts) and all(self._language.says_place(tokens(text)) for text in texts)

    def _gives_values(self, of: Expression) -> bool:
        """Whether a set is of values, or a list of them: "when was each company founded"."""
        if not isinstance(of, Listed):
            return is_value(of)
        return all(self._joins.kinds.gives_value(step.relation) for step in of.steps)

    def _counts_by_date(self, words: Sequence[str], of: Expression) -> bool:
        """Whether "which year has the most concerts" is read of the days that have them."""
        calendar = self._language.schemas.calendar.union(self._asking.dates[1:])
        asked = calendar.intersection(words[:3])
        counted = isinstance(of, PerEach) or (isinstance(of, Extreme) and of.counted is not None)
        return bool(asked) and counted and f"{LITERAL}date" in of.kinds

    def _asks_for_owner(self, words: Sequence[str], item: Item) -> bool:
        """Whether "what weighs the most" asks for a thing, and is read of its weight."""
        value = isinstance(item.value, Worked) or is_value(item.value)
        if not value or words[0] not in self._asking.which or words[2:3] == []:
            return False
        verbs = [s.text.lower() for s in item.spans if s.kind == "relation"]
        verb = words[1] in verbs and self._language.singular(words[1]) != words[1]
        articles = self._language.grammar.articles  # but "was kostet der Kurs"
        after = frozenset() if self._language.free_order else articles
        return verb and words[2] in after | self._language.comparing

    def _is_subject(self, words: Sequence[str], item: Item, inside: Set[int]) -> bool:
        """Whether a set is of what is said to do something: "what have the companies made"."""
        of, does = item.value, self._language.auxiliaries - self._language.grammar.being
        if does.isdisjoint(words[1:2]) or item.head < 0 or is_value(of) or isinstance(of, Listed):
            return False
        said = (span for span in item.spans if span.kind != "operator")
        first = min(said, key=lambda span: span.start, default=None)
        around = (span for span in item.spans if span.start not in inside)
        last = max(around, key=lambda span: span.start, default=None)
        verb = last is not None and last != first and last.kind != "name"
        subject = first is not None and words[item.head] in tokens(first.text)
        return subject and (verb or self._having.isdisjoint(words[1:2]))

    def _is_object(self, words: Sequence[str], item: Item) -> bool:
        """Whether a verb comes before the noun for a set, and no other words but operators.

        But the "oldest sold car" may be asked for.
        """
        said = (span for span in item.spans if span.kind != "operator")
        first = min(said, key=lambda span: span.start, default=None)
        if first is None or first.kind != "relation" or words[item.head] in tokens(first.text):
            return False
        before = takewhile(lambda word: word not in tokens(first.text), words)
        described = not self._language.grammar.articles.isdisjoint(before)
        return self._language.is_verb(first.text) and not described

    def _is_unsaid(self, item: Item) -> bool:
        """Whether no word says one of the relations that lead to a set, and some say others."""
        known = self._joins.kinds.schema.by_id
        said = {span.meaning for span in item.spans if span.kind == "relation"}
        led = {known[step.relation].text for step in steps_along(item.value)}
        return bool(led & said) and not led <= said

    def _stands_apart(self, name: str, words: Sequence[str], item: Item) -> bool:
        """Whether a preposition joins a name to what is before it: "in Europe"."""
        firsts = {
            first
            for span in item.spans
            if span.kind == "name" and span.meaning == name
            for first in tokens(span.text.lower())[:1]
        }
        pairs = pairwise(words)
        return any(word in firsts and at in self._language.prepositions for at, word in pairs)

    def _says_of_each(self, item: Item, *, shared: bool, both: bool) -> bool:
        """Whether a set says of each of several names what is asked.

        Args:
            shared: whether a word asks for what the names have together.
            both: whether one says that both of them have it.
        """
        of = item.value
        if is_of_any(of) and (shared or both or isinstance(of, Count)):
            return False  # "how many neighbours of France and Spain": of each, or together
        if both and leads_on_from_any(of):
            return False  # "products that both ordered" are not those of either's orders
        if isinstance(of, Whether) and isinstance(of.of, Apart):
            return not (shared and isinstance(of.of.right, Both) and is_of_name(of.of.right.left))
        if isinstance(of, Whether):  # "do France and Spain border a state" needs not be the same
            return shared or not is_together(of.of)
        if isinstance(of, Count):  # "how many neighbours do they have" asks for two numbers
            verbal = sum(span.kind == "relation" for span in item.spans) > 1
            return shared or both or verbal or item.head < 0 or not is_of_each(of.of)
        return not (is_value(of) and is_of_each(of))  # nor is "their population" the same

    def _is_class(self, span: Span) -> bool:
        """Whether a name in the plural stands for what has it: "strikers"."""
        return self._language.plural(span.meaning.lower()) == span.text.lower()

    def may_be_people(self, first: str, of: Expression) -> bool:
        """Whether a set's members may be people by their types, where people are asked for."""
        who = first in self._asking.who and of.kinds and self._people
        return not who or not self._people.isdisjoint(of.kinds)

    def _says_deed(self, words: Sequence[str], item: Item) -> bool:
        """Whether a verb after "who" says what people do, or that they live somewhere."""
        lives = any(self._language.forms(word) & self._language.living for word in words)
        said = {s.text.lower() for s in item.spans if s.kind == "relation"}.intersection(words[1:2])
        is_verb = any(self._language.singular(word) != word for word in said)
        return lives or (is_verb and self._joins.grading.are_called_people(item.value.kinds))

    def are_deeds(self, first: str, of: Expression) -> bool:
        """Whether a set is of what does nothing, where doers are asked for: an order, a film."""
        return first in self._asking.who and bool(of.kinds) and of.kinds <= self._deeds


def _is_itself(of: Expression) -> bool:
    """Whether a set is what a name says: "order 10248"."""
    if isinstance(of, Both):
        return isinstance(of.left, OfType) and _is_itself(of.right)
    return is_given(of)
