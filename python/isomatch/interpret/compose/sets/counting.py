"""Numbers of things that may be none: who has none of a thing is in no match of a pattern with it.

So "fewer than three" is what is left without those that have three or more. "The fewest" is had by
those that have none; where there are provably no such, by those with the least number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import inner
from isomatch.interpret.compose.expressions import (
    TEXTS,
    Along,
    Both,
    Compared,
    Count,
    Counted,
    Expression,
    Extreme,
    Named,
    OfType,
    Valued,
    Without,
    Worked,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.lexical.constants import Comparison
from isomatch.interpret.types import Span
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Operator
from isomatch.schema.types import LITERAL

OPPOSITE: Mapping[Operator, Operator] = {
    ">": "<=",
    ">=": "<",
    "<": ">=",
    "<=": ">",
    "=": "!=",
    "!=": "=",
}
MOST_PLACES = 100
_FEW = frozenset(("fewest", "smallest", "<", "<=", "not"))  # what spans of words mean


def numbered(
    of: Expression, step: Step, things: Expression, operator: Operator, number: int
) -> Expression | None:
    """Those of a set with so many things at a step; None where that says nothing of them."""
    if number == 0 and operator in ("=", "!=", ">"):
        operator, number = "<" if operator == "=" else ">=", 1
    if number < (0 if operator in (">", "<=") else 1):
        return None
    if operator in (">", ">=", "="):
        return Counted(of, step, things, operator, str(number), of.kinds)
    every = OfType("", of.kinds)
    more = Counted(every, step, things, OPPOSITE[operator], str(number), of.kinds)
    return Without(of, more, of.kinds)


def those_doing(every: OfType, item: Item) -> Expression | None:
    """ "who directed fewer than two": of those who did, but "who did not direct two" of all."""
    step, things, operator, number = item.value
    if operator not in ("<", "<=") or any(span.meaning == "not" for span in item.spans):
        return numbered(every, step, things, operator, number)
    if number < (1 if operator == "<=" else 2):
        return None
    return Counted(every, step, things, operator, str(number), every.kinds)


def first_places(number: Sequence[str]) -> tuple[int, int] | None:
    """The places of so many first ones; None for what is no such number."""
    told = len(number) == 1 and number[0].isdecimal() and 0 < int(number[0]) <= MOST_PLACES
    return (0, int(number[0])) if told else None


def is_any(operator: Operator, number: int) -> bool:
    """Whether such a number of things is any, or none at all: "at least one"."""
    return number == 0 or (number == 1 and operator in (">=", "<"))


def doers(of: Expression, step: Step, things: Expression) -> Both:
    """Those of a set that have any of some things at a step."""
    return Both(of, Along(things, step.inverse, of.kinds), of.kinds)


def is_said_otherwise(of: Item, extreme: Item, gap: Sequence[str], language: Language) -> bool:
    """Whether a verb says which things are counted: who "viewed the most houses" may sell fewer."""
    grammar, spans = language.grammar, sorted(of.spans, key=lambda span: span.start)
    has = not (grammar.having | grammar.owning | grammar.of).isdisjoint(gap)
    verbs = (s for s in spans[-1:] if s.kind == "relation")
    done = any(language.is_participle(span.text.lower()) for span in verbs)
    return extreme.value[0] is None and done and not has


def ends_with_most(extreme: Item) -> bool:
    """Whether a verb comes before "most": who "sold the most houses" need not have a dear one."""
    last = max(extreme.spans, key=lambda span: span.start)
    return len(extreme.spans) > 1 and last.meaning in ("most", "fewest")


def asks_how_often(said: Item, language: Language) -> bool:
    """Whether words count how often something was done: "most often", "how often"."""
    return not language.grammar.often.isdisjoint(tokens(said.spans[0].text))


def number_of(things: Item, kinds: GraphKinds, *, often: bool) -> Count | Worked:
    """How many things of a name there are: "slip rings used in", where each line says how many.

    Or how often something was "given": how many records of that there are, and not by how many.
    """
    of: Expression = things.value
    if often:
        by = isinstance(of, Along) and not of.step.back and kinds.is_passive(of.step.relation)
        return Count(of.of if isinstance(of, Along) and by and isinstance(of.of, Along) else of)
    first = min(things.spans, key=lambda span: span.start)
    if first.kind == "name" and all(span.kind != "type" for span in things.spans):
        pieces = kinds.language.schemas.quantities
        own = [r for r in kinds.values(of.kinds) if not pieces.isdisjoint(tokens(r.text)[-1:])]
        if len(own) == 1:
            return Worked("sum", of, Step(own[0].id))
    return Count(of)


def gives_names(of: Expression, kinds: GraphKinds) -> bool:
    """Whether the values of a set are texts, which may be counted as things are: "owners"."""
    return isinstance(of, Along) and not of.step.back and kinds.gives_texts(of.step.relation)


def several_texts(
    noun: Item, comparisons: Sequence[Comparison], kinds: GraphKinds
) -> tuple[Step, Expression, Operator, int] | None:
    """How many texts things are to have at a relation: "at least two languages".

    None where each has one, and for what is no number of them.
    """
    relation, (first, *others) = noun.value.relation, comparisons
    said, number = noun.spans[-1].text.lower(), "".join(first.values)
    plain = not (others or first.other or first.either or first.unit) and number.isdecimal()
    several = number == "1" or kinds.language.singular(said) != said
    several = several and noun.value.role == "noun"
    if not (plain and several) or kinds.schema.by_id[relation].leads_to_one():
        return None
    texts = OfType(f"{LITERAL}text", TEXTS)
    return Step(relation), texts, first.operator, int(number)


def is_once(of: Expression, kinds: GraphKinds) -> bool:
    """Whether a set is the one thing that a name has, as a company that runs a line."""
    if not (isinstance(of, Along) and isinstance(of.of, Named)) or of.step.back:
        return False
    return kinds.schema.by_id[of.step.relation].leads_to_one()


def may_have_none(of: Extreme, kinds: GraphKinds) -> bool:
    """Whether one is asked for that has the fewest things, and may have none of them."""
    if of.counted is None or of.descending:
        return False
    return not _has(of.of, of.step, of.counted, kinds)


def counts_none(of: Expression, kinds: GraphKinds) -> bool:
    """Whether an expression is about those that have few things, and may have none of them."""
    if isinstance(of, Without) and isinstance(of.less, Counted):
        return True
    few = isinstance(of, Extreme) and may_have_none(of, kinds)
    return few or any(counts_none(one, kinds) for one in inner(of))


def without_few(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Spans of words; those that ask for few things stand for nothing."""
    return tuple(replace(s, meaning="") if s.meaning in _FEW else s for s in spans)


def _has(of: Expression, step: Step, things: Expression, kinds: GraphKinds) -> bool:
    """Whether each of a set has one of some things at a step, as the set itself says."""
    if isinstance(of, Both):
        return _has(of.left, step, things, kinds) or _has(of.right, step, things, kinds)
    if isinstance(of, (Compared, Counted, Extreme, Valued, Without)):
        return _has(of.of, step, things, kinds)
    if not isinstance(of, Along) or of.either:
        return False
    back = of.step in (step, step.inverse) and kinds.is_symmetric(step.relation)
    among = isinstance(things, OfType) and bool(of.of.kinds) and of.of.kinds <= things.kinds
    return (of.step == step.inverse or back) and (of.of == things or among)


def without_any(of: Extreme) -> Without | None:
    """Those of a set that have none of the things of which the fewest are asked for.

    None for the second fewest, and of names, of which one is meant.
    """
    if of.counted is None or of.places != (0, 1) or isinstance(of.of, Named):
        return None
    every = Along(of.counted, of.step.inverse, of.kinds)
    return Without(of.of, every, of.kinds)


def with_some(of: Extreme) -> Extreme:
    """Those with the fewest things, of those of a set that have any."""
    assert of.counted is not None
    return Extreme(
        doers(of.of, of.step, of.counted), of.step, of.descending, of.kinds, of.counted, of.places
    )
