"""The figures of a report, computed from the rows of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from isomatch.evaluate.metrics import (
    COLUMNS,
    CUTS,
    RiskPoint,
    Score,
    mean,
    risk_coverage,
    spread,
    stages,
    summary,
)
from isomatch.evaluate.scoring import Row
from isomatch.evaluate.statistics import intervals

RECALLS = ("recall", "answer_recall")
_CHAINS = ("hit_at_1", "hit_at_3", "precision", "recall", "f1")
_COUNTS = ("shared", "found", "right")  # of answers, for micro-F1
SPLITS: Mapping[str, Callable[[Row], str]] = {
    "hops": lambda row: str(row["hops"] or "not known"),
    "topics": lambda row: str(len(row["topics"]) or "not given"),
    "type": lambda row: str(row["type"]),
    "kind": lambda row: str(row.get("kind") or "not given"),
    "gold": lambda row: f"orders {m}s as texts" if (m := row.get("misordered")) else "others",
}


def summarise(rows: Sequence[Row], seed: int) -> dict[str, Any]:
    """All figures of some questions.

    Returns:
        The keys of `isomatch.evaluate.metrics.summary` where answers were read;
        ``intervals`` (95 %, by the same keys); the shares ``complete``, ``cut``,
        ``refused`` and ``failed`` (no result); ``retrieval``, ``usage`` and
        ``stages_ms``; ``risk_coverage``, the points of that curve by the interpreter's
        scores, none where an answer has no score; ``parts`` and ``splits``, short figures
        by group (with recall at 100); ``failures``, the number of questions by reason.
    """
    return {
        "questions": len(rows),
        **figures(rows, seed),
        **{key: mean([float(bool(row[key])) for row in rows]) for key in ("complete", "cut")},
        "refused": mean([float(row["refused"]) for row in rows]),
        "failed": mean([float(row["error"] is not None) for row in rows]),
        "retrieval": _retrieval(rows),
        "usage": _usage(rows),
        "stages_ms": stages([row["stages_ms"] for row in rows]),
        "risk_coverage": [asdict(point) for point in _risk_coverage(rows)],
        "parts": _split(rows, lambda row: str(row["part"]), seed),
        "splits": {name: _split(rows, key, seed) for name, key in SPLITS.items()},
        "failures": dict(Counter(row["reason"] for row in rows if row["reason"]).most_common()),
    }


def figures(rows: Sequence[Row], seed: int) -> dict[str, Any]:
    """Scores of answers with their intervals; empty where no answers were read."""
    scores = [score for row in rows if (score := score_of(row)) is not None]
    if not scores:
        return {}
    columns = {key: [column(s) for s in scores] for key, column in COLUMNS.items()}
    counts = {f"_{key}": [float(getattr(s, key)) for s in scores] for key in _COUNTS}
    ratios = {"micro_f1": ("_shared", ("_found", "_right"), 2.0)}
    return {**summary(scores), "intervals": intervals({**columns, **counts}, seed, ratios=ratios)}


def score_of(row: Row) -> Score | None:
    return None if row["score"] is None else Score(**row["score"])


def _risk_coverage(rows: Sequence[Row]) -> list[RiskPoint]:
    scored = [(row, score) for row in rows if (score := score_of(row)) is not None]
    answered = [(row["reading_score"], score.exact) for row, score in scored if score.found]
    if any(score is None for score, _ in answered):
        return []
    return risk_coverage(answered, len(scored))


def _split(rows: Sequence[Row], key: Callable[[Row], str], seed: int) -> dict[str, Any]:
    """Figures by group, in the order of their names, with the median total time."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return {
        name: {
            "questions": len(members),
            **figures(members, seed),
            **_chains(members),
            **{key: curve["100"] for key, curve in _recalls(members).items()},
            "ms": spread([row["stages_ms"].get("total", 0.0) for row in members])["p50"],
        }
        for name, members in sorted(groups.items())
    }


def _chains(rows: Sequence[Row]) -> dict[str, float]:
    """Means over the questions that have each figure."""
    present = [row["chains"] for row in rows if row["chains"]]
    found = {
        f"chain_{key}": [float(one[key]) for one in present if one[key] is not None]
        for key in _CHAINS
    }
    return {key: mean(values) for key, values in found.items() if values}


def _retrieval(rows: Sequence[Row]) -> dict[str, Any]:
    present = [row["triples"] for row in rows if row["triples"]]
    found: dict[str, Any] = {**_chains(rows), **_recalls(rows)}
    if present:
        found["triples"] = mean([float(one["count"]) for one in present])
        found["evidence_tokens"] = mean([float(one["tokens"]) for one in present])
    return found


def _recalls(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    """Mean recall at each K; empty where nothing was retrieved for any question."""
    curves = {}
    for key in RECALLS if any(row["triples"] for row in rows) else ():
        present = [one for row in rows if (one := recall_of(row, key)) is not None]
        if present:
            curves[key] = {str(k): mean([one[str(k)] for one in present]) for k in CUTS}
    return curves


def recall_of(row: Row, key: str) -> Mapping[str, float] | None:
    """A question's recall at each K, 0 where nothing was retrieved.

    None where there is nothing to find: no gold triples, or no answer in the graph.
    """
    if row["triples"]:
        found: Mapping[str, float] | None = row["triples"].get(key)
        return found
    findable = row["gold_triples" if key == "recall" else "answerable"]
    return dict.fromkeys(map(str, CUTS), 0.0) if findable else None


def _usage(rows: Sequence[Row]) -> dict[str, float]:
    """Requests and tokens of the language model, in total and by question."""
    present = [row["usage"] for row in rows if row["usage"]]
    keys = ("requests", "counted", "prompt_tokens", "completion_tokens")
    found: dict[str, float] = {key: sum(one[key] for one in present) for key in keys}
    if not found["requests"]:
        return {}
    tokens = found["prompt_tokens"] + found["completion_tokens"]
    return {**found, "tokens_per_question": tokens / len(rows)}
