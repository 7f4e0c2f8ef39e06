"""`isomatch migrate`, and `isomatch saved`: the patterns that migrations let an RDF store keep."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from isomatch._version import __version__
from isomatch.cli.frame import Endpoint, Home, Json, argument_text, console, print_json, settings_of
from isomatch.errors import ConfigurationError

if TYPE_CHECKING:
    from isomatch.admin.migrate import Migration, State, Statement, Target
    from isomatch.settings import Settings


_EMBEDDED = "The embedded graph needs no migrations: `isomatch load` makes all of it."


def migrate(
    ctx: typer.Context,
    action: Annotated[
        str | None, typer.Argument(metavar="[status]", help="Print what is applied.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print what would be done.")] = False,
    to: Annotated[
        int | None, typer.Option("--to", min=1, help="Apply up to this one. [default: the newest]")
    ] = None,
    undo: Annotated[bool, typer.Option("--undo", help="Undo the last one.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Update what isomatch stores in your database.

    Everything is shown first, and written after you confirm. Your own nodes,
    relationships and indexes are never changed.

    \b
    Examples:
      isomatch migrate status
      isomatch migrate --dry-run
      isomatch migrate
      isomatch migrate --undo
    """
    from isomatch.admin.migrate import examine, read_migrations, steps

    if action not in (None, "status"):
        raise ConfigurationError(f"`isomatch migrate` has the action 'status', not {action!r}")
    if undo and to is not None:
        raise ConfigurationError("--undo undoes the last migration: leave --to out")
    settings = settings_of(ctx, home, endpoint=endpoint)
    if settings.neo4j_uri is None and settings.endpoint is None:
        if as_json:
            print_json({"database": None, "applied": [], "pending": []})
        else:
            console().print(_EMBEDDED)
        return
    with _target(settings) as target:
        migrations = read_migrations(target.folder)
        state = examine(target, migrations)
        if action:
            todo: Sequence[Migration] = ()
        elif undo:
            todo = [m for m in migrations if m.version in _versions(state)][-1:]
        else:
            todo = steps(state, to)
        if not as_json:
            _show(target, state)
            _show_steps(todo, undo)
        if todo and not dry_run:
            _confirm(target, yes, as_json)
            _write(target, todo, undo, settings, quiet=as_json)
            state = examine(target, migrations)
        if as_json:
            form = {"applied": state.applied, "pending": state.pending}
            print_json({"database": target.location, **form})
        elif not todo and not action:
            console().print("Nothing to do.")
        elif todo and dry_run:
            console().print("\nNothing was written.")


@contextmanager
def _target(settings: Settings) -> Iterator[Target]:
    """The database of the settings, for writing."""
    from isomatch import factories

    if settings.endpoint is not None:
        from isomatch.admin.migrate.sparql import SparqlTarget

        with factories.sparql_store(settings) as endpoint:
            yield SparqlTarget.of(endpoint)
        return
    from isomatch.admin.migrate.neo4j import Neo4jTarget

    with factories.neo4j_store(settings) as database:
        yield Neo4jTarget.of(database)


def _versions(state: State) -> set[int]:
    return {record.version for record in state.applied}


def _show(target: Target, state: State) -> None:
    out = console()
    out.print(target.location)
    for record in state.applied:
        out.print(f"  applied  {record}, {record.applied_at} by {record.by}")
    for migration in state.pending:
        out.print(f"  pending  {migration}, {migration.file}")


def _show_steps(todo: Sequence[Migration], undo: bool) -> None:
    out = console()
    for migration in todo:
        out.print(f"\nTo take back {migration}:" if undo else f"\nTo apply {migration}:")
        for statement in migration.undo if undo else migration.statements:
            _show_statement(statement)
        out.print("  Then its record is removed." if undo else "  Then it is recorded.")


def _show_statement(statement: Statement) -> None:
    out = console()
    out.print(f"  {statement.words}")
    for line in statement.text.splitlines():
        out.print(f"      {line}")


def _confirm(target: Target, yes: bool, as_json: bool) -> None:
    """End the command unless the user confirms."""
    if yes:
        return
    if as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigurationError(
            f"this would write to {target.location}, and there is no terminal to confirm it: add "
            "--yes to write, or --dry-run to look only"
        )
    if not typer.confirm(f"\nWrite this to {target.location}?"):
        console().print("Nothing was written.")
        raise typer.Exit(1)


def _write(
    target: Target, todo: Sequence[Migration], undo: bool, settings: Settings, *, quiet: bool
) -> None:
    from isomatch.admin import migrate

    endpoint = settings.chosen_endpoint
    user = endpoint.username or "nobody" if endpoint else settings.neo4j_username
    by = f"{user}, isomatch {__version__}"
    out = console()
    if not quiet:
        out.print()
    for migration in todo:
        if undo:
            migrate.undo(target, migration)
            done = f"took back {migration}"
        else:
            record = migrate.apply(target, migration, by)
            done = f"applied {migration}, recorded at {record.applied_at} by {record.by}"
        if not quiet:
            out.print(done)


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
