"""The pages of a report on open questions: one HTML file, and Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from isomatch.evaluate.okgqa import tables
from isomatch.evaluate.report import (
    BARS,
    HTML,
    INK,
    MARKDOWN,
    NO_PLOTS,
    axes_of,
    render,
    style,
    svg_of,
)
from isomatch.evaluate.runs import Run, write_text
from isomatch.evaluate.scoring import Row
from isomatch.evaluate.tables import SHOWN_PROBLEMS

_OF_EVIDENCE = ("true_facts", "same_evidence")
COLOURS = (*BARS, "#3aa675", "#b05cc6", "#d64f4f", "#7a7f87", "#c2a300", "#00a3b4")


def write_pages(run: Run, rows: Sequence[Row], summary: Mapping[str, Any]) -> None:
    """Write both pages into the folder of a run, if it has one."""
    if run.folder is None:
        return
    found = plots(summary)
    hint = "" if found else NO_PLOTS
    shown = tables.examples(rows)
    html = render("open.html.j2", **_values(summary), plots=found, no_plots=hint, examples=shown)
    write_text(run.folder / HTML, html)
    write_text(run.folder / MARKDOWN, render("report.md.j2", **_values(summary)))


def _values(summary: Mapping[str, Any]) -> dict[str, Any]:
    listed = summary["problems"]["listed"]
    return {
        "problems": summary["problems"]["counts"],
        "listed": listed[:SHOWN_PROBLEMS],
        "unlisted": max(0, len(listed) - SHOWN_PROBLEMS),
        "title": tables.title(summary),
        "headline": tables.headline(summary),
        "settings": tables.settings_list(summary),
        "tables": tables.tables(summary),
        "failures": [],
        "questions": summary["questions"],
    }


def plots(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Scores by metric, and by the level of errors; none without matplotlib."""
    if find_spec("matplotlib") is None:
        return []
    with style():
        found = [
            ("Scores by metric, all questions", _scores(summary)),
            *(
                (f"{method}: {metric.replace('_', ' ')} by level", _curve(summary, method, metric))
                for method in _methods(summary)
                for metric in (*summary["metrics"], *_OF_EVIDENCE)
            ),
        ]
    return [(title, svg) for title, svg in found if svg]


def _scores(summary: Mapping[str, Any]) -> str:
    """A bar for each system and metric, with its 95 % interval."""
    metrics = summary["metrics"]
    systems = next(iter(summary["scores"].values()))
    if not any(found[m]["mean"] is not None for found in systems.values() for m in metrics):
        return ""
    figure, axes = axes_of(y="%")
    width = 0.8 / len(systems)
    for place, (system, found) in enumerate(systems.items()):
        known = [(x, found[m]) for x, m in enumerate(metrics) if found[m]["mean"] is not None]
        heights = [100 * each["mean"] for _, each in known]
        low = [max(0.0, 100 * (e["mean"] - e["interval"][0])) for _, e in known]
        high = [max(0.0, 100 * (e["interval"][1] - e["mean"])) for _, e in known]
        axes.bar(
            [x + (place - (len(systems) - 1) / 2) * width for x, _ in known],
            heights,
            width,
            yerr=[low, high],
            ecolor=INK,
            capsize=2,
            color=COLOURS[place % len(COLOURS)],
            label=system,
        )
    names = [metric.replace("_", "\n") for metric in metrics]
    axes.set_xticks(range(len(metrics)), names, fontsize=7)
    return svg_of(figure, legend=True)


def _methods(summary: Mapping[str, Any]) -> list[str]:
    """The methods with several levels, the graph as it is being one."""
    return list(dict.fromkeys(name.partition(":")[0] for name in summary["curves"] if name))


def _curve(summary: Mapping[str, Any], method: str, metric: str) -> str:
    """A figure of each form by the level of errors."""
    levels = sorted(
        (float(name.split(":")[1]) if name else 0.0, name)
        for name in summary["curves"]
        if not name or name.partition(":")[0] == method
    )
    figure, axes = axes_of("level of errors", "%")
    lines = 0
    for place, system in enumerate(summary["curves"][""]):
        points = []
        for level, name in levels:
            found = summary["curves"][name][system]
            value = found[metric] if metric in _OF_EVIDENCE else found["scores"][metric]["mean"]
            if value is not None:
                points.append((level, 100 * value))
        if len(points) > 1:
            lines += 1
            x, y = zip(*points, strict=True)
            axes.plot(x, y, "o-", ms=4, color=COLOURS[place], label=system)
    return svg_of(figure, legend=True) if lines else ""
