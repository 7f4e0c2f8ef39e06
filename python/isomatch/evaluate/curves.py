"""Curves of robustness: one evaluation on a graph, and on copies of it with more and more errors.

The folder has a run for each: ``unperturbed``, ``RS-0.2`` and so on, each with its own report,
and beside them ``curves.json`` and the pages of the curves. The same command goes on with a
run that was stopped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from isomatch.errors import ArtifactError, ConfigurationError
from isomatch.evaluate import report, runs, tables
from isomatch.evaluate.metrics import mean
from isomatch.evaluate.runner import check_copies, run_eval
from isomatch.evaluate.scoring import Row
from isomatch.evaluate.summary import recall_of
from isomatch.evaluate.tables import Table
from isomatch.executor import open_executor
from isomatch.perturb.types import METHODS, Perturbation

if TYPE_CHECKING:
    from rich.console import RenderableType

    from isomatch.evaluate.config import EvalConfig
    from isomatch.questions.dataset_sessions import Progress
    from isomatch.settings import Settings

CURVES = "curves.json"
UNPERTURBED = "unperturbed"
CUT = "100"  # triples, of the recall of answers
FIGURES = {
    "macro_f1": "Macro-F1",
    "answer_recall": "Answer recall@100",
    "wrong": "Wrong though answered",
    "complete": "Certificates that are complete",
}
ABOUT = "a certificate is about the copy that was asked"
_COLOURS = ("#4c8bf5", "#f29d38", "#3fa66b", "#b565c9")


def run_curves(
    config: EvalConfig,
    perturbations: Sequence[Perturbation],
    *,
    out: Path | str | None = None,
    home: Path | str | None = None,
    settings: Settings | None = None,
    given: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Evaluate on a graph and on perturbed copies of it; the report is ready for JSON.

    Args:
        config: of every run, without a perturbation.
        out: folder of the runs; None keeps none.
        home, settings, given, progress: see `isomatch.evaluate.runner.run_eval`.

    Returns:
        The settings of the unperturbed run, ``questions``, and ``points``: for each run
        its ``perturbation``, ``method``, ``level``, how many facts were ``changed``, and
        the figures of `FIGURES` that it has. Of answers to the same questions in all:
        one that is not in a copy counts as not found. Where a trained model does not fit
        a copy, which has lost relations, its point has the ``error`` in place of figures.

    Raises:
        ConfigurationError: the folder has a run of its own, or see `run_eval`.
    """
    check_copies(config, settings, given)
    measure = partial(run_eval, home=home, settings=settings, given=given, progress=progress)
    with TemporaryDirectory() as made, open_executor(config.on):  # a cluster starts once
        return _measured(config, perturbations, Path(made if out is None else out), measure)


def _measured(
    config: EvalConfig,
    perturbations: Sequence[Perturbation],
    folder: Path,
    measure: Callable[..., dict[str, Any]],
) -> dict[str, Any]:
    if (folder / runs.RUN).exists():
        raise ConfigurationError(f"{folder} has a run without curves: take another folder")
    points: list[dict[str, Any]] = []
    first: dict[str, Any] = {}
    known: Sequence[str] = ()
    for perturbation in (None, *perturbations):
        name = UNPERTURBED if perturbation is None else str(perturbation).replace(":", "-")
        chosen = config.model_copy(update={"perturb": perturbation})
        try:
            summary = measure(chosen, out=folder / name)
        except ArtifactError as error:
            if perturbation is None:
                raise
            points.append({**_place(perturbation, name), "error": str(error)})
            continue
        rows = runs.open_finished(folder / name)[1]
        if perturbation is None:
            first = summary
            known = [row["id"] for row in rows if recall_of(row, "answer_recall") is not None]
            known = known if any(row["triples"] for row in rows) else ()
        points.append(_point(perturbation, name, summary, rows, known))
    curves = {
        **{key: first[key] for key in runs.open_finished(folder / UNPERTURBED)[0]},
        "questions": first["questions"],
        "points": points,
    }
    runs.write_json(folder / CURVES, curves)
    write_pages(folder, curves)
    return curves


def _point(
    perturbation: Perturbation | None,
    name: str,
    summary: Mapping[str, Any],
    rows: Sequence[Row],
    known: Sequence[str],
) -> dict[str, Any]:
    copies = summary.get("perturbed", ())
    point: dict[str, Any] = {
        **_place(perturbation, name),
        "changed": sum(copy["changed"] for copy in copies),
        "facts": sum(copy["facts"] for copy in copies),
        "complete": summary["complete"],
        "notes": [copy["note"] for copy in copies if copy["note"]],
    }
    for key in ("macro_f1", "wrong"):
        if key in summary:
            point[key] = summary[key]
    if "macro_f1" in summary:
        point["intervals"] = {"macro_f1": summary["intervals"]["macro_f1"]}
    if known:
        by_id = {row["id"]: row for row in rows}
        found = [recall_of(by_id[id], "answer_recall") or {} for id in known]
        point["answer_recall"] = mean([one.get(CUT, 0.0) for one in found])
    return point


def _place(perturbation: Perturbation | None, name: str) -> dict[str, Any]:
    """Where a point is."""
    return {
        "run": name,
        "perturbation": None if perturbation is None else str(perturbation),
        "method": None if perturbation is None else perturbation.method,
        "level": 0.0 if perturbation is None else perturbation.level,
    }


def curve_tables(curves: Mapping[str, Any]) -> list[Table]:
    """A table for each method, which begins with the graph itself."""
    first, *others = curves["points"]
    shown = [key for key in FIGURES if any(key in point for point in curves["points"])]
    heads = ["changed facts"]
    for key in shown:
        heads += [FIGURES[key], "95 %"] if key == "macro_f1" else [FIGURES[key]]
    found = []
    for method, words in METHODS.items():
        points = [point for point in others if point["method"] == method]
        if points:
            rows = tuple(tuple(_cells(point, shown)) for point in (first, *_by_level(points)))
            errors = (f"{p['level']:.12g}: {p['error']}" for p in points if "error" in p)
            notes = dict.fromkeys(note for p in points for note in p.get("notes", ()))
            note = "; ".join([words, ABOUT, *notes, *errors])
            found.append(Table(method, (f"{method}, level", *heads), rows, note))
    return found


def _by_level(points: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(points, key=lambda point: point["level"])


def _cells(point: Mapping[str, Any], shown: Sequence[str]) -> list[str]:
    changed = f"{point['changed']:,}" if point["method"] and "changed" in point else "–"
    cells = [f"{point['level']:.12g}", changed]
    for key in shown:
        cells.append(tables.percent(point[key]) if key in point else "–")
        if key == "macro_f1":
            cells.append(tables.interval(point, key) or "–")
    return cells


def curves_for_terminal(curves: Mapping[str, Any]) -> list[RenderableType]:
    """The curves as tables for the terminal."""
    return tables.terminal_tables(_title(curves), curve_tables(curves))


def _title(curves: Mapping[str, Any]) -> str:
    return f"{tables.title(curves)}, on graphs with errors"


def write_pages(folder: Path, curves: Mapping[str, Any]) -> None:
    """Write both pages of the curves."""
    drawn = plots(curves)
    values: dict[str, Any] = {
        "title": _title(curves),
        "questions": curves["questions"],
        "headline": [],
        "settings": [s for s in tables.settings_list(curves) if s[0] != "changed facts"],
        "tables": curve_tables(curves),
        "failures": (),
        "problems": {},
        "listed": (),
        "rows_are": "rows.jsonl of the folder of each run, with a report of its own",
        "plots": drawn,
        "no_plots": "" if drawn else report.NO_PLOTS,
    }
    runs.write_text(folder / report.HTML, report.render("report.html.j2", **values))
    runs.write_text(folder / report.MARKDOWN, report.render("report.md.j2", **values))


def plots(curves: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Title and SVG of the curve of each figure; none without matplotlib."""
    if find_spec("matplotlib") is None:
        return []
    with report.style():
        drawn = [(title, _plot(curves["points"], key)) for key, title in FIGURES.items()]
    return [(title, svg) for title, svg in drawn if svg]


def _plot(points: Sequence[Mapping[str, Any]], key: str) -> str:
    first, *others = [point for point in points if key in point] or [{}]
    if not others or first["method"] is not None:
        return ""
    figure, axes = report.axes_of("level: % of the facts to be changed", "%")
    for method, colour in zip(METHODS, _COLOURS, strict=True):
        line = _by_level([point for point in others if point["method"] == method])
        if line:
            levels, values = zip(*((p["level"], p[key]) for p in (first, *line)), strict=True)
            x, y = ([100 * value for value in some] for some in (levels, values))
            axes.plot(x, y, "o-", color=colour, label=method, ms=4)
    axes.set_xlim(left=0)
    return report.svg_of(figure, legend=True)
