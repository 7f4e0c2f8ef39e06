"""WebQSP's questions over a slice of Freebase: the scorer of triples and its baselines.

The slice is biased (what other systems retrieved for these very questions, directions
partly lost), so no figure here is a WebQSP score.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from tests.bench.rows import Row, row

from isomatch.evaluate.datasets import read
from isomatch.evaluate.homes import open_session
from isomatch.learn.entities import Entities
from isomatch.learn.examples import shuffled
from isomatch.learn.triples.data import TripleQuestion
from isomatch.learn.triples.labels import on_shortest_paths
from isomatch.learn.triples.questions import triple_questions
from isomatch.triples.features import Elements
from isomatch.triples.ranking import Surroundings, TripleRanker, open_ranker, order

SEED = 2014
K = 100
MARGIN = 10.0
AROUND = Surroundings(hops=3, cap=300, seconds=None)


def scored(data: Path, seed: int = SEED) -> Iterator[Row]:
    """Train on 70 % of the questions (a seventh held back), measure on the others."""
    from isomatch.learn.triples.training import train

    part = read("webqsp", data / "webqsp")[0]
    with open_session(part, None) as session, tempfile.TemporaryDirectory() as folder:
        entities = Entities(session.index)
        questions = sorted(triple_questions(part.questions, entities.ids), key=lambda q: q.id)
        mixed = shuffled(questions, f"{seed} webqsp")
        count = round(0.7 * len(mixed))
        config = train(
            mixed[:count],
            session,
            folder,
            around=AROUND,
            paths="shortest",
            validation=1 / 7,
            seed=seed,
        )
        yield row("webqsp slice, training", config.training["seconds"], "s", note=part.note)
        elements = Elements.of(session)
        rankers = [
            open_ranker(name, session, model=folder if name == "triples" else None)
            for name in ("triples", "cosine", "pagerank", "one-hop")
        ]
        for ranker in rankers:
            ranker.around, ranker.elements = AROUND, elements
        recalls = measured(rankers, mixed[count:])
    for what, place in (("triple", 0), ("answer", 1)):
        shares = {name: 100 * found[place] for name, found in recalls.items()}
        title = f"webqsp slice, {what} recall@{K}"
        for name, share in shares.items():
            yield row(f"{title}, {name}", share, "%", note=part.note)
        for name in ("cosine", "pagerank"):
            more = shares["triples"] - shares[name]
            yield row(f"{title}, triples above {name}", more, "points", at_least=MARGIN)


def measured(
    rankers: Sequence[TripleRanker], questions: Sequence[TripleQuestion]
) -> dict[str, tuple[float, float]]:
    """Mean recall of triples and of answers of each ranking, over the same neighbourhoods."""
    found: dict[str, list[tuple[float, float]]] = {ranker.name: [] for ranker in rankers}
    for question in questions:
        hood = rankers[0].neighbourhood(question.topics)
        useful = on_shortest_paths(hood, question.answers)
        if not useful.any():
            continue
        answers = [i for i, id in enumerate(hood.nodes) if id in set(question.answers)]
        for ranker in rankers:
            best = order(ranker.scores(question.text, hood))[:K]
            ends = np.union1d(hood.heads[best], hood.tails[best])
            triples = useful[best].sum() / useful.sum()
            found[ranker.name].append((triples, np.isin(answers, ends).mean()))
    return {name: tuple(np.mean(some, axis=0).tolist()) for name, some in found.items()}
