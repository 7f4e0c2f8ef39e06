"""`isomatch keys`: who may ask `isomatch serve`."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from isomatch.cli.frame import Home, Json, print_json, settings_of
from isomatch.errors import ConfigurationError


class KeyAction(str, Enum):
    """What is done with keys."""

    list = "list"
    add = "add"
    revoke = "revoke"


def keys(
    ctx: typer.Context,
    action: Annotated[KeyAction, typer.Argument(help="Show, make or revoke.")] = KeyAction.list,
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="add, revoke: whose key it is.")
    ] = None,
    graph: Annotated[
        list[str] | None,
        typer.Option("--graph", help="add: a graph that it may ask; repeat it. [default: all]"),
    ] = None,
    expires: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="add: until when, as 12h, 90d, 8w. [default: for ever]"),
    ] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """List, make or revoke the keys that requests to isomatch serve must have.

    A new key is printed once; only its hash is kept. A running service sees changes with its
    next request.

    \b
    Examples:
      isomatch keys add dashboard --graph films --expires 90d
      isomatch keys revoke dashboard
    """
    from isomatch.serve.keys import KeyFile, duration

    if (name is None) != (action is KeyAction.list):
        raise ConfigurationError(
            "say whose key: isomatch keys add NAME" if name is None else "a list takes no NAME"
        )
    if (graph or expires) and action is not KeyAction.add:
        raise ConfigurationError("--graph and --expires are for isomatch keys add")
    settings = settings_of(ctx, home)
    file = KeyFile.of(settings)
    if action is KeyAction.add:
        if unknown := set(graph or ()) - settings.graph_settings().keys():
            there = ", ".join(settings.graph_settings())
            raise ConfigurationError(f"there is no graph {min(unknown)!r}; there are: {there}")
        key = file.add(name or "", graph or None, None if expires is None else duration(expires))
        if as_json:
            print_json({"name": name, "key": key})
        else:
            print(f"{key}\nIt is not shown again. Send it as: Authorization: Bearer KEY")
        return
    if action is KeyAction.revoke:
        file.revoke(name or "")
        print_json({"revoked": name}) if as_json else print(f"{name} may not ask any more")
        return
    known = file.all()
    if as_json:
        hidden = {"sha256"}
        print_json({"keys": [one.model_dump(mode="json", exclude=hidden) for one in known]})
        return
    for one in known:
        graphs = "all graphs" if one.graphs is None else ", ".join(sorted(one.graphs))
        until = "" if one.expires is None else f", until {one.expires:%Y-%m-%d %H:%M} UTC"
        print(f"{one.name}: {graphs}{until}{' (expired)' if one.expired else ''}")
    if not known:
        print(f"There are no keys in {file.path}. `isomatch keys add NAME` makes one.")
