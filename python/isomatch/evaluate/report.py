"""The pages of a run: ``report.html``, self-contained and with plots, and ``report.md``.

Plots are SVG, by matplotlib where it is installed. Their text and axes take the colour of
the page, so that they suit light and dark pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib.util import find_spec
from io import StringIO
from typing import TYPE_CHECKING, Any

from isomatch._version import __version__
from isomatch.evaluate import tables
from isomatch.evaluate.runs import Run, write_text
from isomatch.evaluate.scoring import Row
from isomatch.phrasing import clean
from isomatch.texts import templates

if TYPE_CHECKING:
    from jinja2 import Environment

HTML, MARKDOWN = "report.html", "report.md"
NO_PLOTS = 'for plots on this page: pip install "isomatch[report]", and give the same command again'
INK = "#010203"  # replaced by the colour of the page
BARS = ("#4c8bf5", "#f29d38")
_SIZE = (5.2, 3.0)  # inches


def write_pages(run: Run, rows: Sequence[Row], summary: Mapping[str, Any]) -> None:
    """Write both pages into the folder of a run, if it has one."""
    if run.folder is None:
        return
    write_text(run.folder / HTML, html(rows, summary))
    write_text(run.folder / MARKDOWN, markdown(rows, summary))


def html(rows: Sequence[Row], summary: Mapping[str, Any]) -> str:
    """The report as one HTML page, without network or scripts."""
    drawn = plots(rows, summary)
    hint = "" if drawn else NO_PLOTS
    return _render("report.html.j2", rows, summary, plots=drawn, no_plots=hint)


def markdown(rows: Sequence[Row], summary: Mapping[str, Any]) -> str:
    """The report as Markdown, for a pull request."""
    return _render("report.md.j2", rows, summary)


def render(template: str, **values: Any) -> str:
    """A page of a template of this package."""
    return _templates().get_template(template).render(version=__version__, **values)


def _render(template: str, rows: Sequence[Row], summary: Mapping[str, Any], **more: Any) -> str:
    listed = summary["problems"]["listed"]
    return render(
        template,
        title=tables.title(summary),
        headline=tables.headline(summary),
        settings=tables.settings_list(summary),
        tables=tables.tables(summary),
        failures=tables.failures(rows),
        questions=len(rows),
        problems=summary["problems"]["counts"],
        listed=listed[: tables.SHOWN_PROBLEMS],
        unlisted=max(0, len(listed) - tables.SHOWN_PROBLEMS),
        **more,
    )


@cache
def _templates() -> Environment:
    found = templates("isomatch.evaluate", "templates")
    found.filters.update(percent=tables.percent, names=_names, clean=clean)
    found.filters["cell"] = lambda text: clean(text, None).replace("|", "\\|") if text else ""
    return found


def _names(names: Sequence[str], most: int = 5) -> str:
    """The first names, and the number of the others.

    Example:
        >>> _names(["a", "b", "c"], 2)
        'a, b and 1 more'
    """
    shown = ", ".join(clean(name) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "nothing"


# -- plots ------------------------------------------------------------------------------


def plots(rows: Sequence[Row], summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Title and SVG of each plot that has data; none without matplotlib."""
    if find_spec("matplotlib") is None:
        return []
    with style():
        drawn = [
            ("Scores by hops", _by_split(summary["splits"]["hops"])),
            ("Risk and coverage", _risk(summary["risk_coverage"])),
            ("Recall at K", _recall(summary["retrieval"])),
            ("Time of a question", _times(rows)),
            ("Mean time by station", _stations(summary["stages_ms"])),
        ]
    return [(title, svg) for title, svg in drawn if svg]


def style() -> AbstractContextManager[None]:
    """The look of plots, for as long as it is entered."""
    import matplotlib

    settings: dict[str, Any] = {
        "svg.hashsalt": "isomatch",  # the same rows give the same file
        "svg.fonttype": "none",
        "font.size": 9,
        "text.color": INK,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
    context: AbstractContextManager[None] = matplotlib.rc_context(settings)
    return context


def _by_split(groups: Mapping[str, Any]) -> str:
    """Hits@1 and macro-F1 of each group, with their 95 % intervals."""
    shown = {name: group for name, group in groups.items() if "intervals" in group}
    if len(shown) < 2:
        return ""
    figure, axes = axes_of(y="%")
    names = {key: name for key, name, _ in tables.FIGURES}
    width = 0.36
    for place, key in enumerate(("hits_at_1", "macro_f1")):
        heights = [100 * group[key] for group in shown.values()]
        bounds = [group["intervals"][key] for group in shown.values()]
        # By rounding, the interval may not hold the figure.
        low = [max(0.0, h - 100 * b[0]) for h, b in zip(heights, bounds, strict=True)]
        high = [max(0.0, 100 * b[1] - h) for h, b in zip(heights, bounds, strict=True)]
        axes.bar(
            [x + (place - 0.5) * width for x in range(len(shown))],
            heights,
            width,
            yerr=[low, high],
            ecolor=INK,
            capsize=2,
            color=BARS[place],
            label=names[key],
        )
    axes.set_xticks(range(len(shown)), [f"{n} hop{'s' * (n != '1')}" for n in shown])
    return svg_of(figure, legend=True)


def _recall(retrieval: Mapping[str, Any]) -> str:
    curves = [
        (name, retrieval[key])
        for key, name in (("recall", "gold triples"), ("answer_recall", "right answers"))
        if key in retrieval
    ]
    if not curves:
        return ""
    figure, axes = axes_of("K best triples", "recall, %")
    for (name, curve), colour in zip(curves, BARS, strict=False):
        cuts = [int(k) for k in curve]
        axes.plot(cuts, [100 * v for v in curve.values()], "o-", color=colour, label=name, ms=4)
    axes.set_xscale("log")
    axes.set_xticks(cuts, [str(k) for k in cuts])
    axes.minorticks_off()
    return svg_of(figure, legend=True)


def _risk(points: Sequence[Mapping[str, float]]) -> str:
    """The share of wrong answers by the share of questions that are answered."""
    if len(points) < 2:
        return ""
    figure, axes = axes_of("% of questions answered, surest first", "% of these wrong")
    x, y = ([100 * point[key] for point in points] for key in ("coverage", "risk"))
    axes.plot(x, y, color=BARS[0])
    axes.set_xlim(left=0)
    return svg_of(figure)


def _times(rows: Sequence[Row]) -> str:
    """The share of questions that were answered within a time."""
    times = sorted(row["stages_ms"].get("total", 0.0) for row in rows)
    if len(times) < 2 or times[-1] <= 0:
        return ""
    figure, axes = axes_of("milliseconds", "% of questions within")
    shares = [100 * (place + 1) / len(times) for place in range(len(times))]
    step = max(1, len(times) // 500)  # a curve of this size shows no more points
    kept = [*range(0, len(times) - 1, step), len(times) - 1]
    axes.plot([times[i] for i in kept], [shares[i] for i in kept], color=BARS[0])
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    return svg_of(figure)


def _stations(stages: Mapping[str, Any]) -> str:
    means = {name: times["mean"] for name, times in stages.items() if name != "total"}
    shown = {name: mean for name, mean in reversed(means.items()) if mean > 0}
    if len(shown) < 3:  # the table is enough
        return ""
    figure, axes = axes_of("milliseconds")
    bars = axes.barh(list(shown), list(shown.values()), 0.6, color=BARS[0])
    axes.bar_label(bars, fmt="{:.1f}", padding=3)
    axes.set_xlim(0, 1.12 * max(shown.values()))
    return svg_of(figure)


def axes_of(x: str = "", y: str = "") -> tuple[Any, Any]:
    """A figure with labels; percentages where there is one for y, else a grid along x."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=_SIZE, layout="constrained")
    axes = figure.add_subplot(xlabel=x, ylabel=y)
    if y:
        axes.set_ylim(0, 105)
    axes.grid(axis="y" if y else "x", alpha=0.15, color=INK)
    axes.set_axisbelow(True)
    return figure, axes


def svg_of(figure: Any, *, legend: bool = False) -> str:
    if legend:
        where = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0)}
        figure.axes[0].legend(frameon=False, ncols=2, **where)
    out = StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = out.getvalue()
    return text[text.index("<svg") :].replace(INK, "currentColor")
