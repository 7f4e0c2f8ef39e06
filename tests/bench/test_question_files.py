"""The question files over our own graphs are whole, and every third question is held."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.bench.questions import OTHER_WORDS, SMALL, paraphrases

from isomatch.evaluate.readonly import reads_only

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

FILES = sorted(Path(__file__).parent.glob("questions_*.toml"))
FILES += sorted(Path(__file__).parent.glob("readings/*.toml"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_question_has_a_kind_and_a_query_or_is_to_be_refused(file: Path) -> None:
    questions = toml.loads(file.read_text(encoding="utf-8"))["question"]
    assert len({one["question"] for one in questions}) == len(questions)
    for number, one in enumerate(questions, 1):
        assert one["kind"]
        assert one.get("held", False) is (number % 3 == 0)
        (language,) = {"cypher", "sparql"} & one.keys()
        assert bool(one[language]) is (one["kind"] != "not in the graph")
        if one[language].startswith("ASK"):
            assert language == "sparql"
        elif one[language]:
            reads_only(one[language], language)


def test_every_paraphrase_stands_for_a_question_with_a_query_that_is_not_held() -> None:
    rows = toml.loads(OTHER_WORDS.read_text(encoding="utf-8"))["question"]
    assert [one.get("held", False) for one in rows] == [n % 3 == 0 for n in range(1, len(rows) + 1)]
    asked = {}
    for graph in dict.fromkeys(one["graph"] for one in rows):
        bank = toml.loads((SMALL / f"{graph}.toml").read_text(encoding="utf-8"))["question"]
        held = {one["question"] for one in bank if one.get("held")}
        assert held.isdisjoint(one["of"] for one in rows if one["graph"] == graph)
        asked |= {one["question"]: one for one in paraphrases(graph, bank)}
        assert asked.keys().isdisjoint(one["question"] for one in bank)
    assert len(asked) == len(rows)
    assert all(one["sparql"] for one in asked.values())
