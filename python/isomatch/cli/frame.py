"""What all commands share: settings, output and error messages."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from errno import ENOSPC
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from isomatch.errors import ConfigurationError, IsomatchError, PatternError

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from isomatch.options import Format
    from isomatch.output.rows import Rows
    from isomatch.session import Session
    from isomatch.settings import Settings

# Exit codes beside those of `isomatch.errors`.
NOTHING_FOUND = 8
BUDGET_ENDED = 9
INTERRUPTED = 130  # by Ctrl-C, as in shells; the command can be resumed

# Of the click that typer comes with.
_UsageError: Any = typer.BadParameter.__base__

Home = Annotated[
    Path | None,
    typer.Option("--home", help="Folder of graph and index. [default: .isomatch]"),
]
Endpoint = Annotated[
    str | None,
    typer.Option(
        "--endpoint",
        metavar="ADDRESS|NAME",
        help="SPARQL endpoint to ask: its address, or its name in isomatch.toml.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@dataclass(frozen=True, slots=True)
class Globals:
    """Options before the command's name."""

    home: Path | None = None
    debug: bool = False


class Command(TyperCommand):
    """A command that reports errors as one block, or as JSON with ``--json``."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Parse the arguments, which may be refused (see `isomatch.cli.options.choice`)."""
        as_json = not {"--json", "--format=json"}.isdisjoint(args)
        as_json |= ("--format", "json") in pairwise(args)
        with _reported(parent, as_json):
            try:
                return super().make_context(info_name, args, parent, **extra)
            except _UsageError as error:
                error.message = error.message.removeprefix("Value error, ")  # which is pydantic's
                if not as_json:
                    raise
                raise ConfigurationError(error.format_message()) from error

    def invoke(self, ctx: Any) -> Any:
        """Run the command."""
        as_json = ctx.params.get("as_json") or ctx.params.get("form") == "json"
        with _reported(ctx, bool(as_json)):
            return super().invoke(ctx)


@contextmanager
def _reported(ctx: Any, as_json: bool) -> Iterator[None]:
    """Report an error of ours or of a file, and exit; raise it when debugging."""
    try:
        try:
            yield
        except OSError as error:
            if error.filename is None and error.errno != ENOSPC:
                raise
            where = error.filename or "the output"
            words = f"{where} cannot be read or written: {error.strerror}"
            raise IsomatchError(words) from error
    except IsomatchError as error:
        if (ctx and ctx.obj and ctx.obj.debug) or os.environ.get("ISOMATCH_DEBUG"):
            raise
        report(error, as_json=as_json)
        raise typer.Exit(error.exit_code) from error


def report(error: IsomatchError, *, as_json: bool) -> None:
    """Write an error to standard error."""
    if not as_json:
        print(f"error: {error}", file=sys.stderr)
        return
    form: dict[str, Any] = {
        "type": type(error).__name__,
        "message": str(error),
        "exit_code": error.exit_code,
    }
    if isinstance(error, PatternError):
        form |= {"text": error.text, "position": error.position}
    print(json.dumps({"error": form}), file=sys.stderr)


def settings_of(ctx: typer.Context, home: Path | None, **given: Any) -> Settings:
    """The settings in force for a command."""
    from isomatch.settings import load_settings

    return load_settings(home=home or (ctx.obj.home if ctx.obj else None), **given)


def open_session(ctx: typer.Context, home: Path | None, **given: Any) -> Session:
    """An open session over the graph and index of the home folder."""
    from isomatch.session import Session

    return Session.open(settings_of(ctx, home, **given))


def print_json(value: Any) -> None:
    """Print one JSON object on standard output, unescaped where the encoding allows.

    Args:
        value: of JSON's types and dataclasses.
    """
    unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    print(json.dumps(value, ensure_ascii=not unicode, indent=2, default=asdict))


def console(*, stderr: bool = False) -> Console:
    """The terminal; a pipe gets plain lines that are never wrapped or cut."""
    from rich.console import Console

    stream = sys.stderr if stderr else sys.stdout
    return Console(
        stderr=stderr,
        width=None if stream.isatty() else 100_000,
        # Rich keeps bold and dim under NO_COLOR; without a colour system nothing is left.
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        highlight=False,
        emoji=False,
        markup=False,
    )


def print_parts(parts: Iterable[RenderableType], *, stderr: bool = False) -> None:
    """Print trees, tables and lines, one after the other."""
    out = console(stderr=stderr)
    for part in parts:
        out.print(part)


def print_rows(rows: Rows, form: Format, shown: int, *, ids: bool = False) -> None:
    """Print rows on standard output, as a table of the first ones or as data."""
    from isomatch.output.rows import rows_table, written
    from isomatch.phrasing import printable

    if form == "table":
        print_parts(rows_table(rows, shown, ids=ids))
        return
    text = written(rows, form)
    if sys.stdout.isatty():  # names are data, and must not steer a terminal
        text = "\t".join(map(printable, text.replace("\r\n", "\n").split("\t")))
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode())  # as they are: line ends and UTF-8 are the format's
    sys.stdout.buffer.flush()


def argument_text(value: str) -> str:
    """An argument, or all of standard input where it is ``-``.

    Raises:
        ConfigurationError: it is not UTF-8.
    """
    given = sys.stdin.buffer.read() if value == "-" else os.fsencode(value)
    try:
        return given.decode()
    except UnicodeDecodeError as error:
        raise ConfigurationError(
            f"what was given is not UTF-8: {error.reason} at byte {error.start}"
        ) from error
