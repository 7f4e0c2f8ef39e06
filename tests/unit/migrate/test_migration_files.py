"""Migration files: what is read of them, and which are refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import isomatch
from isomatch.admin.migrate import GRAPH, LABEL, Statement, migrations_folder, read_migrations
from isomatch.errors import ConfigurationError
from isomatch.store.templates import queries_folder

TWO = """// What the file is for.

// Adds one.
// And says so.
CREATE (:One {text: 'a; b'});

// Adds two.
MATCH (n:One)

SET n:Two;
"""


def write(root: Path, text: str = TWO, name: str = "0001_first_one.cypher") -> Path:
    folder = root / "neo4j"
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    path.with_suffix(".undo.cypher").write_text("// Removes it.\nMATCH (n) DELETE n;\n")
    return path


def test_statements_with_the_words_before_them(tmp_path: Path) -> None:
    write(tmp_path)
    (migration,) = read_migrations("neo4j", tmp_path)
    assert str(migration) == "0001 first one"
    assert migration.file == "migrations/neo4j/0001_first_one.cypher"
    assert migration.statements == (
        Statement("Adds one. And says so.", "CREATE (:One {text: 'a; b'})"),
        Statement("Adds two.", "MATCH (n:One)\n\nSET n:Two"),
    )
    assert migration.undo == (Statement("Removes it.", "MATCH (n) DELETE n"),)


def test_the_checksum_is_of_the_content_not_of_its_line_ends(tmp_path: Path) -> None:
    path = write(tmp_path)
    checksum = read_migrations("neo4j", tmp_path)[0].checksum
    path.write_bytes(TWO.replace("\n", " \r\n").encode() + b"\r\n")
    assert read_migrations("neo4j", tmp_path)[0].checksum == checksum
    path.write_text(TWO.replace("Two;", "Too;"))
    assert read_migrations("neo4j", tmp_path)[0].checksum != checksum


def test_in_sparql_a_semicolon_ends_no_statement_unless_alone(tmp_path: Path) -> None:
    (tmp_path / "sparql").mkdir()
    text = "# One.\nINSERT DATA { <urn:a> <urn:p> 1 ;\n <urn:q> 2 }\n;\n# Two.\nCLEAR DEFAULT\n"
    (tmp_path / "sparql/0001_a.ru").write_text(text)
    (tmp_path / "sparql/0001_a.undo.ru").write_text("# Back.\nCLEAR DEFAULT\n")
    (migration,) = read_migrations("sparql", tmp_path)
    assert [s.words for s in migration.statements] == ["One.", "Two."]
    assert migration.statements[0].text.endswith("2 }")


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("first.cypher", TWO, "expected 0001_a_name.cypher"),
        ("0002_late.cypher", TWO, "expected 0001_a_name.cypher"),
        ("0001_a.cypher", "// Only words.\n", "no statement"),
        ("0001_a.cypher", "// Of the file.\n\nRETURN 1;\n", "must say what it does: RETURN 1"),
    ],
)
def test_a_migration_file_that_is_wrong_is_refused_by_name(
    tmp_path: Path, name: str, text: str, words: str
) -> None:
    write(tmp_path, text, name)
    with pytest.raises(ConfigurationError, match=words) as caught:
        read_migrations("neo4j", tmp_path)
    assert f"migrations/neo4j/{name}" in str(caught.value)


def test_a_version_is_there_once(tmp_path: Path) -> None:
    write(tmp_path)
    write(tmp_path, name="0001_second.cypher")
    with pytest.raises(ConfigurationError, match=r"0001_second\.cypher: expected 0002_"):
        read_migrations("neo4j", tmp_path)


def test_what_cannot_be_taken_back_is_refused(tmp_path: Path) -> None:
    write(tmp_path).with_suffix(".undo.cypher").unlink()
    with pytest.raises(ConfigurationError, match=r"no 0001_first_one\.undo\.cypher"):
        read_migrations("neo4j", tmp_path)


@pytest.mark.parametrize("database", ["neo4j", "sparql"])
def test_our_own_migrations_are_numbered(database: str) -> None:
    migrations = read_migrations(database)
    assert [m.version for m in migrations] == list(range(1, len(migrations) + 1))
    assert migrations


@pytest.mark.parametrize(("language", "name"), [("cypher", f":{LABEL} "), ("sparql", f"<{GRAPH}>")])
def test_records_are_kept_where_the_constants_say(language: str, name: str) -> None:
    texts = list((queries_folder() / language / "migrate").glob("*.j2"))
    assert len(texts) >= 2
    for path in texts:
        assert name in path.read_text(encoding="utf-8").replace(")", " ")
    folder = migrations_folder() / {"cypher": "neo4j"}.get(language, language)
    for path in folder.glob("0001_*"):
        text = path.read_text(encoding="utf-8")
        assert name in text.replace(")", " ") or text.startswith("// The constraint")


def test_one_place_opens_write_sessions() -> None:
    package = Path(isomatch.__file__).parent
    words = re.compile(r"WRITE_ACCESS|execute_write|begin_transaction|execute_query")
    found = {
        path.relative_to(package).as_posix()
        for path in package.rglob("*.py")
        if words.search(path.read_text(encoding="utf-8"))
    }
    assert found == {"admin/migrate/neo4j.py"}
