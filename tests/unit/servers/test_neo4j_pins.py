"""One version a line, wherever it is written; and ports that are taken."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest
from tests.servers import ROOT, ServerFailed
from tests.servers.neo4j import LOOPBACK, Neo4jServer
from tests.servers.neo4j_lines import LINES

COMPOSE = ROOT / "docker" / "neo4j.compose.yaml"


def test_compose_file_has_the_versions_of_the_poms() -> None:
    images = re.findall(r"^ {4}image: (.+)$", COMPOSE.read_text(), re.MULTILINE)
    assert images == [f"neo4j:{line.version}-community" for line in LINES.values()]


def test_compose_file_publishes_on_loopback_only() -> None:
    ports = re.findall(r'^ {6}- "([^"]*:\d+)"', COMPOSE.read_text(), re.MULTILINE)
    assert len(ports) == 4
    assert all(port.startswith(f"{LOOPBACK}:") for port in ports)


def test_a_taken_port_is_named_before_anything_is_written(tmp_path: Path) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ServerFailed, match=f"port {port} of {LOOPBACK}"):
            Neo4jServer("5.26", tmp_path / "home", port=port).start()
    assert not (tmp_path / "home").exists()
