"""The page on questions: its example runs, and what it says of the code is so."""

from __future__ import annotations

import doctest
import re
from dataclasses import fields
from pathlib import Path

from isomatch.chains import graph
from isomatch.lexicon import draft, lexicon, mentions
from isomatch.lexicon.draft import ClassGuesser
from isomatch.lexicon.lexicon import RelationWords

PAGE = Path(__file__).resolve().parents[3] / "docs" / "questions.md"
TEXT = PAGE.read_text("utf-8")


def test_the_example_of_the_questions_page_runs() -> None:
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert (result.failed, result.attempted > 10) == (0, True)


def test_docstring_examples_of_interpret_run() -> None:
    assert doctest.testmod(lexicon).failed == doctest.testmod(mentions).failed == 0


def test_the_lexicon_of_the_page_can_be_read(tmp_path: Path) -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", TEXT, re.S)
    path = tmp_path / "lexicon.toml"
    path.write_text(block, "utf-8")
    (words,) = lexicon.read_lexicon(path).relations.values()
    assert "other half" in words.nouns


def test_every_key_is_explained() -> None:
    table = TEXT[TEXT.index("| key |") : TEXT.index("More words never harm")]
    assert set(re.findall(r"`(\w+)`", table)) == {f.name for f in fields(RelationWords)}


def test_the_numbers_of_the_questions_page_are_the_codes() -> None:
    drafted = lexicon.draft_lexicon.__kwdefaults__["limit"]
    guessed = ClassGuesser.__init__.__kwdefaults__["limit"]
    assert f"sample of {graph.SAMPLE} nodes" in TEXT
    assert (
        f"the {drafted:,} most frequent relations; class words are guessed for the first {guessed}"
        in TEXT
    )
    assert f"`{mentions.FILE}`" in TEXT
    assert f"`{graph.FILE}`" in TEXT
    assert draft.CLASSES
