"""The tables of a report on open questions, of the shape of OKGQA's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from isomatch.evaluate.tables import Table, milliseconds, percent, terminal_tables
from isomatch.phrasing import clean

if TYPE_CHECKING:
    from rich.console import RenderableType

NONE = "–"
EXAMPLES = 20  # questions that a report shows


def tables(summary: Mapping[str, Any]) -> list[Table]:
    """All tables that have rows, in order."""
    every = [
        *_by_type(summary),
        _wins(summary),
        _evidence(summary["evidence"]),
        *_curves(summary),
        _judge(summary),
        _cost(summary["usage"]),
    ]
    return [table for table in every if table.rows]


def title(summary: Mapping[str, Any]) -> str:
    """The source of a run, in a line."""
    return f"open questions of {summary['source']}"


def headline(summary: Mapping[str, Any]) -> list[tuple[str, str, str, str]]:
    """The main figures: name, value, what it is of, and meaning."""
    held = summary["held"]
    cards = [
        (
            "Questions",
            f"{summary['questions']:,}",
            f"{held['questions']:,} of {held['of']:,} can be asked",
            "of the others the graph holds no topic, or they are malformed or doubled",
        ),
        ("Answered", percent(1 - summary["failed"]), "of all answers", "the others gave no text"),
    ]
    for system, figures in summary["evidence"].items():
        if figures["optimal"] is not None:
            proven = percent(figures["optimal"])
            cards.append((f"Proven, {system}", proven, "optimal evidence", "by its certificate"))
    if test := summary["self_test"]:
        cards.append(
            ("The judge", percent(test["accuracy"]), f"right of {test['facts']}", "self-test")
        )
    return cards


def settings_list(summary: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The settings of a run, as pairs of name and value."""
    options = ", ".join(f"{key} {value}" for key, value in summary["options"].items())
    settings = [
        ("questions", held_words(summary)),
        ("systems", ", ".join(summary["systems"])),
        ("metrics", ", ".join(map(_words, summary["metrics"]))),
        ("left out", left_out(summary)),
        ("writer", summary["model"] or "none: the evidence is told in sentences"),
        ("judge", summary["judge"] or "none: rules alone"),
        ("reference", ", ".join(summary["reference"])),
        ("perturbations", ", ".join(summary["perturb"])),
        ("evidence", options),
        ("seed", str(summary["seed"])),
        ("graph", str(summary["graph"])),
    ]
    return [(key, value) for key, value in settings if value]


def held_words(summary: Mapping[str, Any]) -> str:
    """How many of the questions could be asked, and were."""
    held = summary["held"]
    return (
        f"of {held['of']:,} questions the graph holds a topic of {held['questions']:,} (all "
        f"topics of {held['whole']:,}); asked {summary['questions']:,}"
    )


def left_out(summary: Mapping[str, Any]) -> str:
    """Which metrics were not measured, and what they need; empty if none is missing."""
    if not summary["left_out"]:
        return ""
    names = ", ".join(map(_words, summary["left_out"]))
    return f"{names}, and answers without the graph: they need a language model (ISOMATCH_MODEL)"


def open_tables(summary: Mapping[str, Any]) -> list[RenderableType]:
    """The figures for the terminal."""
    from rich.text import Text

    heading, *shown = terminal_tables(title(summary), tables(summary))
    parts: list[RenderableType] = [heading, Text(held_words(summary)), *shown, Text()]
    if missing := left_out(summary):
        parts.append(Text(f"left out: {missing}", style="yellow"))
    for kind, count in summary["problems"]["counts"].items():
        parts.append(Text(f"left out: {count:,} × {clean(kind)}", style="yellow"))
    return parts


def score_cell(figure: Mapping[str, Any], asked: int) -> str:
    """A mean with half of its interval, in percent: ``68.1 ± 0.9``.

    Resamples of values that are all the same say nothing: these have no interval. Where not
    all questions have a score, how many do: ``68.1 ± 0.9 (7)``.
    """
    if figure["mean"] is None:
        return NONE
    mean = f"{100 * figure['mean']:.1f}"
    low, high = figure["interval"]
    spread = "" if low == high else f" ± {50 * (high - low):.1f}"
    return mean + spread + ("" if figure["n"] == asked else f" ({figure['n']:,})")


def _by_type(summary: Mapping[str, Any]) -> Iterator[Table]:
    """A table for all questions, and one for each type: systems down, metrics across."""
    metrics = summary["metrics"]
    for name, systems in summary["scores"].items():
        number = summary["types"].get(name, summary["questions"])
        rows = tuple(
            (system, *(score_cell(figures[metric], number) for metric in metrics))
            for system, figures in systems.items()
        )
        heads = ("", *map(_words, metrics))
        what = f"{'All' if name == 'all' else name.capitalize()} questions ({number:,})"
        note = (
            "means in %, ± half of the 95 % interval over questions; in brackets how many answers "
            "have a score, where some were not given or could not be judged"
        )
        if summary["model"] is None:
            note += (
                ". No model wrote: the answers are the evidence told in sentences, which cite it "
                "by construction"
            )
        yield Table(what, heads, rows, note if name == "all" else "")


def _wins(summary: Mapping[str, Any]) -> Table:
    metrics = summary["metrics"]
    cells: dict[tuple[str, str], dict[str, str]] = {}
    for metric in metrics:
        for pair in summary["wins"][metric]:
            low, high = pair["interval"]
            interval = f" ({100 * low:.0f} – {100 * high:.0f})" if pair["n"] > 1 else ""
            text = f"{100 * pair['mean']:.0f}{interval}"
            cells.setdefault((pair["first"], pair["second"]), {})[metric] = text
    rows = tuple(
        (f"{first} over {second}", *(found.get(metric, NONE) for metric in metrics))
        for (first, second), found in cells.items()
    )
    note = (
        "% of the questions on which the first scores more (a tie is half), with 95 % intervals; "
        "an answer that was not given loses to one that was"
    )
    return Table("Win rates", ("", *map(_words, metrics)), rows, note)


def _evidence(systems: Mapping[str, Any]) -> Table:
    rows = tuple((system, *_evidence_cells(figures)) for system, figures in systems.items())
    heads = ("", "answered", "facts", "proven optimal", "mean gap", "topics named", "time")
    note = "what needs no judge; a proof is about the pruned surroundings of a question"
    return Table("Evidence and answers", heads, rows, note)


def _evidence_cells(figures: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        _percent(figures["answered"]),
        _number(figures["facts"]),
        _percent(figures["optimal"]),
        _number(figures["gap"]),
        _percent(figures["topics_named"]),
        NONE if figures["milliseconds"] is None else milliseconds(figures["milliseconds"]),
    )


def _curves(summary: Mapping[str, Any]) -> Iterator[Table]:
    curves, metrics = summary["curves"], summary["metrics"]
    note = (
        "of copies of the graph with errors; a proof there is about the copy. The facts that "
        "answers are checked against are those of the graph as it is"
    )
    for system in curves.get("", {}):
        rows = tuple(
            (
                name or "as it is",
                _percent(found[system]["answered"]),
                _percent(found[system]["true_facts"]),
                _percent(found[system]["same_evidence"]),
                _percent(found[system]["optimal"]),
                *(score_cell(found[system]["scores"][m], summary["questions"]) for m in metrics),
            )
            for name, found in curves.items()
        )
        heads = (
            "",
            "answered",
            "true facts",
            "same evidence",
            "proven optimal",
            *map(_words, metrics),
        )
        yield Table(f"{system.capitalize()} on graphs with errors", heads, rows, note)
        note = ""  # once is enough


def _judge(summary: Mapping[str, Any]) -> Table:
    """How often a judge said what; what was outside the form first."""
    outcomes = list(dict.fromkeys(o for found in summary["verdicts"].values() for o in found))
    outcomes.sort(key=lambda outcome: (outcome == "invalid", outcome))
    rows = tuple(
        (_words(metric), *(f"{found.get(outcome, 0):,}" for outcome in outcomes))
        for metric, found in summary["verdicts"].items()
        if found
    )
    return Table("Verdicts", ("", *outcomes), rows, judge_note(summary))


def judge_note(summary: Mapping[str, Any]) -> str:
    """What the judge is worth, in words."""
    if summary["judge"] is None:
        return "by rules alone: no language model judged"
    test = summary["self_test"]
    return test["words"] if test else "the judge was not tested (--no-self-test)"


def _cost(usage: Mapping[str, Mapping[str, int]]) -> Table:
    rows = tuple(
        (
            name,
            f"{found.get('requests', 0):,}",
            f"{found.get('prompt_tokens', 0):,}",
            f"{found.get('completion_tokens', 0):,}",
        )
        for name, found in usage.items()
        if found.get("requests")
    )
    heads = ("", "requests", "tokens sent", "tokens written")
    return Table("Cost", heads, rows, "by the endpoint's own count")


def _words(metric: str) -> str:
    return metric.replace("_", " ")


def _percent(value: float | None) -> str:
    return NONE if value is None else percent(value)


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f}"


def examples(rows: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, list[Any]]]:
    """The first questions, each with its type and all its answers."""
    found: dict[str, tuple[str, str, list[Any]]] = {}
    for row in rows:
        id = row["question_id"]
        if id in found or len(found) < EXAMPLES:
            found.setdefault(id, (row["question"], row["type"], []))[2].append(row)
    return list(found.values())
