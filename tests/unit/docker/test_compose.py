"""What the compose files promise: nothing is open by default, and each part waits for the next."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.servers import ROOT
from tests.servers.fuseki import version
from tests.servers.neo4j_lines import LINES
from tests.unit.docker.files import (
    COMPOSE,
    DOCKER,
    FUSEKI,
    last_stage,
    program,
    run_shell,
    services,
)

import isomatch
from isomatch.settings.service import ServiceSettings

SECRET = re.compile(r"(PASSWORD|TOKEN|KEY|AUTH)$")
SETUPS = [pytest.param(path, id=name) for name, path in COMPOSE.items()]


@pytest.mark.parametrize("path", SETUPS)
def test_secrets_come_from_the_environment_and_must_be_set(path: Path) -> None:
    found = []
    for service in services(path).values():
        for name, value in service.get("environment", {}).items():
            if SECRET.search(name):
                assert re.search(r"^(neo4j/)?\$\{\w+:\?set \w+ to .+\}$", value), name
                found.append(name)
    assert "ISOMATCH_SERVE_TOKEN" in found


@pytest.mark.parametrize("path", SETUPS)
def test_ports_are_published_on_loopback(path: Path) -> None:
    for name, service in services(path).items():
        for port in service.get("ports", []):
            assert port.startswith(("127.0.0.1:", "${ISOMATCH_ADDRESS:-127.0.0.1}:")), name


@pytest.mark.parametrize("path", SETUPS)
def test_containers_have_few_rights(path: Path) -> None:
    for name, service in services(path).items():
        assert "no-new-privileges:true" in service["security_opt"], name
        if name == "neo4j":  # its image changes owners, and writes its settings
            continue
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["tmpfs"] == ["/tmp"], name


@pytest.mark.parametrize("path", SETUPS)
def test_the_service_waits_for_database_and_index(path: Path) -> None:
    found = services(path)
    waits = {name: need["condition"] for name, need in found["isomatch"]["depends_on"].items()}
    for name, condition in waits.items():
        if condition == "service_healthy":
            assert _has_health_check(found[name]), name
        else:
            assert condition == "service_completed_successfully"
            assert found[name]["restart"] == "no"
            assert found[name]["healthcheck"] == {"disable": True}
    assert (
        set(waits)
        == {
            "embedded": {"load"},
            "neo4j": {"neo4j", "qdrant", "index"},
            "sparql": {"fuseki", "qdrant", "index"},
        }[path.stem]
    )


def _has_health_check(service: dict[str, Any]) -> bool:
    if "healthcheck" in service:
        return "test" in service["healthcheck"]
    return "fuseki" in service["image"] and "HEALTHCHECK" in dict(last_stage(FUSEKI))


@pytest.mark.parametrize("path", SETUPS)
def test_the_service_has_time_to_end(path: Path) -> None:
    seconds = int(services(path)["isomatch"]["stop_grace_period"].removesuffix("s"))
    assert seconds > ServiceSettings().stop_seconds
    stop = re.search(r"--stop-timeout (\d+)", (ROOT / "docs" / "containers.md").read_text("utf-8"))
    assert stop
    assert int(stop[1]) == seconds


@pytest.mark.parametrize("path", SETUPS)
def test_data_is_in_volumes_that_are_declared(path: Path) -> None:
    declared = yaml.safe_load(path.read_text(encoding="utf-8"))["volumes"].keys()
    used = set()
    for service in services(path).values():
        for volume in service["volumes"]:
            if isinstance(volume, str):
                used.add(volume.split(":")[0])
            else:  # of the machine: what is missing is not made, and nothing is written
                assert volume["bind"] == {"create_host_path": False}
                assert volume["read_only"] is True
    assert used == set(declared)


def test_images_have_the_tested_versions() -> None:
    images = {service["image"] for path in COMPOSE.values() for service in services(path).values()}
    (client,) = re.findall(
        r"^qdrant-client==(\d+)\.(\d+)", (ROOT / "constraints.txt").read_text("utf-8"), re.M
    )
    (qdrant,) = [image for image in images if image.startswith("qdrant/")]
    server = re.fullmatch(r"qdrant/qdrant:v(\d+)\.(\d+)\.\d+-unprivileged", qdrant)
    assert server
    # The client warns of a server that is more than one minor version away.
    assert server[1] == client[0]
    assert abs(int(server[2]) - int(client[1])) <= 1
    assert images - {qdrant} == {
        f"isomatch:${{ISOMATCH_VERSION:-{isomatch.__version__}}}",
        f"isomatch-fuseki:{version()}",
        f"neo4j:{LINES['5.26'].version}-community",
    }


def test_the_first_start_loads_and_indexes(tmp_path: Path) -> None:
    entrypoint, script = _script("embedded", tmp_path)
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "a.ttl").touch()
    first = run_shell(entrypoint, script, tmp_path, "isomatch")
    assert first.stderr == f"isomatch load {tmp_path}/files/a.ttl\nisomatch index\n"
    failed = run_shell(entrypoint, script, tmp_path, "isomatch", {"load": 4})
    assert failed.returncode == 4
    assert "index" not in failed.stderr
    (tmp_path / "data" / "graph").mkdir(parents=True)
    (tmp_path / "data" / "graph" / "isomatch-graph.json").touch()
    assert run_shell(entrypoint, script, tmp_path, "isomatch").stderr == "isomatch index\n"


def test_a_load_of_fuseki_that_fails_is_not_served(tmp_path: Path) -> None:
    entrypoint, script = _script("sparql", tmp_path)
    for folder in ("files", "data", "data/loading"):
        (tmp_path / folder).mkdir()
    (tmp_path / "files" / "a.ttl").touch()
    (tmp_path / "data" / "loading" / "half").touch()
    failed = run_shell(entrypoint, script, tmp_path, "java", {"tdb2.tdbloader": 2})
    assert failed.returncode == 2
    assert not (tmp_path / "data" / "graph").exists()
    assert not (tmp_path / "data" / "loading").exists()


def _script(name: str, folder: Path) -> tuple[str, str]:
    """The option of the shell, and the script of the job that loads, on a folder."""
    load = services(COMPOSE[name])["load"]
    shell, option = load["entrypoint"]
    assert shell == "sh"
    (script,) = load["command"]
    for path in ("/data", "/files"):
        script = script.replace(path, f"{folder}{path}")
    return option, script


@pytest.mark.parametrize("path", SETUPS)
def test_docker_compose_takes_the_file(path: Path, tmp_path: Path) -> None:
    compose = _compose()
    missing = subprocess.run(
        [*compose, "-f", str(path), "config", "--quiet"],
        env=_environment(tmp_path),
        capture_output=True,
        text=True,
        check=False,
    )
    assert missing.returncode != 0
    assert "is missing a value: set " in missing.stderr
    secrets = ("ISOMATCH_SERVE_TOKEN", "NEO4J_PASSWORD", "QDRANT_API_KEY")
    done = subprocess.run(
        [*compose, "-f", str(path), "config"],
        env={
            **_environment(tmp_path),
            "ISOMATCH_FILES": str(tmp_path),
            **dict.fromkeys(secrets, "of-the-test"),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert yaml.safe_load(done.stdout)["services"].keys() == services(path).keys()


def _environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home)}


def _compose() -> list[str]:
    docker = program("docker", "https://docs.docker.com/engine/install/")
    done = subprocess.run([docker, "compose", "version"], capture_output=True, check=False)
    if done.returncode == 0:
        return [docker, "compose"]
    return [program("docker-compose", "version 2, Docker's plugin of that name")]


def test_every_file_of_the_folder_is_one_of_these() -> None:
    shared = {"isomatch.yaml", "qdrant.yaml"}
    found = {path.name for path in (DOCKER / "compose").iterdir()}
    assert found == shared | {path.name for path in COMPOSE.values()}
