"""What the scorer of triples learns from: neighbourhoods of questions with their labels.

A question is a file in the work folder, written whole, so that an interrupted run goes
on where it was. Of a question that is learnt from, a seeded sample of the triples that
are of no use is kept; of one that is held back all are, because recall is measured there.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from isomatch.errors import ArtifactError
from isomatch.learn.triples.labels import on_chains, on_shortest_paths
from isomatch.trained.artifact import whole
from isomatch.triples.features import Elements, has_words
from isomatch.triples.graph_features import ROUNDS
from isomatch.triples.similarity import FORM, Features, node_features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.chains.graph import Chain, Nodes
    from isomatch.triples.neighbourhood import Neighbourhood

    Floats = NDArray[np.float32]
    Places = NDArray[np.int64]

Paths = Literal["chains", "shortest"]
NEGATIVES = 600  # triples of no use, a question


@dataclass(frozen=True, slots=True)
class TripleQuestion:
    """A question with its answers in the graph.

    Attributes:
        id, text: of the question.
        topics, answers: ids of nodes.
        chains: those that explain the answers, each with the ids it starts from; not
            needed for shortest paths.
    """

    id: str
    text: str
    topics: tuple[str, ...]
    answers: tuple[str, ...]
    chains: tuple[tuple[tuple[str, ...], Chain], ...] = ()


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question's triples as places in lists of its own.

    Attributes:
        text: of the question.
        names: of its nodes; empty for those without words.
        relations: words of all relations of the neighbourhood.
        heads, links, tails: shape (triples,).
        encoded: what the nodes have beside their names, see
            `isomatch.triples.similarity.node_features`.
        useful: which triples are, shape (triples,).
        answers: places of the answers among the nodes.
    """

    text: str
    names: tuple[str, ...]
    relations: tuple[str, ...]
    heads: Places
    links: Places
    tails: Places
    encoded: Floats
    useful: NDArray[np.bool_]
    answers: Places

    def __len__(self) -> int:
        return len(self.heads)


@dataclass(frozen=True, slots=True)
class How:
    """How labels are made; a work folder of another way is not used again.

    Attributes:
        paths: triples on the paths of ``chains``, or on the ``shortest`` ones.
        nodes: see `isomatch.learn.triples.labels.on_chains`.
        negatives: how many triples of no use are kept of a question.
        seed: of their choice.
        graph: what tells graph, neighbourhoods and embedder from others.
        features, rounds, form: see `isomatch.triples.similarity`.
    """

    paths: Paths
    nodes: Nodes
    negatives: int
    seed: int
    graph: str
    features: Features = "similar"
    rounds: int = ROUNDS
    form: int = FORM


def prepare(
    questions: Sequence[TripleQuestion],
    held: frozenset[str],
    hood_of: Callable[[Sequence[str]], Neighbourhood],
    texts: Mapping[str, str],
    elements: Elements,
    folder: Path,
    how: How,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[dict[str, Path], Counter[str]]:
    """Write each question's labelled triples to a file, where it is not there yet.

    Args:
        held: ids of the questions that are held back.
        hood_of: the neighbourhood of some nodes.
        texts: words of each relation, by id.
        elements: the vectors.
        folder: the work folder.
        progress: called with (questions done, of how many).

    Returns:
        File by id of the question, and why the others fell.

    Raises:
        ArtifactError: a file cannot be written.
        StoreError: the database failed.
    """
    found: dict[str, Path] = {}
    fell: Counter[str] = Counter()
    for number, question in enumerate(questions, 1):
        path = folder / f"{_digest(question, question.id in held, how)}.npz"
        if path.exists():
            reason = _reason(path)
        else:
            reason = _write(path, question, question.id in held, hood_of, texts, elements, how)
        if reason:
            fell[reason] += 1
        else:
            found[question.id] = path
        if progress is not None:
            progress(number, len(questions))
    return found, fell


def read(path: Path) -> Labelled:
    """The labelled triples of a file that `prepare` wrote.

    Raises:
        ArtifactError: it is damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as kept:
            words = json.loads(kept["words"].tobytes())
            return Labelled(
                words["text"],
                tuple(words["names"]),
                tuple(words["relations"]),
                kept["heads"].astype(np.int64),
                kept["links"].astype(np.int64),
                kept["tails"].astype(np.int64),
                kept["encoded"].astype(np.float32),
                kept["useful"],
                kept["answers"].astype(np.int64),
            )
    except (OSError, ValueError, KeyError) as error:
        raise ArtifactError(
            f"{path} is damaged ({error}): delete it and train again, with --resume"
        ) from error


def _reason(path: Path) -> str:
    try:
        with np.load(path, allow_pickle=False) as kept:
            return str(json.loads(kept["words"].tobytes())["fell"])
    except (OSError, ValueError, KeyError) as error:
        raise ArtifactError(
            f"{path} is damaged ({error}): delete it and train again, with --resume"
        ) from error


def _write(
    path: Path,
    question: TripleQuestion,
    held: bool,
    hood_of: Callable[[Sequence[str]], Neighbourhood],
    texts: Mapping[str, str],
    elements: Elements,
    how: How,
) -> str:
    """Label a question's triples; why it falls, or nothing."""
    if not question.topics:
        return _save(path, "no topic node", {}, {})
    hood = hood_of(question.topics)
    if how.paths == "shortest":
        useful = on_shortest_paths(hood, question.answers)
    else:
        useful = on_chains(hood, question.chains, question.answers, how.nodes)
    if not useful.any():
        return _save(path, "no path to an answer in the neighbourhood", {}, {})
    encoded = node_features(
        hood,
        elements.question(question.text),
        elements.nodes(hood)[0],
        elements.relations(hood),
        how.features,
        how.rounds,
    )
    kept = np.arange(len(hood)) if held else _sample(useful, question, how)
    nodes, places = np.unique(
        np.concatenate([hood.heads[kept], hood.tails[kept]]), return_inverse=True
    )
    heads, tails = places.reshape(2, -1)
    ids = [hood.nodes[n] for n in nodes.tolist()]
    names = [hood.names[n] for n in nodes.tolist()]
    wanted = set(question.answers)
    words = {
        "text": question.text,
        "names": [n if has_words(id, n) else "" for id, n in zip(ids, names, strict=True)],
        # All of them: what serves compares a relation with the best one around.
        "relations": [texts[relation] for relation in hood.relations],
    }
    arrays = {
        "heads": heads.astype(np.int32),
        "links": hood.links[kept].astype(np.int32),
        "tails": tails.astype(np.int32),
        "encoded": encoded[nodes],
        "useful": useful[kept],
        "answers": np.array([i for i, id in enumerate(ids) if id in wanted], np.int32),
    }
    return _save(path, "", words, arrays)


def _sample(useful: NDArray[np.bool_], question: TripleQuestion, how: How) -> Places:
    """All triples that are of use, and some that are not, in their order."""
    others = np.flatnonzero(~useful).tolist()
    chosen = random.Random(f"{how.seed} {question.id}")  # noqa: S311 - repeatable, not secret
    some = chosen.sample(others, min(how.negatives, len(others)))
    return np.sort(np.concatenate([np.flatnonzero(useful), np.array(some, np.int64)]))


def _save(path: Path, fell: str, words: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    told = json.dumps({"fell": fell, **words}).encode()
    with whole(path) as partial, partial.open("wb") as file:
        np.savez(file, words=np.frombuffer(told, np.uint8), **arrays)
    return fell


def _digest(question: TripleQuestion, held: bool, how: How) -> str:
    return hashlib.sha256(repr((question, held, how)).encode()).hexdigest()[:24]


def words_of(files: Iterable[Path]) -> tuple[list[str], list[str]]:
    """All names and all relations' words of some questions, once each, in order."""
    names: dict[str, None] = {}
    relations: dict[str, None] = {}
    for path in files:
        item = read(path)
        names.update(dict.fromkeys(item.names))
        relations.update(dict.fromkeys(item.relations))
    names.pop("", None)
    return list(names), list(relations)
