"""The page on the index: its example runs, its numbers are the code's."""

from __future__ import annotations

import doctest
from pathlib import Path

from isomatch.link import build, edge, linker, minilm, normalise, static

PAGE = Path(__file__).resolve().parents[3] / "docs" / "indexing.md"


def test_the_example_of_the_indexing_page_runs() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert (result.failed, result.attempted > 10) == (0, True)


def test_docstring_examples_of_link_run() -> None:
    assert doctest.testmod(normalise).failed == 0


def test_the_numbers_of_the_indexing_page_are_the_codes() -> None:
    text = PAGE.read_text("utf-8")
    assert f"below {edge.SCANS_FROM:,} texts" in text
    assert f"from {build.APPROXIMATE_FROM:,} texts on" in text
    assert f"last {build.PARTITION:,} texts" in text
    assert f"Up to {linker.WHOLE:,} texts" in text
    assert f"below {linker.ZERO} it is 0" in text
    assert f"{static.COMPONENTS} numbers" in text
    assert f"{static.LETTERS} numbers" in text
    assert (static.SHARE, "with a fifth of the squared length" in text) == (0.2, True)
    assert f"over {minilm.MOST_TOKENS} tokens" in text
