"""The table of names in an index: the same names as from memory, through every sync."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, schema_of

from isomatch.errors import VectorIndexError
from isomatch.link.index import Index
from isomatch.link.manifest import read
from isomatch.link.name_table import FOLDER, MemoryTable, NameTable
from isomatch.link.normalise import normalise
from isomatch.link.spellings import within
from isomatch.texts import fold

NAMES = [
    Name("e:mann", "Michael Mann"),
    Name("e:other", "michael mann"),
    Name("e:same", "Michael Mann"),
    Name("e:amelie", "Amélie"),
    Name("e:film", "Amélie (film)"),
    Name("e:firm", "Amélie, Inc."),
    Name("e:ru", "Москва"),
    Name('"long"', "x" * 1001),
    Name('"7"', "7", "number"),
]
TEXTS = st.text("abÉé '_\0", min_size=1, max_size=8).filter(str.strip)


def answers(table: NameTable, texts: Sequence[str]) -> list[object]:
    """All that a table says of some texts, ids in one order."""
    return [
        (
            sorted(table.beginning(fold(text))),
            {name: sorted(ids) for name, ids in table.of(fold(text)).items()},
            [(far, name, sorted(ids)) for far, name, ids in table.near(text, 2)],
            [(name, sorted(ids)) for _, name, ids in table.qualified(text)],
            [(name, sorted(ids)) for _, name, ids in table.holding(text)],
        )
        for text in texts
    ]


def compared(index: Index, texts: Sequence[str]) -> None:
    assert index.table is not None
    memory = MemoryTable(index.all_names())
    assert answers(index.table, texts) == answers(memory, texts)
    names = sorted({name for name, _ in index.all_names() if len(name) <= 1000 and fold(name)})
    for text in texts:
        others = {place: normalise(name) for place, name in enumerate(names)}
        fits = 3 <= len(normalise(text)) <= 100
        near = within(normalise(text), others, 2) if fits else {}
        expected = sorted((far, names[place]) for place, far in near.items())
        assert [(far, name) for far, name, _ in index.table.near(text, 2)] == expected
        held = {
            name
            for name in names
            if part_of(fold(text).replace("\0", "\ufffd"), fold(name).replace("\0", "\ufffd"))
        }
        assert {near.name for near in index.table.holding(text)} == held


def part_of(form: str, name: str) -> bool:
    """Whether a folded text is the first or last words of a folded name of two to four."""
    words, some = name.split(" "), form.split(" ")
    fits = form and len(some) < len(words) <= 4 and "(" not in name
    return bool(fits) and some in (words[: len(some)], words[-len(some) :])


@given(
    st.lists(st.lists(st.tuples(TEXTS, st.sampled_from("xyz")), max_size=8), min_size=1, max_size=3)
)
@settings(deadline=None)
def test_the_table_of_an_index_is_that_of_its_names_through_every_sync(
    tmp_path_factory: pytest.TempPathFactory, states: list[list[tuple[str, str]]]
) -> None:
    folder = tmp_path_factory.mktemp("table")
    texts = [text for state in states for text, _ in state] + ["abé", "aé b'a"]
    for number, state in enumerate(states):
        names = [Name(f"e:{id}", text) for text, id in state]
        build(folder, names, schema_of(), sync=number > 0)
        with Index.open(folder, embedder=DigestEmbedder()) as index:
            compared(index, texts)


def test_a_name_that_an_index_has_twice_is_qualified_once(tmp_path: Path) -> None:
    many = [Name(f"e:{n}", f"Film {n}") for n in range(30)]
    build(tmp_path, [*many, Name("e:jaws", "Jaws (film)")], schema_of())
    build(tmp_path, [*many, Name("e:jaws", "JAWS (film)")], schema_of(), sync=True)
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        assert index.table is not None
        assert [near.name for near in index.table.qualified("jaws")] == ["JAWS (film)"]


def test_of_very_many_names_that_hold_a_word_none_is_meant(tmp_path: Path) -> None:
    many = [Name(f"e:{n}", f"Ann {n}") for n in range(9)]
    build(tmp_path, [*many, Name("e:lee", "Eva Lee"), Name("e:coe", "Eva Coe")], schema_of())
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        assert index.table is not None
        assert index.table.holding("Ann") == []
        assert [near.name for near in index.table.holding("eva")] == ["Eva Coe", "Eva Lee"]
        assert [near.ids for near in index.table.holding("Lee")] == [("e:lee",)]


def test_texts_of_nodes_alone_are_in_it_and_long_ones_are_not(tmp_path: Path) -> None:
    build(tmp_path, NAMES, schema_of())
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        assert index.table is not None
        same = index.table.of("michael mann")
        assert same == {"Michael Mann": ("e:mann", "e:same"), "michael mann": ("e:other",)}
        assert index.table.beginning("x" * 2000) == []
        assert index.table.beginning("directed by") == []
        assert index.table.beginning("москва\ud800") == ["москва"]
        assert [t.text for t in index.two_edits("Amele")] == ["Amélie"]


def test_an_index_without_last_words_is_opened_and_an_index_run_makes_them(
    tmp_path: Path,
) -> None:
    build(tmp_path, NAMES, schema_of())
    manifest = read(tmp_path)
    (name,) = [name for name in manifest.files if name.endswith("last_words.npy")]
    del manifest.files[name]
    manifest.write(tmp_path)
    (tmp_path / manifest.generation / FOLDER / "last_words.npy").unlink()
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        assert index.table is not None
        assert index.table.holding("Mann") == []
    build(tmp_path, NAMES, schema_of(), sync=True)
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        assert index.table is not None
        found = [near.name for near in index.table.holding("Mann")]
        assert found == ["Michael Mann", "michael mann"]


def test_an_index_without_a_table_is_opened_and_an_index_run_makes_it(tmp_path: Path) -> None:
    build(tmp_path, NAMES, schema_of())
    manifest = read(tmp_path)
    for name in [name for name in manifest.files if name.startswith(FOLDER)]:
        del manifest.files[name]
    manifest.write(tmp_path)
    shutil.rmtree(tmp_path / manifest.generation / FOLDER)
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        assert index.table is None
        assert index.two_edits("Amele") == []
    build(tmp_path, NAMES, schema_of(), sync=True)
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        compared(index, [name.text for name in NAMES])


@pytest.mark.parametrize("text", ["___", " _ _ ", "\0", "\0\0\0"])
def test_names_of_spaces_and_underscores_are_none_and_of_nul_are(tmp_path: Path, text: str) -> None:
    build(tmp_path, [Name("e:odd", text), Name("e:mann", "Michael Mann")], schema_of())
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        assert index.table is not None
        assert dict(index.table.of(fold(text))) == ({text: ("e:odd",)} if "\0" in text else {})
        assert [n.name for n in index.table.near(text, 2)] == (
            [text] if len(text) == 3 and "\0" in text else []
        )
        compared(index, [text, "Michael Mann"])


@pytest.mark.parametrize("file", ["forms.trie", "starts.npy", "form_points.npy", "signs.npy"])
@pytest.mark.parametrize("recorded", [True, False])
@pytest.mark.parametrize("content", [b"", b"something else"])
def test_a_damaged_table_is_told_and_mended(
    tmp_path: Path, file: str, recorded: bool, content: bytes
) -> None:
    build(tmp_path, NAMES, schema_of())
    manifest = read(tmp_path)
    (tmp_path / manifest.generation / FOLDER / file).write_bytes(content)
    if not recorded:  # as if the file had been written so
        del manifest.files[f"{FOLDER}/{file}"]
        manifest.write(tmp_path)
    with pytest.raises(VectorIndexError, match=f"damaged: g1/{FOLDER}.*Run `isomatch index`"):
        Index.open(tmp_path, embedder=DigestEmbedder())
    build(tmp_path, NAMES, schema_of())
    with Index.open(tmp_path, embedder=DigestEmbedder()) as index:
        compared(index, [name.text for name in NAMES])
