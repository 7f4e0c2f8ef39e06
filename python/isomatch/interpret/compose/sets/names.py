"""The sets of nodes that a name of a question may stand for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import dropwhile, takewhile
from typing import TypeGuard

from isomatch.chains.graph import ChainGraph, Step
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Count,
    Expression,
    Named,
    OfType,
    Worked,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.lexical.phrases import meant_by, span_of
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.scored import MOST_HOMONYMS
from isomatch.interpret.types import TOLD
from isomatch.interpret.words.content import Word
from isomatch.lexicon.capitals import is_name_like
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.mention import Mention
from isomatch.schema.vocabulary import SUBCLASS_OF

_LESS_KNOWN = 0.03
_OF_VALUE = 0.5  # for a noun that only the value behind it explains


def named_sets(
    kinds: GraphKinds, mention: Mention, graph: ChainGraph, written: str = ""
) -> list[tuple[Named, float]]:
    """The sets of nodes that a name stands for, one for each kind of them, and their costs.

    What more relations lead away from is more likely to be meant. What none leads away from is of
    the kinds that its types are, and is meant only where nothing of that name and kind is in a
    fact, and its name is written as in the graph: "cancelled orders" are no question about a status
    "Cancelled" that no order has, nor is "in May" about a May. A name of very many nodes, as
    "Parking Area", means all of them.

    Args:
        written: the name as the question has it; empty where only what is in facts is meant.
    """
    by_kinds: dict[Kinds, set[Step]] = {}
    nodes: Counter[Kinds] = Counter()
    alone, numbers = [], kinds.language.numbers
    own = written == mention.text and not written.islower()
    own = own and written.lower() not in numbers.words | numbers.months
    for id in mention.ids[:MOST_HOMONYMS]:
        if steps := [step for step in graph.around([id]) if kinds.knows(step)]:
            ends = frozenset(kinds.schema.with_superclasses(kinds.of_ports(steps)))
            by_kinds.setdefault(ends, set()).update(steps)
            nodes[ends] += 1
        elif own:
            alone.append(id)
    in_facts = frozenset().union(*by_kinds)
    for types in graph.types_of(alone).values() if alone else ():
        ends = frozenset(kinds.schema.with_superclasses(types))
        if ends.isdisjoint(in_facts):
            by_kinds.setdefault(ends, set())
            nodes[ends] += 1
    most = max((len(steps) for steps in by_kinds.values()), default=0)
    return [
        (
            Named(
                mention.text,
                _narrowest(kinds, ends) if len(by_kinds) > 1 else None,
                ends,
                frozenset(steps),
                nodes[ends],
                every=len(mention.ids) > MOST_HOMONYMS,
            ),
            _LESS_KNOWN * (most - len(steps)),
        )
        for ends, steps in sorted(by_kinds.items(), key=lambda k: (-len(k[1]), sorted(k[0])))
    ]


def asked_class(
    words: Sequence[Word],
    start: int | None,
    leaves: Mapping[tuple[int, int], Sequence[Item]],
    language: Language,
) -> list[Word]:
    """The word that asks for things by a value that says what they are: "which red vans".

    Args:
        start: where what is asked for begins; None for nowhere.
        leaves: what the words may mean, by their places. Such a value is a step from a name.
    """
    if start is None or not language.before_infinitives.isdisjoint(
        word.text for word in words[start : start + 1]
    ):
        return []  # "what does a lamp cost"
    said = [(at, i.value) for at, some in leaves.items() for i in some]
    # "which Marys" are people of that name
    classes = {end - 1 for (_, end), value in said if isinstance(value, (Along, Both))}
    words_of_relations = ((at, v) for (at, _), v in said if isinstance(v, RelationWord))
    nouns = {at for at, value in words_of_relations if value.role == "noun"}
    small = [word.text in language.function_words for word in words]
    places = range(start, len(words))
    run = takewhile(lambda at: not small[at], dropwhile(small.__getitem__, places))
    found = [at for at in run if at in classes][:1]
    return [words[at] for at in found if at + 1 not in nouns]  # "which engineer salaries"


def things_named(
    question: str, words: Sequence[Word], mentions: Sequence[Mention], kinds: GraphKinds
) -> tuple[list[Mention], Set[int]]:
    """The names that may be of things, and the places of words that are nothing but names.

    A class in lower case names none, "which organisation", though a graph that says what it is a
    subclass of has its name. But "subclasses of person" are of the class. A capital inside a
    sentence makes one: "who is Heads", but not "the Director".
    """
    subclasses = kinds.schema.by_id.get(SUBCLASS_OF)
    nouns = {*tokens(subclasses.text)[:1]} if subclasses else set()
    forms = kinds.language.noun_forms
    about = bool(nouns) and any(not nouns.isdisjoint(forms(word.text)) for word in words)
    things = [
        m for m in mentions if about or question[m.start :][:1].isupper() or not _is_class(m, kinds)
    ]
    if kinds.language.capital_nouns:
        return things, frozenset()
    exact = [m for m in things if m.ids and question[m.start : m.end] == m.text]
    named = {(m.start, m.end) for m in exact if is_name_like(question, m.start)}
    before = kinds.language.grammar.any_article
    return things, {
        place
        for place, word in enumerate(words)
        if (word.start, word.end) in named and before.isdisjoint(w.text for w in words[:place][-1:])
    }


def _is_class(mention: Mention, kinds: GraphKinds) -> bool:
    """Whether a name is that of a class, as its word is."""
    return {kinds.type_texts.get(id, "").lower() for id in mention.ids} == {mention.text.lower()}


def nouns_of_values(
    question: str,
    words: Sequence[Word],
    runs: Iterable[tuple[int, int]],
    leaves: Mapping[tuple[int, int], Sequence[Item]],
    kinds: GraphKinds,
) -> Iterator[tuple[int, int, Item]]:
    """Nouns that no relation has, before a value of one relation only: "the status Shipped".

    Args:
        runs: start and length of what the lexicon lacks.
    """
    grammar = kinds.language.grammar
    before_nouns = grammar.any_article | grammar.with_ | grammar.of
    for place, length in runs:
        after = words[place + length - 1].text in kinds.language.prepositions  # "the salary of"
        after |= words[place].text in kinds.language.schemas.present  # "the current chair"
        if not place or words[place - 1].text not in before_nouns or after:
            continue
        said = (i.value for (at, _), some in leaves.items() if at == place + length for i in some)
        values = [value for value in said if isinstance(value, Named) and is_value(value)]
        relations = {step.relation for value in values for step in value.steps}
        if len(relations) == 1:
            (relation,) = relations
            span = span_of(question, words, place, length)
            span = meant_by(span, "relation", kinds.schema.by_id[relation].text)
            told = (replace(span, likeness=TOLD),)
            word = RelationWord(relation, "noun")
            yield place, length, Item("relation", word, -_OF_VALUE, place, told)


def is_of_class(item: Item, words: Sequence[Word], classes: Sequence[Word]) -> bool:
    """Whether a list is of what such a word asks for: "engineers by salary" are no salaries."""
    counts = item.category == "number of" or isinstance(item.value, (Count, Worked))
    return counts or (item.head >= 0 and words[item.head] in classes)


def without_words(
    question: str, names: Sequence[Mention], known: Mapping[str, object], language: Language
) -> list[Mention]:
    """The names of a question but for words of the graph that only look like one, misspelled.

    "Officers who probed" crimes are not those called Probet, where crimes have investigators.
    """

    def is_word(name: Mention) -> bool:
        small = question[name.start : name.start + 1].islower()
        near = name.written is not None and small and not name.marked
        said = question[name.start : name.end].lower()
        return near and language.is_participle(said) and not language.forms(said).isdisjoint(known)

    return [name for name in names if not is_word(name)]


def gives_no_name(place: int, leaves: Mapping[tuple[int, int], Sequence[Item]]) -> bool:
    """Whether "called" is a verb of the graph, and gives no name to what stands before it.

    People "called 555-0199", which is the number of a phone, made a call.
    """
    before = [i.value for (_, end), some in leaves.items() if end == place for i in some]
    after = [i.value for (start, _), some in leaves.items() if start == place + 1 for i in some]
    classes = [value for value in before if isinstance(value, OfType)]
    names = [value for value in after if isinstance(value, Named)]
    apart = all(one.kinds.isdisjoint(two.kinds) for one in classes for two in names)
    return bool(leaves.get((place, place + 1)) and classes and names) and apart


def is_named_by(item: Item, words: Sequence[Word], starts: Set[int]) -> bool:
    """Whether one of the words with such starts, as "executives", is of those that name a set."""
    start = words[item.head].start if item.head >= 0 else -1
    named = (span for span in item.spans if span.start == start)
    return start in starts or any(s.start < at < s.end for s in named for at in starts)


def is_apposed(of: Expression) -> TypeGuard[Both]:
    """Whether a set is a thing with its class: "the river Ohio"."""
    return isinstance(of, Both) and isinstance(of.left, OfType) and isinstance(of.right, Named)


def is_defined(of: Expression) -> bool:
    """Whether a set is what a phrase of the lexicon stands for: "incidents of petty theft"."""
    return isinstance(of, Compared) and isinstance(of.of, OfType) and of.operator == "="


def every_called(of: Expression) -> Expression:
    """All nodes of a name, be it one or several: "people called Mary"."""
    return replace(of, every=True) if isinstance(of, Named) else of


def called_sets(
    kinds: GraphKinds, mention: Mention, graph: ChainGraph, written: str, *, every: bool = False
) -> Iterator[tuple[Expression, float]]:
    """As `named_sets`; of a name in the plural all things that have it, and of "a Mary" any."""
    for named, cost in named_sets(kinds, mention, graph, written):
        of = every_called(named) if every and not is_value(named) else named
        yield in_plural(named, kinds) if mention.plural else of, cost


def in_plural(of: Named, kinds: GraphKinds) -> Expression:
    """All things of a name that a question has in the plural: "the Marys" are people called so."""
    type_id = of.type or _narrowest(kinds, of.kinds)
    if is_value(of) or type_id is None or of.nodes < 2:  # "thrillers" are no genres
        return of
    return Both(OfType(type_id, kinds.of_type(type_id)), every_called(of), of.kinds)


def _narrowest(of: GraphKinds, kinds: Kinds) -> str | None:
    sizes = of.schema.sizes
    types = [kind for kind in kinds if kind in sizes]
    return min(types, key=lambda t: (sizes[t], t), default=None)
