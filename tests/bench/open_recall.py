"""Answers inside the evidence at 100 facts: each form, the trained scorer, PageRank alone.

Steiner subgraphs are also made with the scorer's ranking as prizes. All choose from the same
surroundings of a question's topics, where these have more than 100 facts.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tests.bench.rows import Row, row
from tests.bench.webqsp import AROUND, SEED, Remembering

from isomatch.learn.config import TriplesConfig
from isomatch.learn.triples.data import TripleQuestion, triple_questions
from isomatch.learn.triples.training import train
from isomatch.learn.walks import Entities
from isomatch.options import OPEN_FORMS, OpenForm, Paths, PrizeOptions
from isomatch.prizes.selection import select_from
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import Part, read
from isomatch.seed import shuffled
from isomatch.triples.features import Elements
from isomatch.triples.rankers import open_ranker
from isomatch.triples.ranking import TripleRanker, order

if TYPE_CHECKING:
    from isomatch.session import Session

MOST = 100
# Facts that close a ring are not in a tree: more prizes fill the places that they leave.
PRIZES = 150
METAQA = 500  # questions of each part, 2 hops and 3, of which 70 % train
ALL = PrizeOptions(least_rank=0, most_nodes=None, proof_seconds=0)
OURS = "steiner with the scorer's prizes"


def recall(data: Path, questions: int) -> Iterator[Row]:
    """Both sets; ``questions`` of each at most."""
    for name in ("metaqa", "webqsp"):
        yield from _of_set(name, read(name, data / name), questions)


def _of_set(name: str, parts: Sequence[Part], questions: int) -> Iterator[Row]:
    far = [part for part in parts if name != "metaqa" or part.name != "1hop"]
    most = METAQA if name == "metaqa" else None
    asked = [q for part in far for q in shuffled(part.questions, f"{SEED} open")[:most]]
    with open_session(parts[0], None) as session, tempfile.TemporaryDirectory() as folder:
        known = triple_questions(asked, Entities(session.index).ids)
        mixed = shuffled(sorted(known, key=lambda q: q.id), f"{SEED} {name}")
        count = round(0.7 * len(mixed))
        config = TriplesConfig(around=AROUND, paths=Paths.shortest, validation=1 / 7, seed=SEED)
        train(mixed[:count], session.resources, Path(folder), config)
        found = _measured(session, Path(folder), mixed[count:][:questions])
    asked_count = len(found["trained scorer"])
    yield row(f"{name}, questions measured", asked_count, "", note=parts[0].note)
    alone = {way: 100 * float(np.mean(shares)) for way, shares in found.items()}
    ours = alone.pop(OURS)
    for way, share in alone.items():
        yield row(f"{name}, answers within {MOST} facts, {way}", share, "%")
    title = f"{name}, answers within {MOST} facts, {OURS}"
    yield row(title, ours, "%", at_least=max(alone.values()))


def _measured(
    session: Session, model: Path, questions: Sequence[TripleQuestion]
) -> dict[str, list[float]]:
    """By way: for each question the share of the answers that its facts hold."""
    elements = Elements(session.resources)
    elements.embedder = Remembering(session.embedder)
    scorer = open_ranker("triples", session.resources, model=model)
    pagerank = open_ranker("pagerank", session.resources)
    for ranker in (scorer, pagerank):
        ranker.around, ranker.elements = AROUND, elements
    found: dict[str, list[float]] = {}
    for question in questions:
        hood = scorer.neighbourhood(question.topics)
        answers = set(question.answers) & set(hood.nodes)
        if len(hood) <= MOST or not answers:
            continue

        def ranked(ranker: TripleRanker, text: str = question.text, hood=hood) -> set[str]:
            best = order(ranker.scores(text, hood))[:MOST]
            places = np.union1d(hood.heads[best], hood.tails[best])
            return {hood.nodes[place] for place in places.tolist()}

        def chosen(form: OpenForm, ranker: TripleRanker | None, text=question.text, hood=hood):
            k = PRIZES if form == "steiner" else MOST
            options = ALL.with_(k=k, prizes="scorer" if ranker else "likeness")
            selection = select_from(hood, session.resources, form, text, options, elements, ranker)
            best = sorted(selection.triples, key=lambda one: -one.score)
            kept = selection.triples if form == "paths" else best
            facts = [one.triple for one in kept[:MOST]]
            return {end.id for fact in facts for end in (fact.source, fact.target)}

        ends = {"trained scorer": ranked(scorer), "PageRank": ranked(pagerank)}
        ends.update((form, chosen(form, None)) for form in OPEN_FORMS)
        ends[OURS] = chosen("steiner", scorer)
        for way, nodes in ends.items():
            found.setdefault(way, []).append(len(answers & nodes) / len(answers))
    return found
