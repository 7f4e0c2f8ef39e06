"""When the words of a pattern are taken for what was found."""

from __future__ import annotations

import pytest

from isomatch.match.nearness import DEFAULT, Nearness
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
    assert DEFAULT.holds(Interpretation(1, distance, (other, found), ())) is near


@pytest.mark.parametrize(("name", "near"), [("Germany", True), ("Denmark", False)])
def test_a_name_that_is_spelt_alike_is_near_at_any_distance(name: str, near: bool) -> None:
    assert DEFAULT.near(Choice("node", "Germny", "urn:x", name, 1.3)) is near


@pytest.mark.parametrize(
    ("asked", "name", "alike"),
    [
        ("Jaws", "Jaws 2", False),
        ("Toy Story 2", "Toy Story", False),
        ("Germny", "Germany", True),
        ("Bladerunner", "Blade Runner", True),
    ],
)
def test_a_name_with_further_words_is_not_spelt_alike(asked: str, name: str, alike: bool) -> None:
    """Who edited "Jaws" was answered, with no "If", by who edited "Jaws 2"."""
    assert DEFAULT.is_spelled_alike(Choice("node", asked, "urn:x", name, 0.49)) is alike


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("1996-07-04", "1996-09-26 00:00:00.000"),
        ("1996-07-04", "1996-07-05"),
        ("1996-07-04 10:00", "1996-07-04"),
        ("July 1996", "1997-07-04"),
        ("1996", "1997"),
        ("1996", "1996 Olympics"),
        ("10248", "10249"),
        ("-5", "5"),
        ("1.10", "1.1"),
        ("12209", "12209-3"),
        ("Toy Story 2", "Toy Story"),
        ("Rocky II", "Rocky III"),
        ("Ocean's Eleven", "Ocean's Twelve"),
        ("1999", "19,99"),
        ("15 kg", "1,5 kg"),
        ("v1.12", "v11.2"),
        ("A1.23", "A12.3"),
        ("Python 3.2", "Python 2.3"),
        ("-40 °C", "40 °C"),
        ("Q44578", "Q44579"),
        ("WA1 1DP", "WX1 1DP"),
        ("05-1234", "0-51234"),
        ("(171) 555-7788", "(171) 555-7789"),
        ("Apollo 13", "Apollo 11"),
        ("12 Main Road", "121 Main Road"),
    ],
)
def test_another_date_number_or_code_is_never_near(asked: str, name: str) -> None:
    assert not DEFAULT.near(Choice("node", asked, "urn:x", name, 0.01))


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("1996-07-04", "1996-07-04 00:00:00.000"),
        ("4 July 1996", "1996-07-04T10:00:00Z"),
        ("1996-07", "July 4, 1996"),
        ("1996", "1996-07-04 00:00:00.000"),
        ("10,248", "10248"),
        ("wa1-1dp", "WA1 1DP"),
        ("SW1A 1AA", "SW1A1AA"),
        ("(171) 555-7788", "171 555 7788"),
        ("World War 2", "World War II"),
        ("First World War", "World War I"),
        ("V for Vendeta", "V for Vendetta"),
        ("20,000 Leagues", "20000 Leagues"),
        ("1996-07-05T04:30:00Z", "1996-07-05T04:30:00+00:00"),
        ("Ocean's 11", "Ocean's Eleven"),
        ("9th Symphony", "Ninth Symphony"),
        ("Apollo 13", "Apollo 13 (1970)"),
        ("Toy Story", "Toy Story 2"),
        ("12 Main Rd.", "12 Main Road"),
    ],
)
def test_the_same_date_number_or_code_and_names_are_as_near_as_their_distance(
    asked: str, name: str
) -> None:
    assert DEFAULT.near(Choice("node", asked, "urn:x", name, 0.7))
    assert Nearness(spelling=2).near(Choice("node", asked, "urn:x", name, 0.81)) is False


def test_what_was_found_by_id_or_value_is_near() -> None:
    assert DEFAULT.near(Choice("node", "Q44578", "urn:Q44578", "Titanic", 0.0))


def test_other_bounds_can_be_given() -> None:
    found = Choice("node", "Peking", "urn:x", "Bonn", 0.9)
    assert Nearness(name=0.9).near(found)
    assert not Nearness(name=0.89).near(found)
