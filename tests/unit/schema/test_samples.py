"""What Cypher calls a value's type, as a kind of ours."""

from __future__ import annotations

import pytest

from isomatch.schema.samples import kind_of


@pytest.mark.parametrize(
    ("type", "kind"),
    [
        ("STRING NOT NULL", "text"),
        ("INTEGER NOT NULL", "number"),
        ("FLOAT", "number"),
        ("ZONED DATETIME NOT NULL", "date"),
        ("LOCAL TIME NOT NULL", "other"),
        ("VECTOR<INTEGER NOT NULL>(3) NOT NULL", "vector"),
        (None, "other"),
    ],
)
def test_each_datatype_has_its_kind(type: str | None, kind: str) -> None:
    assert kind_of(type) == kind
