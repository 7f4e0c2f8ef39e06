"""The options of a search, as the command line names them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

# No default here: what the user does not say is left to the reading and to
# `isomatch.plan.options.Options`, which checks the values too.
K = Annotated[int | None, typer.Option("-k", "--k", help="Readings to return. [default: 3]")]
Limit = Annotated[
    int | None,
    typer.Option(help="Most matches kept for one reading. [default: 1000]"),
]
Nodes = Annotated[
    str | None,
    typer.Option(
        metavar="distinct|anchored|repeat",
        help="Which pattern nodes may be one graph node: none, unknown ones, any. "
        "[default: distinct]",
    ),
]
Direction = Annotated[
    str | None,
    typer.Option(
        metavar="any|as-written", help="Which way edges of the pattern run. [default: any]"
    ),
]
TypeWeight = Annotated[
    float | None,
    typer.Option(help="Factor on the distance of a type; 0 as published. [default: 1]"),
]
KNodes = Annotated[
    int | None, typer.Option(help="Fixed number of candidates for a name. [default: grows]")
]
KRelations = Annotated[int | None, typer.Option(help="Fixed number of candidates for a relation.")]
KTypes = Annotated[int | None, typer.Option(help="Fixed number of candidates for a type.")]
BudgetSeconds = Annotated[
    float | None,
    typer.Option(help="End the search after this, with what is proven; 0 never. [default: 10]"),
]
BudgetRows = Annotated[
    int | None,
    typer.Option(help="End it after this many rows; 0 never. [default: 1000000]"),
]
Results = Annotated[
    str | None,
    typer.Option(
        metavar="interpretations|matches",
        help="Rank readings with all their matches, or single matches. [default: interpretations]",
    ),
]
ExactVectors = Annotated[
    bool,
    typer.Option("--exact-vectors", help="Scan every vector even where an HNSW index is."),
]
Strategy = Annotated[
    str | None,
    typer.Option(
        metavar="auto|ascending|semi-join|brute-force", help="How to search. [default: auto]"
    ),
]
Show = Annotated[int, typer.Option("--show", min=1, help="Most matches printed for one reading.")]


def given_options(
    *,
    direction: str | None = None,
    strategy: str | None = None,
    budget_seconds: float | None = None,
    budget_rows: int | None = None,
    exact_vectors: bool = False,
    **others: Any,
) -> dict[str, Any]:
    """Search options by the names of `Options`: only those that the user set."""
    options = {key: value for key, value in others.items() if value is not None}
    if direction is not None:
        options["direction"] = direction.replace("-", " ")
    if strategy is not None:
        options["strategy"] = "brute force" if strategy == "brute-force" else strategy
    if budget_seconds is not None:
        options["budget_seconds"] = budget_seconds or None
    if budget_rows is not None:
        options["budget_rows"] = budget_rows or None
    if exact_vectors:
        options["exact_vectors"] = True
    return options
