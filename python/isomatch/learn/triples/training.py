"""Training of the scorer of triples (SubgraphRAG, section 3.1 and 4.1), in torch.

Only the command that trains imports this module; `isomatch.triples.rankers` serves the scorer.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor, nn
from torch.nn import functional

from isomatch._version import __version__
from isomatch.errors import ArtifactError
from isomatch.learn.config import TriplesConfig
from isomatch.learn.loop import Learner, Loop, best_device
from isomatch.learn.report import Watch, ignore, write_card, write_curves
from isomatch.learn.triples.data import Labelled, LabelledQuestions, TripleQuestion, read, words_of
from isomatch.seed import shuffled
from isomatch.trained.artifact import (
    CHECKPOINT,
    CONFIG,
    METRICS,
    VOCABULARY,
    ArtifactConfig,
    in_place,
    write_json,
)
from isomatch.trained.vocabulary import StepVocabulary
from isomatch.triples.features import (
    FORM,
    ROUNDS,
    Elements,
    Features,
    node_width,
    relation_features,
    relation_width,
)
from isomatch.triples.rankers import WEIGHTS, TripleScorer
from isomatch.triples.ranking import Surroundings, order

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from isomatch.resources import Resources

    Floats = NDArray[np.float32]

SCALE = 8.0


@dataclass(frozen=True, slots=True)
class Table:
    """Vectors of texts in half precision; the last row is for unknown texts."""

    places: Mapping[str, int]
    rows: NDArray[np.float16]

    def of(self, texts: Sequence[str]) -> Floats:
        """Vectors of some texts, shape (texts, dimension)."""
        return self.rows[[self.places.get(text, -1) for text in texts]].astype(np.float32)


class Network(nn.Module):  # type: ignore[misc]  # torch is not checked
    """One hidden layer with ReLU and one output, over the parts of a triple's features.

    The values of unit vectors are small beside the encodings' zeros and ones, so those of
    questions and relations, which matter most, are scaled up.
    """

    def __init__(
        self,
        dimension: int,
        features: Features,
        rounds: int,
        hidden: int,
        dropped: float = 0.0,
        forgotten: float = 0.0,
    ):
        super().__init__()
        encoded, linked = node_width(features, rounds), relation_width(features, dimension)
        width = 3 * dimension + linked + 2 * encoded
        bound = width**-0.5  # as torch begins a linear layer of that width

        def part(*shape: int, within: float = bound) -> nn.Parameter:
            return nn.Parameter(torch.empty(*shape).uniform_(-within, within))

        self.question = part(dimension, hidden)
        self.head = part(dimension, hidden)
        self.relation = part(linked, hidden)
        self.tail = part(dimension, hidden)
        self.head_dde = part(encoded, hidden)
        self.tail_dde = part(encoded, hidden)
        self.bias = part(hidden)
        self.output = part(hidden, within=hidden**-0.5)
        self.output_bias = part(1, within=hidden**-0.5)
        self.nameless = nn.Parameter(torch.zeros(dimension))
        self.features, self.rounds = features, rounds
        self.dropped, self.forgotten = dropped, forgotten

    def forward(self, items: Sequence[Labelled], table: Table, questions: Table) -> Tensor:
        """Logits of all triples of some questions, concatenated."""
        device = self.bias.device

        def tensor(array: NDArray[np.generic]) -> Tensor:
            return torch.from_numpy(array).to(device)

        logits = []
        for item in items:
            named = tensor(np.array([bool(name) for name in item.names]))
            if self.training and self.forgotten:
                # Names identify the questions seen in training, and no others.
                named = named & (torch.rand(len(item.names)) >= self.forgotten).to(device)
            vectors = torch.where(named[:, None], tensor(table.of(item.names)), self.nameless)
            encoded = tensor(item.encoded)
            of_heads = vectors @ self.head + encoded @ self.head_dde
            of_tails = vectors @ self.tail + encoded @ self.tail_dde
            question = questions.of([item.text])[0]
            links = relation_features(question, table.of(item.relations), self.features)
            asked = tensor(question) * SCALE @ self.question + self.bias
            of_links = tensor(links) * SCALE @ self.relation + asked
            # Not by `[…]`, whose gradient differs from run to run.
            hidden = functional.embedding(tensor(item.heads), of_heads)
            hidden = hidden + functional.embedding(tensor(item.tails), of_tails)
            hidden = hidden + functional.embedding(tensor(item.links), of_links)
            hidden = functional.relu(hidden)
            hidden = functional.dropout(hidden, self.dropped, self.training)
            logits.append(hidden @ self.output + self.output_bias)
        return torch.cat(logits)

    def scorer(self) -> TripleScorer:
        """The scorer for serving, in numpy."""
        weights = {name: value.numpy() for name, value in self.weights().items()}
        return TripleScorer(**weights, rounds=self.rounds)

    def weights(self) -> dict[str, Tensor]:
        """A copy of the parameters, for unit vectors."""
        found = {}
        for name, value in self.named_parameters():
            scale = SCALE if name in ("question", "relation") else 1.0
            found[name] = (value.detach().float().cpu() * scale).contiguous()
        return found


def ranking_loss(logits: Tensor, items: Sequence[Labelled]) -> Tensor:
    """The ranking loss: the mean over questions of the mean over their relevant triples.

    For each relevant triple the cross-entropy of a softmax over itself and all irrelevant
    triples (after ListNet, Cao et al. 2007). Binary cross-entropy weighs all irrelevant
    triples equally; this loss weighs those that rank highest.

    Args:
        logits: of all triples of some questions, concatenated.
    """
    losses = []
    for item, scores in zip(items, logits.split([len(item) for item in items]), strict=True):
        useful = torch.from_numpy(item.useful).to(scores.device)
        others = scores.masked_fill(useful, -torch.inf).logsumexp(0)
        losses.append(functional.softplus(others - scores[useful]).mean())
    return torch.stack(losses).mean()


WORK = "work"
EPOCHS = 20
RATE = 1e-3
RECALL_AT = 100
MOST_HELD = 150


def train(
    questions: Sequence[TripleQuestion],
    resources: Resources,
    out: Path,
    config: TriplesConfig,
    *,
    record: ArtifactConfig | None = None,
    resume: bool = False,
    watch: Watch = ignore,
) -> ArtifactConfig:
    """Train a scorer of triples and write its artifact.

    The loss is the binary cross-entropy of relevant triples against others, the mean of
    each question's, plus `ranking_loss` weighted by ``listwise``. The best epoch is that of
    the best recall of the best 100 triples of held-back questions, or of the lowest loss
    among equals.

    Args:
        record: what its config says beside what is known here: how chains walk (``nodes``),
            and where the questions are from.
        resume: go on from the checkpoint in ``out``, if there is one; labelled questions in
            its work folder are used again either way.
        watch: called after each labelled question and each step.

    Raises:
        ArtifactError: no question can be used, the loss is not finite, the folder cannot be
            written, or the checkpoint is of another run.
        KeyboardInterrupt: unchanged; the best scorer so far is written before.
    """
    started = time.monotonic()
    record = record or ArtifactConfig(kind="triples")
    config = TriplesConfig.of(config, epochs=config.epochs or EPOCHS, rate=config.rate or RATE)
    held = _held(questions, config.validation, config.seed)
    data = LabelledQuestions(resources, config, record.nodes, out / WORK)
    files, skipped = data.prepare(questions, held, watch)
    if not files.keys() - held:
        reasons = "; ".join(f"{count} of them: {why}" for why, count in skipped.most_common())
        raise ArtifactError(
            f"there is nothing to train on in {len(questions)} questions ({reasons})"
        )
    with torch.random.fork_rng():
        torch.manual_seed(config.seed)
        learner = TripleLearner(files, held, data.elements, config)
        loop = Loop(learner, out / CHECKPOINT, learner.digest())

        def write(complete: bool) -> ArtifactConfig:
            loop.take_best()
            seconds = round(time.monotonic() - started, 1)
            figures = {"questions_left_out": dict(skipped), "seconds": seconds}
            return save(out, loop, resources, record, figures, complete=complete)

        return loop.run(write, watch, resume=resume)


class TripleLearner(Learner[list[Labelled]]):
    """A scorer of triples with its data.

    Args:
        files: of the questions, by id, see `LabelledQuestions.prepare`.
        held: ids of those to choose the best epoch by; none takes the last epoch.
    """

    def __init__(
        self,
        files: dict[str, Path],
        held: frozenset[str],
        elements: Elements,
        config: TriplesConfig,
    ):
        self.config = config
        self.files = [path for id, path in files.items() if id not in held]
        self.held = [path for id, path in files.items() if id in held]
        self.epochs, self.patience = config.epochs or EPOCHS, config.patience
        self.steps = -(-len(self.files) // config.batch)
        self.device = best_device()
        names, relations = words_of([*self.files, *self.held])
        self._table = _table(elements, [*names, *relations])
        self._items = [read(path) for path in self.files]
        texts = [i.text for i in self._items] + [read(path).text for path in self.held]
        self._questions = _table(elements, texts, queries=True)
        self.network: Network = Network(
            elements.embedder.dimension,
            config.features,
            ROUNDS,
            config.hidden,
            config.dropped,
            config.forgotten,
        ).to(self.device)
        self.optimizer = torch.optim.AdamW(
            self.network.parameters(), config.rate or RATE, weight_decay=config.decay
        )
        total = self.epochs * self.steps
        self.schedule = torch.optim.lr_scheduler.LambdaLR(
            self.optimizer, lambda step: max(0.0, 1.0 - step / total)
        )

    def digest(self) -> str:
        """Of what a resumed run must have in common with the one that was stopped."""
        names = [path.name for path in (*self.files, *self.held)]
        return hashlib.sha256(repr((self.config, names)).encode()).hexdigest()

    def batches(self, epoch: int) -> Iterator[list[Labelled]]:
        items = list(self._items)
        random.Random(f"{self.config.seed} {epoch}").shuffle(items)  # noqa: S311 - repeatable
        for start in range(0, len(items), self.config.batch):
            yield items[start : start + self.config.batch]

    def example(self, batch: list[Labelled]) -> str:
        return batch[0].text

    def loss(self, batch: list[Labelled]) -> Tensor:
        logits = self.network(batch, self._table, self._questions).float()
        useful = np.concatenate([item.useful for item in batch]).astype(np.float32)
        share = [np.full(len(item), 1 / (len(item) * len(batch)), np.float32) for item in batch]
        loss: Tensor = functional.binary_cross_entropy_with_logits(
            logits,
            torch.from_numpy(useful).to(self.device),
            torch.from_numpy(np.concatenate(share)).to(self.device),
            reduction="sum",
        )
        if self.config.listwise:
            loss = loss + self.config.listwise * ranking_loss(logits, batch)
        return loss

    def score(self) -> tuple[float, ...] | None:
        """See `Learner.score`: recall, then minus the loss, means over the questions.

        Recall is the share of the relevant triples among the best 100. In small
        neighbourhoods it soon is 1, and the loss tells epochs apart.
        """
        if not self.held:
            return None
        scorer = self.network.scorer()
        recalls, losses = [], []
        for path in self.held:
            item = read(path)
            scores = scorer.scores(
                self._questions.of([item.text])[0],
                self._table.of(item.names),
                np.array([bool(name) for name in item.names]),
                self._table.of(item.relations),
                item.encoded,
                (item.heads, item.links, item.tails),
            )
            best = item.useful[order(scores)[:RECALL_AT]]
            recalls.append(best.sum() / item.useful.sum())
            right = np.where(item.useful, scores, 1.0 - scores)
            losses.append(-np.log(np.maximum(right, 1e-9)).mean())
        return float(np.mean(recalls)), -float(np.mean(losses))


def _held(questions: Sequence[TripleQuestion], share: float, seed: int) -> frozenset[str]:
    """Ids of the questions that are held back: at most 150, none where that were under 4."""
    count = min(round(share * len(questions)), MOST_HELD)
    ids = sorted(question.id for question in questions)
    return frozenset(shuffled(ids, f"{seed} validation")[:count] if count >= 4 else ())


def _table(elements: Elements, texts: Sequence[str], *, queries: bool = False) -> Table:
    """Vectors of texts: of the index where it has them, or embedded as questions."""
    distinct = list(dict.fromkeys(texts))
    rows = np.zeros((len(distinct) + 1, elements.embedder.dimension), np.float16)
    for start in range(0, len(distinct), 4096):
        some = distinct[start : start + 4096]
        made = elements.embedder.embed(some) if queries else elements.texts(some)
        rows[start : start + len(some)] = made
    return Table({text: place for place, text in enumerate(distinct)}, rows)


def save(
    out: Path,
    loop: Loop[TripleLearner],
    resources: Resources,
    record: ArtifactConfig,
    figures: dict[str, Any],
    *,
    complete: bool,
) -> ArtifactConfig:
    """Write a trained scorer as an artifact, atomically.

    Raises:
        ArtifactError: a file cannot be written; the artifact before is unchanged.
    """
    learner, config = loop.learner, loop.learner.config
    training = {
        **config.record(),
        **record.training,
        "questions": len(learner.files),
        "questions_held_back": len(learner.held),
        f"recall_at_{RECALL_AT}": loop.best[0] if learner.held else None,
        **loop.figures(),
        **figures,
    }
    around = {**asdict(config.around), "seconds": Surroundings().seconds}
    model = {
        "embedder": resources.embedder.name,
        "around": around,
        "hidden": config.hidden,
        "features": config.features,
        "form": FORM,
        "rounds": ROUNDS,
    }
    known = {"isomatch": __version__, "seed": config.seed, "complete": complete}
    known["fingerprint"] = resources.schema.fingerprint
    saved = record.model_copy(update={**known, "model": model, "training": training})
    vocabulary = StepVocabulary.of(resources.schema)
    with in_place(out) as fresh:
        try:
            save_file(learner.network.weights(), fresh / WEIGHTS)
        except SafetensorError as error:  # raised for a full disk
            raise OSError(str(error)) from error
        write_json(fresh / VOCABULARY, vocabulary.form())
        write_curves(fresh, loop.points, f"recall@{RECALL_AT} of held-back questions")
        write_json(fresh / METRICS, {"training": saved.training})
        write_card(fresh, saved, {"triples looked at": around}, vocabulary)
        write_json(fresh / CONFIG, saved.model_dump())
    return saved
