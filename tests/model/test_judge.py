"""A judge that is a real and weak model: what it says has the form, or is counted as invalid.

Nothing here asks whether it judges well; how well is printed.
"""

from __future__ import annotations

from pathlib import Path
from typing import get_args

from isomatch.judge.judge import Judge
from isomatch.judge.log import VerdictLog
from isomatch.judge.search import GraphSearch
from isomatch.judge.self_test import self_test
from isomatch.judge.types import CRITERIA, METRICS, Outcome
from isomatch.llm import ChatModel
from isomatch.session import Session

ANSWER = "Michael Mann directed Heat [1]. Al Pacino wrote it."
FACTS = ["[1] Heat | directed by | Michael Mann", "[2] Heat | written by | Michael Mann"]


def test_a_judgement_has_the_form_or_says_that_it_has_not(
    session: Session, model: ChatModel, tmp_path: Path
) -> None:
    log = tmp_path / "verdicts.jsonl"
    judge = Judge(model, search=GraphSearch(session), searches=1, log=VerdictLog(log))
    judged = judge.judge("Who made Heat?", ANSWER, FACTS, FACTS, right=["Michael Mann"])
    assert set(judged.scores) == set(METRICS)
    assert all(score is None or -1.5 <= score <= 1 for score in judged.scores.values())
    for verdict in judged.verdicts:
        assert verdict.outcome in get_args(Outcome)
        assert verdict.reason
    for metric in CRITERIA:
        (verdict,) = [v for v in judged.verdicts if v.metric == metric]
        assert (verdict.outcome == "rated") == (judged.scores[metric] is not None)
    assert judged.usage.requests >= 2
    before = model.usage
    again = Judge(model, search=GraphSearch(session), searches=1, log=VerdictLog(log))
    assert again.judge("Who made Heat?", ANSWER, FACTS, FACTS, right=["Michael Mann"]) == judged
    assert model.usage == before
    print(f"\n{judged.scores}, {judged.invalid} invalid, {judged.usage}")


def test_the_judge_is_judged(session: Session, model: ChatModel) -> None:
    tested = self_test(Judge(model, ["factscore"]), session, n=6)
    assert len(tested.facts) == 6
    assert 0 <= tested.accuracy <= 1
    right = sum(tested.of(truth)[0] for truth in ("true", "swapped", "invented"))
    assert tested.accuracy == right / 6
    print(f"\n{tested.words()}")
