"""Compiled texts against one reviewed file a case.

``UPDATE_GOLDEN=1`` rewrites the files; read the difference before you commit it.
"""

from __future__ import annotations

import os
from difflib import unified_diff
from pathlib import Path

import pytest

from isomatch.store.base import Query

HINT = "if the change is meant, UPDATE_GOLDEN=1 pytest tests/unit/compile rewrites the files"


def golden_text(query: Query, comment: str) -> str:
    """The text with its interface above it, as comments."""
    lines = [f"{comment} columns: {' '.join(query.columns)}"]
    if query.parameters:
        lines.append(f"{comment} parameters: {' '.join(query.parameters)}")
    return "\n".join([*lines, query.text, ""])


def check(path: Path, compiled: str) -> None:
    """Fail with the difference where a text is not the reviewed one."""
    if os.environ.get("UPDATE_GOLDEN") == "1":
        path.parent.mkdir(exist_ok=True)
        path.write_text(compiled, encoding="utf-8")
    if not path.exists():
        pytest.fail(f"no golden file {path.name}; {HINT}", pytrace=False)
    reviewed = path.read_text(encoding="utf-8")
    if compiled != reviewed:
        difference = unified_diff(
            reviewed.splitlines(), compiled.splitlines(), path.name, "compiled", lineterm=""
        )
        pytest.fail("\n".join([*difference, HINT]), pytrace=False)
