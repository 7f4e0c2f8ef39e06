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
    print_rows,
)
from isomatch.cli.options import OutputFormat, choice, output_format
from isomatch.link.candidates import KINDS
from isomatch.options import Format


def find(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Words; - reads standard input.")],
    most: Annotated[int, typer.Option("-k", "--k", min=1, help="Most entries of each kind.")] = 10,
    kind: Annotated[
        list[str] | None, choice("--kind", KINDS, "What to find; may be repeated. [default: all]")
    ] = None,
    endpoint: Endpoint = None,
    home: Home = None,
    form: OutputFormat = None,
    as_json: Json = False,
) -> None:
    """Find nodes, relations and types by their names: what would a pattern's words mean?

    \b
    Examples:
      isomatch find 'Micheal Mann'
      isomatch find 'directed by' --kind relation --json
    """
    chosen_form = output_format(form, as_json)
    with open_session(ctx, home, endpoint=endpoint) as session:
        found = session.find(argument_text(text), kinds=kind or KINDS, limit=most)
    if chosen_form is Format.json:
        from isomatch.output.json import found_form

        print_json(found_form(text, found))
    elif chosen_form and chosen_form is not Format.table:
        from isomatch.output.rows import findings_rows

        print_rows(findings_rows(found), chosen_form, len(found))
    elif found:
        from isomatch.output.tables import findings_table

        print_parts([findings_table(found)])
    if not found:
        raise typer.Exit(NOTHING_FOUND)
