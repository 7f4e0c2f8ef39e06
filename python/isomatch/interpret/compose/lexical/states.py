"""What words say that a thing is in or out of: "in stock"; and what was, or was only planned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Literal

from isomatch.chains.graph import Step
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.lexical.constants import Comparison
from isomatch.interpret.compose.lexical.phrases import said_by
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.opposites import are_complements
from isomatch.pattern.types import Operator
from isomatch.schema.types import LITERAL, Relation

STEM = 5  # letters that "published" and a "publication" share

State = tuple[Step, tuple[Comparison, ...]]


def state_of(words: Sequence[Word], place: int, relation: str, kinds: GraphKinds) -> State | None:
    """What words before the name of a relation say of its values; None for nothing.

    What is "out of stock" is not so by a flag, or there are none of it; what is "in stock" is
    there, if in some number.
    """
    if _says_opposite(words, place, relation, kinds):
        return Step(relation), (Comparison("=", ("false",)),)
    grammar, texts = kinds.language.grammar, tuple(w.text for w in words[:place])
    first, *others = _name(relation, kinds)
    if kinds.ends(Step(relation))[1] != {f"{LITERAL}number"}:
        return None
    if first not in grammar.placing:  # "units in stock", where no units are asked for
        ends = others[-1:] == [words[place].text] or [first] == [words[place].text]
        placing = grammar.placing.intersection(others[-2:-1])
        if not ends or not {first, kinds.language.singular(first)}.isdisjoint(texts):
            return None
        first = next(iter(placing), "")
    if texts[-1:] == (first,):
        return Step(relation), (Comparison(">", ("0",)),)
    if texts[-2:] in grammar.out_of:
        return Step(relation), (Comparison("=", ("0",)),)
    return None


def _says_opposite(words: Sequence[Word], place: int, relation: str, kinds: GraphKinds) -> bool:
    """Whether words say the opposite of a flag: "out of stock", and "in print" of "out of"."""
    grammar, texts = kinds.language.grammar, tuple(w.text for w in words[:place])
    own = _own_out(relation, kinds)
    inside = own and not grammar.placing.isdisjoint(texts[-1:])
    out = texts[-2:] in grammar.out_of and texts[-2:] != own
    return bool(inside or out) and kinds.is_boolean(relation)


def says_more(words: Sequence[Word], place: int, relation: str, kinds: GraphKinds) -> bool:
    """Whether a relation says something of what words name that they do not say.

    That it is out of that, or was planned only, or until when it is so.
    """
    return (
        _only_names(words, place, relation, kinds)
        or _is_only_planned(words, place, relation, kinds)
        or _is_only_until(words, relation, kinds)
        or _is_of_longer(words, place, relation, kinds)
    )


def _is_of_longer(words: Sequence[Word], place: int, relation: str, kinds: GraphKinds) -> bool:
    """Whether what stands before a verb makes it another relation between such things.

    Whose "phone number is known by" Ann need not be known by her, where some `know`, and some
    `knowPhone`.
    """
    (first, *own), language = _name(relation, kinds), kinds.language
    nouns = (words[n].text for n in range(place) if words[n].text not in language.function_words)
    before = [n for n in nouns if language.singular(n) not in language.grammar.designating][-1:]
    if own or not before or language.forms(words[place].text).isdisjoint(language.forms(first)):
        return False
    forms = [language.forms(word) for noun in before for word in (noun, language.singular(noun))]
    return any(
        len(name := _name(other.id, kinds)) == 2
        and name[0] == first
        and kinds.ends(Step(other.id)) == kinds.ends(Step(relation))
        and any(not language.forms(name[1]).isdisjoint(some) for some in forms)
        for other in kinds.relations
    )


def undergone(relation: str, kinds: GraphKinds) -> Iterator[str]:
    """What is said of whom others do something with a thing of theirs, in the passive voice.

    Whose "phone number is known by" Ann, where people have a relation `knowsPhone`.
    """
    language, (verb, *rest) = kinds.language, _name(relation, kinds) or ("",)
    source, target = kinds.ends(Step(relation))
    if len(rest) == 1 and language.is_verb(verb) and source and source == target:
        for noun in (*rest, *language.other_nouns(rest[0])):
            yield f"{noun} {verb} by"


def _only_names(words: Sequence[Word], place: int, relation: str, kinds: GraphKinds) -> bool:
    """Whether a relation says that a thing is out of what words only name: "stock"."""
    own, texts = _own_out(relation, kinds), tuple(w.text for w in words[: place + 2])
    said = own in (texts[max(0, place - 2) : place], texts[place:])
    return bool(own) and not (said or _says_opposite(words, place, relation, kinds))


def _own_out(relation: str, kinds: GraphKinds) -> tuple[str, ...]:
    """The words of a relation's name that say a thing is out of something: "is out of print"."""
    pairs = pairwise(_name(relation, kinds))
    return next((pair for pair in pairs if pair in kinds.language.grammar.out_of), ())


def _is_only_planned(words: Sequence[Word], place: int, relation: str, kinds: GraphKinds) -> bool:
    """Whether a relation says only what was planned, and words and another one what came about.

    "When did it start" asks for no `plannedStart` beside an `actualStart`.
    """
    language, (first, *rest) = kinds.language, _name(relation, kinds)
    was, texts = language.schemas.plans.get(first), {word.text for word in words}
    if was is None or first in texts:
        return False
    done = language.is_participle(words[place].text) or not language.grammar.past.isdisjoint(texts)
    source = kinds.ends(Step(relation))[0]
    small = {was, *language.asking.dates, *language.schemas.days, *language.schemas.times}
    return done and any(
        {*tokens(other.text)} - small == {*rest} - small
        and not source.isdisjoint(kinds.ends(Step(other.id))[0])
        for other in kinds.relations
    )


def _is_only_until(words: Sequence[Word], relation: str, kinds: GraphKinds) -> bool:
    """Whether a relation says until when something is so, and words only that it is: "valid"."""
    last = _name(relation, kinds)[-1]
    until = kinds.language.grammar.dating & {p[0] for p in kinds.language.comparisons.get("<=", ())}
    return last in until and kinds.gives_date(relation) and last not in {w.text for w in words}


def undone(
    words: Sequence[Word], place: int, kinds: GraphKinds
) -> Iterator[tuple[Literal["filter", "undone"], Any, str]]:
    """What a word says was not done, where a relation says that it was: "unassigned"."""
    word, language, negated = words[place].text, kinds.language, kinds.language.assumed.negated
    if not language.before_infinitives.isdisjoint(one.text for one in words[:place]):
        return  # "did Ann open" is a verb
    first = [w for relation in kinds.relations for w in tokens(relation.text)[:1]]
    was = language.is_participle(word) and word in first  # "opened in", beside "is closed"
    for relation in () if was else kinds.flags:
        if are_complements(word, relation.text, language) and not _says_when(relation, kinds):
            untrue = Step(relation.id), (Comparison("=", ("false",)),)
            yield "filter", untrue, negated.format(relation.text)
    done = next((word.removeprefix(u) for u in language.endings.undone if word[:2] == u), "")
    again = (w[len(re) :] for w in first for re in language.endings.again if w.startswith(re))
    if any(word in language.forms(w) for w in again):
        return  # what is "open" may have been closed, and "reopened"
    if not language.is_participle(word):  # what is "open" was not closed
        closed = (w for w in first if language.is_participle(w))
        done = next((w for w in closed if are_complements(word, w, language)), done)
    if not (len(done) > 3 and language.is_verb(done)):
        return
    if word in first:
        return  # what was "unloaded at" a port was done
    texts = []
    for relation in kinds.relations:
        named = [w for w in tokens(relation.text) if w not in language.grammar.being]
        rest, step = language.prepositions.issuperset(named[1:]), Step(relation.id)
        if not (named and rest) or language.forms(done).isdisjoint(language.forms(named[0])):
            continue
        if kinds.is_boolean(relation.id):
            untrue = step, (Comparison("=", ("false",)),)
            yield "filter", untrue, negated.format(relation.text)
        elif named[0] == done:
            texts.append(relation.text)
    if texts:
        yield "undone", done, negated.format(language.answers.any(texts))


def _says_when(relation: Relation, kinds: GraphKinds) -> bool:
    """Whether a relation says where or when else something is not so: "closed at night"."""
    language, said = kinds.language, tokens(relation.text)
    at = next((n for n, word in enumerate(said) if word in language.prepositions), len(said))
    return not language.function_words.issuperset(said[at:])


def punctual(
    texts: Sequence[str], kinds: GraphKinds
) -> Iterator[tuple[int, tuple[Operator, Step], str]]:
    """How many of the first words say "late" or "on time", how, of which plan, and its name."""
    for length, operator in said_by(texts, kinds.language.punctual):
        for relation in _plans(kinds):
            yield length, (operator, Step(relation.id)), relation.text


def is_planned_beside(plan: str, relation: str, kinds: GraphKinds) -> bool:
    """Whether one relation says when something was planned, and another when it was.

    A `plannedEnd` is beside an `actualEnd`, a `dueOn` beside any date that the same things have.
    """
    language, ends = kinds.language, kinds.ends
    name, (_, *rest) = _name(relation, kinds), _name(plan, kinds)
    if ends(Step(plan))[0].isdisjoint(ends(Step(relation))[0]) or name[0] in language.schemas.plans:
        return False
    small = language.function_words | language.schemas.days
    return all(w in small or any(w[:STEM] == own[:STEM] for own in name) for w in rest)


def _plans(kinds: GraphKinds) -> list[Relation]:
    """The relations that say when something was planned."""
    plans = kinds.language.schemas.plans
    dated = (relation for relation in kinds.relations if kinds.gives_date(relation.id))
    return [relation for relation in dated if _name(relation.id, kinds)[0] in plans]


def _name(relation: str, kinds: GraphKinds) -> list[str]:
    """The words of a relation's name; one that is empty where it has none."""
    return tokens(kinds.schema.by_id[relation].text) or [""]
