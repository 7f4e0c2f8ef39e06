"""`isomatch demo`, `doctor` and `eval`: does it work, and how well."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from isomatch.cli.frame import Endpoint, Home, Json, console, print_json, settings_of
from isomatch.cli.options import Interpreter, given_options, one_of, takes_search_options
from isomatch.cli.progress import bar
from isomatch.interpreters import interpreter_name

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
    from isomatch.demo.telling import NEXT, stop_form, stop_text
    from isomatch.demo.tour import prepare, settings_for, walk
    from isomatch.session import Session

    settings = settings_for(home or ctx.obj.home)
    out = console()

    def say(text: str) -> None:
        if not as_json:
            out.print(text)

    with bar("indexing", "names", quiet=as_json) as progress:
        prepare(settings, fresh=fresh, say=say, progress=progress)
    stops = []
    with Session.open(settings) as session:
        for number, stopped in enumerate(walk(session), 1):
            stops.append(stop_form(stopped))
            if not as_json:
                out.print()
                out.print(stop_text(number, stopped), end="")
    if as_json:
        print_json({"home": str(settings.home), "stops": stops})
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
    """Check everything that a session needs, and say what to mend.

    \b
    Examples:
      isomatch doctor
      isomatch doctor --advise > advice.cypher    to read, and to run what you like of it

    \b
    Exit codes: 0 nothing fails, 1 something does.
    """
    settings = settings_of(ctx, home, endpoint=endpoint)
    if advise:
        from isomatch.advise import advice

        text = advice(settings)
        if as_json:
            print_json({"advice": text})
        else:
            console().print(text, end="")
        return
    from rich.text import Text

    from isomatch.doctor import examine

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


@takes_search_options("k", "nodes", "direction", "results")
def eval_(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="metaqa|pathquestion|worldcup")],
    data: Annotated[Path, typer.Option(help="Folder of the data set.")],
    split: Annotated[str, typer.Option(help="Of the questions, where there are several.")] = "dev",
    hops: Annotated[int | None, typer.Option(help="Only questions of so many hops.")] = None,
    patterns: Annotated[
        str,
        typer.Option(
            metavar="gold|ask", help="Match the data's own patterns, or ask its questions."
        ),
    ] = "gold",
    unknown_relation: Annotated[
        bool,
        typer.Option("--unknown-relation", help="Take the words of one relation of each pattern."),
    ] = False,
    interpreter: Interpreter = "schema",
    limit: Annotated[
        int | None, typer.Option(min=1, help="Most questions of each part, the same every time.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File for one JSON row a question.")] = None,
    home: Annotated[
        Path | None,
        typer.Option("--home", help="Folder to keep graphs under. [default: the user's cache]"),
    ] = None,
    as_json: Json = False,
    **options: Any,
) -> None:
    """Measure answers against a data set: Hits@1, F1, time by station.

    \b
    Example:
      isomatch eval metaqa --data data/metaqa --hops 2 --patterns gold --limit 300
    """
    from isomatch.evaluate import run_eval

    one_of("--patterns", patterns, ("gold", "ask"))
    interpreter_name(interpreter, "--interpreter")
    chosen = given_options(options)
    with bar(f"evaluating {name}", "done", quiet=as_json) as progress:
        report = run_eval(
            name,
            data,
            split=split,
            hops=hops,
            patterns=patterns,
            wording="unknown relation" if unknown_relation else "names",
            interpreter=interpreter,
            limit=limit,
            out=out,
            home=home or ctx.obj.home,
            options=chosen,
            progress=progress,
        )
    if as_json:
        print_json(report)
        return
    from isomatch.render.tables import report_tables

    screen = console()
    for part in report_tables(report):
        screen.print(part)
