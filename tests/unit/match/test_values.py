"""Values of every kind are found, in the embedded store and in rdflib."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import rdflib
from tests.oracle.values import DATA, VALUES, check, check_years

import isomatch
from isomatch.session import Session


@pytest.fixture(scope="module", params=["embedded", "rdflib"])
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    source: Path | rdflib.Graph = tmp_path_factory.mktemp("values") / "values.ttl"
    if request.param == "embedded":
        source.write_text(DATA, encoding="utf-8")
    else:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rdflib, "NORMALIZE_LITERALS", False)
            source = rdflib.Graph().parse(data=DATA, format="turtle")
    with isomatch.open(source) as opened:
        yield opened


@pytest.mark.parametrize("relation", VALUES)
def test_embedded_stores_find_a_value_of_every_kind(session: Session, relation: str) -> None:
    check(session, relation)


def test_embedded_stores_take_a_year_for_all_dates_in_it(session: Session) -> None:
    check_years(session)
