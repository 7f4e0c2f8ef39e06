"""The pages of a run: ``report.html``, self-contained, and ``report.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from isomatch._version import __version__
from isomatch.evaluate import tables
from isomatch.evaluate.plots import NO_PLOTS, plots
from isomatch.evaluate.runs import Run, write_text
from isomatch.evaluate.scoring import Row
from isomatch.phrasing import clean

if TYPE_CHECKING:
    from jinja2 import Environment

HTML, MARKDOWN = "report.html", "report.md"


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


def _render(template: str, rows: Sequence[Row], summary: Mapping[str, Any], **more: Any) -> str:
    listed = summary["problems"]["listed"]
    return (
        _templates()
        .get_template(template)
        .render(
            title=tables.title(summary),
            headline=tables.headline(summary),
            settings=tables.settings_list(summary),
            tables=tables.tables(summary),
            failures=tables.failures(rows),
            questions=len(rows),
            problems=summary["problems"]["counts"],
            listed=listed[: tables.SHOWN_PROBLEMS],
            unlisted=max(0, len(listed) - tables.SHOWN_PROBLEMS),
            version=__version__,
            **more,
        )
    )


@cache
def _templates() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader("isomatch.evaluate", "templates"),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html.j2"]),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["percent"] = tables.percent
    environment.filters["names"] = _names
    environment.filters["clean"] = clean
    environment.filters["cell"] = lambda text: clean(text, None).replace("|", "\\|") if text else ""
    return environment


def _names(names: Sequence[str], most: int = 5) -> str:
    """The first names, and the number of the others.

    Example:
        >>> _names(["a", "b", "c"], 2)
        'a, b and 1 more'
    """
    shown = ", ".join(clean(name) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "nothing"
