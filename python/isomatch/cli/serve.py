"""`isomatch serve`."""

from __future__ import annotations

import contextlib
import socket
import sys
from typing import Annotated

import typer

from isomatch.cli.frame import Endpoint, Home, Json, open_session, print_json
from isomatch.errors import ConfigurationError, MissingExtraError


def serve(
    ctx: typer.Context,
    sparql: Annotated[
        bool, typer.Option("--sparql", help="Serve /sparql, a read-only SPARQL endpoint.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="Address to listen at; 0.0.0.0 for every one.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen at; 0 takes a free one.")
    ] = 8080,
    token: Annotated[
        str | None,
        typer.Option(help="Who asks must send it as a bearer token. [ISOMATCH_SERVE_TOKEN]"),
    ] = None,
    cors: Annotated[
        bool, typer.Option("--cors", help="Let web pages of any origin ask, as YASGUI does.")
    ] = False,
    endpoint: Endpoint = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Let other programs search over HTTP, until Ctrl-C.

    \b
    Example:
      isomatch serve --sparql --port 8080
    and in any SPARQL engine:
      SERVICE <http://127.0.0.1:8080/sparql> { [] isomatch:pattern "…" ;
        isomatch:binding ?f ; isomatch:gsd ?gsd }
    """
    if not sparql:
        raise ConfigurationError("say what to serve: isomatch serve --sparql")
    try:
        import uvicorn

        from isomatch.serve.app import create_app
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            f'isomatch serve needs the package {error.name}: pip install "isomatch[serve]"'
        ) from error
    given = {"endpoint": endpoint, "serve_token": token}
    with open_session(ctx, home, **given) as session, _listening(host, port) as listener:
        secret = session.settings.serve_token
        if not secret and not _is_loopback(listener):
            print(
                f"warning: {host} can be reached from other machines, and nobody is asked for a "
                "token: set ISOMATCH_SERVE_TOKEN",
                file=sys.stderr,
            )
        app = create_app(session, token=secret.get_secret_value() if secret else None, cors=cors)
        # Engines that offer HTTP/2 with each request would be warned of with each.
        server = uvicorn.Server(
            uvicorn.Config(
                app, log_level="error", timeout_graceful_shutdown=10, server_header=False
            )
        )
        url = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}/sparql"
        if as_json:
            print_json({"sparql": url})
        else:
            print(f"SPARQL endpoint: {url} (Ctrl-C ends it)")
        sys.stdout.flush()
        with contextlib.suppress(KeyboardInterrupt):
            server.run(sockets=[listener])


def _listening(host: str, port: int) -> socket.socket:
    """A socket that takes connections from now on."""
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
            f"cannot listen at {host} port {port}: {error.strerror or error}; "
            "--host and --port name another place, --port 0 takes a free port"
        ) from error
    return listener


def _is_loopback(listener: socket.socket) -> bool:
    from ipaddress import ip_address

    return ip_address(listener.getsockname()[0]).is_loopback
