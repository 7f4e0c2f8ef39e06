"""Results as pandas frames."""

from __future__ import annotations

from tests.unit.answer.results import bound, directed, result

from isomatch import to_frame
from isomatch.match.types import Interpretation, Match


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
