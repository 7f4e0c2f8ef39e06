"""Nodes of subclasses are found as those of the type by every engine."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.oracle.subclasses import CLAIMS, FILMS, check_claims, check_films

from isomatch.session import Session

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("graph", "check"), [(FILMS, check_films), (CLAIMS, check_claims)], ids=["films", "wikibase"]
)
def test_every_engine_finds_nodes_of_subclasses(
    open_sparql: Callable[[str], Session], graph: str, check: Callable[[Session], None]
) -> None:
    with open_sparql(graph) as session:
        check(session)
