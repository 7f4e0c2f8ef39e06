"""Results as tables, CSV, TSV and SPARQL's JSON, read back by other libraries."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from tests.unit.answer.results import bound, directed, result
from tests.unit.output.sample_results import answer, colleagues, films
from typer.testing import CliRunner, Result

from isomatch.cli.app import app
from isomatch.link.find import Finding
from isomatch.match.types import Bound, Interpretation, Match, MatchResult, Triple
from isomatch.options import Format
from isomatch.output.rows import answer_rows, findings_rows, result_rows, rows_table, written

XSD = "http://www.w3.org/2001/XMLSchema#"
VALUES = {
    f'"1995"^^<{XSD}integer>': "1995",
    '"Paris"@fr': "Paris",
    '"tab\\t, \\"quotes\\"\\nand lines"': 'tab\t, "quotes"\nand lines',
    "_:b0": "b0",
    "http://e.test/a?b=1&c='2'": "a",
}


def of_values(*ids: str) -> MatchResult:
    """What a film has, by an unknown relation."""
    heat, by = bound("Heat"), Bound("urn:r", "r")
    found = [
        Match({"heat": heat, "x": (x := Bound(id, VALUES.get(id, id)))}, (Triple(heat, by, x),))
        for id in ids
    ]
    return result(Interpretation(1, 0.0, (), tuple(found)), pattern='("Heat")-[]-(?x)')


def read(text: str, form: ox.QueryResultsFormat) -> tuple[list[str], list[list[object]]]:
    solutions = ox.parse_query_results(text.encode(), format=form)
    assert isinstance(solutions, ox.QuerySolutions)
    return [v.value for v in solutions.variables], [list(row) for row in solutions]


@pytest.mark.parametrize(
    ("form", "library"),
    [
        (Format.sparql_json, ox.QueryResultsFormat.JSON),
        (Format.tsv, ox.QueryResultsFormat.TSV),
    ],
)
def test_another_library_reads_the_terms_of_a_result(form: Format, library) -> None:
    columns, rows = read(written(result_rows(of_values(*VALUES)), form), library)
    assert columns == ["x", "xLabel", "relation", "relationLabel", "rank", "gsd"]
    assert [row[0] for row in rows] == [
        ox.Literal(1995),
        ox.Literal("Paris", language="fr"),
        ox.Literal('tab\t, "quotes"\nand lines'),
        ox.BlankNode("b0"),
        ox.NamedNode("http://e.test/a?b=1&c='2'"),
    ]
    assert rows[0][1:] == [
        *(ox.Literal("1995"), ox.NamedNode("urn:r"), ox.Literal("r")),
        *(ox.Literal(1), ox.Literal("0.0", datatype=ox.NamedNode(XSD + "double"))),
    ]


def test_csv_has_the_values_and_lines_that_end_as_its_standard_says() -> None:
    text = written(result_rows(of_values(*VALUES)), Format.csv)
    assert text.startswith(
        "x,xLabel,relation,relationLabel,rank,gsd\r\n1995,1995,urn:r,r,1,0.0\r\n"
    )
    cells = [row[0] for row in csv.reader(io.StringIO(text, newline=""))]
    assert cells[2:] == ["Paris", 'tab\t, "quotes"\nand lines', "_:b0", "http://e.test/a?b=1&c='2'"]


def test_a_node_of_neo4j_is_its_element_id_in_csv_and_an_iri_with_it_elsewhere() -> None:
    rows = result_rows(of_values("4:f00:12"))
    assert written(rows, Format.csv).splitlines()[1].startswith("4:f00:12,")
    (binding,) = json.loads(written(rows, Format.sparql_json))["results"]["bindings"]
    assert binding["x"] == {"type": "uri", "value": "urn:isomatch:element:4:f00:12"}
    assert "<urn:isomatch:element:4:f00:12>" in written(rows, Format.tsv)


def test_columns_are_what_the_pattern_asks_for_and_a_row_is_a_match() -> None:
    assert result_rows(films(["Heat"])).columns == ("f", "rank", "gsd")
    assert result_rows(colleagues()).columns == ("a", "f", "rank", "gsd")
    heat = films(["Heat"]).interpretations[0].matches[0]
    twice = replace(films(["Heat"]).interpretations[0], matches=(heat, heat))
    parallel = replace(films(["Heat"]), interpretations=(twice,))
    assert len(result_rows(parallel).rows) == 2
    assert len(answer_rows(answer(parallel)).rows) == 1
    named = result(pattern='(?rank)-[by]-(?rankLabel), (?rank)-[in]-("Heat")')
    assert written(result_rows(named), Format.csv) == (
        "rank,rankLabel_,rankLabel,rankLabelLabel,rank_,gsd\r\n"
    )


def test_rows_are_of_near_interpretations_alone() -> None:
    near, far = directed(["Heat"], distance=0.1), directed(["Ali"], by="Zzz", rank=2, distance=1.3)
    assert [row[0].name for row in result_rows(result(near, far)).rows] == ["Heat"]
    assert result_rows(result(far)).rows == ()


def test_an_answer_has_the_rows_that_it_was_read_from() -> None:
    two = films(["Heat", "Ali"])
    assert [row[0].name for row in answer_rows(answer(two)).rows] == ["Heat", "Ali"]
    chosen = replace(answer(two), answers=two.answers()[1:], source="model")
    assert [row[0].name for row in answer_rows(chosen).rows] == ["Ali"]
    refused = replace(answer(two), answers=(), supported=False)
    assert (answer_rows(refused).columns, answer_rows(refused).rows) == (("f", "rank", "gsd"), ())


def test_an_answer_from_elsewhere_is_a_column_of_its_nodes() -> None:
    other = replace(answer(films(["Heat"])), answers=(bound("Ronin"),), retriever="fused")
    for given in (other, replace(other, result=None)):
        assert written(answer_rows(given), Format.csv) == (
            "answer,answerLabel\r\nhttp://e.test/Ronin,Ronin\r\n"
        )


def test_a_table_shows_names_ids_on_request_and_counts_the_rest() -> None:
    rows = result_rows(films(["Heat", "two\nlines \x1b[31m", "Ali"]))
    from rich.console import Console

    def shown(*, ids: bool) -> list[str]:
        console = Console(width=200, file=io.StringIO(), highlight=False)
        for part in rows_table(rows, 2, ids=ids):
            console.print(part)
        return [line.rstrip() for line in console.file.getvalue().splitlines()]  # type: ignore[attr-defined]

    header, heat, lines, more = shown(ids=False)
    assert header.split() == ["f", "rank", "gsd"]
    assert heat.split() == ["Heat", "1", "0.000"]
    assert lines.startswith("two lines \ufffd[31m")
    assert more == "… 1 more; --show N lists more"
    assert "Heat <urn:f0>" in shown(ids=True)[1]


def test_findings_have_kind_and_distance() -> None:
    found = Finding("relation", ":ACTED_IN", "acted in", 0.5, "other")
    assert written(findings_rows([found]), Format.csv) == (
        "element,elementLabel,kind,distance,spelling\r\n:ACTED_IN,acted in,relation,0.5,other\r\n"
    )


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("rows")
    facts = "Heat|directed by|Michael Mann\nAli|directed by|Michael Mann\n"
    (home / "films.csv").write_text(facts, encoding="utf-8")
    for command in (["load", str(home / "films.csv"), "--delimiter", "|"], ["index"]):
        assert CliRunner().invoke(app, [*command, "--home", str(home)]).exit_code == 0
    return home


PATTERN = '(?film)-[directed by]-("Michael Mann")'
COMMANDS = [["match", PATTERN], ["ask", "which films did Michael Mann direct"], ["find", "Heat"]]


def ran(home: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--home", str(home)])


@pytest.mark.parametrize("command", COMMANDS)
def test_data_is_all_of_standard_output(home: Path, command: list[str]) -> None:
    for form, library in (
        ("tsv", ox.QueryResultsFormat.TSV),
        ("sparql-json", ox.QueryResultsFormat.JSON),
    ):
        done = ran(home, *command, "--format", form)
        _, rows = read(done.stdout, library)
        assert done.exit_code == 0
        assert ox.Literal("Heat") in {row[1] for row in rows}
        assert command[0] == "find" or "proven complete" in done.stderr
    assert len(ran(home, *command, "--format", "csv").stdout_bytes.split(b"\r\n")) > 2
    assert "Heat" in ran(home, *command, "--format", "table").stdout


def test_the_format_json_is_the_option_json(home: Path) -> None:
    by_format, by_option = (
        json.loads(ran(home, "match", PATTERN, *option).stdout)
        for option in (["--format", "json"], ["--json"])
    )
    assert by_format["matches"] == by_option["matches"]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--json", "--format", "csv"], "drop --json for csv, or --format for JSON"),
        (["--json", "--format", "json"], "drop either"),
        (["--format", "xls"], "--format must be one of table, csv, tsv, json, sparql-json"),
    ],
)
def test_two_forms_at_once_are_refused_with_what_to_drop(
    home: Path, command: list[str], options: list[str], message: str
) -> None:
    done = ran(home, *command, *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


@pytest.mark.parametrize("option", ["--limit", "-k"])
def test_most_of_each_kind_is_a_limit_as_over_http(home: Path, option: str) -> None:
    found = json.loads(ran(home, "find", "Heat", option, "1", "--json").stdout)["found"]
    assert sorted(one["kind"] for one in found) == ["node", "relation"]


def test_a_format_excludes_drawings_and_streams(home: Path) -> None:
    assert "give one" in ran(home, "match", PATTERN, "--format", "csv", "--dot").stderr
    assert "give one" in ran(home, "ask", "who", "--format", "csv", "--stream").stderr


def test_a_format_without_rows_keeps_the_exit_code(home: Path) -> None:
    done = ran(home, "match", '("qzxv 77 wkpf")-[directed by]-(?x)', "--format", "csv")
    assert (done.exit_code, done.stdout) == (8, "x,xLabel,rank,gsd\n")
    assert done.stderr.startswith("no match\n")
    assert "too far to be meant" in done.stderr
