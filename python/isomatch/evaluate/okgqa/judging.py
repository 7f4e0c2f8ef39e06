"""How answers to open questions are judged, and what the judge itself is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from isomatch.errors import ConfigurationError
from isomatch.evaluate.okgqa.config import GRAPH
from isomatch.evaluate.okgqa.systems import Written
from isomatch.judge.facts import said_of
from isomatch.judge.judge import Judge
from isomatch.judge.log import VerdictLog
from isomatch.judge.search import GraphSearch, PassageSearch
from isomatch.judge.types import MODEL_METRICS, Judged
from isomatch.questions.open.sets import OpenQuestion

if TYPE_CHECKING:
    from isomatch.evaluate.okgqa.config import OpenEvalConfig
    from isomatch.evaluate.okgqa.references import References
    from isomatch.judge.search import Search
    from isomatch.llm import ChatModel

BY_RULES = ("supported_sentences", "cited_named")
FACTSCORE = "factscore"
WEIGHTED = "rated by probabilities"
VERDICTS = "verdicts.jsonl"
_EMBEDDED = 2_000  # texts up to which they are also searched by vectors


class TwoSearches:
    """A search over the graph, and over texts."""

    def __init__(self, *searches: Search):
        self._searches = searches

    @property
    def name(self) -> str:
        """See `isomatch.judge.search.Search`."""
        return " and ".join(search.name for search in self._searches)

    def __call__(self, query: str, k: int = 5) -> Sequence[str]:
        """The passages of both."""
        found = (passage for search in self._searches for passage in search(query, k))
        return list(dict.fromkeys(found))


@dataclass(frozen=True, slots=True)
class Judging:
    """Judges what was written, against references.

    Attributes:
        left_out: metrics that need a model, where there is none.
    """

    judge: Judge
    references: References
    left_out: tuple[str, ...]

    @classmethod
    def open(
        cls,
        config: OpenEvalConfig,
        references: References,
        model: ChatModel | None,
        folder: Path | None,
    ) -> Judging:
        """A judge with the metrics of a configuration.

        Args:
            model: the judge; None for the metrics that need none.
            folder: of the run, where verdicts are kept; None keeps none.

        Raises:
            ConfigurationError: a metric is unknown, or needs a model and there is none.
        """
        metrics = config.metrics or ((*MODEL_METRICS, *BY_RULES) if model else BY_RULES)
        left_out = () if model or config.metrics else MODEL_METRICS
        search = _search(references) if "safe" in metrics else None
        log = VerdictLog(None if folder is None else folder / VERDICTS)
        return cls(Judge(model, metrics, search=search, log=log), references, left_out)

    def of(self, question: OpenQuestion, written: Written) -> dict[str, Any]:
        """Scores, counts of verdicts and cost, for a row; no scores where nothing was written.

        Where there is no reference, ``factscore`` is missing, and that is counted.

        Raises:
            ModelError: the judge's endpoint failed.
        """
        text = said_of(written.text)
        if not text:
            return _row(dict.fromkeys(self.judge.metrics), None)
        reference = self.references.of(question) if self.asks else ()
        case = (question.text, text, written.context, reference)
        if reference or FACTSCORE not in self.judge.metrics:
            judged = self.judge.judge(*case)
            return _row(judged.scores, judged)
        return self._without_reference(case)

    def _without_reference(self, case: tuple[Any, ...]) -> dict[str, Any]:
        """What the other metrics say, where there is nothing to check facts against."""
        judge = self.judge
        others = [metric for metric in judge.metrics if metric != FACTSCORE]
        row = _row({FACTSCORE: None}, None)
        if others:
            judged = Judge(judge.model, others, search=judge.search, log=judge.log).judge(*case)
            row = _row({FACTSCORE: None, **judged.scores}, judged)
        return {**row, "verdicts": {FACTSCORE: {"no reference": 1}, **row["verdicts"]}}

    @property
    def asks(self) -> bool:
        """Whether any metric asks the model."""
        return any(metric in MODEL_METRICS for metric in self.judge.metrics)

    def record(self) -> dict[str, Any]:
        """What the scores depend on, for the record of the run."""
        model = self.judge.model
        return {
            "metrics": list(self.judge.metrics),
            "judge": None if model is None else model.model,
            "search": None if self.judge.search is None else self.judge.search.name,
        }


def _row(scores: dict[str, float | None], judged: Judged | None) -> dict[str, Any]:
    verdicts = () if judged is None else judged.verdicts
    counts: dict[str, Counter[str]] = {}
    for verdict in verdicts:
        outcome = WEIGHTED if verdict.weighted else verdict.outcome
        counts.setdefault(verdict.metric, Counter())[outcome] += 1
    return {
        "scores": scores,
        "verdicts": {metric: dict(found) for metric, found in counts.items()},
        "judge_usage": None if judged is None else asdict(judged.usage),
    }


def _search(references: References) -> Search:
    texts = [f"{name}: {text}" for name, some in sorted(references.texts.items()) for text in some]
    session = references.session
    searches: list[Search] = []
    if GRAPH in references.kinds:
        searches.append(GraphSearch(session))
    if texts:
        embedder = session.embedder if len(texts) <= _EMBEDDED else None
        searches.append(PassageSearch(texts, embedder))
    if not searches:
        raise ConfigurationError(
            "safe searches the graph or texts: take --reference graph or --reference PATH"
        )
    return searches[0] if len(searches) == 1 else TwoSearches(*searches)
