"""Tells what an expression is as a whole, by looking through its parts."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import dropwhile, pairwise, takewhile

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import (
    Along,
    AlongValue,
    Both,
    Compared,
    ComparedEach,
    Count,
    Counted,
    Expression,
    Extreme,
    ExtremeEach,
    Linked,
    Named,
    OfType,
    PerEach,
    Shared,
    Valued,
    Whether,
    Without,
    Worked,
    is_value,
    leads_back,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.pattern.elements import Function

_INNER = ("of", "left", "right", "less", "other", "things", "counted", "source", "target")


def inner(of: Expression) -> Iterator[Expression]:
    """The expressions that an expression is made of."""
    parts = (getattr(of, name, None) for name in _INNER)
    return (one for one in parts if one is not None)


def all_parts(of: Expression) -> Iterator[Expression]:
    """An expression, and all that it is made of."""
    yield of
    for one in inner(of):
        yield from all_parts(one)


def most_homonyms(of: Expression) -> int:
    """How many nodes a name of which one is meant has in an expression, at most."""
    if isinstance(of, Named):
        return 1 if of.every else of.nodes
    return max(map(most_homonyms, inner(of)), default=1)


def is_one(of: Expression) -> bool:
    """Whether what is worked out of a set is worked out of all of it.

    Nodes of one name are different interpretations, and each has a count or a largest.
    """
    return not is_worked_out(of) or most_homonyms(of) == 1


def is_worked_out(of: Expression) -> bool:
    """Whether a set, or what is left out of it, is a count, the largest or the like of another."""
    if isinstance(of, Without):
        return is_worked_out(of.of) or is_worked_out(of.less)
    worked = (Worked, ExtremeEach, ComparedEach, PerEach)
    return isinstance(of, (Count, Extreme, Counted, Whether, *worked))


def any_of(every: Expression, sets: Sequence[Expression]) -> Without:
    """The members of a set that are in any of several others: not outside all of these."""
    outside = every
    for one in sets:
        outside = Without(outside, one, every.kinds)
    return Without(every, outside, every.kinds)


def are_names(left: Item, right: Item) -> bool:
    """Whether a name ends what is left, and another one begins what is right of it."""
    before = max(left.spans, key=lambda span: span.start, default=None)
    after = min(right.spans, key=lambda span: span.start, default=None)
    return before is not None and after is not None and before.kind == after.kind == "name"


def begins_with_relation(item: Item) -> bool:
    """Whether a word for a relation comes first: "joined first", not "the highest salary"."""
    return min(item.spans, key=lambda span: span.start).kind == "relation"


def is_much(count: Item, language: Language) -> bool:
    """Whether an item that asks for a number says "how much"."""
    return count.spans[0].text.lower().split()[-1] in language.asking.much


def is_of_each(of: Expression) -> bool:
    """Whether a set is what one step leads to from each of several names: "France and Spain's"."""
    parts = _parts(of)
    return _is_shared(parts) and all(isinstance(one, Along) for one in parts)


def is_of_any(of: Expression) -> bool:
    """Whether a set is made with what any of several names has, which may be asked in common."""
    return any(isinstance(one, Without) and one.assumed for one in all_parts(of))


def leads_on_from_any(of: Expression) -> bool:
    """Whether a step leads on from what any of several names has: the products of their orders."""
    return any(is_of_several(one.of) for one in _alongs(of))


def is_of_several(of: Expression) -> bool:
    """Whether a set is what any of several names has, or such a set with more said of it."""
    any_of_them = isinstance(of, Without) and isinstance(of.less, Without)
    return any_of_them or (isinstance(of, (Along, Both)) and any(map(is_of_several, inner(of))))


def is_together(of: Expression) -> bool:
    """Whether a set needs one thing that several names do the same with, which has no name."""
    parts = _parts(of)
    return _is_shared(parts) and not any(isinstance(one, Named) for one in parts)


def is_in_common(of: Expression) -> bool:
    """Whether a set is what the same step leads to from each of several names."""
    return _is_shared(_parts(of.of if isinstance(of, (Count, Whether)) else of))


def is_of_name(of: Expression) -> bool:
    """Whether a set is what one step leads to from a name."""
    return isinstance(of, Along) and isinstance(of.of, Named)


def narrowing(of: Expression) -> set[str]:
    """The names by which what is counted for the most or fewest is narrowed, and of may be, too.

    "The country with the fewest neighbours in Europe" is one in Europe, or its neighbours are.
    """
    if not isinstance(of, Extreme) or of.counted is None:
        return set()
    return {
        part.of.text
        for part in _parts(of.counted)
        if isinstance(part, Along) and isinstance(part.of, Named)
        if not part.kinds.isdisjoint(of.of.kinds)
    }


def _parts(of: Expression) -> list[Expression]:
    return [*_parts(of.left), *_parts(of.right)] if isinstance(of, Both) else [of]


def _is_shared(parts: Sequence[Expression]) -> bool:
    of_names = [one for one in parts if isinstance(one, Along) and isinstance(one.of, Named)]
    return len({one.step.relation for one in of_names}) < len(of_names)


def repeats(of: Expression, kinds: GraphKinds) -> bool:
    """Whether one member may be in a set in several ways, each of which is a match.

    A country borders several others, but one that borders France does so once.
    """
    if isinstance(of, (AlongValue, Linked, Shared)):
        return True
    if isinstance(of, (Compared, Valued)):
        return not kinds.schema.by_id[of.step.relation].leads_to_one()
    if not isinstance(of, Along) or (isinstance(of.of, Named) and of.of.nodes == 1):
        return False
    relation = kinds.schema.by_id[of.step.relation]
    single = relation.leads_to_one(back=not of.step.back)
    return not single or of.either or kinds.is_symmetric(relation.id)


def comes_back(of: Expression) -> bool:
    """Whether some step goes back the way that led to its set: to others of the same.

    "A film with Tom Hanks" has other actors, and the films of the director of "Heat" are also
    "Heat" itself.
    """
    return any(_is_beside(one.of) and leads_back(one.of, one.step) for one in _alongs(of))


def _is_beside(of: Expression) -> bool:
    return isinstance(of, Both) and (of.beside or _is_beside(of.left) or _is_beside(of.right))


def steps_back(of: Expression) -> bool:
    """Whether a step leads to where another leads from, back over one relation."""
    return any(leads_back(one.of, one.step) for one in _alongs(of))


def steps_along(of: Expression) -> Iterator[Step]:
    """The steps that lead from one set of an expression to another, and not from a named value."""
    return (one.step for one in _alongs(of) if not (isinstance(one.of, Named) and is_value(one.of)))


def _alongs(of: Expression) -> Iterator[Along]:
    return (one for one in all_parts(of) if isinstance(one, Along))


def goes_back(of: Expression) -> bool:
    """Whether a set has the same of something as others: a step leads there, and one back."""
    compared = (one for one in all_parts(of) if isinstance(one, Compared))
    return steps_back(of) or any(one.other is not None for one in compared)


def is_given(of: Expression) -> bool:
    """Whether a set is what a name says, or all that has a named value: of "high priority"."""
    of_value = isinstance(of, Along) and isinstance(of.of, Named) and is_value(of.of)
    return of_value or isinstance(of, Named)


def is_whole(of: Expression) -> bool:
    """Whether a set is all of a type, or all that a relation leads to from one."""
    return isinstance(of, OfType) or (isinstance(of, Along) and is_whole(of.of))


def names_before(of: Expression) -> Iterator[Named]:
    """The names from which steps lead to a set."""
    if isinstance(of, Along):
        if isinstance(of.of, Named):
            yield of.of
        yield from names_before(of.of)


def do_the_same(doers: Expression, other: Expression) -> bool:
    """Whether those of a set do what makes others of them: "actors", and who acted in "Heat".

    But what was "donated" need not have been "ordered", where one relation leads to both.
    """
    if not (isinstance(doers, Along) and is_whole(doers.of)) or isinstance(doers.of, Along):
        return False
    if isinstance(other, Both):  # "acted with Ann and Ben"
        return do_the_same(doers, other.left) or do_the_same(doers, other.right)
    if not isinstance(other, (Along, AlongValue)) or other.step != doers.step:
        return False
    return other.of is None or not other.of.kinds or not doers.of.kinds.isdisjoint(other.of.kinds)


def leaves_out(of: Expression) -> bool:
    """Whether a set is what is left without others."""
    if isinstance(of, Both):
        return leaves_out(of.left) or leaves_out(of.right)
    return isinstance(of, Without)


def is_apart(left: Item, right: Item, gap: Sequence[str], kinds: GraphKinds) -> bool:
    """Whether what follows a relation's word is not at its other end.

    No verb has another one for its object: "team leads know Kotlin", "team leads are in Oslo".
    """
    language = kinds.language
    if not gap and is_apposed(left, right.value, kinds):
        return True
    if "noun" in left.value.role or language.free_order:
        return False
    return _begins_with_verb(right, language) if not gap else gap[0] in language.grammar.being


def _begins_with_verb(item: Item, language: Language) -> bool:
    """Whether the first word of a set says what several do: "know", of a relation `knows`."""
    first = min(item.spans, key=lambda span: span.start, default=None)
    if first is None or first.kind != "relation":
        return False
    said, meant = tokens(first.text)[0], tokens(first.meaning)[0]
    plain = language.singular(said) == said and not language.is_participle(said)
    return plain and language.is_verb(meant) and bool(language.forms(said) & language.forms(meant))


def is_apposed(left: Item, of: Expression, kinds: GraphKinds) -> bool:
    """Whether a noun for a relation is what a name after it is: "the station World's End".

    But "in the studio Oak" says "in studio".
    """
    if not isinstance(of, Named):
        return False
    if tokens(kinds.schema.by_id[left.value.relation].text)[0] in kinds.language.prepositions:
        return False
    source, target = kinds.ends(Step(left.value.relation))
    there = (source | target) & of.kinds
    called = {kinds.type_texts.get(kind) for kind in there}
    return any(span.text.lower() in called for span in left.spans[-1:])


def way_back(of: Expression, right: Item, gap: Sequence[str], kinds: GraphKinds) -> bool | None:
    """Whether a verb in the passive goes back over its relation: "has Heat been cited".

    Not where the relation is passive itself, as "referred by". None where it is no such verb.
    """
    if kinds.language.grammar.been.isdisjoint(gap[-1:]) or not isinstance(of, Named):
        return None
    step = passive_step(right, right.value.relation, kinds)
    return None if step is None else step.back


def is_done_to(of: Expression, verb: Item, gap: Sequence[str], kinds: GraphKinds) -> bool:
    """Whether a verb says of a set only what was done to it, and asks for nothing else.

    "People who have been trained" are neither those who did it nor those whom they trained.
    """
    grammar, relation = kinds.language.grammar, verb.value.relation
    told = not (grammar.been.isdisjoint(gap[-1:]) or isinstance(of, Named))
    if not told or {*gap} <= grammar.been - grammar.being:  # "whom have people been trained by"
        return False
    passive = kinds.language.is_passive(kinds.schema.by_id[relation].text)
    return passive and all(len(tokens(span.text)) == 1 for span in verb.spans)


def is_turned(before: Collection[str], right: Item, kinds: GraphKinds) -> bool:
    """Whether a set is of what a name does, and the question of what is done: "was Heat cited".

    Args:
        before: the words before the name.
    """
    of, last = right.value, max(right.spans, key=lambda span: span.start)
    if kinds.language.grammar.been.isdisjoint(before) or last.kind != "relation":
        return False
    if not isinstance(of, Along) or not isinstance(of.of, Named) or is_value(of):
        return False
    step = passive_step(right, of.step.relation, kinds)
    return step is not None and of.step != step


def is_of_other_kind(name: Expression | None, of: Expression) -> bool:
    """Whether a name that has several kinds is another kind of thing than a set has."""
    return isinstance(name, Named) and name.type is not None and name.kinds.isdisjoint(of.kinds)


def is_described(item: Item) -> bool:
    """Whether a set is what was done in any of several ways, before its class: "the sold cars"."""
    of, last = item.value, max(item.spans, key=lambda span: span.start)
    return isinstance(of, Without) and isinstance(of.less, Without) and last.kind == "type"


def may_be_summed(relation: Item, kinds: GraphKinds) -> bool:
    """Whether the values of a relation may be numbers of what a word says: "pages".

    Not dates, and the "floor" on which things are is no number of floors.
    """
    word, said = relation.value, last_words(relation)[-1]
    singular, name = kinds.language.singular(said), tokens(kinds.schema.by_id[word.relation].text)
    one = word.role == "noun" and singular != said and singular == name[-1]
    texts = kinds.gives_texts(word.relation)  # "number of owners" counts their names
    return kinds.gives_value(word.relation) and not (
        one or texts or kinds.gives_date(word.relation)
    )


def passive_step(verb: Item, relation: str, kinds: GraphKinds) -> Step | None:
    """The step from what is done something to; None where a word is no participle."""
    if kinds.is_passive(relation):
        return Step(relation)
    done = verb.spans and is_participle(last_words(verb)[-1], relation, kinds)
    return Step(relation, True) if done else None  # without spans it is one of several verbs


def last_words(item: Item) -> list[str]:
    """The words of the last span of an item, folded."""
    return tokens(max(item.spans, key=lambda span: span.start).text)


def is_participle(word: str, relation: str, kinds: GraphKinds) -> bool:
    """Whether a word is the participle of what sources do: "cites", "acquired".

    Not of "bought from", whose sources are bought, nor of a state, as "located".
    """
    language, text = kinds.language, kinds.schema.by_id[relation].text
    verb, *others = tokens(text)
    present = language.singular(verb)
    if language.forms(word).isdisjoint(language.forms(verb)):
        return False
    if present != verb:
        return word not in (verb, present)
    did = language.is_verb(text) and language.is_verb(word) and language.singular(word) == word
    return did and not others and verb not in language.schemas.states


def is_done_by(item: Item, kinds: GraphKinds) -> bool:
    """Whether a word says what the noun of a relation does: who was "mentored" is no mentor."""
    if not (item.spans and isinstance(item.value, Along)):
        return False
    language, said = kinds.language, last_words(item)[-1]
    verbs = language.forms(said) - language.noun_forms(said)
    noun = tokens(kinds.schema.by_id[item.value.step.relation].text)[-1]
    return noun in verbs and language.is_verb(said) and language.singular(said) == said


def first_of(number: Sequence[str], of: Expression) -> Extreme | None:
    """So many first ones of what has a first one: "the three rivers with the greatest length"."""
    told = len(number) == 1 and number[0].isdecimal() and int(number[0]) > 0
    if not (told and isinstance(of, Extreme) and of.places == (0, 1)):
        return None
    return replace(of, places=(0, int(number[0])))


def function_said(item: Item, language: Language) -> Function | None:
    """What is worked out of the values of several things, whose relation's name says it, too.

    The "total value of all orders" is their sum, where each of them has a "total value", and so is
    "the total" of them where each has a "total".
    """
    of: Expression = item.value
    if not (isinstance(of, Along) and is_value(of)) or of.step.back or isinstance(of.of, Named):
        return None
    for span in item.spans:
        first, *others = span.text.lower().split()
        one = not others or language.singular(others[-1]) == others[-1]
        if span.kind == "relation" and one and first in language.function_of:
            return language.function_of[first]
    return None


def is_of_all(item: Item, gap: Sequence[str], language: Language) -> bool:
    """Whether something is said of all of several: "are the rivers of Texas long".

    A pattern tells only whether it holds for one of them.
    """
    if not language.grammar.some.isdisjoint(gap):
        return False
    spans = sorted(item.spans, key=lambda span: span.start)
    spans = list(dropwhile(lambda span: span.kind == "operator", spans))
    names = list(takewhile(lambda span: span.kind == "name", spans))
    if any(language.plural(span.meaning) == span.text.lower() for span in names[:1]):
        return True  # "do engineers earn more than interns", where that is a role
    subject = next(iter(spans[len(names) :]), None)
    if subject is None or subject.kind not in ("type", "relation"):
        return False
    if language.capital_nouns and not subject.text[:1].isupper():
        return False  # a verb: "geschrieben"
    # "do French films …", "do Ann's films …", and not "is Ann one of the authors"
    beside = all(b.start - a.end <= len("'s ") for a, b in pairwise([*names, subject]))
    noun = subject.text.lower()
    return beside and language.singular(noun) != noun


def ends_with_state(item: Item, language: Language) -> bool:
    """Whether a set ends with what became of it: orders "shipped" in May were placed before."""
    last = max(item.spans, key=lambda span: span.start)
    return last.kind == "name" and language.is_verb(last.text)
