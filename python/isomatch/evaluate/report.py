"""The pages of a run: ``report.html``, whole in one file, and ``report.md``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from isomatch.evaluate import view
from isomatch.evaluate.judge import Row
from isomatch.evaluate.plots import NO_PLOTS, plots
from isomatch.evaluate.runs import Run, write_text
from isomatch.phrasing import clean

if TYPE_CHECKING:
    from jinja2 import Environment

HTML, MARKDOWN = "report.html", "report.md"


def write_pages(run: Run, rows: Sequence[Row], summary: Mapping[str, Any]) -> None:
    """Both pages, into the folder of a run that has one."""
    if run.folder is None:
        return
    write_text(run.folder / HTML, html(rows, summary))
    write_text(run.folder / MARKDOWN, markdown(rows, summary))


def html(rows: Sequence[Row], summary: Mapping[str, Any]) -> str:
    """The report as one page that needs nothing else: no network, no script."""
    drawn = plots(rows, summary)
    return _page("report.html.j2", rows, summary, plots=drawn, no_plots="" if drawn else NO_PLOTS)


def markdown(rows: Sequence[Row], summary: Mapping[str, Any]) -> str:
    """The report for a pull request."""
    return _page("report.md.j2", rows, summary)


def _page(name: str, rows: Sequence[Row], summary: Mapping[str, Any], **more: Any) -> str:
    from isomatch._version import __version__

    problems = summary["problems"]
    return (
        _templates()
        .get_template(name)
        .render(
            title=view.title(summary),
            headline=view.headline(summary),
            asked=view.asked_for(summary),
            tables=view.tables(summary),
            failures=view.failures(rows),
            questions=len(rows),
            problems=problems["counts"],
            listed=problems["listed"][: view.SHOWN_PROBLEMS],
            unlisted=max(0, len(problems["listed"]) - view.SHOWN_PROBLEMS),
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
    environment.filters["percent"] = view.percent
    environment.filters["names"] = _names
    environment.filters["clean"] = clean
    environment.filters["cell"] = lambda text: clean(text, None).replace("|", "\\|") if text else ""
    return environment


def _names(names: Sequence[str], most: int = 5) -> str:
    """Names in a line, the first of them.

    Example:
        >>> _names(["a", "b", "c"], 2)
        'a, b and 1 more'
    """
    shown = ", ".join(clean(name) for name in names[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown or "nothing"
