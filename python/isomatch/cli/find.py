"""`isomatch find`."""

from __future__ import annotations

from typing import Annotated

import typer

from isomatch.cli.frame import (
    NOTHING_FOUND,
    Endpoint,
    Home,
    Json,
    argument_text,
    open_session,
    print_json,
    print_parts,
)
from isomatch.cli.options import choice
from isomatch.link.candidates import KINDS


def find(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Words; - reads standard input.")],
    most: Annotated[int, typer.Option("-k", "--k", min=1, help="Most entries of each kind.")] = 10,
    kind: Annotated[
        list[str] | None, choice("--kind", KINDS, "What to find; may be repeated. [default: all]")
    ] = None,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Find nodes, relations and types by their names: what would a pattern's words mean?

    \b
    Examples:
      isomatch find 'Micheal Mann'
      isomatch find 'directed by' --kind relation --json
    """
    with open_session(ctx, home, endpoint=endpoint) as session:
        found = session.find(argument_text(text), kinds=kind or KINDS, limit=most)
    if as_json:
        print_json({"text": text, "found": found})
    elif found:
        from isomatch.output.tables import findings_table

        print_parts([findings_table(found)])
    if not found:
        raise typer.Exit(NOTHING_FOUND)
