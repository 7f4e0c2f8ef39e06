"""Gold queries in Cypher that order by letters what are dates or numbers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from isomatch.evaluate.text_order import misordered
from isomatch.schema.types import Relation

DATES = ("9/08/2017", "31/08/2017", "10/08/2017")
"""As Cypher orders them downwards."""


def resources(texts: str):
    relation = Relation(".on", "on", 3, texts=texts)
    schema = SimpleNamespace(by_id={".on": relation})
    return SimpleNamespace(
        schema=schema, dates={".on": "%d/%m/%Y"}, derived=lambda key, make: make()
    )


@pytest.mark.parametrize(
    ("texts", "cells", "descending", "found"),
    [
        ("date", DATES, True, "date"),
        ("date", DATES[::-1], False, "date"),
        ("date", ("9/08/2017", "10/07/2017"), True, ""),
        ("date", ("2017-08-31", "2017-08-09"), True, ""),
        ("number", ("9", "85", "100"), True, "number"),
        ("number", ("95", "85"), True, ""),
        ("number", ("950", "2006"), True, "number"),  # which may be a year
        ("date", ("9", "31/08/2017"), True, ""),
        ("number", ("unknown", "85", "100"), True, ""),
        ("number", (None, "9"), True, ""),
        ("number", (), True, ""),
        ("text", ("9", "100"), True, ""),
        ("", ("100", "9"), True, ""),
    ],
)
def test_the_first_by_letters_may_be_another(texts, cells, descending, found):
    assert misordered(resources(texts), "c.on", descending, cells) == found


@pytest.mark.parametrize("key", ["c.other", "count(c)", "date(c.on)", "c"])
def test_only_a_property_by_itself_is_read(key):
    assert misordered(resources("date"), key, True, DATES) == ""


def test_a_property_may_be_quoted():
    assert misordered(resources("date"), "c.`on`", True, DATES) == "date"
