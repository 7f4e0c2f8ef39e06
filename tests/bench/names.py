"""Names with one or two letters wrong: is the right node the first of `Session.find`?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

from tests.bench.rows import Row, row
from tests.bench.sets import FOLDERS

from isomatch.link.linker import nearest
from isomatch.link.normalise import normalise
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import read
from isomatch.seed import SEED
from isomatch.session import Session

FEWEST = 4  # letters of a name
LEAST = {1: 0.97, 2: 0.85}  # by letters that are wrong


def misspelled(data: Path, names: int) -> Iterator[Row]:
    """For names of three graphs, one and two slips; the baseline is the embedding alone."""
    for graph, folder in FOLDERS.items():
        with open_session(read(graph, data / folder)[0], None) as session:
            yield from _rows(graph, session, names)


def _rows(graph: str, session: Session, names: int) -> Iterator[Row]:
    random = Random(f"{SEED} {graph}")
    ids: dict[str, set[str]] = {}
    for name, id in session.index.all_names():
        ids.setdefault(name, set()).add(id)
    long = sorted(name for name in ids if len(normalise(name)) >= FEWEST)
    chosen = random.sample(long, min(names, len(long)))
    slipped = dict(zip(chosen, chosen, strict=True))
    times: list[float] = []
    for letters, least in LEAST.items():
        right = alone = 0
        for name, before in slipped.items():
            text = slipped[name] = _slip(before, random)
            lists, _ = nearest(text, 1, session.index, session.embedder)
            alone += lists["node"][0].id in ids[name]
            started = perf_counter()
            found = session.find(text, kinds=("node",), limit=1)
            times.append((perf_counter() - started) * 1e3)
            right += found[0].id in ids[name]
        yield row(
            f"{graph}: {len(chosen)} names, letters wrong: {letters}, right node first",
            right / len(chosen),
            "",
            baseline=alone / len(chosen),
            at_least=least,
            note="the baseline is the nearest by embedding",
        )
    yield row(f"{graph}: find, median", median(times), "ms")


def _slip(name: str, random: Random) -> str:
    """The name with one letter left out, doubled by another, changed or swapped."""
    place = random.randrange(len(name) - 1)
    letter = random.choice("abcdefghijklmnopqrstuvwxyz")
    slips = (
        name[:place] + name[place + 1 :],
        name[:place] + letter + name[place:],
        name[:place] + letter + name[place + 1 :],
        name[:place] + name[place + 1] + name[place] + name[place + 2 :],
    )
    others = [slip for slip in slips if normalise(slip) != normalise(name)]
    return random.choice(others)
