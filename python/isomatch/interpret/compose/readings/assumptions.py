"""What an answer tells of how its question was read: what was converted, guessed, ordered by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

from isomatch.interpret.compose.analysis import all_parts, inner
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Count,
    Expression,
    Extreme,
    Named,
    OfType,
    Valued,
    Whether,
    Without,
    Worked,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.leaves.untyped_kinds import guessed_kinds
from isomatch.interpret.compose.lexical.grading import Grading
from isomatch.interpret.compose.units import CURRENCIES, is_in, measured
from isomatch.interpret.types import Span
from isomatch.lexicon.answer_words import AssumedWords
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.substitutions import Substitution
from isomatch.lexicon.tables import Unit
from isomatch.schema.types import Relation


def taken_for(question: str, item: Item, kinds: GraphKinds) -> tuple[Substitution, ...]:
    """The words of a reading that mean what they do only if the asker says so."""
    guessed = guessed_units(item.value, kinds)
    guessed += [*seldom_known(item, kinds), *read_both_ways(item, kinds)]
    guessed += [*sharing_home(item, kinds), *least_or_greatest(item, kinds)]
    guessed += [*numbers_of_people(item, kinds), *doers_for_deeds(item, kinds)]
    guessed += [*states_of_deeds(question, item, kinds), *members_of_totals(item, kinds)]
    guessed = [*as_written(question, (*guessed_kinds(item, kinds), *guessed))]
    guessed += [*guessed_signs(question, item.value, kinds), *any_unnamed(question, item, kinds)]
    return tuple(dict.fromkeys(guessed))


def read_both_ways(item: Item, kinds: GraphKinds) -> Iterator[Substitution]:
    """The verbs that are read both ways, though nothing but the graph's one way says so."""
    mutual = {r.text for r in kinds.relations if kinds.is_mutual(r.id)}
    both_ways = kinds.language.assumed.both_ways
    for span in item.spans:
        if span.kind == "relation" and span.meaning in mutual:
            yield Substitution(span.text, both_ways.format(span.text))


def least_or_greatest(item: Item, kinds: GraphKinds) -> Iterator[Substitution]:
    """The words for the best of values of which some take the least, others the greatest."""
    for of in all_parts(item.value):
        if not isinstance(of, (Extreme, Worked)) or of.step is None:
            continue
        name = kinds.schema.by_id[of.step.relation].text.lower()
        if kinds.language.schemas.disputed.isdisjoint(tokens(name)):
            continue
        great = of.descending if isinstance(of, Extreme) else of.function == "max"
        best = kinds.language.superlatives(name, greatest=great)
        for span in item.spans:
            if span.text.lower() in best:
                words = kinds.language.assumed
                frame = words.highest if great else words.lowest
                yield Substitution(span.text, frame.format(words.quoted.format(name)))


def sharing_home(item: Item, kinds: GraphKinds) -> Iterator[Substitution]:
    """The words for who "lives with" somebody, or "shares a home", read of the same address."""
    language = kinds.language
    steps = {of.step for of in all_parts(item.value) if isinstance(of, Along)}
    both = (step.relation for step in steps if step.inverse in steps)
    homes = {kinds.schema.by_id[relation].text for relation in both}
    for span in item.spans if homes else ():
        said, verbs = span.text.lower(), language.schemas.called.get(span.meaning, ())
        lived_in = language.forms(said).union(*map(tokens, verbs)) & language.living
        own = not language.forms(said).isdisjoint(tokens(span.meaning))
        if span.meaning in homes and lived_in and not own:
            yield Substitution(span.text, language.assumed.shared.format(span.text, span.meaning))


def numbers_of_people(item: Item, kinds: GraphKinds) -> Iterator[Substitution]:
    """The words for people that are read of a number of them, where the graph knows some itself.

    Who "live in" a town may be those whom it says to live there, or its population.
    """
    schemas, texts = kinds.language.schemas, kinds.type_texts
    people = {kind for kind, text in texts.items() if text.rpartition(" ")[2] in schemas.people}
    homes = [
        r for r in kinds.relations if people.intersection(r.source_types) and _is_home(r, kinds)
    ]
    for span in item.spans if homes else ():
        words = [word for word in tokens(span.meaning) if word in schemas.numbers]
        called = {phrase for word in words for phrase in schemas.numbers[word]}
        counted = [r for r in kinds.relations if r.text == span.meaning and r.is_ordered]
        there = {type_id for relation in counted for type_id in relation.source_types}
        said = any(map(span.text.lower().startswith, called))
        if said and any(not there.isdisjoint(home.target_types) for home in homes):
            yield Substitution(span.text, span.meaning)


def members_of_totals(item: Item, kinds: GraphKinds) -> Iterator[Substitution]:
    """The nouns for what the graph knows some of, where it has a number of all too: a headcount.

    A firm that nobody in the graph is employed by may have hundreds. Who is asked for the employees
    themselves gets those that are known.
    """
    of, totals = item.value, kinds.language.schemas.totals
    if totals.keys().isdisjoint(kinds.name_words):
        return
    groups = of.of if isinstance(of, (Count, Whether)) else of
    if groups is not of and isinstance(groups, Both) and isinstance(groups.left, OfType):
        groups = groups.right
    if groups is not of and isinstance(groups, Along):  # "how many employees does Axis have"
        groups = groups.of
    for relation in kinds.relations:
        called = {noun for word in tokens(relation.text) for noun in totals.get(word, ())}
        having = groups.kinds & {*relation.source_types} if called else ()
        if not having:
            continue
        steps = (one.step for one in all_parts(of) if isinstance(one, (Along, Extreme)))
        joined = [s.relation for s in steps if s and any(map(having.__and__, kinds.ends(s)))]
        forms = {form for noun in called for form in kinds.language.noun_forms(noun)}
        for span in item.spans if relation.id not in joined else ():
            if joined and span.text.lower() in forms:
                yield Substitution(span.text, kinds.schema.by_id[joined[0]].text)


def doers_for_deeds(item: Item, kinds: GraphKinds) -> Iterator[Substitution]:
    """The nouns for what was done, of which those are counted who did it: reviews of a film.

    Somebody may have written several.
    """
    of, language = item.value, kinds.language
    if not (isinstance(of, Count) and isinstance(of.of, Along) and of.of.step.back):
        return
    relation = kinds.schema.by_id[of.of.step.relation]
    if relation.id not in kinds.schema.edge_properties or not language.is_verb(relation.text):
        return
    for span in item.spans:
        nouns = language.noun_forms(span.text.lower())
        deed = span.kind == "relation" and span.meaning == relation.text
        if deed and not nouns.isdisjoint(kinds.called(relation.id)):
            yield Substitution(span.text, language.assumed.having.format(relation.text))


def states_of_deeds(question: str, item: Item, kinds: GraphKinds) -> Iterator[Substitution]:
    """The participles that are read of a status, where the question asks what was done.

    What "has been shipped" may be delivered by its status, and what was "not shipped", too; what is
    "not closed" is not.
    """
    grammar, words = kinds.language.grammar, tokens(question)
    been = grammar.been - grammar.being
    denies = not (been | (grammar.being & grammar.past)).isdisjoint(words)
    done = {word for before, word in pairwise(words) if before in been}
    for of in all_parts(item.value) if denies else ():
        denied = isinstance(of, Without)
        part = of.less if isinstance(of, Without) else of
        if not (isinstance(part, Along) and isinstance(part.of, Named) and is_value(part.of)):
            continue
        name = kinds.schema.by_id[part.step.relation].text
        for span in item.spans:
            word = span.text.lower()
            asked = word in done or (denied and denies)
            if asked and span.meaning == part.of.text and kinds.language.is_participle(word):
                yield Substitution(span.text, f"{name} {span.meaning}")


def _is_home(relation: Relation, kinds: GraphKinds) -> bool:
    """Whether a relation says where somebody lives: "lives in", "home town"."""
    language, name = kinds.language, tokens(relation.text)
    lives = any(not language.forms(word).isdisjoint(language.living) for word in name)
    return bool(relation.target_types) and (lives or language.says_place(name))


def seldom_known(item: Item, kinds: GraphKinds) -> Iterator[Substitution]:
    """The superlatives of what less than half of the things have: the age of one person."""
    said = [span.text for span in item.spans if span.meaning in ("largest", "smallest")]
    for of in all_parts(item.value) if len(said) == 1 else ():
        if isinstance(of, Extreme) and of.counted is None and not of.key and not of.step.back:
            relation, sizes = kinds.schema.by_id[of.step.relation], kinds.schema.sizes
            known = {t: n for t, n in relation.source_types.items() if t in of.of.kinds}
            for type, having in known.items() if len(known) == 1 else ():
                every = sizes.get(type, 0)
                having = min(having, relation.subjects)  # of whom some may have several
                if 2 * having < every:
                    frame = kinds.language.assumed.known
                    meant = frame.format(said[0], having, every, relation.text)
                    yield Substitution(said[0], meant)


def assumed(of: Expression, kinds: GraphKinds) -> tuple[str, ...]:
    """In words, what was converted of an expression's constants, and which things its names are."""
    own = ""
    if isinstance(of, Compared):
        own = measured(of.values, of.unit, of.step.relation, kinds).note
    elif isinstance(of, Without):
        own = of.assumed
    elif isinstance(of, Named) and of.type is not None:
        said = kinds.language.answers.quoted.format(of.text)
        own = kinds.language.assumed.named_type.format(said, kinds.type_texts[of.type])
    parts = list(inner(of))
    if isinstance(of, Both) and any(isinstance(one, OfType) for one in parts):
        parts = [one for one in parts if not isinstance(one, Named)]  # "the river Mississippi"
    found = [own, *(note for one in parts for note in assumed(one, kinds))]
    return tuple(dict.fromkeys(filter(None, found)))


def guessed_units(of: Expression, kinds: GraphKinds) -> list[Substitution]:
    """The units of an expression's constants that nothing says a relation counts in."""
    return [
        Substitution(
            c.unit.name,
            kinds.language.assumed.unit.format(kinds.schema.by_id[c.step.relation].text),
        )
        for c in all_parts(of)
        if isinstance(c, Compared) and c.unit is not None
        if measured(c.values, c.unit, c.step.relation, kinds).guessed
    ]


def as_written(question: str, taken: Iterable[Substitution]) -> Iterator[Substitution]:
    """The same, with currencies as a question writes them: “€”, and not “euros”."""
    signs = {name: sign for sign, name in CURRENCIES.items() if sign in question}
    return (one._replace(written=signs.get(one.written, one.written)) for one in taken)


def guessed_signs(question: str, of: Expression, kinds: GraphKinds) -> list[Substitution]:
    """The sign of a currency, as "$", of which nothing says that a relation counts in it."""
    sign = next((sign for sign in CURRENCIES if sign in question), "")
    unit = kinds.language.unit_of.get((CURRENCIES.get(sign, ""),))
    if unit is None:
        return []
    compared = [c for c in all_parts(of) if isinstance(c, Compared) and c.unit is None]
    found = {c.step.relation for c in compared if not kinds.gives_date(c.step.relation)}
    numbers = [relation for relation in found if not _is_known(unit, relation, kinds)]
    texts = sorted(kinds.schema.by_id[relation].text for relation in numbers)
    money = [text for text in texts if not {*unit.of}.isdisjoint(tokens(text))]
    return [Substitution(sign, kinds.language.assumed.unit.format(text)) for text in money or texts]


def any_unnamed(question: str, item: Item, kinds: GraphKinds) -> Iterator[Substitution]:
    """ "The club" that nothing else is said of, where there are several: any of them is read."""
    language, parts = kinds.language, list(all_parts(item.value))
    described = [p for of in parts if isinstance(of, (Both, Compared, Valued)) for p in inner(of)]
    for span in item.spans if not language.free_order else ():
        *_, before = (" ", *question[: span.start].lower().split())
        one = language.singular(span.text.lower()) == span.text.lower()
        clause = not language.grammar.relative.isdisjoint(question[span.end :].lower().split()[:2])
        if span.kind != "type" or before not in language.grammar.articles or not one or clause:
            continue  # "the user who invited Ann", "the user on who invited Ann"
        classes = (one.of for one in parts if isinstance(one, Along))
        for of in (one for one in classes if isinstance(one, OfType)):
            known = kinds.type_texts.get(of.type, "").lower() == span.meaning
            several = kinds.schema.sizes.get(of.type, 0) > 1
            if known and several and of not in described:
                meant = language.assumed.any_one.format(span.text)
                yield Substitution(f"{before} {span.text}", meant)


def ordered_by(item: Item, grading: Grading, words: AssumedWords) -> tuple[Span, ...]:
    """The spans of a set; of one superlative with what it compares: the earliest date of birth."""
    graded = [span for span in item.spans if span.meaning in ("largest", "smallest")]
    ordered = {
        (e.step.relation, e.descending)
        for e in all_parts(item.value)
        if isinstance(e, Extreme) and not e.counted
    }
    if len(graded) != 1 or len(ordered) != 1:
        return item.spans
    ((relation, descending),) = ordered
    best = (words.lowest, words.highest)
    if relation in grading.dates:
        best = (words.earliest, words.latest)
    meaning = best[descending].format(grading.text(relation))
    return tuple(replace(s, meaning=meaning) if s is graded[0] else s for s in item.spans)


def _is_known(unit: Unit, relation: str, kinds: GraphKinds) -> bool:
    return is_in(unit, relation, kinds) and not measured(("1",), unit, relation, kinds).guessed
