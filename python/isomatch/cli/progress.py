"""Progress bars on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from isomatch.cli.frame import console


@contextmanager
def resumable(out: Path | None, how: str) -> Iterator[None]:
    """Say how to go on when Ctrl-C ends a command that keeps its work.

    Args:
        out: where it is kept; nothing is said without one.
        how: the same command goes on, up to the words "in OUT".
    """
    try:
        yield
    except KeyboardInterrupt:
        if out is not None:
            console(stderr=True).print(f"stopped; the same command {how} in {out}")
        raise


@contextmanager
def bar(title: str, unit: str, *, quiet: bool = False) -> Iterator[Callable[..., None]]:
    """Show a bar with rate and time left; yields ``update(done, total, per_second)``.

    Nothing is shown where standard error is not a terminal, or ``quiet``.

    Args:
        title: what is being done.
        unit: ``bytes`` are shown as sizes; anything else is counted.
        quiet: for ``--json``.
    """
    out = console(stderr=True)
    if quiet or not out.is_terminal:
        yield lambda *_: None
        return
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    counted = DownloadColumn() if unit == "bytes" else MofNCompleteColumn()
    columns = (TextColumn("{task.description}"), BarColumn(), counted)
    rate = TextColumn("{task.fields[rate]}")
    with Progress(*columns, rate, TimeRemainingColumn(), console=out, transient=True) as progress:
        task = progress.add_task(title, total=None, rate="")

        def update(done: int, total: int | None = None, per_second: float | None = None) -> None:
            speed = progress.tasks[0].speed if per_second is None else per_second
            text = f"{speed:,.0f} {unit}/s" if speed and unit != "bytes" else ""
            progress.update(task, completed=done, total=total, rate=text)

        yield update
