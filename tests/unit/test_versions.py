"""One version, wherever it is written."""

from __future__ import annotations

import re

from tests.servers import ROOT
from tests.servers.neo4j_lines import LINES
from tests.servers.plugin import POM

import isomatch


def test_the_plugin_has_the_version_of_the_package() -> None:
    found = re.search(
        r"<artifactId>isomatch-procedures</artifactId>.*?<version>(.+?)<", _pom(), re.S
    )
    assert found
    assert found[1] == isomatch.__version__


def test_the_plugin_is_built_against_the_oldest_server() -> None:
    found = re.search(r"<neo4j\.version>(.+?)<", _pom())
    assert found
    assert found[1] == LINES["5.26"].version


def test_pages_name_the_jar_of_this_version() -> None:
    pages = [ROOT / "docs" / "procedures.md", ROOT / "db" / "neo4j" / "README.md"]
    pages.append(ROOT / "docker" / "neo4j.compose.yaml")
    pages.append(ROOT / "docker" / "compose" / "neo4j.yaml")
    for page in pages:
        named = set(re.findall(r"isomatch-procedures-([\d.]+)\.jar", page.read_text("utf-8")))
        assert named == {isomatch.__version__}, page


def _pom() -> str:
    return POM.read_text(encoding="utf-8")
