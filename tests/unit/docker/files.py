"""The files of `docker/`, read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.servers import ROOT

DOCKER = ROOT / "docker"
DOCKERFILE = DOCKER / "Dockerfile"
FUSEKI = DOCKER / "fuseki" / "Dockerfile"
COMPOSE = {name: DOCKER / "compose" / f"{name}.yaml" for name in ("embedded", "neo4j", "sparql")}
CHART = DOCKER / "helm"


def services(path: Path) -> dict[str, dict[str, Any]]:
    """The services of a compose file, with what they extend."""
    own = yaml.safe_load(path.read_text(encoding="utf-8"))["services"]
    return {name: _extended(path, own, name) for name in own}


def _extended(path: Path, own: dict[str, Any], name: str) -> dict[str, Any]:
    service = dict(own[name])
    base = service.pop("extends", None)
    if base is None:
        return service
    file = path.parent / base["file"] if "file" in base else path
    others = yaml.safe_load(file.read_text(encoding="utf-8"))["services"]
    merged = _extended(file, others, base["service"])
    for key, value in service.items():
        under = merged.get(key)
        if isinstance(value, dict) and isinstance(under, dict):
            merged[key] = {**under, **value}
        else:
            merged[key] = under + value if isinstance(under, list) and key == "volumes" else value
    return merged


def instructions(path: Path) -> list[tuple[str, str]]:
    """(name, rest) of every line of a Dockerfile, continued lines joined."""
    text = re.sub(r"^\s*#.*\n", "", path.read_text(encoding="utf-8"), flags=re.M)
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines if line.strip()]


def last_stage(path: Path) -> list[tuple[str, str]]:
    """The instructions of the stage that becomes the image."""
    found = instructions(path)
    begin = max(i for i, (name, _) in enumerate(found) if name == "FROM")
    return found[begin:]


def run_shell(
    option: str, script: str, folder: Path, name: str, exits: dict[str, int] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a script of a container as ``sh OPTION SCRIPT``, with a program that only says its name.

    It writes its name and arguments to standard error, and exits with the number that
    ``exits`` has for its first argument, else with 0.
    """
    ends = "".join(f"{argument}) exit {code} ;; " for argument, code in (exits or {}).items())
    bin = folder / "bin"
    bin.mkdir(exist_ok=True)
    (bin / name).write_text(
        f'#!/bin/sh\necho {name} "$@" >&2\ncase $1 in {ends}esac\n', encoding="utf-8"
    )
    (bin / name).chmod(0o755)
    return subprocess.run(
        ["sh", option, script],
        cwd=folder,
        env={"PATH": f"{bin}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def program(name: str, how: str) -> str:
    """The path of a program; the test skips where it is missing, and says how to get it."""
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not installed: {how}")
    return found
