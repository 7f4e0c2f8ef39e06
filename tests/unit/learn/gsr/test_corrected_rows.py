"""Corrected texts among the others: alone in what they mean, shown often, never held back."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.needs import needs

needs("train", "torch", "transformers")

from tests.unit.learn.gsr.tiny import DIRECTOR, VOCABULARY, WRITER, bert, examples  # noqa: E402

from isomatch.learn.examples import Example  # noqa: E402
from isomatch.learn.gsr.backbones import Backbone, build  # noqa: E402
from isomatch.learn.gsr.batches import MOST_SHOWN, Row, rows_of, shown, split  # noqa: E402
from isomatch.trained.masking import MASK  # noqa: E402

TEXT = f"who made {MASK}"


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Backbone:
    return build(bert(Path(tmp_path_factory.mktemp("bert"))), VOCABULARY)


def taught(text: str = TEXT, chain: object = DIRECTOR, source: str = "feedback") -> Example:
    return Example("retrieval", text, ((chain, 1.0),), source, f"{text} {source}")  # type: ignore[arg-type]


def test_of_a_corrected_text_only_corrections_count(network: Backbone) -> None:
    others = [taught(chain=WRITER, source=source) for source in ("weak", "synthetic")]
    (row,), fell = rows_of([*others, taught(), taught()], VOCABULARY, network, 0.5)
    assert (row.corrected, row.chains, fell) == (True, ((2,),), 0)
    assert row.weights == pytest.approx((2**0.5,))


def test_corrections_are_a_tenth_of_what_is_shown(network: Backbone) -> None:
    def row(number: int, corrected: bool) -> Row:
        return Row(f"{number}", (1,), ((2,),), (1.0,), True, corrected)

    for others, corrected, times in ((100, 1, 10), (10, 5, 1), (9000, 2, MOST_SHOWN), (50, 0, 0)):
        rows = [row(i, i < corrected) for i in range(others + corrected)]
        seen = [one.prompt for one in shown(rows)]
        assert len(seen) == others + times * corrected
        assert corrected == 0 or seen.count("0") == times


def test_corrections_are_never_held_back(network: Backbone) -> None:
    rows, _ = rows_of([*examples(), taught()], VOCABULARY, network, 1.0)
    for seed in range(20):
        learned, held = split(rows, 0.5, seed)
        assert len(held) >= 5
        assert any(row.corrected for row in learned)
        assert not any(row.corrected for row in held)
