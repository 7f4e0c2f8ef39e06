"""What people see."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console, RenderableType
from tests.unit.evaluate.sample_rows import finished_run, row
from tests.unit.output.sample_results import answer, colleagues, films

from isomatch.answer.types import REFUSAL
from isomatch.evaluate.compare import compare_runs, comparison_tables
from isomatch.evaluate.summary import summarise
from isomatch.evaluate.tables import evaluation_tables
from isomatch.match.types import Bound, Certificate, Interpretation, Match, Triple
from isomatch.output.tables import schema_tables
from isomatch.output.tree import answer_parts, profile_line, result_trees
from isomatch.pattern import parse
from isomatch.schema.types import PropertyIndex, Relation, Schema, Type


def shown(*parts: RenderableType) -> list[str]:
    stream = io.StringIO()
    console = Console(file=stream, width=200, markup=False, highlight=False)
    for part in parts:
        console.print(part)
    return [line.rstrip() for line in stream.getvalue().splitlines()]


PROOF = [
    "proven complete: no other interpretation in the whole graph is nearer",
    "note: vectors: exact scan",
]


def test_an_interpretation_lists_its_matches() -> None:
    assert shown(*result_trees(films(["Heat", "Ali"]))) == [
        "1  distance 0.000, 2 matches",
        "├── Heat ─directed by→ Michael Mann",
        "└── Ali ─directed by→ Michael Mann",
        *PROOF,
    ]


def test_a_match_of_several_edges_is_a_branch() -> None:
    assert shown(*result_trees(colleagues())) == [
        "1  distance 0.000, 1 match",
        "└── ?a = Al Pacino, ?f = Heat",
        "    ├── Al Pacino ─acted in→ Heat",
        "    └── Heat ─directed by→ Michael Mann",
        *PROOF,
    ]


def test_a_fact_that_fits_both_ways_round_is_listed_once() -> None:
    neo, morpheus, films = (Bound(f"urn:{n}", n) for n in ("Neo", "Morpheus", "The Matrix"))
    acted = Bound("urn:in", "acted in")
    facts = [Triple(who, acted, films) for who in (neo, morpheus)]
    matches = [
        Match(dict(zip("xy", ends, strict=True)), (fact,))
        for fact in facts
        for ends in ((fact.source, fact.target), (fact.target, fact.source))
    ]
    result = replace(
        colleagues(),
        pattern=parse("(?x)-[acted in]-(?y)"),
        interpretations=(Interpretation(1, 0.0, (), tuple(matches)),),
    )
    assert shown(*result_trees(result)) == [
        "1  distance 0.000, 2 matches",
        "├── Neo ─acted in→ The Matrix",
        "└── Morpheus ─acted in→ The Matrix",
        *PROOF,
    ]
    # Each end is an answer of its own where one of them is asked for.
    one = replace(result, pattern=parse("(?x)-[acted in]-(?y) return ?x"))
    assert len(shown(*result_trees(one))) == 1 + 4 + len(PROOF)


def test_an_interpretation_says_what_words_were_taken_for() -> None:
    lines = shown(*result_trees(films(["Heat"], director="Michael Man", distance=0.612)))
    assert lines[:2] == [
        "1  distance 0.612, 1 match",
        "“Michael Mann” read as “Michael Man” (distance 0.61)",
    ]


def test_a_tree_cuts_long_lists_with_a_count() -> None:
    lines = shown(*result_trees(films([f"Film {n}" for n in range(12)], cut=True), shown=2))
    assert lines[0] == "1  distance 0.000, 12 or more matches"
    assert lines[3] == "└── … 10 more; --show N lists more"


def test_no_match_is_said_plainly() -> None:
    assert shown(*result_trees(films([])))[:2] == [
        "no match",
        "proven: no interpretation of the pattern has a match",
    ]
    far = shown(*result_trees(films(["Heat"], director="Heat", distance=1.2)))
    assert far[0] == "no match; the nearest interpretations are far:"
    assert far[2] == "“Michael Mann” read as “Heat” (distance 1.20)"


def test_interpretations_beside_near_ones_are_marked_where_they_are_far() -> None:
    near = films(["Heat"])
    far = films(["Serpico"], director="Sidney Lumet", distance=1.2).interpretations[0]
    both = replace(near, interpretations=(*near.interpretations, replace(far, rank=2)))
    lines = shown(*result_trees(both))
    assert lines.count("too far to be meant") == 1
    assert lines.index("too far to be meant") > lines.index("2  distance 1.200, 1 match")


@pytest.mark.parametrize(("budget", "what"), [("time", "time"), ("rows", "rows")])
def test_a_tree_after_a_budget_ended_does_not_say_no_match(budget: str, what: str) -> None:
    ended = Certificate(exact=False, complete=False, bound=0.5, ended_by=budget)
    nothing = replace(films([]), certificate=ended)
    assert shown(*result_trees(nothing))[0] == f"nothing found before the {what} ran out"
    far = replace(films(["Heat"], director="Heat", distance=1.2), certificate=ended)
    assert shown(*result_trees(far))[0] == (
        f"nothing found before the {what} ran out; the nearest interpretations are far:"
    )
    near = replace(films(["Heat"]), certificate=ended)
    assert shown(*result_trees(near))[0] == "1  distance 0.000, 1 match"
    refused = replace(answer(far, REFUSAL, supported=False), result=nothing)
    assert shown(*answer_parts(refused))[0] == f"nothing found before the {what} ran out"


def test_markup_in_names_is_text() -> None:
    assert shown(*result_trees(films(["[bold]Heat[/bold]"])))[1] == (
        "└── [bold]Heat[/bold] ─directed by→ Michael Mann"
    )


def test_an_answer_with_its_facts() -> None:
    assert shown(*answer_parts(answer(films(["Heat"])))) == [
        "Heat.",
        "  [1] Heat ─directed by→ Michael Mann",
        'read as (?f:film)-[directed by]-(m "Michael Mann") return ?f, distance 0.000',
        PROOF[0],
        "note: read without a model",
        PROOF[1],
    ]


def test_the_profile_has_counts_and_times() -> None:
    assert shown(profile_line(films([]).profile)) == [
        "ascending: 1 interpretations examined, 1 rounds, 2 rows, 0 vectors read; "
        "milliseconds: link 1.5, total 2.0"
    ]


def test_a_schema_lists_relations_and_types_and_counts_the_rest() -> None:
    relation = Relation(
        *("urn:by", "directed by", 1200, 1100, 300, 1.1, 3, 4.0, 40),
        source_types={"urn:Film": 1200},
        literal_kinds={"text": 2},
    )
    schema = Schema("f", 1200, 1400, (relation, relation), (Type("urn:Film", "film", 1100),))
    lines = shown(*schema_tables(schema, shown=1))
    assert lines[0] == "1,200 facts, 1,400 nodes, 0 values"
    assert " ".join(lines[2].split()) == "directed by 1,200 1.1 / 3 4.0 / 40 film text"
    assert lines[3] == "… 1 more relations"


@pytest.mark.parametrize(
    ("texts", "shown_to"),
    [("number", "text (numbers)"), ("date", "text (dates)"), ("text", "text"), ("", "text")],
)
def test_a_schema_says_once_that_texts_are_numbers_or_dates(texts: str, shown_to: str) -> None:
    length = Relation("urn:length", "length", 2, literal_kinds={"text": 2}, texts=texts)
    lines = shown(*schema_tables(Schema("f", 2, 4, (length,), ())))
    assert " ".join(lines[2].split()) == f"length 2 0.0 / 0 0.0 / 0 {shown_to}"


def test_the_schema_of_a_property_graph_shows_what_is_stored() -> None:
    schema = Schema(
        *("f", 7, 9),
        relations=(
            Relation(
                *(":ACTED_IN", "acted in", 4, 3, 2, 1.3, 2, 2.0, 3),
                source_types={":Person": 3, ":": 1},
                target_types={":Movie": 4},
            ),
            Relation(".tags", "tags", 3, literal_kinds={"text": 3}, listed=True),
        ),
        types=(Type(":Person", "person", 3), Type(":Session", "session", 1)),
        names={":Person": ".name"},
        edge_properties={":ACTED_IN": {".roles": 3, ".paid": 1}},
        indexes=(PropertyIndex(":Movie", (".title", ".year"), "range", "films"),),
        notes=("no property names the nodes of \x1b[31mSession",),
    )
    lines = [" ".join(line.split()) for line in shown(*schema_tables(schema, shown=2))]
    assert lines == [
        "7 facts, 9 nodes, 0 values",
        "relation facts out in from to stored as with",
        "acted in 4 1.3 / 2 2.0 / 3 person, no label :Movie :ACTED_IN .roles, .paid",
        "tags 3 0.0 / 0 0.0 / 0 text in lists .tags",
        "type count named by",
        "person 3 .name",
        "session 1",
        "index of properties kind name",
        ":Movie .title, .year range films",
        "out, in: edges of one node, mean / most",
        "note: no property names the nodes of \ufffd[31mSession",
    ]


def test_an_evaluation_is_shown_with_its_intervals() -> None:
    rows = [row("1", f1=1.0), row("2", f1=0.0, reason="chain wrong")]
    summary = {
        "source": "films.jsonl",
        "patterns": "gold",
        "wording": "names",
        **summarise(rows, seed=7),
        "problems": {"counts": {"duplicate": 1}, "listed": []},
    }
    lines = shown(*evaluation_tables(summary))
    assert lines[0] == "films.jsonl: gold patterns"
    split = [line.split() for line in lines]
    assert split[3][:5] == ["Hits@1", "50.0", "%", "0.0", "–"]
    assert ["total", "2.0", "ms", "2.0", "ms", "2.0", "ms"] in split
    assert ["chain", "wrong", "1"] in split
    assert lines[-1] == "problems: 1 × duplicate"


def test_a_comparison_is_shown_with_its_significance(tmp_path: Path) -> None:
    for name, f1 in (("a", 0.0), ("b", 1.0)):
        finished_run(tmp_path / name, [row(str(n), f1=f1) for n in range(6)])
    found = compare_runs(tmp_path / "a", tmp_path / "b")
    lines = [line.split() for line in shown(*comparison_tables(found))]
    exact = next(line for line in lines if line[:2] == ["Exact", "match"])
    assert exact[2:5] == ["0.0", "100.0", "+100.0"]
    assert exact[-2:] == ["0.031", "significant"]
