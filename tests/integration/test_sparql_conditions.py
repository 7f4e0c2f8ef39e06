"""Conditions on values are the same on every engine."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.oracle.conditions import FILMS, check_conditions

from isomatch.session import Session

pytestmark = pytest.mark.slow


def test_every_engine_gives_what_satisfies_conditions(
    open_sparql: Callable[[str], Session],
) -> None:
    with open_sparql(FILMS) as session:
        check_conditions(session)
