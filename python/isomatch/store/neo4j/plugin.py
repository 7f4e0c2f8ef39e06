"""The plugin in a Neo4j database, and whether it fits this isomatch."""

from __future__ import annotations

import re

from isomatch.errors import PluginVersionError


def is_compatible(one: str, other: str) -> bool:
    """Whether a plugin and a client of these versions understand each other.

    They do where major and minor are equal.

    Example:
        >>> is_compatible("0.1.0", "0.1.7"), is_compatible("0.1.0", "0.2.0")
        (True, False)
    """
    line = _line(one)
    return line is not None and line == _line(other)


def check_compatible(plugin: str, ours: str, place: str) -> None:
    """Refuse a plugin that does not fit.

    Args:
        plugin, ours: versions of the plugin and of this package.
        place: of the database, in words.

    Raises:
        PluginVersionError: with both versions, and what to upgrade.
    """
    if is_compatible(plugin, ours):
        return
    theirs, mine = _line(plugin), _line(ours)
    if theirs is not None and mine is not None and theirs > mine:
        fix = f'upgrade isomatch (pip install "isomatch=={theirs[0]}.{theirs[1]}.*")'
    else:
        fix = f"have the plugin upgraded to {ours} (docs/procedures.md)"
    raise PluginVersionError(
        f"Neo4j at {place} has isomatch's plugin {plugin}, which does not fit isomatch {ours}: "
        f"{fix}, or search without the plugin (--no-plugin, ISOMATCH_PLUGIN=false)"
    )


def _line(version: str) -> tuple[int, int] | None:
    """Major and minor; None for what is no version."""
    found = re.match(r"(\d+)\.(\d+)(?![\d])", version)
    return (int(found[1]), int(found[2])) if found else None
