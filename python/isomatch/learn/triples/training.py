"""Training of the scorer of triples (SubgraphRAG, section 3.1 and 4.1).

Needs torch; only the command that trains imports this module.
"""

from __future__ import annotations

import hashlib
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch import Tensor
from torch.nn import functional

from isomatch._version import __version__
from isomatch.errors import ArtifactError
from isomatch.learn.config import TriplesConfig
from isomatch.learn.events import Watch, ignore
from isomatch.learn.loop import Learner, Loop, best_device
from isomatch.learn.report import write_card, write_curves
from isomatch.learn.triples.data import Labelled, LabelledQuestions, TripleQuestion, read, words_of
from isomatch.learn.triples.network import Network, Table, ranking_loss
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
from isomatch.triples.features import FORM, ROUNDS, Elements
from isomatch.triples.rankers import WEIGHTS
from isomatch.triples.ranking import Surroundings, order

if TYPE_CHECKING:
    from isomatch.resources import Resources

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
        questions: with their answers, and what explains them where ``paths`` are chains.
        resources: the graph, its index and embedder.
        out: the artifact's folder.
        record: what its config says beside what is known here: how chains walk (``nodes``),
            and where the questions are from.
        resume: go on from the checkpoint in ``out``, if there is one; labelled questions in
            its work folder are used again either way.
        watch: called after each labelled question and each step.

    Returns:
        The config of the artifact.

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
        """See `Learner.batches`."""
        items = list(self._items)
        random.Random(f"{self.config.seed} {epoch}").shuffle(items)  # noqa: S311 - repeatable
        for start in range(0, len(items), self.config.batch):
            yield items[start : start + self.config.batch]

    def example(self, batch: list[Labelled]) -> str:
        """See `Learner.example`."""
        return batch[0].text

    def loss(self, batch: list[Labelled]) -> Tensor:
        """See `Learner.loss`."""
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
