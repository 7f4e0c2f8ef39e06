"""Readings that are right account for their questions: hardly one is refused."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from tests.integration.metaqa_session import metaqa_session
from tests.servers import metaqa

from isomatch.interpret.coverage import CoverageReader
from isomatch.interpret.types import Hypothesis
from isomatch.pattern.types import RelationChain
from isomatch.questions.datasets import read
from isomatch.session import Session

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not metaqa.DATA.exists(), reason=f"MetaQA is not here: {metaqa.DATA}"),
]


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    with metaqa_session(tmp_path_factory) as opened:
        yield opened


def test_readings_of_the_gold_chains_are_whole(session: Session) -> None:
    resources = session.resources
    reader = CoverageReader(resources.schema, resources.lexicon, resources.embedder)
    refused = []
    for part in read("metaqa", metaqa.DATA):
        for question in Random(3).sample(part.questions, 300):
            assert isinstance(question.gold, RelationChain)
            gold = Hypothesis(question.gold.to_pattern(), 1.0, source="gsr")
            mentions = resources.mentions.find(question.text)
            [hypothesis] = reader.read(question.text, mentions, [gold])
            assert hypothesis.coverage is not None
            if hypothesis.coverage.missing:
                refused.append((question.text, hypothesis.coverage.missing))
    assert len(refused) <= 4, refused  # of 900: half a point
