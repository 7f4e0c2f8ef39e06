"""What docs/procedures.md shows is what a real server gives, through the driver."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import neo4j
import pytest
from neo4j.graph import Node, Relationship

pytestmark = pytest.mark.usefixtures("plugin")

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "procedures.md").read_text(encoding="utf-8")
SAMPLE = (ROOT / "db" / "neo4j" / "sample.cypher").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```cypher\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.S | re.M)
# What changes rights, needs the Enterprise edition, or names a transaction that is not there.
LEFT_OUT = ("CREATE ROLE", "REVOKE", "TERMINATE TRANSACTIONS")


def test_the_procedures_page_is_true(empty_neo4j: neo4j.Driver) -> None:
    empty_neo4j.execute_query(SAMPLE)
    compared = 0
    for statement, shown in BLOCK.findall(PAGE):
        if statement.startswith(LEFT_OUT):
            continue
        found = empty_neo4j.execute_query(statement)
        if shown:
            lines = [", ".join(map(told, record.values())) for record in found.records]
            assert [", ".join(found.keys), *lines] == shown.splitlines(), statement
            compared += 1
    assert compared > 10


def told(value: Any) -> str:
    """A value as `cypher-shell --format plain` prints it; keys of maps in order."""
    if value is None or isinstance(value, bool):
        return {None: "NULL", True: "true", False: "false"}[value]
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(map(told, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {told(value[key])}" for key in sorted(value)) + "}"
    assert not isinstance(value, (Node, Relationship)), "the page prints what all can read"
    return str(value)
