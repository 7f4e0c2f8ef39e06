"""`isomatch mcp`."""

from __future__ import annotations

import contextlib
from typing import Any

import typer

from isomatch.cli.frame import Endpoint, Home, settings_of
from isomatch.errors import MissingExtraError


def mcp(ctx: typer.Context, endpoint: Endpoint = None, home: Home = None) -> None:
    """Answer an assistant over standard input and output (Model Context Protocol).

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
    given: dict[str, Any] = {"endpoint": endpoint}
    if endpoint is not None or home is not None or (ctx.obj and ctx.obj.home):
        given["graphs"] = {}  # the one that was named
    settings = settings_of(ctx, home, **given)
    graphs = Graphs.of(settings)

    async def answer() -> None:
        service = Service(graphs, settings.serve)
        try:
            await serve_stdio(Assistants(service, Caller("stdio")))
        finally:
            service.close()

    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(answer())
