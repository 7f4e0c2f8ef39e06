"""What a report says, as plain tables: the pages and the terminal only draw it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from isomatch.evaluate.failures import REASONS
from isomatch.evaluate.judge import Row

# key, what it is called, and what it means; in the order of a report
FIGURES = (
    ("hits_at_1", "Hits@1", "the first answer is right"),
    ("hit", "Hit", "at least one answer is right"),
    ("macro_f1", "Macro-F1", "F1 of the answers as a set; mean over questions"),
    ("macro_precision", "Precision", "share of the given answers that are right; mean"),
    ("macro_recall", "Recall", "share of the right answers that are given; mean"),
    ("micro_f1", "Micro-F1", "F1 over all answers of all questions"),
    ("exact", "Exact match", "all right answers, and no other"),
    ("hit_at_3", "Hit@3", "a right answer in the first three interpretations"),
    ("score_h", "Score_h", "truth-groundedness, 0 to 100: wrong answers cost, missing ones do not"),
)
RETRIEVAL = (
    ("chain_hit_at_1", "Chain hit@1", "the best chain is the gold one"),
    ("chain_hit_at_3", "Chain hit@3", "the gold chain is among the best three"),
    ("chain_precision", "Chain precision", "of the nodes where the chains end"),
    ("chain_recall", "Chain recall", "of the right answers"),
    ("chain_f1", "Chain F1", "of both; mean over questions"),
)
HEADLINE = ("hits_at_1", "macro_f1", "exact", "score_h")
MEANING = "what it is"  # head of a last column of words
SHOWN_TYPES = 12
SHOWN_FAILURES = 8  # of each reason
SHOWN_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Table:
    """A table of words. The first column is a name, the others are figures.

    Attributes:
        key: names the table for the page.
        note: below it.
    """

    key: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Failure:
    """Questions that failed for one reason, with the first of them."""

    reason: str
    meaning: str
    count: int
    share: float
    examples: tuple[Row, ...]


def headline(summary: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """The figures to begin with: name, value, interval and meaning."""
    told = [(k, name, meaning) for k, name, meaning in FIGURES if k in HEADLINE and k in summary]
    found = [(name, figure(k, summary[k]), interval(summary, k), m) for k, name, m in told]
    retrieval = summary["retrieval"]
    if not found and "answer_recall" in retrieval:
        found = [
            (f"{name}@100", percent(retrieval[key]["100"]), "", meaning)
            for key, name, meaning in (
                ("answer_recall", "Answer recall", "right answers named in the best 100 triples"),
                ("recall", "Triple recall", "gold triples among the best 100"),
            )
            if key in retrieval
        ]
    if "p50" in summary["stages_ms"].get("total", {}):
        median = summary["stages_ms"]["total"]["p50"]
        found.append(("Time", milliseconds(median), "median", "of one question, all stations"))
    return found


def tables(summary: Mapping[str, Any]) -> list[Table]:
    """All tables of a report, in order; those without rows are left out."""
    made = [
        _figures(summary),
        _retrieval(summary["retrieval"]),
        *(_split(name, groups) for name, groups in _splits(summary).items()),
        _recall(summary["retrieval"]),
        _stages(summary["stages_ms"]),
        _cost(summary),
    ]
    return [table for table in made if table.rows]


def failures(rows: Sequence[Row]) -> list[Failure]:
    """Why questions failed, the most frequent reason first."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        if row["reason"]:
            groups.setdefault(row["reason"], []).append(row)
    ranked = sorted(groups.items(), key=lambda item: -len(item[1]))
    return [
        Failure(
            reason,
            REASONS[reason],
            len(here),
            len(here) / len(rows),
            tuple(sorted(here, key=lambda row: row["score"]["f1"])[:SHOWN_FAILURES]),
        )
        for reason, here in ranked
    ]


def title(summary: Mapping[str, Any]) -> str:
    """What was measured, in a line."""
    source = str(summary["source"])
    return f"{source.partition(':')[0] if ':' in source else source}: {method(summary)}"


def method(summary: Mapping[str, Any]) -> str:
    """What answered, in words."""
    if baseline := summary.get("baseline"):
        return f"baseline {baseline}"
    if summary["patterns"] == "gold":
        wording = "" if summary["wording"] == "names" else f" ({summary['wording']})"
        return f"gold patterns{wording}"
    topics = ", topics given" if summary["topics"] == "given" else ""
    return f"interpreter {summary['interpreter']}, retriever {summary['retriever']}{topics}"


def asked_for(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The settings of a run, for people."""
    choice = summary["choice"]
    told = [
        ("questions", f"{summary['questions']:,} of {summary['source']}"),
        ("measured", method(summary)),
        ("language model", summary.get("model") or "none"),
        ("trained models", ", ".join(summary["trained"])),
        ("search options", ", ".join(f"{k} {v}" for k, v in summary.get("options", {}).items())),
        ("limit", "" if choice["limit"] is None else f"{choice['limit']} of each part"),
        ("seed", str(choice["seed"])),
        ("graph", str(summary["graph"])),
    ]
    if choice["split_by"] != "none":
        side = f"the test side of a split by {choice['split_by']}"
        told.insert(1, ("side", f"{side}, {percent(choice['share'])} for training"))
    if naming := summary.get("naming"):
        folded = ["case folded"] * naming["fold_case"]
        aliases = [f"{len(naming['aliases'])} aliases"] * bool(naming["aliases"])
        told.append(("names", ", ".join([*folded, *aliases])))
    return [(key, value) for key, value in told if value]


def figure(key: str, value: float) -> str:
    """A figure as a report writes it."""
    return f"{value:.1f}" if key == "score_h" else percent(value)


def interval(summary: Mapping[str, Any], key: str) -> str:
    """Its 95 % interval, if it has one."""
    found = summary.get("intervals", {}).get(key)
    if found is None:
        return ""
    scale = 1 if key == "score_h" else 100
    return f"{found[0] * scale:.1f} – {found[1] * scale:.1f}"


def percent(value: float) -> str:
    """A share, as ``97.3 %``."""
    return f"{100 * value:.1f} %"


def milliseconds(value: float) -> str:
    """A time, as ``3.1 ms`` or ``2.4 s``."""
    return f"{value / 1000:.1f} s" if value >= 1000 else f"{value:.1f} ms"


def _figures(summary: Mapping[str, Any]) -> Table:
    rows = tuple(
        (name, figure(key, summary[key]), interval(summary, key), meaning)
        for key, name, meaning in FIGURES
        if key in summary
    )
    shares = " · ".join(
        f"{percent(summary[key])} {words}"
        for key, words in (
            ("complete", "proven complete over the whole graph"),
            ("cut", "cut by a limit"),
            ("refused", "refused"),
            ("failed", "without a result"),
        )
        if summary[key]
    )
    return Table("figures", "Answers", ("", "", "95 %", MEANING), rows, shares)


def _retrieval(retrieval: Mapping[str, Any]) -> Table:
    rows = [
        (name, percent(retrieval[key]), meaning)
        for key, name, meaning in RETRIEVAL
        if key in retrieval
    ]
    if "triples" in retrieval:
        rows.append(("Triples", f"{retrieval['triples']:.1f}", "retrieved for one question, mean"))
    if tokens := retrieval.get("evidence_tokens"):
        rows.append(("Evidence", f"{tokens:.0f} tokens", "for one question, mean"))
    return Table("retrieval", "Retrieval", ("", "", MEANING), tuple(rows))


def _splits(summary: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The splits that divide the questions, and parts where they say more than hops."""
    splits = {name: groups for name, groups in summary["splits"].items() if len(groups) > 1}
    sizes = [[g["questions"] for g in summary["splits"]["hops"].values()]]
    parts = summary["parts"]
    if len(parts) > 1 and [g["questions"] for g in parts.values()] not in sizes:
        splits = {"part": parts, **splits}
    return splits


_RECALLS = {"recall": "Triple recall@100", "answer_recall": "Answer recall@100"}


def _split(name: str, groups: Mapping[str, Any]) -> Table:
    most = sorted(groups.items(), key=lambda item: -item[1]["questions"])
    kept = {key for key, _ in most[:SHOWN_TYPES]}
    keys = ("hits_at_1", "macro_f1", "exact")
    names = {key: called for key, called, _ in FIGURES}
    present = [key for key in keys if any(key in group for group in groups.values())]
    chains = any("chain_hit_at_1" in group for group in groups.values())
    columns = [f"by {name}", "questions"]
    for key in present:
        columns += [names[key], "95 %"] if key == "macro_f1" else [names[key]]
    recalls = [] if present else [k for k in _RECALLS if any(k in g for g in groups.values())]
    columns += ["Chain hit@1"] * chains + [_RECALLS[key] for key in recalls] + ["median"]
    rows = []
    for group, told in groups.items():
        if group not in kept:
            continue
        cells = [group, f"{told['questions']:,}"]
        for key in present:
            cells.append(figure(key, told[key]) if key in told else "–")
            if key == "macro_f1":
                cells.append(interval(told, key))
        if chains:
            hit = told.get("chain_hit_at_1")
            cells.append("–" if hit is None else percent(hit))
        cells += [percent(told[key]) if key in told else "–" for key in recalls]
        rows.append((*cells, milliseconds(told["ms"])))
    left = len(groups) - len(rows)
    note = f"the {SHOWN_TYPES} most frequent; {left} more are in summary.json" if left else ""
    return Table(f"by-{name}", f"By {name}", tuple(columns), tuple(rows), note)


def _recall(retrieval: Mapping[str, Any]) -> Table:
    cuts = list(retrieval.get("answer_recall") or retrieval.get("recall") or ())
    rows = tuple(
        (name, *(percent(retrieval[key][k]) for k in cuts))
        for key, name in (("recall", "gold triples"), ("answer_recall", "right answers"))
        if key in retrieval
    )
    note = "share that is among the K best triples; mean over questions"
    return Table("recall", "Recall at K", ("K", *cuts), rows, note)


def _stages(stages: Mapping[str, Any]) -> Table:
    rows = tuple(
        (stage, *(milliseconds(times[of]) for of in ("p50", "mean", "p99")))
        for stage, times in stages.items()
    )
    return Table("time", "Time by station", ("", "median", "mean", "99th percentile"), rows)


def _cost(summary: Mapping[str, Any]) -> Table:
    usage = summary["usage"]
    if not usage:
        return Table("cost", "Language model", ("", ""), ())
    rows = (
        ("requests", f"{usage['requests']:,}"),
        ("tokens sent", f"{usage['prompt_tokens']:,}"),
        ("tokens written", f"{usage['completion_tokens']:,}"),
        ("tokens a question", f"{usage['tokens_per_question']:,.0f}"),
    )
    silent = usage["requests"] - usage["counted"]
    note = f"the endpoint did not say what {silent:,} replies cost" if silent else ""
    return Table("cost", "Language model", ("", ""), rows, note)
