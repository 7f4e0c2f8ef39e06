"""Results as pandas frames."""

from __future__ import annotations

import sys

import pytest
from tests.unit.answer.results import bound, directed, result

from isomatch import to_frame
from isomatch.errors import MissingExtraError
from isomatch.match.types import Bound, Interpretation, Match
from isomatch.store.terms import literal


def test_a_row_is_a_match_best_first():
    frame = to_frame(result(directed(["Heat", "Ali"]), directed(["Ronin"], rank=2, distance=0.9)))
    assert frame.columns.tolist() == [
        *("rank", "gsd", "film", "micheal_man", "film_id", "micheal_man_id"),
    ]
    assert frame["film"].tolist() == ["Heat", "Ali", "Ronin"]
    assert frame["film_id"].tolist()[0] == bound("Heat").id
    assert frame["rank"].tolist() == [1, 1, 2]
    assert frame.groupby("rank")["gsd"].max().tolist() == [0.6, 0.9]


def test_a_result_without_matches_has_the_columns_and_types():
    empty, full = to_frame(result()), to_frame(result(directed(["Heat"])))
    assert len(empty) == 0
    assert empty.dtypes.equals(full.dtypes)


def test_no_column_hides_another():
    pattern = '(?rank)-[directed by]-(rank_id "Michael Mann")'
    heat, mann = bound("Heat"), bound("Michael Mann")
    match = Match({"rank": heat, "rank_id": mann}, ())
    frame = to_frame(result(Interpretation(1, 0.0, (), (match,)), pattern=pattern))
    assert frame.iloc[0].to_dict() == {
        "rank": 1,
        "gsd": 0.0,
        "rank_": "Heat",
        "rank_id": "Michael Mann",
        "rank_id_": heat.id,
        "rank_id_id": mann.id,
    }


def typed(*ids: str) -> str:
    """The type of a column that has these values."""
    found = tuple(Match({"heat": bound("Heat"), "x": Bound(id, id)}, ()) for id in ids)
    frame = to_frame(result(Interpretation(1, 0.0, (), found), pattern='("Heat")-[r]-(?x)'))
    return str(frame["x"].dtype)


XSD = "http://www.w3.org/2001/XMLSchema#"


@pytest.mark.parametrize(
    ("values", "dtype"),
    [
        (["1995^^integer", "-7^^int"], "Int64"),
        (["1995^^integer", "7.5^^decimal", "INF^^double"], "Float64"),
        (["true^^boolean", "0^^boolean"], "boolean"),
        (["1995-12-15^^date"], "datetime64"),
        (["1995-12-15T10:00:00+02:00^^dateTime", "1995-07-01T10:00:00Z^^dateTime"], "datetime64"),
        (["1995-12-15T10:00:00+02:00^^dateTime", "1995-07-01T10:00:00^^dateTime"], "string"),
        (["1995-12-15T10:00:00+01:00[Europe/Paris]^^dateTime"], "string"),
        (["x^^integer"], "string"),
        ([f"{2**64}^^integer"], "string"),
        (["maybe^^boolean"], "string"),
        (["1995^^gYear"], "string"),
        (["1995^^integer", "Heat^^string"], "string"),
    ],
)
def test_a_column_of_values_of_one_kind_has_its_type(values: list[str], dtype: str) -> None:
    texts = [value.split("^^") for value in values]
    ids = [literal(text, datatype=XSD + kind) for text, kind in texts]
    assert typed(*ids).startswith(dtype)
    assert typed(*ids, "http://e.test/heat") == "string"


def test_ranks_distances_and_names_have_types_of_pandas() -> None:
    types = to_frame(result(directed(["Heat"]))).dtypes.astype(str).to_dict()
    assert (types["rank"], types["gsd"], types["film"]) == ("Int64", "Float64", "string")
    assert types["film_id"] == "string"


def test_a_missing_pandas_is_said_with_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'isomatch\[pandas\]'"):
        to_frame(result())
