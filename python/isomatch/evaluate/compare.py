"""Comparison of two runs on the same questions, with tests of significance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError
from isomatch.evaluate.metrics import COLUMNS
from isomatch.evaluate.runs import open_finished
from isomatch.evaluate.scoring import Row
from isomatch.evaluate.statistics import compare_means
from isomatch.evaluate.summary import RECALLS, recall_of, score_of
from isomatch.evaluate.tables import FIGURES, RETRIEVAL, method
from isomatch.output.tables import rich_table
from isomatch.phrasing import clean
from isomatch.seed import SEED
from isomatch.texts import templates

if TYPE_CHECKING:
    from rich.console import RenderableType

SIGNIFICANT = 0.05
SHOWN = 20  # listed questions that only one run answers
_CHAINS = ("hit_at_1", "hit_at_3", "f1")
_CUTS = ("10", "100")


def compare_runs(first: Path | str, second: Path | str, *, seed: int = SEED) -> dict[str, Any]:
    """Compare the rows of two finished runs, question by question.

    Args:
        first, second: folders of the runs.
        seed: of resamples and permutations.

    Returns:
        ``runs`` (folder and method of both), ``questions`` (in both) and ``only`` (in
        the first or second alone), ``figures`` by name (the fields of
        `isomatch.evaluate.statistics.Difference`), ``gained`` and ``lost``: count and
        examples of the questions that only the second or only the first run answers
        exactly.

    Raises:
        ConfigurationError: a folder has no finished run, or no question is in both.
        MissingExtraError: scipy is not installed.
    """
    before, rows_before, _ = open_finished(first)
    after, rows_after, _ = open_finished(second)
    index = {row["id"]: row for row in rows_after}
    pairs = [(row, index[row["id"]]) for row in rows_before if row["id"] in index]
    pairs = [(a, b) for a, b in pairs if a["question"] == b["question"]]
    if not pairs:
        raise ConfigurationError(f"{first} and {second} have no question in common")
    figures = {
        name: asdict(compare_means(*values, seed)) for name, values in _columns(pairs).items()
    }
    return {
        "runs": [
            {"folder": str(folder), "method": method(settings)}
            for folder, settings in ((first, before), (second, after))
        ],
        "questions": len(pairs),
        "only": [len(rows_before) - len(pairs), len(rows_after) - len(pairs)],
        "figures": figures,
        "gained": _changed([(b, a) for a, b in pairs]),
        "lost": _changed(pairs),
    }


def comparison_markdown(found: Mapping[str, Any]) -> str:
    """A comparison as Markdown, for a pull request."""
    template = templates("isomatch.evaluate", "templates").get_template("compare.md.j2")
    return template.render(found, rows=comparison_rows(found), significant=SIGNIFICANT)


def comparison_rows(found: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Cells of a comparison: name, both means, difference, interval, p, significance."""
    names = {key: name for key, name, _ in (*FIGURES, *RETRIEVAL)}
    rows: list[tuple[str, ...]] = []
    for key, tested in found["figures"].items():
        scale = 1 if key == "score_h" else 100
        low, high = tested["interval"]
        rows.append(
            (
                names.get(key, key),
                f"{tested['first'] * scale:.1f}",
                f"{tested['second'] * scale:.1f}",
                f"{tested['difference'] * scale:+.1f}",
                f"{low * scale:+.1f} … {high * scale:+.1f}",
                "< 0.001" if tested["p"] < 0.001 else f"{tested['p']:.3f}",
                "significant" if tested["p"] < SIGNIFICANT else "",
            )
        )
    return rows


def comparison_tables(found: Mapping[str, Any]) -> list[RenderableType]:
    """A comparison for the terminal."""
    from rich.text import Text

    first, second = (f"{clean(r['folder'], None)} ({clean(r['method'])})" for r in found["runs"])
    head = f"first:  {first}\nsecond: {second}\n{found['questions']:,} questions in both\n"
    columns = ("", "first", "second", "difference", "95 %", "p", "")
    return [
        Text(head),
        rich_table(columns, comparison_rows(found), range(1, 6)),
        Text(
            f"\nonly the first answers {found['lost']['count']:,} questions right, "
            f"only the second {found['gained']['count']:,}"
        ),
    ]


def _columns(pairs: Sequence[tuple[Row, Row]]) -> dict[str, tuple[list[float], list[float]]]:
    """Values of both runs by figure, of the questions for which both have it.

    Where a run retrieved nothing for a question, its recall there is 0.
    """
    scores = [(score_of(a), score_of(b)) for a, b in pairs]
    both = [(a, b) for a, b in scores if a is not None and b is not None]
    columns = {
        name: ([column(a) for a, _ in both], [column(b) for _, b in both])
        for name, column in COLUMNS.items()
        if both
    }
    for key in _CHAINS:
        values = [
            (float(a["chains"][key]), float(b["chains"][key]))
            for a, b in pairs
            if a["chains"] and b["chains"] and None not in (a["chains"][key], b["chains"][key])
        ]
        if values:
            columns[f"chain_{key}"] = ([a for a, _ in values], [b for _, b in values])
    if not all(any(pair[side]["triples"] for pair in pairs) for side in (0, 1)):
        return columns  # one of them retrieves nothing at all
    for key, name in zip(RECALLS, ("Triple recall", "Answer recall"), strict=True):
        recalls = [(recall_of(a, key), recall_of(b, key)) for a, b in pairs]
        found = [(a, b) for a, b in recalls if a is not None and b is not None]
        for cut in _CUTS if found else ():
            columns[f"{name}@{cut}"] = ([a[cut] for a, _ in found], [b[cut] for _, b in found])
    return columns


def _changed(pairs: Sequence[tuple[Row, Row]]) -> dict[str, Any]:
    """Questions whose first row is exactly right, and whose second is not."""
    won = [a["question"] for a, b in pairs if _exact(a) and not _exact(b)]
    return {"count": len(won), "questions": won[:SHOWN]}


def _exact(row: Row) -> bool:
    return bool(row["score"] and row["score"]["exact"])
