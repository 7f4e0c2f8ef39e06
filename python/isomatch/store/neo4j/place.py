"""Where a database is, what its server says of itself, and whether its plugin fits isomatch."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from isomatch.errors import ConfigurationError, PluginVersionError


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


SCHEMES = ("neo4j", "neo4j+s", "neo4j+ssc", "bolt", "bolt+s", "bolt+ssc")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a query went, for messages; no secrets.

    Attributes:
        uri: of the server, or words for a driver that the caller made.
        username: None where the caller's driver knows it.
        impersonate: the user as whom it ran.
        database: None for the user's home database.
    """

    uri: str
    username: str | None = None
    impersonate: str | None = None
    database: str | None = None

    def __str__(self) -> str:
        return self.uri if self.database is None else f"{self.uri}, database {self.database}"


@dataclass(frozen=True, slots=True)
class Server:
    """What a server says of itself.

    Attributes:
        version: as it says it, "5.26.30" or "2025.12.1".
        edition: ``community`` or ``enterprise``.
        database: name of the one that is read.
        database_id: stays the same over restarts, and is never given again.
    """

    version: str
    edition: str
    database: str
    database_id: str


def check_uri(uri: str) -> None:
    """See that an address is of a form that the driver takes, and has no password in it.

    Raises:
        ConfigurationError: it is not.
    """
    if "@" in uri:  # before anything else: what is wrong with an address is printed
        raise ConfigurationError(
            "NEO4J_URI has a user in it, and addresses are printed: say it in NEO4J_USERNAME and "
            "NEO4J_PASSWORD"
        )
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError as error:
        raise ConfigurationError(f"NEO4J_URI is no address: {error}") from error
    if parts.scheme not in SCHEMES:
        raise ConfigurationError(
            f"NEO4J_URI has the scheme {parts.scheme!r}, where Neo4j has "
            f"{', '.join(s + '://' for s in SCHEMES)}: take neo4j://HOST, or bolt://HOST for one "
            "server alone"
        )
