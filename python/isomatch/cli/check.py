"""`isomatch demo` and `isomatch doctor`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from isomatch.cli.frame import Endpoint, Home, Json, console, print_json, settings_of
from isomatch.cli.progress import bar

_MARKS = {"ok": ("ok  ", "green"), "warn": ("warn", "yellow"), "fail": ("FAIL", "red")}


def demo(
    ctx: typer.Context,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Make the graph and its index again.")
    ] = False,
    home: Annotated[
        Path | None,
        typer.Option("--home", help="Folder to keep it under. [default: the user's cache folder]"),
    ] = None,
    as_json: Json = False,
) -> None:
    """Ask a geography graph, made on the spot, a few questions.

    \b
    Examples:
      isomatch demo
      isomatch demo --fresh
    """
    from isomatch.demo.examples import (
        NEXT,
        prepare,
        result_as_json,
        result_text,
        run_examples,
        settings_for,
    )
    from isomatch.session import Session

    settings = settings_for(home or ctx.obj.home)
    out = console()

    def say(text: str) -> None:
        if not as_json:
            out.print(text)

    with bar("indexing", "names", quiet=as_json) as progress:
        prepare(settings, fresh=fresh, say=say, progress=progress)
    results = []
    with Session.open(settings) as session:
        for number, result in enumerate(run_examples(session), 1):
            results.append(result_as_json(result))
            if not as_json:
                out.print()
                out.print(result_text(number, result), end="")
    if as_json:
        print_json({"home": str(settings.home), "stops": results})
    else:
        out.print(f"\n{NEXT}")


def doctor(
    ctx: typer.Context,
    advise: Annotated[
        bool,
        typer.Option(
            "--advise", help="Print the indexes and rights that a database administrator may add."
        ),
    ] = False,
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Ask a SPARQL endpoint anew what it can do."),
    ] = False,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Check everything that a session needs, and say what to fix.

    \b
    Examples:
      isomatch doctor
      isomatch doctor --advise > advice.cypher    to read, and to run what you like of it

    \b
    Exit codes: 0 nothing fails, 1 something does.
    """
    settings = settings_of(ctx, home, endpoint=endpoint)
    if advise:
        from isomatch.admin.advise import advice

        text = advice(settings)
        if as_json:
            print_json({"advice": text})
        else:
            console().print(text, end="")
        return
    from rich.text import Text

    from isomatch.admin.doctor import examine

    failed = False
    checks = []
    out = console()
    for check in examine(settings, fresh=fresh):
        failed = failed or check.status == "fail"
        checks.append(check)
        if not as_json:
            mark, style = _MARKS[check.status]
            fix = f" → {check.fix}" if check.fix else ""
            out.print(Text.assemble((mark, style), f" {check.name:<9} {check.message}{fix}"))
    if as_json:
        print_json({"ok": not failed, "checks": checks})
    if failed:
        raise typer.Exit(1)
