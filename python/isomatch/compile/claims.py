"""What a Wikibase adds to a query: qualifiers of statements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from isomatch.compile.base import Part
from isomatch.store.terms import literal

Ref = tuple[str, str]  # ("var", name) or ("id", id)


def qualifiers_of(
    part: Part, node: Callable[[int], Ref], relation: Callable[[int], Ref]
) -> list[dict[str, Any]]:
    """Values on edges: in a Wikibase qualifiers of the statement that says the same.

    A direct claim ``…/prop/direct/P57`` has its statements at ``…/prop/P57``, each with
    its value at ``…/prop/statement/P57`` and qualifiers at ``…/prop/qualifier/P…``.
    """
    direct = part.terms.relations_begin or ""
    places = {
        name: direct.replace("/prop/direct/P", f"/prop/{name}P")
        for name in ("", "statement/", "qualifier/")
    }
    found = []
    for e in part.structure.order:
        if (value := part.structure.values[e]) is None:
            continue
        (a, b), (kind, id) = part.structure.edges[e], relation(e)
        claim, says = ("var", f"claim{e}"), ("var", f"says{e}")
        if kind == "id":  # of a relation that is no direct claim, predicates that nothing has
            number = id.removeprefix(direct) if id.startswith(direct) else ""
            claim, says = (("id", places[name] + number) for name in ("", "statement/"))
        found.append(
            {
                "number": e,
                "relation": (kind, id),
                "a": node(a),
                "b": node(b),
                "value": node(value),
                "directed": part.structure.directed[e],
                "claim": claim,
                "says": says,
                "begins": {name: literal(place) for name, place in places.items()},
                "direct": literal(direct),
                "unsearched": part.terms.unsearched,
                "key": places["qualifier/"] + key[1:] if (key := part.structure.key(e)) else None,
            }
        )
    return found
