"""The Helm chart: values that are refused, and what it makes where helm is installed."""

from __future__ import annotations

import copy
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from tests.unit.docker.files import CHART, program, run_shell

import isomatch
from isomatch.settings.service import ServiceSettings

SCHEMA = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
VALUES = yaml.safe_load((CHART / "values.yaml").read_text(encoding="utf-8"))
EXAMPLES = sorted((CHART / "examples").glob("*.yaml"))
HELM = "with Go, `go install helm.sh/helm/v3/cmd/helm@latest`"


def test_the_chart_has_the_version_of_the_package() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))
    assert chart["appVersion"] == isomatch.__version__


def test_the_schema_takes_the_values_and_knows_each() -> None:
    jsonschema.validate(VALUES, SCHEMA)
    assert VALUES.keys() == SCHEMA["properties"].keys() - {"global"}
    for key, schema in SCHEMA["properties"].items():
        if schema.get("additionalProperties") is False:
            assert VALUES[key].keys() == schema["properties"].keys()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_schema_takes_the_examples(path: Path) -> None:
    example = yaml.safe_load(path.read_text(encoding="utf-8"))
    jsonschema.validate(_merged(VALUES, example), SCHEMA)


@pytest.mark.parametrize(
    "change",
    [
        {"setings": ""},
        {"secrets": {"ISOMATCH_SERVE_TOKEN": "a-token"}},
        {"secrets": {"NEO4J_PASSWORD": {"value": "a-password"}}},
        {"secrets": {"ISOMATCH_SERVE_TOKEN": {"name": "", "key": "token"}}},
        {"variables": {"NEO4J_PASSWORD": "a-password"}},
        {"variables": {"lower": "case"}},
        {"replicas": 0},
        {"persistence": {"accessMode": "ReadOnlyMany"}},
        {"service": {"port": 0}},
        {"networkPolicy": {"from": []}},
    ],
    ids=json.dumps,
)
def test_the_schema_refuses(change: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(_merged(VALUES, change), SCHEMA)


def test_a_pod_has_time_to_end() -> None:
    waits = re.search(
        r'command: \["sleep", "(\d+)"\]',
        (CHART / "templates" / "deployment.yaml").read_text(encoding="utf-8"),
    )
    assert waits
    assert VALUES["terminationGracePeriodSeconds"] > ServiceSettings().stop_seconds + int(waits[1])


@pytest.mark.parametrize(
    ("opening", "ends", "indexes"),
    [(0, 0, False), (8, 0, False), (5, 0, True), (4, 4, False), (2, 2, False)],
)
def test_a_pod_indexes_where_no_index_can_be_used(
    opening: int, ends: int, indexes: bool, tmp_path: Path
) -> None:
    text = (CHART / "templates" / "deployment.yaml").read_text(encoding="utf-8")
    found = re.search(r"^( +)- \|\n(.+?esac)\n", text, re.M | re.S)
    assert found
    done = run_shell("-uc", found[2], tmp_path, "isomatch", {"find": opening})
    assert done.returncode == ends
    assert ("isomatch index" in done.stderr) == indexes


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_helm_lint_has_no_remark(path: Path) -> None:
    helm = program("helm", HELM)
    done = _run([helm, "lint", "--strict", str(CHART), "-f", str(path)])
    assert done.returncode == 0, done.stdout
    assert not re.search("WARNING|ERROR", done.stdout)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_helm_makes_what_the_chart_promises(path: Path) -> None:
    made = _template("-f", str(path))
    assert {"Deployment", "Service", "PodDisruptionBudget", "NetworkPolicy"} <= made.keys()
    assert "Secret" not in made
    pod = made["Deployment"]["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["automountServiceAccountToken"] is False
    for container in pod["initContainers"] + pod["containers"]:
        rights = container["securityContext"]
        assert rights["readOnlyRootFilesystem"] is True
        assert rights["allowPrivilegeEscalation"] is False
        assert rights["capabilities"] == {"drop": ["ALL"]}
    (service,) = pod["containers"]
    assert service["livenessProbe"]["httpGet"]["path"] == "/healthz"
    assert service["readinessProbe"]["httpGet"]["path"] == "/readyz"
    labels = made["Deployment"]["spec"]["template"]["metadata"]["labels"]
    for kind, selector in (
        ("Service", made["Service"]["spec"]["selector"]),
        ("NetworkPolicy", made["NetworkPolicy"]["spec"]["podSelector"]["matchLabels"]),
        ("PodDisruptionBudget", made["PodDisruptionBudget"]["spec"]["selector"]["matchLabels"]),
    ):
        assert selector.items() <= labels.items(), kind


@pytest.mark.parametrize("kubernetes", ["1.25", "1.28", "1.32", "1.37"])
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_kubernetes_knows_every_key_that_helm_makes(path: Path, kubernetes: str) -> None:
    try:
        import kubernetes_validate
    except ImportError:
        pytest.skip("kubernetes-validate is not installed: pip install kubernetes-validate")
    for part in _template("-f", str(path), "--kube-version", f"{kubernetes}.0").values():
        kubernetes_validate.validate(part, kubernetes, strict=True)


def test_helm_puts_secrets_in_by_reference() -> None:
    made = _template("-f", str(CHART / "examples" / "neo4j.yaml"))
    (container,) = made["Deployment"]["spec"]["template"]["spec"]["containers"]
    variables = {entry["name"]: entry for entry in container["env"]}
    assert variables["NEO4J_PASSWORD"]["valueFrom"] == {
        "secretKeyRef": {"name": "neo4j-reader", "key": "password"}
    }
    assert variables["ISOMATCH_QDRANT_PREFIX"]["value"] == "graphs-films"
    assert made["ConfigMap"]["data"]["isomatch.toml"].startswith("neo4j_uri")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([], "settings: name the database"),
        (["settings=neo4j_password = 'x'"], "settings: neo4j_password is a secret"),
        (["settings=Authorization = 'Bearer x'"], "settings: Authorization is a secret"),
        (
            ["settings=endpoint = 'http://x'", "secrets.ISOMATCH_SERVE_TOKEN=null"],
            "secrets: name the Secret of ISOMATCH_SERVE_TOKEN",
        ),
        (["settings=endpoint = 'http://x'", "replicas=2"], "persistence.accessMode"),
        (["settings=endpoint = 'http://x'", "replica=2"], "replica"),
    ],
)
def test_helm_refuses_values_that_cannot_work(given: list[str], message: str) -> None:
    helm = program("helm", HELM)
    options = [option for value in given for option in ("--set", value)]
    done = _run([helm, "template", "films", str(CHART), "--kube-version", "1.32.0", *options])
    assert done.returncode != 0
    assert message in done.stderr


def _template(*options: str) -> dict[str, Any]:
    helm = program("helm", HELM)
    command = [helm, "template", "films", str(CHART), "-n", "graphs"]
    done = _run([*command, "--kube-version", "1.32.0", *options])
    assert done.returncode == 0, done.stderr
    return {part["kind"]: part for part in yaml.safe_load_all(done.stdout) if part}


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def _merged(values: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    merged = copy.deepcopy(values)
    for key, value in change.items():
        under = merged.get(key)
        both = isinstance(value, dict) and isinstance(under, dict)
        merged[key] = _merged(under, value) if both else value
    return merged
