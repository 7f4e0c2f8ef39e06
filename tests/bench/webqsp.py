"""WebQSP's questions over a slice of Freebase: the scorer of triples and its baselines.

The slice is biased (what other systems retrieved for these very questions, directions
partly lost), so no figure here is a WebQSP score.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tests.bench.rows import Row, row

from isomatch.learn.config import TriplesConfig
from isomatch.learn.triples.data import TripleQuestion, on_shortest_paths, triple_questions
from isomatch.learn.walks import Entities
from isomatch.options import Paths
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import read
from isomatch.seed import shuffled
from isomatch.triples.features import Elements
from isomatch.triples.rankers import open_ranker
from isomatch.triples.ranking import Surroundings, TripleRanker, order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.link.embedder import Embedder

SEED = 2014
KS = (10, 25, 50, 100)
K = KS[-1]
MARGIN = 10.0
AROUND = Surroundings(hops=3, cap=300, seconds=None)


def scored(data: Path, questions: int, seed: int = SEED) -> Iterator[Row]:
    """Train on 70 % of the questions (a seventh held back), measure on some of the others.

    Args:
        questions: how many; of all of them some 480 have a useful triple.
    """
    from isomatch.learn.triples.training import train

    part = read("webqsp", data / "webqsp")[0]
    with open_session(part, None) as session, tempfile.TemporaryDirectory() as folder:
        entities = Entities(session.index)
        asked = sorted(triple_questions(part.questions, entities.ids), key=lambda q: q.id)
        mixed = shuffled(asked, f"{seed} webqsp")
        count = round(0.7 * len(mixed))
        config = train(
            mixed[:count],
            session.resources,
            Path(folder),
            TriplesConfig(around=AROUND, paths=Paths.shortest, validation=1 / 7, seed=seed),
        )
        yield row("webqsp slice, training", config.training["seconds"], "s", note=part.note)
        elements = Elements(session.resources)
        elements.embedder = Remembering(session.embedder)
        rankers = [
            open_ranker(name, session.resources, model=folder if name == "triples" else None)
            for name in ("triples", "cosine", "pagerank", "one-hop")
        ]
        for ranker in rankers:
            ranker.around, ranker.elements = AROUND, elements
        found, ceiling, sizes = measured(rankers, mixed[count:][:questions])
    far = sizes > K
    yield row("webqsp slice, questions measured", len(far), "", note=part.note)
    yield row(f"webqsp slice, of these with more than {K} triples", int(far.sum()), "")
    for place, k in enumerate(KS):
        title = f"webqsp slice, triple recall@{k}"
        yield row(f"{title}, of a perfect ranking", 100 * ceiling[:, place].mean(), "%")
        for name, shares in found.items():
            yield row(f"{title}, {name}", 100 * shares[:, 0, place].mean(), "%", note=part.note)
    for name, shares in found.items() if far.any() else ():
        title = f"webqsp slice, triple recall@{K} where there are more triples, {name}"
        yield row(title, 100 * shares[far, 0, -1].mean(), "%", note=part.note)
    for name, shares in found.items():
        title = f"webqsp slice, answer recall@{K}, {name}"
        yield row(title, 100 * shares[:, 1, -1].mean(), "%", note=part.note)
    for name in ("cosine", "pagerank"):
        for place, what in enumerate(("triple", "answer")):
            more = 100 * (found["triples"] - found[name])[:, place, -1].mean()
            title = f"webqsp slice, {what} recall@{K}, triples above {name}"
            yield row(title, more, "points", at_least=MARGIN)


class Remembering:
    """Keeps in memory what the session's embedder would read from its cache each time."""

    def __init__(self, embedder: Embedder):
        self.name, self.dimension, self.close = embedder.name, embedder.dimension, embedder.close
        self._embedder = embedder
        self._kept: dict[str, NDArray[np.float32]] = {}

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._kept]
        if new:
            self._kept.update(zip(new, self._embedder.embed(new), strict=True))
        return np.stack([self._kept[text] for text in texts])


def measured(
    rankers: Sequence[TripleRanker], questions: Sequence[TripleQuestion]
) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.float64], NDArray[np.int64]]:
    """What each ranking finds of each question that has a useful triple.

    Returns:
        By ranking, shape (questions, 2, KS): recall of useful triples, and of answers,
        among the best of each number; that of triples in a perfect ranking, shape
        (questions, KS); how many triples there are to choose from, shape (questions,).
    """
    found: dict[str, list[list[list[float]]]] = {ranker.name: [] for ranker in rankers}
    ceiling, sizes = [], []
    for question in questions:
        hood = rankers[0].neighbourhood(question.topics)
        useful = on_shortest_paths(hood, question.answers)
        if not useful.any():
            continue
        sizes.append(len(hood))
        ceiling.append([min(k / useful.sum(), 1.0) for k in KS])
        answers = [i for i, id in enumerate(hood.nodes) if id in set(question.answers)]
        for ranker in rankers:
            ranked = order(ranker.scores(question.text, hood))
            bests = [ranked[:k] for k in KS]
            ends = [np.union1d(hood.heads[best], hood.tails[best]) for best in bests]
            triples = [useful[best].sum() / useful.sum() for best in bests]
            found[ranker.name].append([triples, [np.isin(answers, e).mean() for e in ends]])
    shares = {name: np.array(some) for name, some in found.items()}
    return shares, np.array(ceiling), np.array(sizes)
