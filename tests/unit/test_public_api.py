"""The public names: those of this list, no more and no fewer, and all that the pages use."""

from __future__ import annotations

import ast
import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import isomatch
from isomatch import errors

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(isomatch.__file__).parent
PUBLIC = (
    *("Answer", "Evidence", "Hypothesis", "Sentence"),
    *("Session", "open", "Settings", "Options", "make_index", "load", "parse"),
    *("Pattern", "Node", "Edge", "Condition", "Aggregate", "Each", "Order"),
    *("Part", "RelationChain"),
    *(
        "MatchResult",
        "Interpretation",
        "Match",
        "Bound",
        "Triple",
        "Choice",
        "Count",
        "Group",
        "OptionalValues",
        "Certificate",
        "Profile",
        "Explanation",
        "Finding",
    ),
    *("Schema", "Index", "Embedder", "open_embedder", "ChatModel", "GSRInterpreter"),
    *("Store", "Neo4jStore", "OxigraphStore", "RdflibStore"),
    *("PatternRetriever", "TripleRetriever", "EvidenceRetriever"),
    *("RetrieverResult", "RetrieverResultItem"),
    *("Judge", "Judged", "Verdict", "VerdictLog", "EmptyReferenceError"),
    *(
        "to_cypher",
        "to_frame",
        "to_neo4j_graph",
        "to_rdflib",
        "to_rdflib_bindings",
        "to_viz",
        "to_query",
    ),
    *("IsomatchError", "ArtifactError", "ConfigurationError", "EmbeddingError"),
    *(
        "InterpretationError",
        "LoadError",
        "MissingExtraError",
        "ModelError",
        "NotAllowed",
        "PatternError",
    ),
    *(
        "PluginVersionError",
        "QueryRefused",
        "QueryTimeout",
        "SearchCancelled",
        "StoreError",
        "VectorIndexError",
        "WorkerError",
    ),
    *("__version__",),
)
# Their classes are what results and errors are made of: users meet every one of them.
RESULTS = ("isomatch.errors", "isomatch.match.types")
PAGES = sorted([ROOT / "README.md", *(ROOT / "docs").glob("*.md")])


def test_the_public_names_are_those_of_this_list() -> None:
    assert isomatch.__all__ == sorted(PUBLIC) == dir(isomatch)


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(isomatch, name) is not None


def test_the_stub_holds_exports_only() -> None:
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    seen = {
        (alias.name, alias.asname)
        for node in tree.body[1:]
        for alias in (node.names if isinstance(node, ast.ImportFrom) else [ast.alias("?")])
    }
    assert seen == {(name, name) for name in PUBLIC}


@pytest.mark.parametrize("module", RESULTS)
def test_every_class_of_results_and_errors_is_public(module: str) -> None:
    assert _own(import_module(module), inspect.isclass) <= set(isomatch.__all__)


def test_every_conversion_of_a_result_is_public() -> None:
    modules = [
        import_module(f"isomatch.output.{p.stem}") for p in (PACKAGE / "output").glob("*.py")
    ]
    found = {name for module in modules for name in _own(module, inspect.isfunction)}
    assert {name for name in found if name.startswith("to_")} <= set(isomatch.__all__)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_name_that_a_page_uses_is_public(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    lists = re.findall(r"from isomatch import ([\w, ]+)", text)
    names = {name.strip() for each in lists for name in each.split(",")}
    names |= set(re.findall(r"(?<![\w./-])isomatch\.([A-Z]\w*|open|to_\w+)\b(?!\.)", text))
    assert names <= set(isomatch.__all__), page


def test_every_error_is_documented_and_under_one_root() -> None:
    for name in _own(errors, inspect.isclass):
        error = getattr(errors, name)
        assert issubclass(error, errors.IsomatchError)
        assert error.__doc__


def test_an_old_name_is_refused_with_the_new_one() -> None:
    with pytest.raises(AttributeError, match=r"Reading is now called isomatch\.Hypothesis"):
        _ = isomatch.Reading  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no attribute 'Sesion'"):
        _ = isomatch.Sesion  # type: ignore[attr-defined]


def test_importing_the_package_imports_no_part_of_it() -> None:
    tree = ast.parse(Path(isomatch.__file__).read_text(encoding="utf-8"))
    imported = {n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    assert not {module for module in imported if module and module.startswith("isomatch")}


def _own(module: ModuleType, kind: object) -> set[str]:
    """Public names of a kind that a module itself defines."""
    members = inspect.getmembers(module, kind)  # type: ignore[arg-type]
    return {
        name
        for name, value in members
        if value.__module__ == module.__name__ and not name.startswith("_")
    }
