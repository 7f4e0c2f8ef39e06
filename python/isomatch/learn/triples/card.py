"""The model card of a scorer of triples."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from isomatch.learn.artifact import write_text

if TYPE_CHECKING:
    from isomatch.learn.artifact import ArtifactConfig

_CARD = """\
# A scorer of triples

It scores the triples around the topics of a question by how likely they are of use for
the answer, after SubgraphRAG (Li et al., ICLR 2025). Trained by isomatch {isomatch}.

| | |
|---|---|
| embedder | {embedder} |
| triples looked at | up to {hops} hops from the topics, {budget:,} at most, {cap:,} of one node |
| hidden layer | {hidden} |
| trained on | {questions} questions; labels: triples on {paths} |
| held back | {held} questions; recall of the best 100 triples: {recall} |
| left out | {fell} |
| epochs | {epochs}, of which number {best} was kept |
| seed | {seed} |
| seconds | {seconds} |
| came to its end | {complete} |

It is meant for the graph that it was trained on (fingerprint `{fingerprint}`); that graph
may change as long as its relations stay. Recall is measured on the same kind of labels as
it was trained on; it says little about graphs and questions of another kind.

Use it with `isomatch ask --retriever triples`, or from Python with
`isomatch.TripleRetriever`.
"""


def write_card(folder: Path, config: ArtifactConfig) -> None:
    """Write ``README.md``.

    Raises:
        ArtifactError: it cannot be written.
    """
    model, training = config.model, config.training
    recall = training["recall_at_100"]
    fell = [f"{count} ({why})" for why, count in training["questions_left_out"].items()]
    write_text(
        folder / "README.md",
        _CARD.format(
            isomatch=config.isomatch,
            embedder=model["embedder"],
            **{key: model["around"][key] for key in ("hops", "budget", "cap")},
            hidden=model["hidden"],
            questions=training["questions"],
            paths="the chains that explain the answers"
            if training["paths"] == "chains"
            else "the shortest paths from topics to answers",
            held=training["questions_held_back"],
            recall="not measured" if recall is None else f"{100 * recall:.1f} %",
            fell=", ".join(fell) or "none",
            epochs=training["epochs_done"],
            best=training["best_epoch"],
            seed=config.seed,
            seconds=training["seconds"],
            complete="yes" if config.complete else "no, it was stopped",
            fingerprint=config.fingerprint,
        ),
    )
