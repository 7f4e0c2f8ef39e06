"""What a class records that somebody did, and what of it says by a participle what was done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import Expression
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.sets.joins import Joins
from isomatch.interpret.types import SpanKind
from isomatch.lexicon.folding import tokens


@dataclass(frozen=True, slots=True)
class Record:
    """A class whose members say that somebody did something.

    Attributes:
        every: all of it, or those of some time.
        doer: the step to who did it.
        objects: those to what it was done to, or done by; none of a fine, which somebody has.
        said_as: the kind and meaning of the span of its verb.
    """

    every: Expression
    doer: Step
    objects: tuple[Step, ...]
    said_as: tuple[SpanKind, str]


def done_in(by_noun: Mapping[str, Record], kinds: GraphKinds, joins: Joins) -> dict[str, Record]:
    """The records that say by a participle what was done: `watched`, of viewings by a `viewer`.

    Who did so is who does what they record: the owner in an inspection need not have inspected.

    Args:
        by_noun: the records of the graph.
    """
    language, by_id, found = joins.language, kinds.schema.by_id, dict[str, Record]()
    for noun, record in by_noun.items():
        doer = tokens(by_id[record.doer.relation].text)[-1]
        if record.doer.back or not language.does(doer, noun):
            continue
        for step in (one for one in record.objects if not one.back):
            text = by_id[step.relation].text.lower()
            if language.is_participle(text) and not joins.are_people(kinds.ends(step)[1]):
                own = replace(record, objects=(step,))
                found |= dict.fromkeys(language.forms(text), own)
    return found
