"""Gold queries in Cypher that order by letters what are dates or numbers."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from isomatch.evaluate.text_order import misordered, of_texts
from isomatch.schema.types import Relation

DATES = ("9/08/2017", "31/08/2017", "10/08/2017")
"""As Cypher orders them downwards."""


def relation(texts: str) -> Relation:
    return Relation(".on", "on", 3, texts=texts)


RESOURCES = SimpleNamespace(dates={".on": "%d/%m/%Y"}, derived=lambda key, make: make())


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
    ],
)
def test_the_first_by_letters_may_be_another(texts, cells, descending, found):
    assert misordered(RESOURCES, relation(texts), descending, cells) == found


@pytest.mark.parametrize(
    ("key", "texts", "is_read"),
    [
        ("c.on", "date", True),
        ("(c.`on`)", "number", True),
        ("c.on", "text", False),
        ("c.on", "", False),
        ("c.other", "date", False),
        ("count(c)", "date", False),
        ("date(c.on)", "date", False),
        ("c", "date", False),
        ("", "date", False),
    ],
)
def test_only_a_property_of_such_texts_by_itself_is_read(key, texts, is_read):
    schema = SimpleNamespace(by_id={".on": relation(texts)})
    assert (of_texts(schema, key) is not None) is is_read
