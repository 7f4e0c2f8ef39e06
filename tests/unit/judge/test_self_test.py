"""A judge is tested on facts whose truth is known, and they are what they are said to be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from tests.unit.judge.scripted import scripted
from tests.unit.learn.toy import FACTS, NAMES, toy

from isomatch.errors import ConfigurationError
from isomatch.judge.judge import Judge
from isomatch.judge.log import VerdictLog
from isomatch.judge.self_test import TRUTHS, make_facts, self_test
from isomatch.session import Session

NOUNS = {"director": "directed by", "writer": "written by", "actor": "starred actors"}
IN_GRAPH = {tuple(NAMES[w] for w in line.split()) for line in FACTS.split("\n") if line}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with toy(tmp_path_factory.mktemp("toy")) as opened:
        yield opened


def told(text: str) -> tuple[str, str, str]:
    """Source, relation and target of a sentence, by their names."""
    noun, source, target = re.fullmatch(
        r"The (\w+?)s? of (.+) (?:is|include) (.+)\.", text
    ).groups()  # type: ignore[union-attr]
    return source, NOUNS[noun], target


def oracle(rules: str, said: list[str]) -> object:
    statement = re.findall(r"Statement: (.*)", said[0])[0]
    true = told(statement) in IN_GRAPH
    return {"reason": "known", "verdict": "supported" if true else "not supported"}


def lazy(rules: str, said: list[str]) -> object:
    return {"reason": "always", "verdict": "not supported"}


@pytest.mark.parametrize("seed", range(5))
def test_true_facts_are_in_the_graph_and_the_others_are_not(session: Session, seed: int) -> None:
    facts = make_facts(session, 15, seed)
    assert sorted(f.truth for f in facts) == sorted(5 * TRUTHS)
    assert len({f.text for f in facts}) == 15
    for fact in facts:
        assert (told(fact.text) in IN_GRAPH) == (fact.truth == "true"), fact
        lines = [tuple(line.split(" | ")) for line in fact.reference]
        assert IN_GRAPH.issuperset(lines)
        if fact.truth == "true":
            assert told(fact.text) in lines
    assert facts == make_facts(session, 15, seed)


def test_swapped_facts_differ_from_one_of_the_graph_in_one_argument(session: Session) -> None:
    for fact in make_facts(session, 15):
        if fact.truth == "swapped":
            source, relation, target = told(fact.text)
            assert any(r == relation and (s == source) != (t == target) for s, r, t in IN_GRAPH), (
                fact
            )


def test_a_perfect_judge_is_told_from_one_that_always_refuses(session: Session) -> None:
    perfect = self_test(Judge(scripted(oracle).model(), ["factscore"]), session, 15)
    assert (perfect.accuracy, perfect.invalid) == (1.0, 0)
    assert perfect.usage.requests == 15
    refusing = self_test(Judge(scripted(lazy).model(), ["factscore"]), session, 15)
    assert refusing.accuracy == pytest.approx(2 / 3)
    assert [refusing.of(truth) for truth in TRUTHS] == [(0, 5), (5, 5), (5, 5)]
    assert "0.67 of 15 facts of known truth right (0 of 5 true, 5 of 5 swapped" in refusing.words()
    assert "always says “not supported” would have 0.67" in refusing.words()
    assert "this one is no better" in refusing.words()
    assert "no better" not in perfect.words()


def test_a_judge_outside_the_form_is_right_of_nothing(session: Session) -> None:
    tested = self_test(Judge(scripted(lambda *_: "true!").model(), ["factscore"]), session, 6)
    assert (tested.accuracy, tested.invalid) == (0.0, 6)
    assert tested.as_json()["invalid"] == 6


def test_a_test_that_was_stopped_goes_on(session: Session, tmp_path: Path) -> None:
    log = tmp_path / "verdicts.jsonl"
    self_test(Judge(scripted(oracle).model(), ["factscore"], log=VerdictLog(log)), session, 6)
    again = scripted(oracle)
    judge = Judge(again.model(), ["factscore"], log=VerdictLog(log))
    assert self_test(judge, session, 6).accuracy == 1.0
    assert again.bodies == []


def test_what_cannot_be_tested_is_refused(session: Session) -> None:
    with pytest.raises(ConfigurationError, match="no judge to test"):
        self_test(Judge(), session)
    with pytest.raises(ConfigurationError, match="at least 3"):
        make_facts(session, 2)
    with pytest.raises(ConfigurationError, match=r"too few facts .* 60 facts"):
        make_facts(session)


def test_an_index_without_nodes_has_no_facts_to_take() -> None:
    index = SimpleNamespace(nodes=SimpleNamespace(setting="ISOMATCH_TEXT_SEARCH"))
    session = cast(Session, SimpleNamespace(index=index))
    with pytest.raises(ConfigurationError, match=r"made without nodes.*ISOMATCH_TEXT_SEARCH"):
        make_facts(session)
