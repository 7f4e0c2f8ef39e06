"""`isomatch serve`, `isomatch mcp`, and `isomatch keys`: who may ask the service."""

from __future__ import annotations

import contextlib
import gc
import socket
import sys
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from isomatch.cli.frame import Endpoint, Home, Json, print_json, settings_of
from isomatch.errors import ConfigurationError, MissingExtraError

if TYPE_CHECKING:
    from isomatch.settings import Settings


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
    """List, make or revoke the keys of `isomatch serve`.

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


def mcp(ctx: typer.Context, endpoint: Endpoint = None, home: Home = None) -> None:
    """Answer an assistant by the Model Context Protocol (MCP).

    It speaks over standard input and output.

    Assistants start this command themselves, see docs/mcp.md for the lines of their settings.
    Its tools only read, and take no query. The graphs are those of the tables [graphs.NAME] in
    isomatch.toml, or the one of the home folder. `isomatch serve` has the same at /mcp.

    \b
    Example:
      claude mcp add films -- isomatch mcp --home /data/films
    """
    import asyncio

    try:
        from isomatch.serve.graphs import Caller, Graphs
        from isomatch.serve.mcp import Assistants, serve_stdio
        from isomatch.serve.service import Service
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f'isomatch mcp needs the package {error.name}: pip install "isomatch[mcp]"'
        ) from error
    settings, _ = _served(ctx, home, endpoint)
    graphs = Graphs.of(settings)

    async def answer() -> None:
        service = Service(graphs, settings.serve)
        try:
            await serve_stdio(Assistants(service, Caller("stdio")))
        finally:
            service.close()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(answer())


def serve(
    ctx: typer.Context,
    sparql: Annotated[
        bool, typer.Option("--sparql", help="Say only where /sparql is, which is always served.")
    ] = False,
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8080,
    token: Annotated[
        str | None,
        typer.Option(help="Bearer token that requests must have. [ISOMATCH_SERVE_TOKEN]"),
    ] = None,
    cors: Annotated[
        bool, typer.Option("--cors", help="Allow requests from web pages of any origin, as YASGUI.")
    ] = False,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Answer questions and searches over HTTP, until Ctrl-C.

    The graphs are those of the tables [graphs.NAME] in isomatch.toml, or the one of the home
    folder; where there is none at all, the one that `isomatch demo` has made.

    \b
    Example:
      isomatch serve --port 8080
      curl -s http://127.0.0.1:8080/v1/ask --json '{"question": "which films are there"}'
    and in any SPARQL engine:
      SERVICE <http://127.0.0.1:8080/sparql> { [] isomatch:pattern "…" ;
        isomatch:binding ?f ; isomatch:gsd ?gsd }
    """
    try:
        import uvicorn

        from isomatch.serve.app import create_app
        from isomatch.serve.auth import Access
        from isomatch.serve.connections import DrainingServer, connection_type
        from isomatch.serve.graphs import Graphs
        from isomatch.serve.observe import log_json
        from isomatch.serve.service import Service
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f'isomatch serve needs the package {error.name}: pip install "isomatch[serve]"'
        ) from error
    if token == "":
        raise ConfigurationError("--token is empty: give a token, or leave the option out")
    settings, named = _served(ctx, home, endpoint, serve_token=token)
    if not named and (demo := _demo(settings)) is not None:
        print(f"no graph in {settings.home}: this is that of `isomatch demo`", file=sys.stderr)
        settings = settings.model_copy(update={"graphs": {"demo": demo}})
    graphs = Graphs.of(settings)
    graphs.check()
    with _listen(host, port) as listener:
        access = Access.of(settings)
        if settings.serve.log == "json":
            log_json()
        if not access.required and not _is_loopback(listener):
            raise ConfigurationError(
                f"{host} can be reached from other machines, and anybody could ask: make a key by "
                "`isomatch keys add NAME`, set ISOMATCH_SERVE_TOKEN or the table [serve.oidc], or "
                "listen on 127.0.0.1"
            )
        app = create_app(Service(graphs, settings.serve), access=access, cors=cors)

        # Some engines offer HTTP/2 with each request, and each would log a warning.
        config = uvicorn.Config(
            app,
            http=connection_type(settings.serve.idle_seconds),
            log_level="error",
            timeout_graceful_shutdown=5,
            server_header=False,
        )
        server = DrainingServer(config, app.state.in_flight, settings.serve.stop_seconds)
        url = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
        if as_json:
            print_json({"url": f"{url}/", "sparql": f"{url}/sparql"})
        elif sparql:
            print(f"SPARQL endpoint: {url}/sparql (Ctrl-C ends it)")
        else:
            print(f"isomatch answers at {url}/ (Ctrl-C ends it)")
        sys.stdout.flush()
        gc.freeze()  # what is there stays: to look through it again would hold up requests
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def _served(
    ctx: typer.Context, home: Path | None, endpoint: str | None, **given: Any
) -> tuple[Settings, bool]:
    """The settings, and whether one graph was named, which then is served alone."""
    settings = settings_of(ctx, home, endpoint=endpoint, **given)
    if endpoint is None and home is None and not (ctx.obj and ctx.obj.home):
        return settings, False
    # Given as a setting, no graphs would be merged with those of the file.
    serve = settings.serve.model_copy(update={"default_graph": None})
    return settings.model_copy(update={"graphs": {}, "serve": serve}), True


def _demo(settings: Settings) -> dict[str, Any] | None:
    """The settings of the demo's graph, where no other is named and it is there."""
    from isomatch.demo.examples import settings_for

    named = settings.graphs or settings.endpoint or settings.neo4j_uri
    demo = settings_for(None)
    if named or settings.graph_path.exists() or not demo.index_path.exists():
        return None
    return {"home": demo.home, "embedder": demo.embedder, "languages": demo.languages}


def _listen(host: str, port: int) -> socket.socket:
    """A listening socket."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(128)
        except BaseException:
            listener.close()
            raise
    except OSError as error:
        raise ConfigurationError(
            f"cannot listen on {host} port {port}: {error.strerror or error}; "
            "set --host and --port; --port 0 takes a free port"
        ) from error
    return listener


def _is_loopback(listener: socket.socket) -> bool:
    return ip_address(listener.getsockname()[0]).is_loopback
