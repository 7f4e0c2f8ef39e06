"""Training of the scorer of triples (SubgraphRAG, section 3.1 and 4.1).

Needs torch; only the command that trains imports this module.
"""

from __future__ import annotations

import hashlib
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import save_file
from torch.nn import functional

from isomatch._version import __version__
from isomatch.errors import ArtifactError, ConfigurationError
from isomatch.learn.card import write_card
from isomatch.learn.checkpoint import Checkpoint
from isomatch.learn.curves import Point, write_curves
from isomatch.learn.examples import shuffled
from isomatch.learn.resumable import Progress, Resumable, peak_memory
from isomatch.learn.triples.data import (
    NEGATIVES,
    How,
    Labelled,
    Paths,
    TripleQuestion,
    prepare,
    read,
    words_of,
)
from isomatch.learn.triples.network import Network, Table, ranking_loss
from isomatch.seed import SEED
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
from isomatch.triples.features import Elements
from isomatch.triples.ranking import Surroundings, order
from isomatch.triples.scorer import WEIGHTS
from isomatch.triples.similarity import Features

if TYPE_CHECKING:
    from isomatch.chains.graph import Nodes
    from isomatch.session import Session
    from isomatch.triples.neighbourhood import Neighbourhood

WORK = "work"
RECALL_AT = 100
MOST_HELD = 150
LISTWISE = 1.0


@dataclass(frozen=True, slots=True)
class Options:
    """How to train; `train` says what each means."""

    epochs: int
    batch: int
    hidden: int
    rate: float
    decay: float
    dropped: float
    forgotten: float
    patience: int
    seed: int
    listwise: float


def train(
    questions: Sequence[TripleQuestion],
    session: Session,
    out: Path | str,
    *,
    around: Surroundings | None = None,
    paths: Paths = "chains",
    nodes: Nodes = "anchored",
    features: Features = "similar",
    listwise: float = LISTWISE,
    negatives: int = NEGATIVES,
    epochs: int = 20,
    batch: int = 8,
    hidden: int = 256,
    rate: float = 1e-3,
    decay: float = 0.01,
    dropped: float = 0.2,
    forgotten: float = 0.5,
    validation: float = 0.1,
    patience: int = 5,
    seed: int = SEED,
    about: Mapping[str, Any] | None = None,
    resume: bool = False,
    progress: Callable[[Progress], None] | None = None,
    prepared: Callable[[int, int], None] | None = None,
) -> ArtifactConfig:
    """Train a scorer of triples and write its artifact.

    The loss is the binary cross-entropy of triples of use against others, the mean of
    each question's, and where ``listwise`` is above 0 so much of `ranking_loss` with it.
    Epochs stop when the recall of the best 100 triples of held-back
    questions gets no better, nor their loss at the same recall.

    Args:
        questions: with their answers, and what explains them where ``paths`` are chains.
        session: the graph, its index and embedder.
        out: the artifact's folder.
        around: which triples are looked at, here and when it serves.
        paths: what is of use: triples on the paths of ``chains`` that explain the
            answers, or on the ``shortest`` paths, as published.
        nodes: how those chains walk.
        features: of a triple, as ``published`` or with what is ``similar`` to the
            question, see `isomatch.triples.similarity`.
        listwise: weight of the loss of the ranking; 0 for the published loss alone.
        negatives: how many triples of no use are learnt from for a question, sampled.
        epochs: at most.
        batch: questions in one step.
        hidden: size of the hidden layer.
        rate: the learning rate of AdamW; it falls to zero linearly.
        decay: its weight decay.
        dropped: share of the hidden values that are left out each time.
        forgotten: share of the nodes whose names are left out each time, so that the
            model learns where an answer lies and not which nodes were answers.
        validation: share of the questions that are held back, at most 150; none where
            that were under 4.
        patience: epochs without a better one before it stops.
        seed: the same seed gives the same model on the same machine.
        about: what else the config says of the training: where the questions are from.
        resume: go on from the checkpoint in ``out``, where there is one; labelled
            questions in its work folder are used again either way.
        progress: called after each step.
        prepared: called with (questions labelled, of how many).

    Returns:
        The config of the artifact.

    Raises:
        ArtifactError: no question can be used, the loss is no number any more, the
            folder cannot be written, or the checkpoint is of another run.
        ConfigurationError: an option is wrong.
        KeyboardInterrupt: as it came; the best scorer so far is written before.
    """
    for name, value in (("batch", batch), ("epochs", epochs), ("hidden", hidden)):
        if value < 1:
            raise ConfigurationError(f"{name} must be from 1 on, not {value}")
    out, around, started = Path(out), around or Surroundings(seconds=None), time.monotonic()
    held_ids = _held(questions, validation, seed)
    elements = Elements.of(session.resources)

    def hood_of(topics: Sequence[str]) -> Neighbourhood:
        return around.neighbourhood(session.resources, topics, elements)

    graph = f"{session.store.identity()} {session.schema.fingerprint} {around}"
    how = How(paths, nodes, negatives, seed, f"{graph} {session.embedder.name}", features)
    texts = {relation.id: relation.text for relation in session.schema.relations}
    files, fell = prepare(questions, held_ids, hood_of, texts, elements, out / WORK, how, prepared)
    if not files.keys() - held_ids:
        told = "; ".join(f"{count} of them: {why}" for why, count in fell.most_common())
        raise ArtifactError(f"there is nothing to train on in {len(questions)} questions ({told})")
    options = Options(
        epochs, batch, hidden, rate, decay, dropped, forgotten, patience, seed, listwise
    )
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        run = Run(
            [path for id, path in files.items() if id not in held_ids],
            [path for id, path in files.items() if id in held_ids],
            elements,
            options,
            how,
            out / CHECKPOINT,
        )

        def write(complete: bool) -> ArtifactConfig:
            run.take_best()
            config = ArtifactConfig(
                kind="triples",
                isomatch=__version__,
                fingerprint=session.schema.fingerprint,
                seed=seed,
                nodes=nodes,
                model={
                    "embedder": session.embedder.name,
                    "around": {**asdict(around), "seconds": Surroundings().seconds},
                    "hidden": hidden,
                    "features": how.features,
                    "form": how.form,
                    "rounds": how.rounds,
                },
                training={
                    **asdict(options),
                    **(about or {}),
                    "paths": paths,
                    "negatives": negatives,
                    "questions": len(run.files),
                    "questions_held_back": len(run.held),
                    "questions_left_out": dict(fell),
                    "epochs_done": run.epoch,
                    "best_epoch": run.best_epoch,
                    f"recall_at_{RECALL_AT}": run.best[0] if run.held else None,
                    "seconds": round(time.monotonic() - started, 1),
                    "peak_memory_mb": peak_memory(),
                },
                complete=complete,
            )
            return _keep(out, config, run, StepVocabulary.of(session.schema))

        return run.to_the_end(write, resume=resume, progress=progress)


class Run(Resumable):
    """One training run.

    Args:
        files: of the questions to learn from.
        held: of those to choose the best epoch by; none takes the last epoch.
        checkpoint: the folder where each epoch is kept.
    """

    def __init__(
        self,
        files: Sequence[Path],
        held: Sequence[Path],
        elements: Elements,
        options: Options,
        how: How,
        checkpoint: Path,
    ):
        self.files, self.held, self.options = files, held, options
        self.points: list[Point] = []
        self.epoch = self.step = self.best_epoch = 0
        self.best = (-math.inf, -math.inf)
        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        names, relations = words_of([*files, *held])
        self._table = _table(elements, [*names, *relations])
        self._items = [read(path) for path in files]
        self._questions = _table(
            elements, [i.text for i in self._items] + [read(p).text for p in held], queries=True
        )
        self.network = Network(
            elements.embedder.dimension,
            how.features,
            how.rounds,
            options.hidden,
            options.dropped,
            options.forgotten,
        ).to(self._device)
        self._optimizer = torch.optim.AdamW(
            self.network.parameters(), options.rate, weight_decay=options.decay
        )
        self._schedule = torch.optim.lr_scheduler.LambdaLR(
            self._optimizer, lambda step: max(0.0, 1.0 - step / self.steps)
        )
        names = [path.name for path in (*files, *held)]
        run = hashlib.sha256(repr((options, names)).encode()).hexdigest()
        self.checkpoint = Checkpoint(checkpoint, run)

    @property
    def steps(self) -> int:
        """Of the whole run, when nothing stops it."""
        return self.options.epochs * -(-len(self.files) // self.options.batch)

    def go(self, progress: Callable[[Progress], None] | None = None) -> None:
        """Train to the end, from where the run is.

        Raises:
            ArtifactError: the loss is no number any more; the checkpoint is from before.
        """
        started, first = time.monotonic(), self.step
        options = self.options
        while self.epoch < options.epochs:
            if self.held and self.epoch - self.best_epoch >= options.patience:
                break
            self.epoch += 1
            turn = list(range(len(self._items)))
            random.Random(f"{options.seed} {self.epoch}").shuffle(turn)  # noqa: S311
            for start in range(0, len(turn), options.batch):
                items = [self._items[i] for i in turn[start : start + options.batch]]
                loss = self._learn(items)
                rate = float(self._optimizer.param_groups[0]["lr"])
                self.points.append(Point(self.epoch, self.step, loss, rate))
                pace = (time.monotonic() - started) / (self.step - first)
                done = start + options.batch >= len(turn)
                score = self._end_epoch() if done else None
                if progress is not None:
                    left = (self.steps - self.step) * pace
                    place = (self.epoch, options.epochs, self.step, self.steps)
                    progress(Progress(*place, loss, rate, left, score))

    def validate(self) -> tuple[float, float]:
        """(recall, minus the loss), means over the held-back questions.

        Recall is the share of the useful triples among the best 100. Where neighbourhoods
        are small it is 1 soon, and the loss tells epochs apart.
        """
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

    def _learn(self, items: Sequence[Labelled]) -> float:
        self.network.train()
        with self._cast():
            logits = self.network(items, self._table, self._questions)
        useful = np.concatenate([item.useful for item in items]).astype(np.float32)
        share = [np.full(len(item), 1 / (len(item) * len(items)), np.float32) for item in items]
        loss = functional.binary_cross_entropy_with_logits(
            logits.float(),
            torch.from_numpy(useful).to(self._device),
            torch.from_numpy(np.concatenate(share)).to(self._device),
            reduction="sum",
        )
        if self.options.listwise:
            loss = loss + self.options.listwise * ranking_loss(logits.float(), items)
        self.step += 1
        value = float(loss.detach())
        if not math.isfinite(value):
            kept = f"that of epoch {self.best_epoch}" if self.best_epoch else "none"
            raise ArtifactError(
                f"the loss became {value} in epoch {self.epoch}, step {self.step} (questions such "
                f"as {items[0].text!r}); of the models until then {kept} is kept. Train with a "
                "lower --rate"
            )
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self._optimizer.step()
        self._schedule.step()
        return value

    def _end_epoch(self) -> float | None:
        now = self.validate() if self.held else (float(self.epoch), 0.0)
        score = now[0] if self.held else None
        self.points[-1] = replace(self.points[-1], validation=score)
        self._keep_epoch(now)
        return score


def _held(questions: Sequence[TripleQuestion], share: float, seed: int) -> frozenset[str]:
    """Ids of the questions that are held back."""
    count = min(round(share * len(questions)), MOST_HELD)
    ids = sorted(question.id for question in questions)
    return frozenset(shuffled(ids, f"{seed} validation")[:count] if count >= 4 else ())


def _table(elements: Elements, texts: Sequence[str], *, queries: bool = False) -> Table:
    """Vectors of texts: of the index where it has them, or made as a question's are."""
    distinct = list(dict.fromkeys(texts))
    rows = np.zeros((len(distinct) + 1, elements.embedder.dimension), np.float16)
    for start in range(0, len(distinct), 4096):
        some = distinct[start : start + 4096]
        made = elements.embedder.embed(some) if queries else elements.texts(some)
        rows[start : start + len(some)] = made
    return Table({text: place for place, text in enumerate(distinct)}, rows)


def _keep(
    out: Path, config: ArtifactConfig, run: Run, vocabulary: StepVocabulary
) -> ArtifactConfig:
    """Write the artifact, whole or not at all."""
    with in_place(out) as fresh:
        try:
            save_file(run.network.weights(), fresh / WEIGHTS)
        except SafetensorError as error:  # its word for a full disk
            raise OSError(str(error)) from error
        write_json(fresh / VOCABULARY, vocabulary.form())
        write_curves(fresh, run.points, f"recall@{RECALL_AT} of held-back questions")
        write_json(fresh / METRICS, {"training": config.training})
        write_card(fresh, config, {"triples looked at": config.model["around"]}, vocabulary)
        write_json(fresh / CONFIG, config.model_dump())
    return config
