"""Readings that are right account for their questions: hardly one is refused."""

from __future__ import annotations

from random import Random

from tests.integration.metaqa_session import NEEDED
from tests.servers import metaqa

from isomatch.interpret.coverage.reader import CoverageReader
from isomatch.interpret.types import Hypothesis
from isomatch.pattern.types import RelationChain
from isomatch.questions.datasets import read
from isomatch.session import Session

pytestmark = NEEDED


def test_readings_of_the_gold_chains_are_whole(embedded_metaqa: Session) -> None:
    resources = embedded_metaqa.resources
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
