"""Loading: every format, bad input, and that a load is all or nothing."""

from __future__ import annotations

import gzip
import os
import signal
import subprocess
import sys
from pathlib import Path

import pyoxigraph as ox
import pytest

from isomatch.errors import LoadError, StoreError
from isomatch.files import hold
from isomatch.store.base import Fact, Query
from isomatch.store.load import load
from isomatch.store.oxigraph import MANIFEST, OxigraphStore

FORMS = {
    "nt": "<http://e/a> <http://e/p> <http://e/b> .\n",
    "ttl": "@prefix e: <http://e/> .\ne:a e:p e:b .\n",
    "trig": "@prefix e: <http://e/> .\ne:g { e:a e:p e:b . }\ne:h { e:a e:p e:b . }\n",
    "nq": "<http://e/a> <http://e/p> <http://e/b> <http://e/g> .\n",
    "jsonld": '{"@id": "http://e/a", "http://e/p": {"@id": "http://e/b"}}',
    "rdf": (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e/">'
        '<rdf:Description rdf:about="http://e/a"><e:p rdf:resource="http://e/b"/>'
        "</rdf:Description></rdf:RDF>"
    ),
}
FACT = [("http://e/a", "http://e/p", "http://e/b")]
DATA = Path(__file__).resolve().parents[3] / "../shared/data"


def triples(store: OxigraphStore | None) -> list[object]:
    assert store is not None
    text = "SELECT ?s ?p ?o { ?s ?p ?o }"
    return sorted(store.run(Query(text, ("s", "p", "o"))), key=str)


def at(graph: Path) -> list[object]:
    with OxigraphStore.open(graph) as store:
        assert isinstance(store, OxigraphStore)
        return triples(store)


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


@pytest.mark.parametrize("extension", FORMS)
@pytest.mark.parametrize("packed", [False, True])
def test_every_format_plain_and_gzip(tmp_path: Path, extension: str, packed: bool) -> None:
    content = FORMS[extension].encode()
    name = f"x.{extension}.gz" if packed else f"x.{extension}"
    file = write(tmp_path / name, gzip.compress(content) if packed else content)
    report = load([file], None)
    assert triples(report.store) == FACT
    assert (report.triples, report.added, len(report.files)) == (1, 1, 1)
    load([file], tmp_path / "graph")
    assert at(tmp_path / "graph") == FACT


def test_gzip_is_recognised_by_content_and_format_can_be_given(tmp_path: Path) -> None:
    file = write(tmp_path / "dump.bin", gzip.compress(FORMS["ttl"].encode()))
    with pytest.raises(LoadError, match=r"dump\.bin: its name does not say .*--format: nt, ttl"):
        load([file], None)
    assert triples(load([file], None, format="turtle").store) == FACT
    with pytest.raises(LoadError, match="the format 'cvs'"):
        load([file], None, format="cvs")


def test_a_triple_in_two_named_graphs_is_one_and_the_graphs_are_kept(tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    report = load([write(tmp_path / "x.trig", FORMS["trig"])], graph)
    assert report.triples == 1
    with OxigraphStore.open(graph) as store:
        text = "SELECT ?g { GRAPH ?g { ?s ?p ?o } }"
        named = {row[0] for row in store.run(Query(text, ("g",)))}
        assert named == {"http://e/g", "http://e/h"}
        assert store.facts(FACT) == [(Fact(True),)]


def test_blank_nodes_of_two_files_stay_apart(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{n}.nt", f'_:x <http://e/p> "{n}" .\n') for n in "ab"]
    found = triples(load(files, None).store)
    assert len({row[0] for row in found}) == 2  # type: ignore[index]


def test_adding_keeps_what_was_there_and_replacing_does_not(tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    one = write(tmp_path / "one.nt", FORMS["nt"])
    two = write(tmp_path / "two.nt", "<http://e/c> <http://e/p> <http://e/d> .\n")
    load([one], graph)
    first = OxigraphStore.open(graph).fingerprint()
    report = load([two], graph)
    assert (report.triples, report.added) == (2, 1)
    assert len(at(graph)) == 2
    assert OxigraphStore.open(graph).fingerprint() != first
    report = load([two], graph, replace=True)
    assert (report.triples, report.added) == (1, 1)
    assert len(at(graph)) == 1


def test_a_load_that_adds_nothing_keeps_the_generation(tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    one = write(tmp_path / "one.nt", FORMS["nt"])
    assert load([one], graph).changed
    before = (graph / MANIFEST).read_bytes()
    again = load([one], graph)
    assert (again.triples, again.added, again.changed) == (1, 0, False)
    assert (graph / MANIFEST).read_bytes() == before
    assert sum(p.is_dir() for p in graph.iterdir()) == 1
    assert len(at(graph)) == 1
    named = load([write(tmp_path / "one.nq", FORMS["nq"])], graph)
    assert (named.added, named.changed) == (0, True)
    assert (graph / MANIFEST).read_bytes() != before
    before = (graph / MANIFEST).read_bytes()
    assert load([one], graph, replace=True).changed
    assert (graph / MANIFEST).read_bytes() != before


def test_progress_counts_bytes_to_the_end(tmp_path: Path) -> None:
    files = [write(tmp_path / f"{n}.nt", FORMS["nt"]) for n in "ab"]
    seen: list[tuple[int, int]] = []
    load(files, None, progress=lambda done, total: seen.append((done, total)))
    total = sum(f.stat().st_size for f in files)
    assert seen[-1] == (total, total)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.nt", FORMS["nt"] + "nonsense\n", r"x\.nt, line 2: .*'nonsense'.*--skip-bad"),
        ("x.ttl", FORMS["ttl"] + "e:a e:p\n", r"x\.ttl, line \d"),
        ("x.jsonld", '{"@id":', r"x\.jsonld, line 1"),
        ("x.rdf", "<rdf", r"x\.rdf: "),
        ("x.nt.gz", gzip.compress(FORMS["nt"].encode() * 99, mtime=0)[:-12], "ended before"),
        ("x.csv", "a,b,c\na,b\n", r"x\.csv, line 2: 2 columns where three.*'a,b'.*--skip-bad"),
        ("x.csv", "no table\n", "Name the delimiter"),
    ],
)
def test_a_bad_file_changes_nothing(
    tmp_path: Path, name: str, content: str | bytes, words: str
) -> None:
    graph = tmp_path / "graph"
    load([write(tmp_path / "good.nt", FORMS["nt"])], graph)
    good = write(tmp_path / "more.nt", "<http://e/c> <http://e/p> <http://e/d> .\n")
    before = (graph / MANIFEST).read_bytes(), sorted(p.name for p in graph.iterdir())
    with pytest.raises(LoadError, match=words):
        load([good, write(tmp_path / name, content)], graph)
    assert before == ((graph / MANIFEST).read_bytes(), sorted(p.name for p in graph.iterdir()))
    assert at(graph) == FACT


def test_missing_files_and_wrong_arguments_are_found_before_anything_is_done(
    tmp_path: Path,
) -> None:
    graph = tmp_path / "graph"
    for arguments, words in (
        ([tmp_path / "none.nt"], "there is no file"),
        ([write(tmp_path / "x.unknown", "")], "does not say its format"),
        ([], "no file to load"),
    ):
        with pytest.raises(LoadError, match=words):
            load(arguments, graph)
    with pytest.raises(LoadError, match="one character"):
        load([write(tmp_path / "x.csv", "a,b,c")], graph, delimiter="::")
    assert not graph.exists()


@pytest.mark.parametrize("extension", ["nt", "nq"])
def test_bad_lines_of_line_based_formats_can_be_skipped(tmp_path: Path, extension: str) -> None:
    good = FORMS[extension]
    long = "<http://e/a> <http://e/p> <not an iri> . " + "#" * 500 + "\n"
    file = write(tmp_path / f"x.{extension}", "nonsense\n" + good + long)
    report = load([file], None, skip_bad=True)
    assert triples(report.store) == FACT
    assert report.skipped == 2
    assert [(row.line, len(row.text)) for row in report.bad] == [(1, 8), (3, 200)]
    assert all(row.file == str(file) and row.reason for row in report.bad)


def test_other_formats_say_that_they_cannot_skip(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="not in Turtle"):
        load([write(tmp_path / "x.ttl", FORMS["ttl"])], None, skip_bad=True)


def test_a_relative_iri_needs_a_base(tmp_path: Path) -> None:
    file = write(tmp_path / "x.ttl", "<a> <p> <b> .")
    with pytest.raises(LoadError, match=r"No scheme found.* --base"):
        load([file], None)
    assert triples(load([file], None, base="http://e/").store) == FACT


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    file = write(tmp_path / "x.nt", FORMS["nt"])
    with pytest.raises(LoadError, match=r"holds other files \(x.nt\)"):
        load([file], tmp_path, replace=True)
    ox.Store(str(tmp_path / "own")).flush()
    with pytest.raises(LoadError, match="an Oxigraph database of its own"):
        load([file], tmp_path / "own", replace=True)


def test_a_damaged_graph_can_be_replaced_but_not_added_to(tmp_path: Path) -> None:
    graph, file = tmp_path / "graph", write(tmp_path / "x.nt", FORMS["nt"])
    load([file], graph)
    (graph / MANIFEST).write_text("{")
    with pytest.raises(StoreError, match="damaged"):
        load([file], graph)
    load([file], graph, replace=True)
    assert at(graph) == FACT
    assert sum(p.is_dir() for p in graph.iterdir()) == 1


def test_one_load_at_a_time(tmp_path: Path) -> None:
    graph, file = tmp_path / "graph", write(tmp_path / "x.nt", FORMS["nt"])
    load([file], graph)
    with (graph / "load.lock").open("a") as lock:
        assert hold(lock)
        with pytest.raises(LoadError, match="another load into"):
            load([file], graph)
    load([file], graph)


def test_a_reader_keeps_its_graph_while_a_new_one_is_loaded(tmp_path: Path) -> None:
    graph = tmp_path / "graph"
    load([write(tmp_path / "one.nt", FORMS["nt"])], graph)
    two = write(tmp_path / "two.nt", "<http://e/c> <http://e/p> <http://e/d> .\n")
    with OxigraphStore.open(graph) as reader:
        load([two], graph, replace=True)
        assert triples(reader) == FACT  # type: ignore[arg-type]
        assert sum(p.is_dir() for p in graph.iterdir()) == 2
    load([two], graph)
    assert sum(p.is_dir() for p in graph.iterdir()) == 1


SLOW = """
import sys, time
from isomatch.store.load import load
def progress(done, total):
    print("reading", flush=True)
    time.sleep(600)
load([sys.argv[1]], sys.argv[2], progress=progress)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="POSIX signals")
def test_a_killed_load_leaves_the_old_graph_and_the_next_one_clears_up(tmp_path: Path) -> None:
    graph, file = tmp_path / "graph", write(tmp_path / "one.nt", FORMS["nt"])
    two = write(tmp_path / "two.nt", "<http://e/c> <http://e/p> <http://e/d> .\n")
    load([file], graph)
    loader = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(two), str(graph)], stdout=subprocess.PIPE
    )
    assert loader.stdout is not None
    assert loader.stdout.readline() == b"reading\n"
    with pytest.raises(LoadError, match="another load"):
        load([two], graph)
    os.kill(loader.pid, signal.SIGKILL)
    loader.communicate(timeout=60)
    assert sum(p.is_dir() for p in graph.iterdir()) == 2
    assert at(graph) == FACT
    load([two], graph)
    assert len(at(graph)) == 2
    assert sum(p.is_dir() for p in graph.iterdir()) == 1


def test_a_load_killed_before_there_was_a_graph_is_named(tmp_path: Path) -> None:
    graph, file = tmp_path / "graph", write(tmp_path / "one.nt", FORMS["nt"])
    loader = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(file), str(graph)], stdout=subprocess.PIPE
    )
    assert loader.stdout is not None
    loader.stdout.readline()
    loader.kill()
    loader.communicate(timeout=60)
    with pytest.raises(StoreError, match=r"a load that did not finish.*isomatch load"):
        OxigraphStore.open(graph)
    load([file], graph)
    assert at(graph) == FACT


FULL = """
import resource, sys
from isomatch.errors import LoadError
from isomatch.store.load import load
resource.setrlimit(resource.RLIMIT_FSIZE, (400_000, 400_000))
try:
    load([sys.argv[1]], sys.argv[2])
except LoadError as error:
    print(error)
"""


def test_a_full_disk_is_a_load_error_and_changes_nothing(tmp_path: Path) -> None:
    """A limit on file size stands for the full disk: writes fail in the same place."""
    pytest.importorskip("resource")
    graph = tmp_path / "graph"
    load([write(tmp_path / "one.nt", FORMS["nt"])], graph)
    rows = (f"<http://e/{i}> <http://e/p> <http://e/{i * 7919}> .\n" for i in range(40_000))
    big = write(tmp_path / "big.nt", "".join(rows))
    done = subprocess.run(
        [sys.executable, "-c", FULL, str(big), str(graph)],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "big.nt" in done.stdout or "changed nothing" in done.stdout
    assert "File too large" in done.stdout
    assert at(graph) == FACT
    assert sum(p.is_dir() for p in graph.iterdir()) == 1


def test_dbpedia_movies_loads() -> None:
    file = DATA / "dbpedia-movies/triples.nt.gz"
    if not file.exists():
        pytest.skip("the shared benchmark data is not here")
    report = load([file], None)
    assert report.triples == 81_321
    assert report.store is not None
    weird = "http://dbpedia.org/resource/%22Weird_Al%22_Yankovic"
    genre = "http://dbpedia.org/ontology/genre"
    polka = (weird, genre, "http://dbpedia.org/resource/Polka")
    assert report.store.facts([polka]) == [(Fact(True),)]


@pytest.mark.parametrize("around", [2, 9_000])
@pytest.mark.parametrize("name", ["x.nt", "x.nq", "x.nt.gz"])
def test_skipping_bad_lines_keeps_every_good_one_and_counts_the_others(
    tmp_path: Path, around: int, name: str
) -> None:
    """A text without its end is one bad line, wherever the next quotation mark is."""
    good = [f'<urn:s{i}> <urn:p> "text {i}" .' for i in range(2 * around)]
    bad = ['<urn:s> <urn:p> "without end .', "nonsense", '<urn:s> <urn:p> "x" . <urn:t>', "<urn:s>"]
    blank = ["_:b <urn:p> <urn:first> .", "", "# a comment", "_:b <urn:p> <urn:last> ."]
    lines = [blank[0], *good[:around], *bad, *good[around:], bad[0], *blank[1:]]
    content = ("\n".join(lines)).encode()
    file = tmp_path / name
    file.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    report = load([file], None, skip_bad=True)
    assert (report.triples, report.skipped) == (len(good) + 2, 5)
    assert [row.text for row in report.bad] == [*bad, bad[0]]
    assert [row.line for row in report.bad] == [*range(around + 2, around + 6), 2 * around + 6]
    assert report.store is not None
    same = Query("SELECT ?b { ?b <urn:p> <urn:first>, <urn:last> }", ("b",))
    assert len(list(report.store.run(same))) == 1


def test_files_with_skipped_lines_do_not_share_their_blank_nodes(tmp_path: Path) -> None:
    files = [tmp_path / "a.nt", tmp_path / "b.nt"]
    for file in files:
        file.write_text(f"_:b <urn:p> <urn:{file.stem}> .\nnonsense\n")
    report = load(files, None, skip_bad=True)
    assert report.store is not None
    rows = report.store.run(Query("SELECT DISTINCT ?b { ?b <urn:p> ?x }", ("b",)))
    assert len(list(rows)) == 2


def test_a_missing_file_without_extension_is_said_to_be_missing(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="there is no file"):
        load([tmp_path / "films"], None)


WIDE = "title,director,year\nHeat,Michael Mann,1995\nSerpico,Sidney Lumet,1973\n"


@pytest.mark.parametrize(
    ("table", "noted"),
    [
        (WIDE, True),
        ("Heat,directed by,Mann\nHeat,starring,Pacino\nHeat,year,1995\n", False),
        ("France,capital,Paris\nSpain,capital,Madrid\nItaly,capital,Rome\n", False),
        ("Heat,directed by,Michael Mann\n", False),
    ],
)
def test_a_table_with_a_column_for_each_property_is_told_of(
    tmp_path: Path, table: str, noted: bool
) -> None:
    report = load([write(tmp_path / "films.csv", table)], None)
    assert ("a row for each of its cells" in (report.note or "")) == noted


def test_quoted_line_breaks_do_not_hide_the_delimiter(tmp_path: Path) -> None:
    file = write(tmp_path / "films.csv", 'Heat,"directed\nby","Michael\nMann"\n')
    assert load([file], None).triples == 4


@pytest.mark.parametrize("name", ["empty.ttl", "plain.json", "heads.csv"])
def test_files_without_triples_replace_no_graph(tmp_path: Path, name: str) -> None:
    text = {"empty.ttl": "", "plain.json": '{"title": "Heat"}', "heads.csv": "head,relation,tail"}
    graph = tmp_path / "graph"
    load([write(tmp_path / "one.nt", FORMS["nt"])], graph)
    with pytest.raises(LoadError, match=rf"no triples were found in \S*{name}, so the graph of 1"):
        load([write(tmp_path / name, text[name])], graph, replace=True)
    assert at(graph) == FACT


def test_json_that_is_no_json_ld_is_told_of(tmp_path: Path) -> None:
    report = load([write(tmp_path / "x.json", '[{"title": "Heat"}]')], tmp_path / "graph")
    assert report.triples == 0
    assert report.note is not None
    assert "x.json has no @context" in report.note
    linked = load([write(tmp_path / "y.json", FORMS["jsonld"])], tmp_path / "graph")
    assert (linked.triples, linked.note) == (1, None)


def test_an_address_and_a_folder_are_no_files(tmp_path: Path) -> None:
    for path, says in (
        ("https://films.example/films.ttl", "is an address, and no file: download it"),
        (tmp_path, "is a folder: name the files in it"),
    ):
        with pytest.raises(LoadError, match=says):
            load([path], tmp_path / "graph", format="ttl")
