"""The commands on a tiny graph, from the files to answers, with the real engines."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.unit.output.wire_forms import PRINTED, checked
from typer.testing import CliRunner

from isomatch.cli.app import app
from isomatch.store.oxigraph import OxigraphStore

FILMS = """\
Heat,directed by,Michael Mann
Ali,directed by,Michael Mann
Thief,directed by,Michael Mann
Heat,starring,Al Pacino
Ali,starring,Will Smith
Alien,directed by,Ridley Scott
"{evil}",starring,"Al ""[red]"" Pacino"
"""
DOMAINS = Path(__file__).parents[1] / "data" / "domains"
EVIL = '}; DROP ALL # "quoted" \\ <x> 👾 قلب'


class Ran:
    """Exit code, output and errors of one run."""

    def __init__(self, home: Path | None, *arguments: str, stdin: str | None = None):
        where = () if home is None else ("--home", str(home))
        result = CliRunner().invoke(app, (*where, *arguments), prog_name="isomatch", input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        self.code = result.exit_code
        self.type = PRINTED.get(next((one for one in arguments if one[0] != "-"), ""))
        self.out = result.stdout
        self.err = result.stderr

    @property
    def json(self) -> Any:
        form = json.loads(self.out)
        return form if self.type is None else checked(self.type, form)

    @property
    def error(self) -> dict[str, Any]:
        assert self.out == ""
        return json.loads(self.err)["error"]


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in list(os.environ):
        if name.startswith(("ISOMATCH_", "OPENAI_", "QDRANT_")):
            monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("films")
    quoted = EVIL.replace('"', '""')
    (folder / "films.csv").write_text(FILMS.replace("{evil}", quoted), encoding="utf-8")
    home = folder / "home"
    loaded = Ran(home, "load", str(folder / "films.csv"), "--base", "urn:films:")
    assert (loaded.code, loaded.err) == (0, "")
    assert "Next: isomatch index" in loaded.out
    indexed = Ran(home, "index")
    assert (indexed.code, indexed.err) == (0, "")
    return home


MANN = '(?f)-[directed by]-("Michael Mann")'


def test_match_prints_a_tree_and_the_proof(home: Path) -> None:
    ran = Ran(home, "match", MANN, "-k", "1")
    assert ran.code == 0
    lines = ran.out.splitlines()
    assert lines[0] == "1  distance 0.000, 3 matches"
    assert {line[4:] for line in lines[1:4]} == {
        f"{film} ─directed by→ Michael Mann" for film in ("Heat", "Ali", "Thief")
    }
    assert "proven complete" in lines[4]


def test_match_json_has_bindings_triples_and_certificate(home: Path) -> None:
    form = Ran(home, "match", MANN, "-k", "1", "--json").json
    assert form["found"] is True
    assert [m["rank"] for m in form["matches"]] == [1, 1, 1]
    assert {m["bindings"]["f"]["name"] for m in form["matches"]} == {"Heat", "Ali", "Thief"}
    for match in form["matches"]:
        (triple,) = match["triples"]
        assert triple["source"] == match["bindings"]["f"]
        assert triple["relation"]["name"] == "directed by"
    assert form["certificate"]["complete"] is True
    assert form["profile"]["stages_ms"]["total"] > 0


@pytest.mark.parametrize(
    "pattern",
    [
        '("UNKNOWN film 1", "directed by", "Michael Mann")',
        '{"nodes": [{"id": "f"}, {"id": "m", "text": "Michael Mann"}],'
        ' "edges": [{"source": "f", "relation": "directed by", "target": "m"}]}',
        MANN + "\n",
    ],
)
def test_every_form_of_a_pattern_from_standard_input(home: Path, pattern: str) -> None:
    ran = Ran(home, "match", "-", "-k", "1", "--json", stdin=pattern)
    assert len(ran.json["matches"]) == 3


def test_home_also_after_the_command(home: Path) -> None:
    assert Ran(None, "match", MANN, "--home", str(home)).code == 0


def test_the_command_cuts_long_lists_with_a_count(home: Path) -> None:
    out = Ran(home, "match", MANN, "-k", "1", "--show", "1").out
    assert "… 2 more; --show N lists more" in out


def test_match_draws_mermaid_and_dot(home: Path) -> None:
    pattern = '("Heat")-[starring]-(?who)'
    assert '-->|"starring"|' in Ran(home, "match", pattern, "-k", "1", "--mermaid").out
    assert '[label="starring"]' in Ran(home, "match", pattern, "-k", "1", "--dot").out


def test_names_are_data_all_the_way(home: Path) -> None:
    nodes = [{"id": "film", "text": EVIL}, {"id": "who"}]
    edge = {"source": "film", "relation": "starring", "target": "who"}
    pattern = json.dumps({"nodes": nodes, "edges": [edge]})
    form = Ran(home, "match", pattern, "-k", "1", "--json").json
    (match,) = form["matches"]
    assert match["triples"][0]["source"]["name"] == EVIL
    assert match["triples"][0]["target"]["name"] == 'Al "[red]" Pacino'
    shown = Ran(home, "match", pattern, "-k", "1").out
    assert EVIL in shown
    assert "[red]" in shown


def test_a_name_that_nothing_resembles(home: Path) -> None:
    ran = Ran(home, "match", '("qzxv 77 wkpf")-[starring]-(?x)')
    assert ran.code == 8
    assert ran.out.startswith("no match; the nearest interpretations are far:\n1  distance 1.")
    assert Ran(home, "match", '("qzxv 77 wkpf")-[starring]-(?x)', "--json").json["found"] is False


def test_a_pattern_without_any_match(home: Path) -> None:
    pattern = '("Heat")-[]-("Alien")'
    fixed = ("--k-nodes", "1")
    ran = Ran(home, "match", pattern, *fixed)
    assert ran.code == 8
    assert ran.out.startswith("no match\n")
    drawn = Ran(home, "match", pattern, *fixed, "--dot")
    assert (drawn.code, drawn.out, drawn.err) == (8, "", "no match: nothing to draw\n")


def test_a_budget_that_ends_before_anything_is_found(home: Path) -> None:
    hasty = ("--budget-seconds", "0.000001")
    ran = Ran(home, "match", '("Heat")-[starring]-("Al Pacino")', *hasty)
    assert ran.code == 9
    assert ran.out.startswith("nothing found before the time ran out\nnot proven: ")
    drawn = Ran(home, "match", MANN, *hasty, "--dot")
    assert (drawn.code, drawn.out) == (9, "")
    assert drawn.err == "nothing found before the time ran out: nothing to draw\n"
    form = Ran(home, "match", MANN, *hasty, "--json")
    assert (form.code, form.json["found"], form.json["certificate"]["ended_by"]) == (
        *(9, False),
        "time",
    )


def test_ask_answers_without_a_model(home: Path) -> None:
    ran = Ran(home, "ask", "who starred in Heat?", "--json")
    assert ran.code == 0
    assert ran.json["supported"] is True
    assert [a["name"] for a in ran.json["answers"]] == ["Al Pacino"]
    seen = Ran(home, "ask", "who starred in Heat?", "--stream")
    assert seen.out.startswith("Al Pacino.\n")
    assert "[1] Heat ─starring→ Al Pacino" in seen.out


def test_a_question_that_the_graph_cannot_answer(home: Path) -> None:
    ran = Ran(home, "ask", "what is the airspeed of qzxv 77 wkpf?")
    assert ran.code in (7, 8)
    assert "no place was found for “airspeed”" in ran.out or "no place was found" in ran.err


def test_explain_prints_strategy_lists_and_query(home: Path) -> None:
    ran = Ran(home, "explain", MANN)
    assert ran.code == 0
    assert "strategy: " in ran.out
    assert "SELECT" in ran.out
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["node", "Michael", "Mann"] in [row[:3] for row in rows]
    assert ["relation", "directed", "by"] in [row[:3] for row in rows]
    assert "LIMIT 8" in Ran(home, "explain", MANN, "--limit", "7", "--type-weight", "0").out
    assert Ran(home, "explain", MANN, "--json").json["queries"]


def test_the_query_alone_can_be_run_elsewhere(home: Path) -> None:
    query = Ran(home, "explain", MANN, "--query").out
    with OxigraphStore.open(home / "graph") as store:
        found = {row["f"].value for row in store.graph.query(query)}
    matched = Ran(home, "match", MANN, "-k", "1", "--json").json["matches"]
    assert found == {match["bindings"]["f"]["id"] for match in matched}


def test_schema_overwrites_an_edited_lexicon_only_with_force(home: Path, tmp_path: Path) -> None:
    assert "directed by" in Ran(home, "schema").out
    relations = {r["text"] for r in Ran(home, "schema", "--json").json["relations"]}
    assert relations == {"directed by", "starring"}
    lexicon = tmp_path / "words.toml"
    write = ("schema", "--lexicon", "--output", str(lexicon))
    assert f"copy it to {home / 'lexicon.toml'}" in Ran(home, *write).out
    lexicon.write_text("# my own words\n" + lexicon.read_text(encoding="utf-8"), encoding="utf-8")
    refused = Ran(home, *write)
    assert refused.code == 2
    assert "--force" in refused.err
    assert lexicon.read_text(encoding="utf-8").startswith("# my own words")
    assert Ran(home, *write, "--force").code == 0
    assert not lexicon.read_text(encoding="utf-8").startswith("# my own words")


def test_questions_are_read_in_the_language_that_is_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ISOMATCH_LANGUAGES", "de,en")
    home, lands = tmp_path / "home", DOMAINS / "de" / "laender.ttl"
    assert (Ran(home, "load", str(lands)).code, Ran(home, "index").code) == (0, 0)
    ask = ("ask", "Welche Flüsse fließen nicht durch Loria?", "--interpreter", "schema", "--json")
    german = Ran(home, *ask, "--language", "de")
    assert (german.code, german.json["text"]) == (0, "Sorn und Lauter.")
    assert "“fließen”" in Ran(home, *ask).error["message"]
    assert "there are en, de" in Ran(home, *ask, "--language", "xx").error["message"]
    assert Ran(home, "schema", "--lexicon", "--language", "de").code == 0
    assert "fließt durch" in (home / "lexicon.toml").read_text(encoding="utf-8")


def test_doctor_checks_every_part(home: Path) -> None:
    ran = Ran(home, "doctor")
    assert ran.code == 0
    names = [line.split()[1] for line in ran.out.splitlines()]
    assert names == ["store", "schema", "embedder", "index", "model", "qdrant"]
    assert Ran(home, "doctor", "--json").json["ok"] is True


def test_files_added_later_are_found_after_a_sync(tmp_path: Path) -> None:
    home = tmp_path / "home"
    first, second = tmp_path / "a.nt", tmp_path / "b.nt"
    first.write_text("<urn:a> <urn:likes> <urn:b> .\n<urn:b> <urn:likes> <urn:c> .\n")
    second.write_text("<urn:c> <urn:likes> <urn:zebra> .\nnot a triple\n")
    assert Ran(home, "load", str(first), "--json").json["added"] == 2
    assert Ran(home, "index", "--json").json["embedded"] > 0
    again = Ran(home, "load", str(first))
    assert "Nothing was added" in again.out
    assert "Next" not in again.out
    assert Ran(home, "match", '("a")-[likes]-(?x)', "-k", "1").code == 0
    bad = Ran(home, "load", str(second), "--json")
    assert bad.code == 4
    assert bad.error["type"] == "LoadError"
    assert "line 2" in bad.error["message"]
    skipped = Ran(home, "load", str(second), "--skip-bad")
    assert skipped.code == 0
    assert "1 bad row left out:" in skipped.out
    assert "Next: isomatch index --sync" in skipped.out
    stale = Ran(home, "match", '("zebra")-[likes]-(?x)')
    assert stale.code == 5
    assert "isomatch index --sync" in stale.err
    assert Ran(home, "index", "--sync", "--json").json["embedded"] == 1
    assert Ran(home, "match", '("zebra")-[likes]-(?x)', "-k", "1").code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (
            ("match", "(?x)-[directed by"),
            3,
            "error: expected ] after the relation, found the end (line 1, column 18)\n"
            "  (?x)-[directed by\n"
            "                   ^\n"
            'A correct pattern: (?film:film)-[directed by]-("Michael Mann") return ?film\n',
        ),
        (
            ("match", MANN, "--nodes", "same"),
            2,
            "error: --nodes must be one of distinct, anchored, repeat, walk, not 'same'\n",
        ),
        (
            ("match", MANN, "--dot", "--json"),
            2,
            None,
        ),
        (
            ("ask", "who?", "--interpreter", "oracle"),
            2,
            "error: --interpreter must be one of auto, llm, programs, gsr, schema, given, "
            "not 'oracle'\n",
        ),
        (
            ("ask", "who starred in Heat?", "--interpreter", "llm"),
            2,
            "error: no language model is configured: set ISOMATCH_MODEL and OPENAI_BASE_URL, "
            "or use the interpreter 'schema', which needs none\n",
        ),
    ],
)
def test_errors_are_one_block(
    home: Path, arguments: tuple[str, ...], code: int, message: str | None
) -> None:
    ran = Ran(home, *arguments)
    assert (ran.code, ran.out) == (code, "")
    if message is None:
        assert json.loads(ran.err)["error"]["exit_code"] == code
    else:
        assert ran.err == message


def test_errors_are_json_with_json(home: Path) -> None:
    error = Ran(home, "match", "(?x)-[directed by", "--json").error
    assert (error["type"], error["exit_code"], error["position"]) == ("PatternError", 3, 17)


@pytest.mark.parametrize("command", ["match", "ask", "explain", "schema", "index"])
def test_without_a_graph_the_fix_is_told_and_nothing_is_made(command: str, tmp_path: Path) -> None:
    ran = Ran(None, command, *(() if command in ("schema", "index") else (MANN,)))
    assert ran.code == 4
    assert ran.err == (
        "error: there is no graph in .isomatch: run `isomatch load FILES`, or name the folder "
        "of another with --home or ISOMATCH_HOME\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_setting_is_told_by_name() -> None:
    Path("isomatch.toml").write_text('embeder = "minilm"\n')
    ran = Ran(None, "doctor")
    assert ran.code == 2
    assert ran.err == (
        "error: isomatch.toml: unknown setting 'embeder'; did you mean 'embedder'?\n"
    )


def test_find_gives_nodes_relations_and_types_with_ids_and_distances(home: Path):
    form = Ran(home, "find", "Micheal Mann", "--kind", "node", "-k", "1", "--json").json
    (found,) = form["found"]
    assert (found["name"], found["kind"], found["spelling"]) == ("Michael Mann", "node", "one edit")
    assert found["id"].startswith("urn:")
    assert found["distance"] > 0
    out = Ran(home, "find", "directed by").out
    assert "relation  directed by" in out
    assert Ran(home, "find", " ").code == 2


def test_a_name_that_was_read_otherwise_is_shown_with_those_one_letter_away(home: Path):
    pattern = '(?film)-[directed by]-("Micheal Mannn")'  # two letters: nothing to suggest
    assert not any(
        "one letter from" in n for n in Ran(home, "match", pattern, "--json").json["notes"]
    )
    pattern = '(?film)-[starring]-("Aly")'
    assert "one letter from “Aly”: “Ali”" in Ran(home, "match", pattern, "--json").json["notes"]
