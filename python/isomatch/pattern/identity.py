"""Nodes by their identity: an IRI or another id of the database in angle brackets.

A known node whose text is ``<…>`` is that node of the graph, and no other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from isomatch.texts import PREFIXES

IDENTITY = re.compile(r"<([^<>\"{}|^`\\\x00-\x20]*:[^<>\"{}|^`\\\x00-\x20]*)>")
# Not p: who writes (p:person) has left out a question mark.
_KNOWN = {prefix: namespace for prefix, namespace in PREFIXES.items() if len(prefix) > 1}


def identity(text: str) -> str | None:
    """The id that a node's text stands for; None where it is a name.

    Example:
        >>> identity("<urn:heat>"), identity("Heat")
        ('urn:heat', None)
    """
    match = IDENTITY.fullmatch(text)
    return match[1] if match else None


def prefixed(prefixes: Mapping[str, str]) -> re.Pattern[str]:
    """The form of a prefixed name, for the well-known prefixes and these."""
    return re.compile(rf"({'|'.join(map(re.escape, {**_KNOWN, **prefixes}))}):([\w.~%+-]+)")


def expanded(text: str, prefixes: Mapping[str, str] = MappingProxyType({})) -> str:
    """A prefixed name as an IRI in angle brackets; any other text as it is.

    Args:
        prefixes: namespaces by prefix, beside the well-known ones.

    Example:
        >>> expanded("wd:Q44578"), expanded("my:heat", {"my": "urn:films:"})
        ('<http://www.wikidata.org/entity/Q44578>', '<urn:films:heat>')
    """
    match = prefixed(prefixes).fullmatch(text)
    return f"<{({**_KNOWN, **prefixes})[match[1]]}{match[2]}>" if match else text
