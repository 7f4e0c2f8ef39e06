"""Conditions and ``without`` in the plugin: what brute force finds, and what Python compares."""

from __future__ import annotations

from typing import Any

import neo4j
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.integration.test_neo4j_conditions import VALUES
from tests.oracle.checks import SERVER_EXAMPLES
from tests.oracle.narrowing import conditions
from tests.oracle.plugin_conditions import ConditionedCase, check, conditioned_cases, film_cases

from isomatch.match.conditions import holds
from isomatch.pattern import to_json
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.store.values import from_id, to_id

pytestmark = [pytest.mark.slow, pytest.mark.both_lines, pytest.mark.usefixtures("plugin")]
on_a_server = settings(
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.filter_too_much,
        HealthCheck.function_scoped_fixture,
    ],
)
# Such a text is not read as a date here, and so not compared with one.
OTHER_DATE = "29/08/2017"


@settings(on_a_server, max_examples=2 * SERVER_EXAMPLES)
@given(
    case=film_cases() | conditioned_cases(),
    k=st.sampled_from((1, 2, 1000)),
    limit=st.sampled_from((1, 2, 1000)),
    nodes=st.sampled_from(("distinct", "anchored", "repeat")),
    direction=st.sampled_from(("any", "as drawn", "as written")),
    type_weight=st.sampled_from((0.0, 0.5, 1.0)),
)
def test_the_plugin_keeps_the_matches_that_satisfy_conditions(
    empty_neo4j: neo4j.Driver, case: ConditionedCase, k: int, limit: int, **options: Any
):
    check(empty_neo4j, case, k, limit, options)


def test_the_plugin_compares_values_as_python_does(empty_neo4j: neo4j.Driver) -> None:
    for number, value in enumerate(VALUES):
        empty_neo4j.execute_query("CREATE (:V {value: $v, n: $n})", v=value, n=number)
    members = [
        (number, id)
        for number, value in enumerate(VALUES)
        for one in (value if isinstance(value, list) else [value])
        if (id := to_id(one)) is not None
    ]
    edge = Edge("x", "value", "v", directed=True)
    for condition in conditions():
        pattern = to_json(Pattern((Node("x"), Node("v")), (edge,), where=(condition,)))
        records = empty_neo4j.execute_query(
            "CALL isomatch.match.stream($pattern, {k: 1}) YIELD rank, bindings "
            "WHERE rank = 1 RETURN bindings.x.n AS n, bindings.v AS v",
            pattern=pattern,
        ).records
        # Equal numbers are one value there, so -0.0 may be given as 0.
        found = {(record["n"], record["v"]) for record in records}
        expected = {(number, from_id(id)) for number, id in members if holds(condition, id)}
        unread = {(number, OTHER_DATE) for number, id in members if OTHER_DATE in id} - found
        assert not unread & expected or condition.operator == "!=", condition
        assert found == expected - unread, condition
