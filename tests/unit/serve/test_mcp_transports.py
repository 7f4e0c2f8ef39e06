"""The SDK's own client on both transports: `isomatch mcp`, and ``/mcp`` of `isomatch serve`."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from starlette.testclient import TestClient
from tests.unit.serve.films import make_home
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.service import Service
from isomatch.settings import Settings

MAIN = ("-c", "from isomatch.cli import main; main()")
QUESTION = {"question": "which films did Michael Mann direct"}
MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return make_home(tmp_path_factory.mktemp("films"))


def environment() -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith("ISOMATCH_")}


async def asked(client: Client) -> Any:
    """What a client is told of the films."""
    tools = {tool.name for tool in (await client.list_tools()).tools}
    assert tools == {"ask", "match", "explain", "schema", "neighbourhood"}
    result = await client.call_tool("ask", QUESTION)
    assert not result.is_error
    (content,) = result.content
    assert json.loads(content.text) == result.structured_content  # type: ignore[union-attr]
    assert {one["name"] for one in result.structured_content["answers"]} == {"Heat", "Collateral"}
    resources = (await client.list_resources()).resources
    read = await client.read_resource(resources[0].uri)
    assert "directed by" in read.contents[0].text  # type: ignore[union-attr]
    wrong = await client.call_tool("match", {"pattern": "(?f"})
    assert wrong.is_error
    return result.structured_content


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_asks_over_standard_input_and_output(settings: Settings, mode: str) -> None:
    started = StdioServerParameters(
        command=sys.executable,
        args=[*MAIN, "mcp", "--home", str(settings.home)],
        env=environment(),
        cwd="/",
    )

    async def work() -> Any:
        async with Client(stdio_client(started), mode=mode) as client:
            assert client.server_info.name == "isomatch"
            return await asked(client)

    assert asyncio.run(work())["supported"]


def test_standard_output_has_the_protocol_and_nothing_else(settings: Settings) -> None:
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    call = {"name": "ask", "arguments": QUESTION}
    sent = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    ]
    process = subprocess.Popen(
        [sys.executable, *MAIN, "mcp", "--home", str(settings.home)],
        env={**environment(), "PYTHONWARNINGS": "default"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("".join(json.dumps(message) + "\n" for message in sent))
    process.stdin.flush()
    lines = [process.stdout.readline() for _ in range(2)]
    rest, _ = process.communicate(timeout=60)  # closes its input, which ends it
    assert [json.loads(line)["id"] for line in lines] == [1, 2]
    assert (rest, process.returncode) == ("", 0)


def test_a_home_without_a_graph_is_told_by_the_tool_to_who_started_it(tmp_path: Path) -> None:
    started = StdioServerParameters(
        command=sys.executable, args=[*MAIN, "mcp", "--home", str(tmp_path)], env=environment()
    )

    async def work() -> Any:
        async with Client(stdio_client(started)) as client:
            return await client.call_tool("ask", QUESTION)

    result = asyncio.run(work())
    assert result.is_error
    assert "run `isomatch load FILES`" in result.content[0].text


def test_without_the_package_the_command_says_how_to_get_it(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "isomatch.serve.mcp", raising=False)
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    done = CliRunner().invoke(app, ["mcp", "--home", str(settings.home)])
    assert done.exit_code == 2
    assert 'isomatch mcp needs the package mcp_types: pip install "isomatch[mcp]"' in done.stderr
    with TestClient(application(settings), base_url="http://localhost") as client:
        refused = client.post("/mcp", json=MESSAGE, headers=ACCEPT)
    assert refused.status_code == 501
    assert 'pip install "isomatch[mcp]"' in refused.json()["detail"]


def application(settings: Settings, token: str | None = None) -> Any:
    return create_app(Service(Graphs.of(settings), settings.serve), token=token)


@pytest.fixture(scope="module")
def served(settings: Settings) -> Iterator[str]:
    """The address of a service, a process of its own, that wants a key."""
    process = subprocess.Popen(
        [sys.executable, *MAIN, "serve", "--home", str(settings.home), "--port", "0", "--json"],
        env={**environment(), "ISOMATCH_SERVE_TOKEN": "secret"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = ""
        while not told.endswith("}\n"):
            told += (line := process.stdout.readline())
            assert line
        yield json.loads(told)["url"]
    finally:
        process.terminate()
        process.communicate(timeout=60)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_asks_over_http(served: str, mode: str) -> None:
    async def work() -> Any:
        key = {"Authorization": "Bearer secret"}
        async with httpx.AsyncClient(headers=key, timeout=60) as http:
            transport = streamable_http_client(f"{served}mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                return await asked(client)

    assert asyncio.run(work())["graph"] == "default"


def test_a_request_without_the_key_is_refused(served: str) -> None:
    refused = httpx.post(f"{served}mcp", json=MESSAGE, headers=ACCEPT)
    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"].startswith("Bearer")


def test_other_methods_are_refused_as_no_session_is_kept(served: str) -> None:
    for method in ("GET", "DELETE"):
        assert httpx.request(method, f"{served}mcp").status_code == 405


@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("localhost:8080", None, 200),
        ("[::1]:8080", None, 200),
        ("127.0.0.1:8080", "http://127.0.0.1:8080", 200),
        ("127.0.0.1:8080", "https://elsewhere.example", 403),
        ("rebound.example:8080", "http://rebound.example:8080", 403),
        ("rebound.example", None, 403),
    ],
)
def test_without_keys_only_programs_of_this_machine_are_answered(
    settings: Settings, host: str, origin: str | None, status: int
) -> None:
    headers = {**ACCEPT, "Host": host, **({"Origin": origin} if origin else {})}
    with TestClient(application(settings)) as client:
        assert client.post("/mcp", json=MESSAGE, headers=headers).status_code == status


def test_a_body_over_the_limit_of_the_service_is_refused(settings: Settings) -> None:
    with TestClient(application(settings), base_url="http://localhost") as client:
        sent = client.post("/mcp", content=b" " * 1_000_001, headers={**ACCEPT})
    assert sent.status_code == 413
