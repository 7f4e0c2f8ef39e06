"""Tables of triples: delimiters, quotes, headers, bad rows and tricky names."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isomatch.errors import LoadError
from isomatch.store.base import Query
from isomatch.store.load import LoadReport, load
from isomatch.store.tabular import BadRow, find_delimiter, read_triples
from isomatch.store.terms import RDFS_LABEL, XSD, literal, local_name, split_literal

DATA = Path(__file__).resolve().parents[3] / "../shared/data"


def facts(content: str | bytes, **options: str) -> list[tuple[str, str, str]]:
    """The facts of a table by their labels; a bad row fails the test."""
    bad: list[BadRow] = []
    found, labels = read(content, bad, **options)
    assert not bad
    return [tuple(labels.get(x, x) for x in fact) for fact in found]  # type: ignore[misc]


def read(
    content: str | bytes, bad: list[BadRow], **options: str
) -> tuple[list[tuple[str, str, str]], dict[str, str]]:
    data = content if isinstance(content, bytes) else content.encode()
    found, labels = [], {}
    for quad in read_triples(io.BytesIO(data), "table", bad.append, **options):
        if quad.predicate.value == RDFS_LABEL:
            labels[quad.subject.value] = quad.object.value
        else:
            found.append((quad.subject.value, quad.predicate.value, quad.object.value))
    return found, labels


@pytest.mark.parametrize("delimiter", ["\t", "|", ",", ";"])
def test_the_delimiter_is_found_or_given(delimiter: str) -> None:
    text = "\n".join(delimiter.join(row) for row in ("abc", "def", "ghi"))
    assert facts(text) == [("a", "b", "c"), ("d", "e", "f"), ("g", "h", "i")]
    assert facts(text, delimiter=delimiter) == facts(text)


def test_the_delimiter_that_gives_three_columns_wins() -> None:
    assert find_delimiter(["Moe, Larry|sings|La, la", "a|b|c"]) == "|"
    assert find_delimiter(['"a|b",d,e', '"f, g",i,j']) == ","
    assert find_delimiter(["just words", "and more"]) is None


def test_quotes_count_in_csv_alone() -> None:
    assert facts('"a, ""b""",r,"two\nlines"\n') == [('a, "b"', "r", "two\nlines")]
    assert facts('"a"\tr\tsays "no"\n') == [('"a"', "r", 'says "no"')]


def test_a_header_is_known_by_its_words() -> None:
    assert facts("Subject,Predicate,Object\na,b,c\n") == [("a", "b", "c")]
    assert facts("head\trelation\ttail\na\tb\tc\n") == [("a", "b", "c")]
    assert facts("the head,of,state\na,b,c\n") == [("the head", "of", "state"), ("a", "b", "c")]
    assert len(facts("a,b,c\nhead,relation,tail\n")) == 2


def test_iris_are_minted_under_a_base_and_can_be_given() -> None:
    bad: list[BadRow] = []
    found, labels = read("<http://e/x>|knows|Jean-Luc / Ü #1\n", bad)
    assert found == [
        (
            "http://e/x",
            "urn:isomatch:relation:knows",
            "urn:isomatch:node:Jean-Luc%20%2F%20%C3%9C%20%231",
        )
    ]
    assert labels == {found[0][1]: "knows", found[0][2]: "Jean-Luc / Ü #1"}
    for base, node in (
        ("http://e/kb/", "http://e/kb/node/a"),
        ("http://e/kb", "http://e/kb/node/a"),
        ("http://e/kb#", "http://e/kb#node/a"),
        ("urn:x:", "urn:x:node:a"),
    ):
        assert read("a|b|c", bad, base=base)[0][0][0] == node
    with pytest.raises(LoadError, match="is not an IRI"):
        read("a|b|c", bad, base="no base")


def test_blanks_around_cells_blank_lines_and_a_byte_order_mark_are_dropped() -> None:
    text = "\ufeff a | b |c \r\n\r\n\nd|e|f"
    assert facts(text) == [("a", "b", "c"), ("d", "e", "f")]


@pytest.mark.parametrize(
    ("content", "line", "reason", "delimiter"),
    [
        ("a|b|c\na|b\n", 2, "2 columns", None),
        ("a|b|c\nd|e|f\na|b|c|d\n", 3, "4 columns", None),
        ("a|b|c\n\na| |c\n", 3, "the relation is empty", None),
        ("a|b|c\n|b|c\n", 2, "the head is empty", None),
        ("a|b|c\na|b|x\0y\n", 2, "NUL", None),
        (b"a|b|c\na|b|\xff\n", 2, "the tail is not UTF-8", None),
        ("a|b|c\n<http://e/a b>|b|c\n", 2, "IRI", None),
        ('a,b,c\n"a"x,b,c\nd,e,f\n', 2, "malformed quotes", ","),
        ('a,b,"two\nlines"\n"a\nb",c\nd,e,f\n', 3, "2 columns", ","),
        ('a,b,c\nd,e,"never closed\n', 2, "malformed quotes", ","),
    ],
)
def test_bad_rows_are_named_by_line_and_reason(
    content: str | bytes, line: int, reason: str, delimiter: str | None
) -> None:
    bad: list[BadRow] = []
    options = {"delimiter": delimiter} if delimiter else {}
    read(content, bad, **options)
    assert [(row.file, row.line) for row in bad] == [("table", line)]
    assert reason in bad[0].reason


def test_the_text_of_a_bad_row_is_cut() -> None:
    bad: list[BadRow] = []
    read("a|b|c\n" + "x" * 1000 + "\n", bad)
    assert len(bad[0].text) == 200


def test_skipping_counts_and_lists_bad_rows(tmp_path: Path) -> None:
    file = tmp_path / "x.txt"
    file.write_text("a|b|c\nbad\na|b|d\n||\n")
    with pytest.raises(LoadError, match="line 2"):
        load([file], None)
    report = load([file], None, skip_bad=True)
    assert (report.skipped, [row.line for row in report.bad]) == (2, [2, 4])
    assert report.triples == 2 + 4  # facts, and labels of a, b, c, d


names = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1)
    .map(str.strip)
    .filter(lambda t: bool(t) and not t.startswith("<http"))
)


@given(st.lists(st.tuples(names, names, names), min_size=1, max_size=5))
@settings(deadline=None)
def test_any_names_come_back_from_csv(rows: list[tuple[str, str, str]]) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerows([("head", "relation", "tail"), *rows])
    assert facts(out.getvalue(), delimiter=",") == rows


@given(names)
@settings(deadline=None)
def test_the_local_name_of_a_minted_iri_is_the_cell(name: str) -> None:
    out = io.StringIO()
    csv.writer(out, quoting=csv.QUOTE_ALL).writerow((name, "r", "x"))
    found, _ = read(out.getvalue(), [], delimiter=",")
    assert local_name(found[0][0]) == name


@pytest.mark.parametrize(
    "name",
    ['a "b"', "a\\b", "two\nlines", "שלום", "🎬", "<b>", "} UNION {", "x" * 100_000],
    ids=lambda n: repr(n[:12]),
)
def test_a_tricky_name_goes_through_load_and_query(tmp_path: Path, name: str) -> None:
    file = tmp_path / "x.csv"
    with file.open("w", newline="") as out:
        csv.writer(out).writerow((name, "likes", "other"))
    store = load([file], None, delimiter=",").store
    assert store is not None
    text = f"SELECT ?n ?l {{ ?n <{RDFS_LABEL}> ?l . ?n <urn:isomatch:relation:likes> ?o }}"
    ((node, label),) = store.run(Query(text, ("n", "l")))
    assert label is not None
    assert split_literal(label)[0] == name
    assert list(store.run(Query(text, ("l",), {"n": str(node)}))) == [(label,)]


@pytest.mark.parametrize(
    ("file", "rows"),
    [
        ("metaqa/kb.txt", 133_582),
        ("pathquestion/2H-kb.txt", 1_211),
        ("worldcup2014/WC2014.txt", 6_482),
    ],
)
@pytest.mark.slow
def test_the_benchmark_graphs_load(file: str, rows: int) -> None:
    path = DATA / file
    if not path.exists():
        pytest.skip("the shared benchmark data is not here")
    report: LoadReport = load([path], None)
    assert report.store is not None
    text = f"SELECT (COUNT(*) AS ?n) {{ ?s ?p ?o FILTER(?p != <{RDFS_LABEL}>) }}"
    ((count,),) = report.store.run(Query(text, ("n",)))
    assert int(count or 0) == rows


def values_of(*tables: str) -> dict[str, set[str]]:
    """The literals of some tables that are loaded together, by the relation that leads to them."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{n}.csv") for n in range(len(tables))]
        for path, table in zip(paths, tables, strict=True):
            path.write_text(table, "utf-8")
        store = load(paths, None).store
        assert store is not None
        text = "SELECT ?r ?o { ?s ?r ?o FILTER(isLiteral(?o)) }"
        rows = list(store.run(Query(text, ("r", "o"))))
    found: dict[str, set[str]] = {}
    for relation, value in rows:
        if relation != RDFS_LABEL:
            found.setdefault(local_name(str(relation)), set()).add(str(value))
    return found


def test_numbers_and_dates_of_a_whole_relation_are_values() -> None:
    assert values_of("a,age,5\nb,age,-7.5\na,born,1990-05-01\na,code,007\nb,of,a\n") == {
        "age": {literal("5", datatype=XSD + "integer"), literal("-7.5", datatype=XSD + "decimal")},
        "born": {literal("1990-05-01", datatype=XSD + "date")},
    }


@pytest.mark.parametrize(
    "tables",
    [
        ("a,age,5\nb,age,old\n",),
        ("a,age,5\n", "b,age,old\n"),  # in another file
        ("a,likes,1984\n1984,author,Orwell\n",),  # the name of a book
        ("1984,author,Orwell\n", "a,likes,1984\na,likes,1985\n"),
        ("a,born,1990-05-01\nb,born,1990\n",),
        ("a,born,1990-02-30\n",),
        ("a,phone,1234567890123456789\n",),
    ],
)
def test_other_cells_stay_nodes(tables: tuple[str, ...]) -> None:
    assert values_of(*tables) == {}


def test_a_table_that_is_loaded_again_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,age,5\nb,age,7\n", "utf-8")
    load([tmp_path / "t.csv"], tmp_path / "graph")
    assert not load([tmp_path / "t.csv"], tmp_path / "graph").changed
