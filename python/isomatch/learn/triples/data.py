"""What the scorer of triples learns from: neighbourhoods of questions, labelled.

The relevant triples are those on paths from topics to answers: of the chains that explain
the answers, or the shortest ones, as published (SubgraphRAG, section 4.1).

Each question is a file in the work folder, written atomically, so that an interrupted run
goes on where it was. A training question keeps a sample of its irrelevant triples; one that
is held back keeps all, because recall is measured there.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from isomatch.errors import ArtifactError
from isomatch.executor import Work, open_executor
from isomatch.learn.config import TriplesConfig
from isomatch.learn.report import Event, Watch, ignore
from isomatch.options import Paths
from isomatch.resources import Reopening
from isomatch.trained.artifact import whole
from isomatch.triples.features import FORM, ROUNDS, Elements, has_words, node_features

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.chains.graph import Chain, Nodes
    from isomatch.questions.datasets import Question
    from isomatch.resources import Resources
    from isomatch.triples.neighbourhood import Neighbourhood

    Mask = NDArray[np.bool_]
    Floats = NDArray[np.float32]
    Places = NDArray[np.int64]

# Why a question is left out, if it is; its words; and its arrays.
Content = tuple[str, Mapping[str, Any], Mapping[str, Any]]


def on_chains(
    hood: Neighbourhood,
    chains: Iterable[tuple[Sequence[str], Chain]],
    answers: Iterable[str],
    nodes: Nodes = "anchored",
) -> Mask:
    """The triples on the paths of chains to an answer, as a mask of shape (triples,).

    Args:
        chains: where each starts, ids of nodes, and its steps.
        answers: ids of nodes; those outside the neighbourhood do not count.
        nodes: ``anchored`` chains do not return to their start. A path may take one fact
            twice in either case.
    """
    place = {id: i for i, id in enumerate(hood.nodes)}
    link = {id: i for i, id in enumerate(hood.relations)}
    wanted = _marked(hood, (place[id] for id in answers if id in place))
    found = np.zeros(len(hood), np.bool_)
    for starts, chain in chains:
        start = _marked(hood, (place[id] for id in starts if id in place))
        reached, steps = [start], []
        for step in chain:
            here, there = (hood.tails, hood.heads) if step.back else (hood.heads, hood.tails)
            walked = (hood.links == link.get(step.relation, -1)) & reached[-1][here]
            ends = _marked(hood, there[walked])
            if nodes == "anchored":
                ends &= ~start
            reached.append(ends)
            steps.append((walked, here, there))
        needed = reached[-1] & wanted
        for walked, here, there in reversed(steps):
            used = walked & needed[there]
            found |= used
            needed = _marked(hood, here[used])
    return found


def on_shortest_paths(hood: Neighbourhood, answers: Iterable[str]) -> Mask:
    """The triples on a shortest path from a topic to an answer, directions ignored.

    All shortest paths between each topic and each answer count. An answer that is the
    topic itself has none. A mask of shape (triples,).
    """
    place = {id: i for i, id in enumerate(hood.nodes)}
    wanted = _marked(hood, (place[id] for id in answers if id in place))
    found = np.zeros(len(hood), np.bool_)
    for topic in range(hood.topics):
        distances = _distances(hood, topic)
        ends = distances[hood.heads], distances[hood.tails]
        needed = np.zeros(len(hood.nodes), np.bool_)
        for level in range(int(distances.max()), 0, -1):
            needed |= wanted & (distances == level)
            for near, far, node in ((0, 1, hood.tails), (1, 0, hood.heads)):
                used = (ends[far] == level) & (ends[near] == level - 1) & needed[node]
                found |= used
                needed[(hood.heads if near == 0 else hood.tails)[used]] = True
    return found


def _distances(hood: Neighbourhood, topic: int) -> NDArray[np.int64]:
    """Steps from a topic to each node, directions ignored; -1 for no way."""
    distances = np.full(len(hood.nodes), -1)
    distances[topic] = 0
    level = 0
    while True:
        near = distances == level
        level += 1
        for here, there in ((hood.heads, hood.tails), (hood.tails, hood.heads)):
            ends = there[near[here]]
            distances[ends[distances[ends] < 0]] = level
        if not (distances == level).any():
            return distances


def _marked(hood: Neighbourhood, places: Iterable[int]) -> Mask:
    marked = np.zeros(len(hood.nodes), np.bool_)
    marked[np.fromiter(places, np.int64)] = True
    return marked


@dataclass(frozen=True, slots=True)
class TripleQuestion:
    """A question with its answers in the graph.

    Attributes:
        id, text: of the question.
        topics, answers: ids of nodes.
        chains: those that explain the answers, each with the ids it starts from; none
            for shortest paths.
    """

    id: str
    text: str
    topics: tuple[str, ...]
    answers: tuple[str, ...]
    chains: tuple[tuple[tuple[str, ...], Chain], ...] = ()


@dataclass(frozen=True, slots=True)
class Labelled:
    """A question's triples, as places in lists of its own.

    Attributes:
        text: of the question.
        names: of its nodes; empty for those without words.
        relations: words of all relations of the neighbourhood.
        heads, links, tails: shape (triples,).
        encoded: see `isomatch.triples.features.node_features`.
        useful: which triples are relevant, shape (triples,).
    """

    text: str
    names: tuple[str, ...]
    relations: tuple[str, ...]
    heads: Places
    links: Places
    tails: Places
    encoded: Floats
    useful: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.heads)


def triple_questions(
    questions: Iterable[Question],
    ids: Callable[[str], Sequence[str]],
    chains: Mapping[str, Sequence[tuple[str, Chain]]] | None = None,
) -> Iterator[TripleQuestion]:
    """Questions with their topics and answers as nodes.

    Args:
        ids: nodes of a name.
        chains: (name of the topic, chain) of those that explain a question, by its id;
            None where the shortest paths count. Questions without one are left out.
    """
    for question in questions:
        kept: Sequence[tuple[str, Chain]] = ()
        if chains is not None:
            kept = chains.get(question.id, ())
            if not kept:
                continue
        yield TripleQuestion(
            question.id,
            question.text,
            tuple(dict.fromkeys(id for name in question.topics for id in ids(name))),
            tuple(dict.fromkeys(id for name in question.answers for id in ids(name))),
            tuple((tuple(ids(topic)), chain) for topic, chain in kept),
        )


class LabelledQuestions:
    """Labels the triples around questions, and keeps them as files in a folder.

    A file of other data or options has another name. ``nodes``: see `on_chains`.
    """

    def __init__(self, resources: Resources, config: TriplesConfig, nodes: Nodes, folder: Path):
        self.elements = Elements(resources)
        self._resources = resources
        self._config = config
        self._nodes = nodes
        self._folder = folder
        self._texts = {relation.id: relation.text for relation in resources.schema.relations}
        graph = (resources.store.identity(), resources.schema.fingerprint, resources.embedder.name)
        options = (config.around, config.paths, config.negatives, config.seed, config.features)
        self._key = (graph, options, nodes, ROUNDS, FORM)

    def prepare(
        self, questions: Sequence[TripleQuestion], held: frozenset[str], watch: Watch = ignore
    ) -> tuple[dict[str, Path], Counter[str]]:
        """Write each question's labelled triples to a file, unless it exists.

        Args:
            held: ids of the questions that are held back.
            watch: called after each question.

        Returns:
            File by id of the question, and why the others are left out.

        Raises:
            ArtifactError: a file cannot be written.
            StoreError: the database failed.
        """
        files: dict[str, Path] = {}
        skipped: Counter[str] = Counter()
        asked = [(question, question.id in held) for question in questions]
        # Of what is equal only the first is labelled.
        places = {self._path(*one): one for one in asked}
        missing = [one for path, one in places.items() if not path.exists()]
        make = partial(_labelled, Reopening.of(self._resources), self._config, self._nodes)
        with (
            open_executor(self._config.on) as executor,
            closing(executor.map(Work(self.labelled, make), missing)) as made,
        ):
            for number, one in enumerate(asked, 1):
                path = self._path(*one)
                reason = _reason(path) if path.exists() else _save(path, *next(made))
                if reason:
                    skipped[reason] += 1
                else:
                    files[one[0].id] = path
                watch(Event("index", number, len(questions)))
        return files, skipped

    def _path(self, question: TripleQuestion, held: bool) -> Path:
        key = hashlib.sha256(repr((question, held, self._key)).encode()).hexdigest()[:24]
        return self._folder / f"{key}.npz"

    def labelled(self, asked: tuple[TripleQuestion, bool]) -> Content:
        """A question's labelled triples, for `_save`; with whether it is held back."""
        question, held = asked
        if not question.topics:
            return "no topic node", {}, {}
        config, elements = self._config, self.elements
        hood = config.around.neighbourhood(self._resources, question.topics, elements)
        if config.paths == Paths.shortest:
            useful = on_shortest_paths(hood, question.answers)
        else:
            useful = on_chains(hood, question.chains, question.answers, self._nodes)
        if not useful.any():
            return "no path to an answer in the neighbourhood", {}, {}
        vector, vectors = elements.question(question.text), elements.nodes(hood)[0]
        encoded = node_features(hood, vector, vectors, elements.relations(hood), config.features)
        kept = np.arange(len(hood)) if held else self._sample(useful, question)
        nodes, places = np.unique(
            np.concatenate([hood.heads[kept], hood.tails[kept]]), return_inverse=True
        )
        heads, tails = places.reshape(2, -1)
        ids = [hood.nodes[n] for n in nodes.tolist()]
        names = [hood.names[n] for n in nodes.tolist()]
        words = {
            "text": question.text,
            "names": [n if has_words(id, n) else "" for id, n in zip(ids, names, strict=True)],
            # All of them: serving compares a relation with the best one around.
            "relations": [self._texts[relation] for relation in hood.relations],
        }
        arrays = {
            "heads": heads.astype(np.int32),
            "links": hood.links[kept].astype(np.int32),
            "tails": tails.astype(np.int32),
            "encoded": encoded[nodes],
            "useful": useful[kept],
        }
        return "", words, arrays

    def _sample(self, useful: NDArray[np.bool_], question: TripleQuestion) -> Places:
        """Places of all relevant triples and of a sample of the others, in order."""
        others = np.flatnonzero(~useful).tolist()
        seed = f"{self._config.seed} {question.id}"
        chosen = random.Random(seed)  # noqa: S311 - repeatable, not secret
        some = chosen.sample(others, min(self._config.negatives, len(others)))
        return np.sort(np.concatenate([np.flatnonzero(useful), np.array(some, np.int64)]))


def _labelled(
    graph: Reopening, config: TriplesConfig, nodes: Nodes
) -> Callable[[tuple[TripleQuestion, bool]], Content]:
    """In a worker: what labels the triples around questions, and writes nothing."""
    return LabelledQuestions(graph.open(), config, nodes, Path()).labelled


def read(path: Path) -> Labelled:
    """The labelled triples of a file that `LabelledQuestions.prepare` wrote.

    Raises:
        ArtifactError: it is damaged.
    """
    with _opened(path) as arrays:
        words = json.loads(arrays["words"].tobytes())
        return Labelled(
            words["text"],
            tuple(words["names"]),
            tuple(words["relations"]),
            arrays["heads"].astype(np.int64),
            arrays["links"].astype(np.int64),
            arrays["tails"].astype(np.int64),
            arrays["encoded"].astype(np.float32),
            arrays["useful"],
        )


def _reason(path: Path) -> str:
    """Why a question is left out; empty where it is not."""
    with _opened(path) as arrays:
        return str(json.loads(arrays["words"].tobytes())["fell"])


@contextmanager
def _opened(path: Path) -> Iterator[Any]:
    try:
        with np.load(path, allow_pickle=False) as arrays:
            yield arrays
    except (OSError, ValueError, KeyError) as error:
        raise ArtifactError(
            f"{path} is damaged ({error}): delete it and train again, with --resume"
        ) from error


def _save(path: Path, fell: str, words: Mapping[str, Any], arrays: Mapping[str, Any]) -> str:
    content = json.dumps({"fell": fell, **words}).encode()
    with whole(path) as partial, partial.open("wb") as file:
        np.savez(file, words=np.frombuffer(content, np.uint8), **arrays)
    return fell


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
