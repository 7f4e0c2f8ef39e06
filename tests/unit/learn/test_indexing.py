"""Indexing data name every relation both ways, masked as questions are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.unit.learn.toy import DIRECTED, STARRED, WRITTEN, toy

from isomatch.chains.graph import Step
from isomatch.learn.generated import index_examples
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.relation_words import RelationWords
from isomatch.trained.masking import MASK

LEXICON = Lexicon(
    {
        DIRECTED: RelationWords("film", "person", ("director",), ("film",), (), ("directed",)),
        WRITTEN: RelationWords("film", "person", ("writer",), ("film",), (), ("wrote",)),
        STARRED: RelationWords("film", "person", ("actor",), ("film",), (), ("acted in",)),
    }
)


def test_every_relation_and_direction_is_asked_for(tmp_path: Path) -> None:
    with toy(tmp_path) as session:
        examples = list(index_examples(session.resources, LEXICON))
        again = list(index_examples(session.resources, LEXICON))
        other = list(index_examples(session.resources, LEXICON, seed=1))
    assert again == examples != other
    steps = Counter(chain[0] for e in examples for chain, _ in e.chains)
    assert set(steps) == {
        Step(r, back) for r in (DIRECTED, WRITTEN, STARRED) for back in (False, True)
    }
    assert max(steps.values()) <= 10
    assert all(e.text.count(MASK) == 1 and e.prompt.startswith("[Index] ") for e in examples)
    assert len({e.id for e in examples}) == len(examples)
    assert len({(e.text, e.chains) for e in examples}) == len(examples)


def test_the_relation_is_said_by_its_name_and_by_the_lexicon(tmp_path: Path) -> None:
    with toy(tmp_path) as session:
        texts = [
            example.text
            for example in index_examples(session.resources, LEXICON)
            if example.chains[0][0][0].relation == STARRED
        ]
    own = [text for text in texts if "starred actors" in text]
    assert own
    assert len(own) < len(texts)
