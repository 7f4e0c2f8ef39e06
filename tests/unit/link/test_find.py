"""What a text may mean: by spelling first, then by distance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.link.tiny_index import DigestEmbedder, Name, build, schema_of

from isomatch.errors import ConfigurationError
from isomatch.link.find import find
from isomatch.link.index import Index
from isomatch.texts import one_edit

NAMES = [
    Name("e:mann", "Michael Mann"),
    Name("e:other", "Michael Manny"),
    Name("e:heat", "Heat"),
    Name("e:heat", "Die Hitze"),
    Name("e:ru", "Москва"),
    Name("e:soren", "Søren"),
    Name("e:0wave", "heat wave"),
    Name("e:1wave", "Heat Wave"),
    *(Name(f"e:{i}", f"Something Else {i}") for i in range(40)),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("find")
    schema = schema_of((("urn:directedBy", "directed by"),), (("urn:Film", "film"),))
    build(folder, NAMES, schema)
    with Index.open(folder, embedder=DigestEmbedder()) as opened:
        yield opened


@pytest.mark.parametrize(
    ("text", "id"),
    [
        ("Micheal Mann", "e:mann"),  # two neighbours swapped
        ("Michael Man", "e:mann"),
        ("MichaelMann", "e:mann"),
        ("Mochael Mann", "e:mann"),
        ("die hitzee", "e:heat"),
        ("Москво", "e:ru"),
        ("Sren", "e:soren"),
        ("michael mann", "e:mann"),
    ],
)
def test_a_name_with_one_letter_wrong_is_found_first(index: Index, text: str, id: str) -> None:
    found = find(text, index, DigestEmbedder(), kinds=("node",))
    assert found[0].id == id
    assert found[0].spelling in ("same", "one edit")


@pytest.mark.parametrize(
    ("text", "id"),
    [("Micheal Maann", "e:mann"), ("Michael Mamm", "e:mann"), ("Moskwa", ""), ("Heta wavv", "")],
)
def test_a_name_with_two_letters_wrong_is_found_where_none_is_nearer(
    index: Index, text: str, id: str
) -> None:
    found = find(text, index, DigestEmbedder(), kinds=("node",))
    near = [f.id for f in found if f.spelling == "two edits"]
    assert near[:1] == ([id] if id else near[:1])
    assert not near or found[0].spelling == "two edits"
    assert all(f.spelling in ("two edits", "other") for f in found)


def test_a_name_that_is_there_is_not_taken_for_a_slip_of_another(index: Index) -> None:
    found = find("Michael Mann", index, DigestEmbedder(), kinds=("node",))
    assert (found[0].id, found[0].distance, found[0].spelling) == ("e:mann", 0.0, "same")
    assert "one edit" not in {f.spelling for f in found}


@pytest.mark.parametrize("text", ["Heatt Wave", "heatt wave", "Heat Wave", "heat wave"])
def test_of_names_that_differ_in_case_only_the_one_written_so_is_first(index: Index, text: str):
    found = find(text, index, DigestEmbedder(), kinds=("node",))
    assert found[0].name == text.replace("tt", "t")
    assert found[0].distance == found[1].distance


def test_relations_and_types_are_found_with_nodes(index: Index) -> None:
    found = find("directedBy", index, DigestEmbedder(), limit=2)
    assert [f.id for f in found if f.kind == "relation"] == ["urn:directedBy"]
    assert [f.id for f in found if f.kind == "type"] == ["urn:Film"]
    assert len([f for f in found if f.kind == "node"]) == 2


def test_distances_of_what_is_found_are_those_of_the_candidate_lists(index: Index) -> None:
    found = find("Michael Mannn", index, DigestEmbedder(), kinds=("node",), limit=60)
    assert len(found) == len({n.id for n in NAMES})
    rest = [f.distance for f in found if f.spelling == "other"]
    assert rest == sorted(rest)


def test_an_empty_text_and_an_unknown_kind_are_refused(index: Index) -> None:
    with pytest.raises(ConfigurationError, match="nothing to find"):
        find(" ", index, DigestEmbedder())
    with pytest.raises(ConfigurationError, match="node, relation, type, not 'edge'"):
        find("Heat", index, DigestEmbedder(), kinds=("edge",))


@given(st.text("abcdeé я", min_size=3, max_size=8), st.data())
def test_every_text_is_one_edit_from_what_is_one_edit_from_it(text: str, data: st.DataObject):
    place = data.draw(st.integers(0, len(text) - 1))
    changed = data.draw(
        st.sampled_from(
            [
                text[:place] + text[place + 1 :],
                text[:place] + "q" + text[place:],
                text[:place] + "q" + text[place + 1 :],
                text[:place] + text[place : place + 2][::-1] + text[place + 2 :],
            ]
        )
    )
    if len(changed) >= 3 and changed != text:
        assert changed in set(one_edit(text))
        letters = {c for c in text if not c.isascii()} <= {c for c in changed if not c.isascii()}
        if letters:
            assert text in set(one_edit(changed))
