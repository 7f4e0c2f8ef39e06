"""A result as a pandas frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from isomatch.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas

    from isomatch.match.types import MatchResult


def to_frame(result: MatchResult) -> pandas.DataFrame:
    """The matches of a result, a row each, best first.

    Columns: ``rank`` and ``gsd`` of the match's interpretation; for every node of
    the pattern, under its id, the name of what it is bound to; and the graph's id
    of that under ``<node>_id``. A column whose name is taken by an earlier one
    gets an underscore at its end. A result without matches has the columns too.

    Raises:
        MissingExtraError: pandas is not installed.

    Example:
        >>> from isomatch.match.types import *
        >>> from isomatch.pattern import parse
        >>> heat, mann = Bound("urn:heat", "Heat"), Bound("urn:mann", "Michael Mann")
        >>> match = Match({"film": heat, "by": mann}, ())
        >>> pattern = parse('(?film)-[directed by]-(by "Michael Mann")')
        >>> result = MatchResult(pattern, (Interpretation(1, 0.0, (), (match,)),),
        ...                      Certificate(True, True), Profile())
        >>> to_frame(result)[["rank", "film", "by", "film_id"]]
           rank  film            by   film_id
        0     1  Heat  Michael Mann  urn:heat
    """
    try:
        import pandas
    except ImportError as error:
        raise MissingExtraError(
            "a result becomes a frame through pandas: pip install 'isomatch[pandas]'"
        ) from error
    nodes = [node.id for node in result.pattern.nodes]
    columns: dict[str, list[Any]] = {}
    for name in ("rank", "gsd", *nodes, *(f"{id}_id" for id in nodes)):
        while name in columns:
            name += "_"
        columns[name] = []
    for interpretation, match in result.matches:
        bound = [match.bindings[id] for id in nodes]
        row = (interpretation.rank, interpretation.gsd)
        cells = (*row, *(b.name for b in bound), *(b.id for b in bound))
        for column, cell in zip(columns.values(), cells, strict=True):
            column.append(cell)
    types = dict.fromkeys(columns, "str") | {"rank": "int64", "gsd": "float64"}
    return pandas.DataFrame(columns).astype(types)
