"""Questions to the knowledge graph that you already run.

isomatch finds the subgraphs that best match a pattern, or a question, and proves
that no better ones exist::

    from isomatch import Session

    with Session.open() as session:
        result = session.match('(?film:film)-[directed by]-("Michael Mann")')
        print([node.name for node in result.answers()])
        print(result.certificate)
        print(session.ask("which films did Michael Mann direct?").text)

`isomatch.open` takes a graph of rdflib, a file, the address of an endpoint or a driver of
Neo4j as it is; `Session.open` what ``isomatch index`` has prepared.

Names are imported when they are first used, so that importing the package, and
with it the command line, costs little.
"""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

# The stub is the one list of public names: type checkers read it, and so does `__getattr__`.
_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_HOME = {name: module for module, name in re.findall(r"(?m)^from (\S+) import (\w+) as \2$", _STUB)}
_RENAMED = {"Reading": "Hypothesis"}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name in _RENAMED:
        raise AttributeError(f"isomatch.{name} is now called isomatch.{_RENAMED[name]}")
    if name not in _HOME:
        raise AttributeError(f"module 'isomatch' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
