"""Which property is a name: the rules alone; real graphs are in the integration tests."""

from __future__ import annotations

import pytest

from isomatch.schema.naming import Text, name_property, preferences


def text(key: str, coverage: float = 1.0, distinct: float = 1.0, **other: float) -> Text:
    return Text(key, coverage, distinct, other.get("plain", 1.0), other.get("length", 12.0))


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ([], None),
        ([text("title"), text("name")], "name"),
        ([text("NAME", 0.3), text("tagline")], "NAME"),
        ([text("name", 0.05), text("tagline")], "tagline"),
        ([text("title", 1.0, 0.002), text("surname", 1.0, 0.9)], "surname"),
        ([text("display_name"), text("login")], "display_name"),
        ([text("filmTitle"), text("fullName", 0.2)], "filmTitle"),
        ([text("userName"), text("city")], "userName"),
        ([text("name", plain=0.0)], "name"),  # years
        ([text("caption", plain=0.2)], None),
        ([text("name", length=400)], None),
        ([text("summary", length=100)], None),
        ([text("externalId"), text("url"), text("file_path")], None),
        ([text("b"), text("a")], "a"),
        ([text("postcode"), text("address", 1.0, 0.9)], "address"),
        ([text("areaCode")], "areaCode"),
        ([text("film_address", plain=0.0)], "film_address"),  # all have their own
        ([text("film_address", 0.8, plain=0.0)], None),
        ([text("mail_address", plain=0.0)], None),  # is not called as films are
    ],
)
def test_the_best_property_names_whatever_the_order(
    texts: list[Text], expected: str | None
) -> None:
    assert name_property("Film", texts) == expected
    assert name_property("Film", texts[::-1]) == expected


def test_what_is_preferred_goes_first() -> None:
    texts = [text("name"), text("code", 0.1, 0.01)]
    assert name_property("Film", texts, ["absent", "code"]) == "code"
    assert name_property("Film", texts, ["absent"]) == "name"


def test_preferences_are_for_all_labels_or_one() -> None:
    labels = ["Film", "a.b", "a"]
    assert preferences(None, labels) == ([], {})
    assert preferences([".title", "name"], labels) == (["title", "name"], {})
    given = ["Film.title", ":Film.name", ":a.b.c", "a.x", "no.label"]
    assert preferences(given, labels) == (["no.label"], {"Film": "title", "a.b": "c", "a": "x"})
