"""The figures of an evaluation on open questions, computed from its rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

from isomatch.evaluate.okgqa.config import is_form
from isomatch.evaluate.scoring import Row
from isomatch.evaluate.statistics import intervals, share_interval
from isomatch.judge.types import MODEL_METRICS, unusable
from isomatch.questions.open.sets import TYPES

ALL = "all"


def summarise(
    rows: Sequence[Row], systems: Sequence[str], metrics: Sequence[str], seed: int
) -> dict[str, Any]:
    """All figures.

    A score of an answer that was not given, or that a judge could not say, is missing: it
    counts neither for nor against. How many answers were given stands beside.

    Returns:
        ``questions``; ``scores``: by type of question (``all`` first), system and metric the
        ``mean``, its 95 % ``interval`` and ``n``; ``wins``: by metric a list of pairs
        of systems with the share of questions that the first wins (a tie is half);
        ``evidence``: by system what is known without a judge; ``curves``: by perturbation
        what became of the forms; ``verdicts``: by metric how often a judge said what;
        ``judge_failed``: whether no reply of a judge could be used;
        ``usage``: tokens of writers and judge; ``failed``: the share without an answer.
    """
    whole = [row for row in rows if not row["perturb"]]
    types = [type for type in (*TYPES, "not given") if any(r["type"] == type for r in whole)]
    verdicts, asking = _verdicts(rows, metrics), [m for m in metrics if m in MODEL_METRICS]
    groups = {ALL: whole}
    if len(types) > 1:
        groups |= {type: [r for r in whole if r["type"] == type] for type in types}
    return {
        "questions": len({row["question_id"] for row in whole}),
        "types": {t: len({r["question_id"] for r in whole if r["type"] == t}) for t in types},
        "scores": {
            name: {s: _scores(_of(some, s), metrics, seed) for s in systems}
            for name, some in groups.items()
        },
        "wins": {metric: _wins(whole, systems, metric) for metric in metrics},
        "evidence": {system: _evidence(_of(whole, system)) for system in systems},
        "curves": _curves(rows, systems, metrics, seed),
        "verdicts": verdicts,
        "judge_failed": unusable(sum((Counter(verdicts[m]) for m in asking), Counter())),
        "usage": _usage(rows),
        "failed": _mean(float(not row["text"]) for row in rows),
    }


def _of(rows: Sequence[Row], system: str) -> list[Row]:
    return [row for row in rows if row["system"] == system]


def _scores(rows: Sequence[Row], metrics: Sequence[str], seed: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for metric in metrics:
        values = [v for row in rows if (v := row["scores"].get(metric)) is not None]
        found[metric] = _figure(values, seed)
    return found


def _figure(values: Sequence[float], seed: int) -> dict[str, Any]:
    if not values:
        return {"mean": None, "interval": None, "n": 0}
    low, high = intervals({"score": values}, seed)["score"]
    return {"mean": _mean(values), "interval": [low, high], "n": len(values)}


def _wins(rows: Sequence[Row], systems: Sequence[str], metric: str) -> list[dict[str, Any]]:
    """For each pair of systems, how often the first scores more than the second.

    An answer that was not given loses to one that was.
    """
    by_system = {s: {r["question_id"]: r for r in rows if r["system"] == s} for s in systems}
    found = []
    for first, second in combinations(systems, 2):
        outcomes = []
        for id, one in by_system[first].items():
            other = by_system[second].get(id)
            if other is not None and (won := _won(one, other, metric)) is not None:
                outcomes.append(won)
        if outcomes:
            share, n = sum(outcomes) / len(outcomes), len(outcomes)
            low, high = share_interval(share, n)
            ties = sum(won == 0.5 for won in outcomes)
            pair = {"first": first, "second": second, "ties": ties}
            found.append({**pair, "mean": share, "interval": [low, high], "n": n})
    return found


def _won(one: Row, other: Row, metric: str) -> float | None:
    """1, 0.5 or 0; None where a judge could not say of an answer that was given."""
    a, b = one["scores"].get(metric), other["scores"].get(metric)
    if a is not None and b is not None:
        return 1.0 if a > b else 0.0 if a < b else 0.5
    if a is not None and not other["text"]:
        return 1.0
    if b is not None and not one["text"]:
        return 0.0
    return None


def _evidence(rows: Sequence[Row]) -> dict[str, Any]:
    proofs = [row["selection"] for row in rows if row["selection"]]
    facts = [len(row["facts"]) for row in rows if row["facts"]]
    return {
        "answered": _mean(float(bool(row["text"])) for row in rows),
        "facts": _mean(facts),
        "topics_named": _mean(row["named"] for row in rows if row["text"]),
        "optimal": _mean(float(proof["optimal"]) for proof in proofs),
        "gap": _mean(proof["gap"] for proof in proofs),
        "milliseconds": _mean(row["milliseconds"] for row in rows),
    }


def _curves(
    rows: Sequence[Row], systems: Sequence[str], metrics: Sequence[str], seed: int
) -> dict[str, Any]:
    """By perturbation (the graph as it is first) and form: scores, and what the evidence kept."""
    names = list(dict.fromkeys(row["perturb"] for row in rows))
    if len(names) < 2:
        return {}
    whole = {(r["question_id"], r["system"]): r for r in rows if not r["perturb"]}
    found: dict[str, Any] = {}
    for name in names:
        found[name] = {}
        for system in filter(is_form, systems):
            some = [r for r in _of(rows, system) if r["perturb"] == name]
            kept = [_kept(r, whole[r["question_id"], system]) for r in some]
            found[name][system] = {
                "scores": _scores(some, metrics, seed),
                "same_evidence": _mean(share for share in kept if share is not None),
                "true_facts": _mean(
                    1.0 if not name else row["true_facts"]
                    for row in some
                    if row["facts"] and (not name or row["true_facts"] is not None)
                ),
                **_evidence(some),
            }
    return found


def _kept(row: Row, whole: Row) -> float | None:
    """The share of the facts of the unchanged graph's evidence that are in this one."""
    before = {tuple(fact) for fact in whole["facts"]}
    return len(before & {tuple(f) for f in row["facts"]}) / len(before) if before else None


def _verdicts(rows: Sequence[Row], metrics: Sequence[str]) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {metric: {} for metric in metrics}
    for row in rows:
        for metric, outcomes in row["verdicts"].items():
            for outcome, count in outcomes.items():
                if metric in counts:
                    counts[metric][outcome] = counts[metric].get(outcome, 0) + count
    return counts


def _usage(rows: Sequence[Row]) -> dict[str, dict[str, int]]:
    return {
        name: _total(row[key] for row in rows if row[key])
        for name, key in (("writers", "usage"), ("judge", "judge_usage"))
    }


def _total(usages: Iterable[Mapping[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for usage in usages:
        for key, value in usage.items():
            total[key] = total.get(key, 0) + value
    return total


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return sum(found) / len(found) if found else None
