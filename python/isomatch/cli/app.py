"""The commands, put together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from isomatch.cli import (
    build,
    check,
    evaluate,
    feedback,
    judge,
    migrate,
    perturb,
    questions,
    search,
    serve,
    train,
)
from isomatch.cli.frame import Command, Globals

app = typer.Typer(
    name="isomatch",
    # Rich takes 0.4 s to import.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"isomatch {version('isomatch')}")
        raise typer.Exit


@app.callback()
def options(
    ctx: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(help="Folder of graph and index; also after the command. [.isomatch]"),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show tracebacks.")] = False,
    _: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Questions to a knowledge graph: proven-best matches and grounded answers.

    \b
    Start:
      isomatch demo
    With your own graph:
      isomatch load films.ttl
      isomatch index
      isomatch match '(?film:film)-[directed by]-("Michael Mann")'
      isomatch ask 'which films did Michael Mann direct'

    \b
    Exit codes:
      0 done               4 store: missing, locked, refused, time-out
      1 other failure      5 index or embedder
      2 usage, settings    6 language model
      3 pattern            7 question that could not be interpreted
      8 searched, and nothing was found
      9 nothing was found before a budget ended the search
      130 stopped by Ctrl-C
    """
    ctx.obj = Globals(home, debug)


for command in (
    check.demo,
    build.load,
    build.index,
    build.schema,
    search.match,
    search.ask,
    search.explain,
    search.find,
    check.doctor,
    migrate.migrate,
    migrate.saved,
    serve.serve,
    serve.mcp,
    train.train,
    questions.questions,
    evaluate.eval_,
    evaluate.compare,
    judge.judge,
    serve.keys,
    feedback.feedback,
    perturb.perturb,
):
    app.command(name=command.__name__.rstrip("_"), cls=Command)(command)
