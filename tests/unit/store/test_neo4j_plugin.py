"""Which plugin fits which client, and what is said where they do not fit."""

from __future__ import annotations

import pytest

from isomatch.errors import PluginVersionError
from isomatch.store.neo4j.place import check_compatible, is_compatible


@pytest.mark.parametrize(
    ("one", "other", "fit"),
    [
        ("0.1.0", "0.1.0", True),
        ("0.1.0", "0.1.7", True),
        ("0.1", "0.1.0rc1", True),
        ("0.1.0-SNAPSHOT", "0.1.0", True),
        ("0.1.0", "0.2.0", False),
        ("0.1.0", "1.1.0", False),
        ("0.1.0", "0.10.0", False),
        ("", "", False),
        ("new", "0.1.0", False),
    ],
)
def test_major_and_minor_must_be_equal(one: str, other: str, fit: bool) -> None:
    assert is_compatible(one, other) == is_compatible(other, one) == fit


@pytest.mark.parametrize(
    ("plugin", "ours", "fix"),
    [
        ("0.0.9", "0.1.0", "have the plugin upgraded to 0.1.0"),
        ("0.9.1", "0.10.0", "have the plugin upgraded to 0.10.0"),
        ("0.2.3", "0.1.0", 'upgrade isomatch (pip install "isomatch==0.2.*")'),
        ("2", "0.1.0", "have the plugin upgraded to 0.1.0"),
    ],
)
def test_both_versions_and_the_older_side_are_named(plugin: str, ours: str, fix: str) -> None:
    with pytest.raises(PluginVersionError) as caught:
        check_compatible(plugin, ours, "bolt://graph.test")
    message = str(caught.value)
    assert message.startswith(f"Neo4j at bolt://graph.test has isomatch's plugin {plugin}, which")
    assert f"does not fit isomatch {ours}: {fix}" in message
    assert "--no-plugin" in message


def test_what_fits_is_let_be() -> None:
    check_compatible("0.1.3", "0.1.0", "anywhere")
