"""ONNX Runtime keeps what it does to itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.servers import ROOT

EMBED = """
from isomatch.link.minilm import OnnxEmbedder
OnnxEmbedder(threads=1).embed(["heat"])
"""


def _files_after(cache: Path, **environment: str) -> set[str]:
    """Names of the files in the user's cache folder after a text was embedded."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("ORT_")}
    subprocess.run(
        [sys.executable, "-c", EMBED],
        env={**kept, "XDG_CACHE_HOME": str(cache), **environment},
        check=True,
    )
    return {path.name for path in cache.rglob("*") if path.is_file()}


def test_no_identifier_of_the_machine_is_written(tmp_path: Path) -> None:
    assert _files_after(tmp_path) == {"model.onnx", "weights.bin"}


def test_nothing_else_imports_the_runtime_first() -> None:
    for path in (ROOT / "python").rglob("*.py"):
        if path.name != "onnx.py":
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"^\s*import onnxruntime\b", text, re.M), path
