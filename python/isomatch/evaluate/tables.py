"""The tables of a report as plain text cells, and how the terminal shows them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from isomatch.evaluate.scoring import REASONS, Row
from isomatch.output.tables import rich_table
from isomatch.phrasing import clean
from isomatch.texts import data

if TYPE_CHECKING:
    from rich.console import RenderableType

_WORDS = data("isomatch.evaluate", "report.toml")
# key, name and meaning, in the order of a report
FIGURES = tuple((key, name, meaning) for key, (name, meaning) in _WORDS["figures"].items())
RETRIEVAL = tuple((key, name, meaning) for key, (name, meaning) in _WORDS["retrieval"].items())
HEADLINE = ("hits_at_1", "macro_f1", "exact", "wrong", "score_h")
_BY_KIND = ("macro_f1", "exact", "wrong", "unanswered")
_COVERED = (0.25, 0.5, 0.75, 1.0)  # shares of the answers that the table of risks shows
MEANING = "what it is"  # header of a last column with text
SHOWN_TYPES = 12
SHOWN_FAILURES = 8  # of each reason
SHOWN_PROBLEMS = 50


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text cells. The first column is a name, the others are figures.

    Attributes:
        note: shown below the table.
    """

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
    """The main figures: name, value, interval and meaning."""
    found = [
        (name, figure(key, summary[key]), interval(summary, key), meaning)
        for key, name, meaning in FIGURES
        if key in HEADLINE and key in summary
    ]
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
    """All tables of a report that have rows, in order."""
    every = [
        _feedback(summary),
        _figures(summary),
        _retrieval(summary["retrieval"]),
        *(_split(name, groups) for name, groups in _splits(summary).items()),
        _risks(summary["risk_coverage"]),
        _recall(summary["retrieval"]),
        _stages(summary["stages_ms"]),
        _cost(summary),
    ]
    return [table for table in every if table.rows]


def failures(rows: Sequence[Row]) -> list[Failure]:
    """The questions that failed, by reason, the most frequent reason first."""
    counts = Counter(row["reason"] for row in rows if row["reason"])
    found = []
    for reason, count in counts.most_common():
        failed = sorted(
            (row for row in rows if row["reason"] == reason), key=lambda row: row["score"]["f1"]
        )
        examples = tuple(failed[:SHOWN_FAILURES])
        found.append(Failure(reason, REASONS[reason], count, count / len(rows), examples))
    return found


def title(summary: Mapping[str, Any]) -> str:
    """The source and method of a run, in a line."""
    source = str(summary["source"])
    return f"{source.partition(':')[0] if ':' in source else source}: {method(summary)}"


def method(summary: Mapping[str, Any]) -> str:
    """What answered the questions."""
    perturb = summary.get("perturb")
    level = f", perturbed by {perturb['method']}:{perturb['level']:.12g}" if perturb else ""
    return _system(summary) + level


def _system(summary: Mapping[str, Any]) -> str:
    if baseline := summary.get("baseline"):
        return f"baseline {baseline}"
    if summary["patterns"] == "gold":
        wording = "" if summary["wording"] == "names" else f" ({summary['wording']})"
        return f"gold patterns{wording}"
    topics = ", topics given" if summary["topics"] == "given" else ""
    return f"interpreter {summary['interpreter']}, retriever {summary['retriever']}{topics}"


def settings_list(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The settings of a run, as pairs of name and value."""
    choice = summary["choice"]
    settings = [
        ("questions", f"{summary['questions']:,} of {summary['source']}"),
        ("measured", method(summary)),
        ("language model", summary.get("model") or "none"),
        ("trained models", ", ".join(summary["trained"])),
        ("search options", ", ".join(f"{k} {v}" for k, v in summary.get("options", {}).items())),
        ("limit", "" if choice["limit"] is None else f"{choice['limit']} of each part"),
        ("seed", str(choice["seed"])),
        ("changed facts", _changed_facts(summary)),
        ("graph", str(summary["graph"])),
    ]
    if choice["split_by"] != "none":
        side = f"the test side of a split by {choice['split_by']}"
        settings.insert(1, ("side", f"{side}, {percent(choice['share'])} for training"))
    if naming := summary.get("naming"):
        folded = ["case folded"] * naming["fold_case"]
        aliases = [f"{len(naming['aliases'])} aliases"] * bool(naming["aliases"])
        numbers = ["numbers as numbers"] * naming.get("numbers", False)
        settings.append(("names", ", ".join([*folded, *aliases, *numbers])))
    return [(key, value) for key, value in settings if value]


def _changed_facts(summary: Mapping[str, Any]) -> str:
    """Of each graph's copy; empty where the graphs themselves were asked."""
    copies = summary.get("perturbed", ())
    notes = dict.fromkeys(copy["note"] for copy in copies if copy["note"])
    counts = ", ".join(f"{copy['changed']:,} of {copy['facts']:,}" for copy in copies)
    return "; ".join([counts, *notes])


def figure(key: str, value: float) -> str:
    return f"{value:.1f}" if key == "score_h" else percent(value)


def interval(summary: Mapping[str, Any], key: str) -> str:
    """The 95 % interval of a figure as text; empty if it has none."""
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
    return Table("Answers", ("", "", "95 %", MEANING), rows, shares)


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
    return Table("Retrieval", ("", "", MEANING), tuple(rows))


def _splits(summary: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The splits with several groups, and the parts unless they are those of the hops."""
    splits = {name: groups for name, groups in summary["splits"].items() if len(groups) > 1}
    sizes = [[g["questions"] for g in summary["splits"]["hops"].values()]]
    parts = summary["parts"]
    if len(parts) > 1 and [g["questions"] for g in parts.values()] not in sizes:
        splits = {"part": parts, **splits}
    return splits


_RECALLS = {"recall": "Triple recall@100", "answer_recall": "Answer recall@100"}


def _split(name: str, groups: Mapping[str, Any]) -> Table:
    largest = sorted(groups, key=lambda group: -groups[group]["questions"])[:SHOWN_TYPES]
    shown = {group: figures for group, figures in groups.items() if group in largest}
    keys = _BY_KIND if name in ("kind", "gold") else ("hits_at_1", "macro_f1", "exact")
    columns = _split_columns(groups.values(), keys)
    rows = tuple(
        (group, f"{figures['questions']:,}", *(cell(figures) for _, cell in columns))
        for group, figures in shown.items()
    )
    left = len(groups) - len(shown)
    note = f"the {SHOWN_TYPES} most frequent; {left} more are in summary.json" if left else ""
    heads = (f"by {name}", "questions", *(head for head, _ in columns))
    return Table(f"By {name}", heads, rows, note)


Column = tuple[str, Callable[[Mapping[str, Any]], str]]


def _split_columns(groups: Collection[Mapping[str, Any]], keys: Sequence[str]) -> list[Column]:
    """Name and cell of each column for which a group has figures."""

    def share(key: str, name: str) -> Column:
        return name, lambda group: percent(group[key]) if key in group else "–"

    names = {key: name for key, name, _ in FIGURES}
    present = set().union(*groups)
    scores = [key for key in keys if key in present]
    columns = []
    for key in scores:
        columns.append(share(key, names[key]))
        if key == "macro_f1":
            columns.append(("95 %", lambda group: interval(group, "macro_f1")))
    if "chain_hit_at_1" in present:
        columns.append(share("chain_hit_at_1", "Chain hit@1"))
    if not scores:
        columns += [share(key, name) for key, name in _RECALLS.items() if key in present]
    return [*columns, ("median", lambda group: milliseconds(group["ms"]))]


def _risks(points: Sequence[Mapping[str, float]]) -> Table:
    """Some points of the curve of risk and coverage, which is whole in the summary."""
    most = points[-1]["coverage"] if points else 0.0
    chosen = [next(p for p in points if p["coverage"] >= c * most) for c in _COVERED if points]
    distinct = {point["coverage"]: point for point in chosen}.values()
    rows = tuple(
        (percent(p["coverage"]), percent(p["risk"]), f"{p['least_score']:.2f}") for p in distinct
    )
    heads = ("questions answered", "wrong of these", "score at least")
    note = "if only answers of such a score were given" if rows else ""
    return Table("Risk and coverage", heads, rows, note)


def _recall(retrieval: Mapping[str, Any]) -> Table:
    cuts = list(retrieval.get("answer_recall") or retrieval.get("recall") or ())
    rows = tuple(
        (name, *(percent(retrieval[key][k]) for k in cuts))
        for key, name in (("recall", "gold triples"), ("answer_recall", "right answers"))
        if key in retrieval
    )
    note = "share that is among the K best triples; mean over questions"
    return Table("Recall at K", ("K", *cuts), rows, note)


def _stages(stages: Mapping[str, Any]) -> Table:
    rows = tuple(
        (stage, *(milliseconds(times[of]) for of in ("p50", "mean", "p99")))
        for stage, times in stages.items()
    )
    return Table("Time by station", ("", "median", "mean", "99th percentile"), rows)


def _feedback(summary: Mapping[str, Any]) -> Table:
    found = summary.get("feedback")
    if not found:
        return Table("Feedback", ("", ""), ())
    rows = [
        ("corrected questions, answered right", f"{found['right']:,} of {found['asked']:,}"),
        (
            "readings said to be wrong, given again",
            f"{len(found['repeated']):,} of {found['mistakes']:,}",
        ),
    ]
    rows += [(f"wrong: {one['question']}", "") for one in found["wrong"][:SHOWN_FAILURES]]
    rows += [(f"given again: {one['question']}", "") for one in found["repeated"][:SHOWN_FAILURES]]
    return Table("Feedback", ("", "questions"), tuple(rows), "; ".join(found["notes"]))


def _cost(summary: Mapping[str, Any]) -> Table:
    usage = summary["usage"]
    if not usage:
        return Table("Language model", ("", ""), ())
    rows = (
        ("requests", f"{usage['requests']:,}"),
        ("tokens sent", f"{usage['prompt_tokens']:,}"),
        ("tokens written", f"{usage['completion_tokens']:,}"),
        ("tokens a question", f"{usage['tokens_per_question']:,.0f}"),
    )
    silent = usage["requests"] - usage["counted"]
    note = f"the endpoint did not say what {silent:,} replies cost" if silent else ""
    return Table("Language model", ("", ""), rows, note)


# -- the terminal -----------------------------------------------------------------------


def evaluation_tables(summary: Mapping[str, Any]) -> list[RenderableType]:
    """The figures of an evaluation for the terminal."""
    from rich.text import Text

    parts = terminal_tables(title(summary), tables(summary))
    if failed := summary["failures"]:
        rows = [[clean(reason), f"{count:,}"] for reason, count in failed.items()]
        parts += [Text(), rich_table(("why questions failed", "questions"), rows, (1,))]
    for kind, count in summary["problems"]["counts"].items():
        parts.append(Text(f"problems: {count:,} × {clean(kind)}", style="yellow"))
    return parts


def terminal_tables(title: str, tables: Sequence[Table]) -> list[RenderableType]:
    """A title and tables for the terminal."""
    from rich.text import Text

    parts: list[RenderableType] = [Text(clean(title, None), style="bold")]
    for table in tables:
        rows = [[clean(cell) if cell else "" for cell in row] for row in table.rows]
        numbers = range(1, len(table.columns) - (table.columns[-1] == MEANING))
        heads = (table.columns[0] or table.title, *table.columns[1:])
        parts += [Text(), rich_table(heads, rows, numbers)]
        if table.note:
            parts.append(Text(clean(table.note, None), style="dim"))
    return parts
