"""The SPARQL servers of the tests: what they hold, where they listen, and how they end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest
from tests.integration.conftest import StartSparql
from tests.servers import ROOT
from tests.servers.ports import LOOPBACK
from tests.servers.process import command_line, listening
from tests.servers.sparql_server import SparqlServer

DATA = '<urn:a> <urn:p> "caf\\u00e9"@fr, <urn:b> . <urn:b> <urn:p> [ <urn:q> <urn:c> ] .'
pytestmark = pytest.mark.slow
on_linux = pytest.mark.skipif(
    sys.platform != "linux", reason="needs /proc, and death signals of parents"
)


def count(server: SparqlServer, where: str = "?s ?p ?o") -> int:
    """How many solutions a graph pattern has, in the graphs that isomatch would ask."""
    parameters = {"query": f"SELECT (COUNT(*) AS ?n) WHERE {{ {where} }}"}
    if graphs := server.settings.get("graphs"):
        parameters["default-graph-uri"] = graphs[0]
    accepted = {"accept": "application/sparql-results+json"}
    answer = httpx.get(server.url, params=parameters, headers=accepted).raise_for_status()
    return int(answer.json()["results"]["bindings"][0]["n"]["value"])


def test_it_holds_what_was_loaded_and_nothing_after_it_was_cleared(
    empty_sparql: SparqlServer, tmp_path: Path
):
    assert count(empty_sparql) == 0
    empty_sparql.load(DATA)
    assert count(empty_sparql) == 4
    assert count(empty_sparql, '<urn:a> <urn:p> "café"@fr') == 1
    (tmp_path / "more.nt").write_text("<urn:c> <urn:p> <urn:d> .\n")
    empty_sparql.load(tmp_path / "more.nt")
    empty_sparql.load("<urn:x> <urn:p> <urn:y> .", graph="urn:named")
    assert count(empty_sparql) == 5
    empty_sparql.clear()
    assert count(empty_sparql) == 0


@on_linux
def test_it_listens_on_loopback_only(sparql_server: SparqlServer):
    assert sparql_server.pid
    addresses = listening(sparql_server.pid)
    assert (LOOPBACK, sparql_server.port) in addresses
    assert {host for host, _ in addresses} == {LOOPBACK}


def test_another_object_finds_it_and_ends_it(own_sparql: StartSparql):
    server = own_sparql("oxigraph")
    other = type(server)(server.home, port=server.port)
    assert other.pid == server.pid is not None
    other.stop()
    assert server.pid is None


@on_linux
def test_it_ends_when_the_tests_are_killed(sparql_server: SparqlServer, tmp_path: Path):
    """SIGKILL leaves the test process no time to end its server."""
    engine = sparql_server.engine
    program = (
        "import pathlib, sys, time\n"
        "from tests.servers.sparql import ENGINES\n"
        f"server = ENGINES[{engine!r}](pathlib.Path({str(tmp_path)!r}), brief=True).start()\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout
        pid = int(parent.stdout.readline())
        assert command_line(pid)
        os.kill(parent.pid, signal.SIGKILL)
    until = time.monotonic() + 30
    while command_line(pid) and time.monotonic() < until:
        time.sleep(0.1)
    assert not command_line(pid)
