"""Which Java a server runs on."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.servers import ServerUnavailable
from tests.servers.jdk import Java, choose_java, find_java, installed_javas, major_version


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ('IMPLEMENTOR="Debian"\nJAVA_VERSION="17.0.15"\nJAVA_VERSION_DATE="2025-04-15"', 17),
        ('JAVA_VERSION="25"', 25),
        ('JAVA_VERSION="1.8.0_402"', 8),
        ('openjdk version "21.0.5" 2024-10-15\nOpenJDK Runtime Environment', 21),
        ('java version "1.8.0_202"', 8),
        ("The operation couldn't be completed. Unable to locate a Java Runtime.", None),
    ],
)
def test_the_major_version_is_read_from_javas_output(text: str, version: int | None) -> None:
    assert major_version(text) == version


def test_the_first_that_fits_is_chosen() -> None:
    eight, seventeen, newest = (Java(Path(f"/{v}/bin/java"), v) for v in (8, 17, 25))
    assert choose_java([eight, newest, seventeen], 17, 21) == seventeen
    assert choose_java([eight, newest, seventeen], 17) == newest
    assert choose_java([eight, seventeen], 21) is None


def test_java_home_comes_before_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = _fake_jdk(tmp_path / "home", 'JAVA_VERSION="21.0.1"')
    path = _fake_jdk(tmp_path / "path", 'JAVA_VERSION="17.0.1"')
    monkeypatch.setenv("JAVA_HOME", str(home.parent.parent))
    monkeypatch.setenv("PATH", str(path.parent))
    first, second, *_ = installed_javas()
    assert (first, second) == (Java(home, 21), Java(path, 17))
    assert find_java(17, 21) == first


def test_a_java_without_release_file_is_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = _fake_jdk(tmp_path, None, script="echo 'openjdk version \"99.0.1\"' >&2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert find_java(99) == Java(java, 99)


def test_what_is_missing_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    java = _fake_jdk(tmp_path, 'JAVA_VERSION="17.0.1"')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(ServerUnavailable, match=rf"Java 1000 or newer .* 17 \({java}\)"):
        find_java(1000)


def _fake_jdk(home: Path, release: str | None, script: str = "exit 1") -> Path:
    java = home / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(0o755)
    if release is not None:
        (home / "release").write_text(release)
    return java
