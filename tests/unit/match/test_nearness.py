"""When the words of a pattern are taken for what was found."""

from __future__ import annotations

import pytest

from isomatch.match.nearness import DEFAULT, Nearness, is_near
from isomatch.match.types import Choice, Interpretation


@pytest.mark.parametrize(
    ("part", "distance", "near"),
    [
        ("node", 0.0, True),
        ("node", 0.8, True),
        ("node", 0.81, False),
        ("relation", 1.1, True),
        ("relation", 1.11, False),
        ("type", 1.9, True),  # a type only ranks
    ],
)
def test_names_and_relations_have_bounds_of_their_own(
    part: str, distance: float, near: bool
) -> None:
    found = Choice(part, "Peking", "urn:x", "Bonn", distance)
    other = Choice("node", "Heat", "urn:heat", "Heat", 0.0)
    assert is_near(Interpretation(1, distance, (other, found), ())) is near


@pytest.mark.parametrize(("name", "near"), [("Germany", True), ("Denmark", False)])
def test_a_name_that_is_spelt_alike_is_near_at_any_distance(name: str, near: bool) -> None:
    assert DEFAULT.near(Choice("node", "Germny", "urn:x", name, 1.3)) is near


def test_other_bounds_can_be_given() -> None:
    found = Choice("node", "Peking", "urn:x", "Bonn", 0.9)
    assert Nearness(name=0.9).near(found)
    assert not Nearness(name=0.89).near(found)
