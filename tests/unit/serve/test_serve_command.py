"""`isomatch serve` as a process: where it listens, what it says, how it ends."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from tests.unit.serve.films import MANN, make_home, query
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.serve.keys import KeyFile

MAIN = (sys.executable, "-c", "from isomatch.cli import main; main()", "serve")
FILMS = query(f"[] {MANN} ; isomatch:answer ?f")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_home(tmp_path_factory.mktemp("films")).home


def environment(**variables: str) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ISOMATCH_")}
    return {**kept, **variables}


@contextmanager
def serving(
    home: Path, *arguments: str, **variables: str
) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """A service at a free port: its address, and its process."""
    process = subprocess.Popen(
        [*MAIN, "--home", str(home), "--sparql", "--port", "0", "--json", *arguments],
        env=environment(**variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        told = ""
        while not told.endswith("}\n"):
            line = process.stdout.readline()
            assert line, process.communicate()[1]  # it has ended, and says why
            told += line
        yield json.loads(told)["sparql"], process
    finally:
        process.kill()
        process.communicate()


def fails(home: Path, *arguments: str) -> tuple[int, str]:
    words = ("serve", "--home", str(home), *arguments)
    done = CliRunner(env=dict.fromkeys(os.environ.keys() - environment())).invoke(app, words)
    assert done.stdout == ""
    return done.exit_code, done.stderr


def ended(process: subprocess.Popen[str], how: signal.Signals) -> None:
    """Tells the service to end, which it does without a word."""
    process.send_signal(how)
    assert process.communicate(timeout=30)[1] == ""
    assert process.returncode in (0, -how)


def test_it_serves_until_it_is_told_to_end(home: Path) -> None:
    with serving(home) as (url, process):
        assert url.startswith("http://127.0.0.1:")
        assert len(httpx.get(url, params={"query": FILMS}).json()["results"]["bindings"]) == 2
        ended(process, signal.SIGINT)


def test_a_token_from_the_environment(home: Path) -> None:
    with serving(home, ISOMATCH_SERVE_TOKEN="right") as (url, process):
        assert httpx.get(url).status_code == 401
        assert httpx.get(url, headers={"Authorization": "Bearer right"}).status_code == 200
        ended(process, signal.SIGTERM)


def test_it_is_not_started_where_other_machines_may_ask_without_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = make_home(tmp_path).home
    monkeypatch.setattr(uvicorn.Server, "run", lambda self, sockets: None)
    code, printed = fails(home, "--port", "0", "--host", "0.0.0.0")
    assert code == 2
    assert "isomatch keys add NAME" in printed

    def started(*arguments: str) -> None:
        words = ("serve", "--home", str(home), "--sparql", "--port", "0", *arguments)
        done = CliRunner(env=dict.fromkeys(os.environ.keys() - environment())).invoke(app, words)
        assert (done.exit_code, done.stderr) == (0, "")
        assert "http://" in done.stdout

    started("--host", "0.0.0.0", "--token", "t")
    started()
    KeyFile(home / "keys.json").add("somebody")
    started("--host", "0.0.0.0")


def test_a_home_that_is_named_is_served_alone(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "isomatch.toml"
    file.write_text(f"[graphs.other]\nhome = '{home}'\n[serve]\ndefault_graph = 'other'\n")
    with serving(home, ISOMATCH_CONFIG=str(file)) as (url, process):
        graphs = httpx.get(url.replace("/sparql", "/v1/graphs")).json()["graphs"]
        assert [graph["name"] for graph in graphs] == ["default"]
        ended(process, signal.SIGTERM)


def test_a_taken_port_is_told(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        code, printed = fails(home, "--sparql", "--port", port)
    assert code == 2
    assert f"port {port}" in printed
    assert "--port 0" in printed


def test_an_empty_token_is_refused_instead_of_none_being_asked_for(home: Path) -> None:
    ran = CliRunner().invoke(app, ["serve", "--home", str(home), "--port", "0", "--token", ""])
    assert ran.exit_code == 2
    assert "--token is empty" in ran.stderr


def test_a_host_that_is_none_is_told(home: Path) -> None:
    code, printed = fails(home, "--sparql", "--host", "no-such-host.invalid")
    assert code == 2
    assert "no-such-host.invalid" in printed


@pytest.mark.parametrize("package", ["uvicorn", "fastapi"])
def test_a_missing_extra_is_told_with_its_install_command(
    home: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "isomatch.serve.app", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    code, printed = fails(home, "--sparql", "--port", "0")
    assert code == 2
    assert 'pip install "isomatch[serve]"' in printed
    assert package in printed
