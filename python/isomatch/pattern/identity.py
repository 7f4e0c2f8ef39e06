"""Nodes by their identity: an IRI or another id of the database in angle brackets.

A known node whose text is ``<…>`` is that node of the graph, and no other.
"""

from __future__ import annotations

import re

from isomatch.texts import PREFIXES

IDENTITY = re.compile(r"<([^<>\"{}|^`\\\x00-\x20]*:[^<>\"{}|^`\\\x00-\x20]*)>")
# Not p: who writes (p:person) has left out a question mark.
_KNOWN = "|".join(prefix for prefix in PREFIXES if len(prefix) > 1)
PREFIXED = re.compile(rf"({_KNOWN}):([\w.~%+-]+)")


def identity(text: str) -> str | None:
    """The id that a node's text stands for; None where it is a name.

    Example:
        >>> identity("<urn:heat>"), identity("Heat")
        ('urn:heat', None)
    """
    match = IDENTITY.fullmatch(text)
    return match[1] if match else None


def expanded(text: str) -> str:
    """A name with a well-known prefix as an IRI in angle brackets; any other text as it is.

    Example:
        >>> expanded("wd:Q44578")
        '<http://www.wikidata.org/entity/Q44578>'
    """
    match = PREFIXED.fullmatch(text)
    return f"<{PREFIXES[match[1]]}{match[2]}>" if match else text
