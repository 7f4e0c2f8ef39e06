"""What makes a SPARQL query readable: values in it, names of variables, prefixes."""

from __future__ import annotations

from collections.abc import Mapping

from isomatch.compile.base import Known
from isomatch.compile.prefixes import LOCAL, TOKENS, shortened
from isomatch.compile.variables import renamed
from isomatch.store.terms import is_iri, is_literal

Bound = list[tuple[str, tuple[str, ...]]]


def nameable(nodes: Mapping[int, Known], names: Mapping[str, str]) -> tuple[Bound, list[str]]:
    """The ids of known nodes by variable; and comments about those that have no name.

    A node without a name in a query (a blank one) stays a variable.

    Args:
        nodes: ids by node number.
        names: of the variables.
    """
    named: Bound = []
    nameless: list[str] = []
    for number, known in nodes.items():
        ids = (known,) if isinstance(known, str) else tuple(known)
        if blank := [id for id in ids if not (is_iri(id) or is_literal(id))]:
            variable, listed = names[f"n{number}"], ", ".join(blank)
            nameless.append(f"# ?{variable} stands for {listed}, which a query cannot name\n")
        else:
            named.append((f"n{number}", ids))
    return named, nameless


def readable(text: str, names: Mapping[str, str]) -> str:
    """A query with prefixes, and its variables renamed where SPARQL takes the name."""
    written = {key: name for key, name in names.items() if LOCAL.fullmatch(name)}
    return renamed(shortened(text), TOKENS, written)
