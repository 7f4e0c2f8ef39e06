"""Options say by name what they refuse."""

from __future__ import annotations

import re
from math import inf, nan
from typing import Any

import pytest

from isomatch.errors import ConfigurationError
from isomatch.options import Options

WHOLE = ("k", "limit", "k_nodes", "k_relations", "k_types", "budget_rows")
REFUSED: list[tuple[str, Any, str]] = [
    *(
        (key, value, f"{key} must be a whole number from 1 on, not {value!r}")
        for key in WHOLE
        for value in (0, -3, 1.5, "7")
    ),
    *(
        ("type_weight", value, f"type_weight must be a number from 0 on, not {value!r}")
        for value in (-0.5, nan, inf)
    ),
    *(
        ("budget_seconds", value, f"budget_seconds must be positive, not {value!r}")
        for value in (0, -1.0, nan, inf)
    ),
    ("nodes", "same", "nodes must be one of 'distinct', 'anchored', 'repeat', 'walk', not 'same'"),
    ("direction", "out", "direction must be one of 'as drawn', 'any', 'as written', not 'out'"),
    ("results", "rows", "results must be one of 'interpretations', 'matches', not 'rows'"),
    (
        "strategy",
        "fast",
        "strategy must be one of 'auto', 'ascending', 'semi-join', 'brute force', not 'fast'",
    ),
]


@pytest.mark.parametrize(("key", "value", "message"), REFUSED)
def test_a_refusal_names_the_key_the_rule_and_the_value(key: str, value: Any, message: str):
    with pytest.raises(ConfigurationError, match=f"^{re.escape(message)}$"):
        Options(**{key: value})
    with pytest.raises(ConfigurationError, match=f"^{re.escape(message)}$"):
        Options().with_(**{key: value})


@pytest.mark.parametrize(
    "changes",
    [
        *({key: 1} for key in WHOLE),
        {"k_nodes": None, "k_relations": None, "k_types": None},
        {"budget_rows": None, "budget_seconds": None},
        {"type_weight": 0},
        {"budget_seconds": 0.001},
        {"nodes": "repeat", "direction": "as written", "results": "matches"},
        {"strategy": "brute force"},
    ],
)
def test_the_limits_themselves_are_allowed(changes: dict[str, Any]):
    options = Options().with_(**changes)
    assert options == Options(**changes)
    assert {key: getattr(options, key) for key in changes} == changes


def test_an_unknown_option_is_refused_by_name():
    with pytest.raises(ConfigurationError, match=r"^unknown option 'top'; the options are ") as e:
        Options().with_(k=2, top=3)
    listed = str(e.value).partition("are ")[2].split(", ")
    assert listed == sorted(Options.__dataclass_fields__)


def test_a_change_leaves_the_original_as_it_was():
    before = Options()
    assert before.with_(k=7).k == 7
    assert before == Options()
