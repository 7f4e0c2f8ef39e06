"""`isomatch saved`: patterns that are saved in an RDF store."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer

from isomatch.cli.frame import Endpoint, Home, Json, argument_text, console, print_json, settings_of
from isomatch.errors import ConfigurationError


def saved(
    ctx: typer.Context,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="Print only the pattern of this name.")
    ] = None,
    pattern: Annotated[
        str | None,
        typer.Option("--pattern", help="Print the SPARQL Update that saves this pattern as NAME."),
    ] = None,
    note: Annotated[str, typer.Option("--note", help="With --pattern: its purpose.")] = "",
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """List the patterns that are saved in an RDF store, or print one.

    Nothing is written: to save one, run the update that is printed.

    \b
    Examples:
      isomatch saved
      isomatch match "$(isomatch saved films-by-mann)"
      isomatch saved films-by-mann --pattern '(?film)-[directed by]-("Michael Mann")'
    """
    from isomatch.admin.saved import saved_patterns, update_to_save
    from isomatch.factories import open_store

    if (pattern or note) and name is None:
        raise ConfigurationError("--pattern and --note need the NAME to save by")
    with open_store(settings_of(ctx, home, endpoint=endpoint)) as store:
        if pattern is not None:
            given = {"note": note, "by": getpass.getuser()}
            print(update_to_save(store, name or "", argument_text(pattern), **given))
            return
        found = saved_patterns(store)
    if name is None:
        if as_json:
            print_json({"saved": list(found.values())})
            return
        out = console()
        for one in found.values():
            out.print(f"{one.name}  {one.pattern}")
            if about := ", ".join(filter(None, (one.note, one.by, one.saved_at))):
                out.print(f"    {about}")
        if not found:
            out.print("No pattern is saved. `isomatch saved NAME --pattern TEXT` prints how to.")
        return
    if name not in found:
        there = ", ".join(found) or "none"
        raise ConfigurationError(f"no pattern is saved as {name!r}; there are: {there}")
    if as_json:
        print_json(found[name])
    else:
        print(found[name].pattern)
