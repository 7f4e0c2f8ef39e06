"""What the parts of a pattern are called, as columns of a result or variables of a query."""

from __future__ import annotations

from isomatch.pattern.types import Pattern

LABEL = "_label"  # of a key: that of the label


def column_names(pattern: Pattern, *more: str) -> dict[str, str]:
    """Names for nodes, unknown relations and their labels, all different.

    Keys are the variables of compiled queries: ``n0`` for the first node, ``e0`` for the
    first edge, ``o0`` for the first node of optional parts. A node is called as in the
    pattern. A name that is taken by an earlier one gets an underscore at its end.

    Args:
        more: further names, which are their own keys.

    Example:
        >>> from isomatch.pattern import parse
        >>> names = column_names(parse('(?film)-[]-("Heat")'))
        >>> names["n0"], names["n0_label"], names["e0"]
        ('film', 'filmLabel', 'relation')
    """
    wanted = {f"n{n}": node.id for n, node in enumerate(pattern.nodes)}
    unknown = [e for e, edge in enumerate(pattern.edges) if edge.relation is None]
    wanted |= {f"e{e}": f"relation{i if i > 1 else ''}" for i, e in enumerate(unknown, 1)}
    own = [id for part in pattern.optional for id in pattern.columns_of(part)]
    wanted |= {f"o{o}": id for o, id in enumerate(own)}
    wanted |= {f"{key}{LABEL}": f"{name}Label" for key, name in wanted.items()}
    names: dict[str, str] = {}
    for key, name in {**wanted, **{name: name for name in more}}.items():
        while name in names.values():
            name += "_"
        names[key] = name
    return names
