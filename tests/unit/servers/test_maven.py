"""Jars are resolved once and whole. `mvn` is a script here, found on PATH as the real one is."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.servers import ServerUnavailable
from tests.servers.maven import resolve

# The last argument is -DoutputDirectory=…
GET = 'out="${7#-DoutputDirectory=}"; mkdir "$out"; echo jar > "$out/a.jar"; echo x >> "$CALLS"'


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A line for each time Maven ran; nothing else of it is on PATH yet."""
    path = tmp_path / "calls"
    path.touch()
    monkeypatch.setenv("CALLS", str(path))
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}/usr/bin{os.pathsep}/bin")
    return path


def _maven(tmp_path: Path, script: str) -> None:
    mvn = tmp_path / "bin" / "mvn"
    mvn.parent.mkdir(exist_ok=True)
    mvn.write_text(f"#!/bin/sh\n{script}\n")
    mvn.chmod(0o755)


def _pom(tmp_path: Path, text: str = "<project/>") -> Path:
    pom = tmp_path / "pom.xml"
    pom.write_text(text)
    return pom


def test_asks_once_and_again_when_the_pom_changed(tmp_path: Path, calls: Path) -> None:
    _maven(tmp_path, GET)
    for text, count in (("<a/>", 1), ("<a/>", 1), ("<b/>", 2)):
        lib = resolve(_pom(tmp_path, text), tmp_path / "cache" / "server")
        assert sorted(path.name for path in lib.iterdir()) == ["a.jar", "pom.xml"]
        assert len(calls.read_text().splitlines()) == count


def test_a_failure_leaves_what_was_there(tmp_path: Path, calls: Path) -> None:
    folder = tmp_path / "cache" / "server"
    _maven(tmp_path, GET)
    lib = resolve(_pom(tmp_path, "<a/>"), folder)
    _maven(tmp_path, GET + '; rm "$out/a.jar"; echo "no such registry"; exit 1')
    with pytest.raises(ServerUnavailable, match=r"(?s)mirrors and proxies.*no such registry"):
        resolve(_pom(tmp_path, "<b/>"), folder)
    assert (lib / "a.jar").exists()
    assert [path.name for path in folder.iterdir()] == ["lib"]
    _maven(tmp_path, GET)
    assert (resolve(_pom(tmp_path, "<b/>"), folder) / "pom.xml").read_text() == "<b/>"


def test_of_several_at_once_one_asks(tmp_path: Path, calls: Path) -> None:
    _maven(tmp_path, f"{GET}; sleep 0.3")
    pom, folder = _pom(tmp_path), tmp_path / "cache" / "server"
    with ThreadPoolExecutor(4) as pool:
        libs = list(pool.map(lambda _: resolve(pom, folder), range(4)))
    assert set(libs) == {folder / "lib"}
    assert len(calls.read_text().splitlines()) == 1


def test_maven_is_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ServerUnavailable, match="install it"):
        resolve(_pom(tmp_path), tmp_path / "cache" / "server")
