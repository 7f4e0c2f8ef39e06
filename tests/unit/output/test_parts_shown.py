"""How orders and parts are shown: every output keeps the order, and says how parts were read."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pyoxigraph
import pytest
from rich.console import Console
from tests.oracle.conditions import FILMS

import isomatch
from isomatch.options import Format
from isomatch.output.convert import to_frame
from isomatch.output.json import result_form
from isomatch.output.queries import to_query
from isomatch.output.rows import result_rows, written
from isomatch.output.tables import explanation_tables
from isomatch.output.tree import answer_parts, result_trees

STARS = """
:heat :starring :pacino . :ali :starring :smith . :thief :length 122 . :ali :length 157 .
:pacino rdfs:label "Al Pacino" . :smith rdfs:label "Will Smith" . :heat :length 170 .
"""
LONGEST = "(?f:film)-[length]->(?m) return ?f order by ?m desc limit 2"
WITHOUT = '(?f:film)-[by]->("Michael Mann") without { (?f)-[starring]->("Al Pacino") } return ?f'
NO_ONE = WITHOUT.replace("Al Pacino", "Zorro Quux")


@pytest.fixture(scope="module")
def session() -> Iterator[isomatch.Session]:
    store = pyoxigraph.Store()
    store.load((FILMS + STARS).encode(), pyoxigraph.RdfFormat.TURTLE)
    with isomatch.open(store) as opened:
        yield opened


def shown(parts: list[object]) -> str:
    """What a terminal shows."""
    console = Console(width=200)
    with console.capture() as capture:
        for part in parts:
            console.print(part)
    return capture.get()


def test_every_output_keeps_the_order(session: isomatch.Session) -> None:
    result = session.match(LONGEST, k=1)

    films = ["Heat", "Ali"]
    assert [b.name for b in result.answers()] == films
    lines = written(result_rows(result), Format.csv).splitlines()[1:]
    assert [line.split(",")[1] for line in lines] == films
    assert [m["bindings"]["f"]["name"] for m in result_form(result)["matches"]] == films
    assert list(to_frame(result)["f"]) == films
    tree = shown(list(result_trees(result)))
    assert tree.index("Heat ") < tree.index("Ali ")
    assert (to_query(result, session) or "").startswith(
        "# without: order by ?m desc limit 2\nPREFIX"
    )
    assert session.ask(LONGEST, interpreter="given").text == "Heat and Ali."


def test_how_a_part_was_read_is_shown(session: isomatch.Session) -> None:
    result = session.match(WITHOUT, k=1)

    tree = shown(list(result_trees(result)))
    assert '?f not in { (?f)-[starring]->("Al Pacino") return ?f }' in tree
    assert "Heat ─starring→ Al Pacino" in tree
    (part,) = json.loads(json.dumps(result_form(result)))["parts"]
    assert (part["nodes"], part["operator"]) == (["f"], "not in")
    (read,) = part["interpretations"]
    assert (read["near"], read["gsd"], read["count"]) == (True, 0.0, 1)
    assert [c["name"] for c in read["choices"]] == ["Al Pacino", "starring"]
    assert part["certificate"]["complete"]
    answer = session.ask(WITHOUT, interpreter="given")
    assert {b.name for b in answer.answers} == {"Ali", "Thief", "Secret"}
    assert "not in" in shown(list(answer_parts(answer)))


def test_a_part_that_is_far_is_told(session: isomatch.Session) -> None:
    result = session.match(NO_ONE, k=1)

    tree = shown(list(result_trees(result)))
    assert "no match; the nearest interpretations are far" in tree
    assert "too far to be meant" in tree
    assert written(result_rows(result), Format.csv).splitlines()[1:] == []
    answer = session.ask(NO_ONE, interpreter="given")
    assert not answer.supported
    assert any("in a part: “Zorro Quux” read as" in note for note in answer.notes)


def test_parts_are_explained(session: isomatch.Session) -> None:
    explanation = session.explain(WITHOUT)

    (inner,) = explanation.parts
    assert [found.text for found in inner.lists] == ["Al Pacino", "starring"]
    assert inner.interpretations == 1
    assert "part 1, searched before:" in shown(list(explanation_tables(explanation)))
