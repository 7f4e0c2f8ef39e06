"""What docs/training.md says of training data is so, and its examples run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

from tests.unit.learn.toy import toy

from isomatch.learn import labels, sampling, tie_breaking, weak
from isomatch.trained import masking

PAGE = Path(__file__).resolve().parents[3] / "docs/training.md"
SECTION = PAGE.read_text("utf-8").split("\n## Training data\n")[1].split("\n## ")[0]


def test_the_examples_run(tmp_path: Path) -> None:
    with toy(tmp_path) as session:
        parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
        test = parser.get_doctest(SECTION, {"session": session}, "training.md", str(PAGE), 0)
        assert runner.run(test).failed == 0
    assert len(test.examples) > 10


def test_the_examples_of_docstrings_run() -> None:
    assert not any(doctest.testmod(module).failed for module in (masking, labels))


def test_the_rules_and_reasons_are_the_codes() -> None:
    assert set(re.findall(r"^\| `(\w+)` \| (?:the one|one of|what a|every)", SECTION, re.M)) == set(
        weak.RULES
    )
    reasons = SECTION[SECTION.index("| reason |") :]
    told = set(re.findall(r"^\| `([^`]+)` \|", reasons[: reasons.index("```")], re.M))
    listed = re.search(r"reason: why it fell \((.*?)\), else", weak.Label.__doc__ or "", re.S)
    assert listed is not None
    assert told == {" ".join(r.split()) for r in re.findall(r"``([^`]+)``", listed[1])}


def test_the_numbers_are_the_codes() -> None:
    assert f"F1 must be below {labels.LEAST_F1}" in SECTION
    assert f"up to {weak.PILOT} questions" in " ".join(SECTION.split())
    assert f"parts of {weak.PART} questions" in SECTION
    assert f"first {sampling.NAMES:,}, in batches" in SECTION
    assert f"up to {sampling.RARE:,}" in SECTION
    assert tie_breaking.ALIKE == 5
    assert "five at least" in SECTION
