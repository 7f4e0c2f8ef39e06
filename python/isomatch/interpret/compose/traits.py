"""What can be told of an expression as a whole, and what is made of several."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Expression,
    Named,
    OfType,
    Without,
    leads_back,
)
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.units import measured

_INNER = ("of", "left", "right", "less", "other", "things", "counted", "source", "target")


def most_homonyms(of: Expression) -> int:
    """How many nodes a name of which one is meant has in an expression, at most."""
    if isinstance(of, Named):
        return 1 if of.every else of.nodes
    inner = (getattr(of, name, None) for name in _INNER)
    return max((most_homonyms(one) for one in inner if one is not None), default=1)


def any_of(every: Expression, sets: Sequence[Expression]) -> Expression:
    """The members of a set that are in any of several others: not outside all of these."""
    outside = every
    for one in sets:
        outside = Without(outside, one, every.kinds)
    return Without(every, outside, every.kinds)


def assumed(of: Expression, kinds: GraphKinds) -> tuple[str, ...]:
    """In words, what was assumed of the units of an expression's constants, and of its names."""
    own = ""
    if isinstance(of, Compared) and of.unit is not None:
        own = measured(of.values, of.unit, of.step.relation, kinds).note
    elif isinstance(of, Named) and of.type is not None:
        own = f"“{of.text}” is taken for the {kinds.type_texts[of.type]} of that name"
    inner = [one for name in _INNER if (one := getattr(of, name, None)) is not None]
    if isinstance(of, Both) and any(isinstance(one, OfType) for one in inner):
        inner = [one for one in inner if not isinstance(one, Named)]  # "the river Mississippi"
    found = [own, *(note for one in inner for note in assumed(one, kinds))]
    return tuple(dict.fromkeys(filter(None, found)))


def comes_back(of: Expression) -> bool:
    """Whether some step goes back the way that led to its set: to others of the same.

    "A film with Tom Hanks" has other actors, and the films of the director of "Heat" are also
    "Heat" itself.
    """
    if isinstance(of, Along) and _is_beside(of.of) and leads_back(of.of, of.step):
        return True
    inner = (getattr(of, name, None) for name in _INNER)
    return any(comes_back(one) for one in inner if one is not None)


def _is_beside(of: Expression) -> bool:
    return isinstance(of, Both) and (of.beside or _is_beside(of.left) or _is_beside(of.right))
