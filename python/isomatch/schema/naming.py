"""Which property names the nodes of a label: the usual words, coverage, distinctness.

A property is a good name if most nodes of the label have it, if few share its
value, and if it reads like a name: short text, no address, number or checksum.
Properties that are usually called so (``name``, ``title``, ``movieName``) are
preferred to any other. A label may have none.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

# Letters only, in lower case; the label's own word may stand before (`movieName`).
USUAL = ("name", "title", "label", "displayname", "fullname", "preflabel", "prefname")
ENDINGS = ("name", "title", "label", "caption", "heading")
NEVER = ("id", "uuid", "guid", "url", "uri", "iri", "email", "hash", "password", "token", "path")
CODES = ("code", "postcode", "zip", "number", "no", "phone")  # rather than which, an address
LEAST_TELLING = 0.95  # share of the nodes that a key must tell apart
LEAST_DISTINCT = 0.01  # a text that a hundred nodes share is a fact about them
LONGEST_NAME = 1000  # characters; a longer text is no name at all
LONGEST = 80  # characters on average; longer texts describe, they do not name
# As Java's regular expressions have it, within a text of Cypher's: nothing, an address,
# a date or number, a checksum, or JSON.
NO_NAME = (
    r"(?is)\\s*|\\w+://.*|www\\..*|\\S+@\\S+\\.\\S+|[\\d\\s.,:;/+TZ%-]*"
    r"|(?=.*\\d)[0-9a-f-]{16,}|[\\[{].*"
)
# Texts that are numbers, and dates, in the same notation of expressions. What begins with a zero
# is a code.
NUMBER = r"-?(0|[1-9][0-9]*)([.][0-9]+)?"
DATE = (
    r"[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4}([ ,T].*)?"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}([ T].*)?"
)


@dataclass(frozen=True, slots=True)
class Text:
    """The texts of one property among the nodes of one label.

    Attributes:
        key: the property.
        coverage: share of the nodes that have it, as a text.
        distinct: distinct texts for each node that has one, 0 to 1.
        plain: share of the distinct texts that are not like `NO_NAME`.
        length: characters of a text on average.
    """

    key: str
    coverage: float
    distinct: float
    plain: float
    length: float


def name_property(label: str, texts: Sequence[Text], preferred: Sequence[str] = ()) -> str | None:
    """The key that names the nodes of a label, or None.

    Args:
        label: without a sigil.
        texts: of its properties.
        preferred: keys that go before all others, best first.
    """
    by_key = {text.key: text for text in texts}
    for key in preferred:
        if key in by_key:
            return key
    scored = {text.key: score for text in texts if (score := _score(label, text)) > 0}
    if not scored:  # an email is known by its address
        scored = {text.key: 1.0 for text in texts if _is_own_key(label, text)}
    return min(scored, key=lambda key: (-scored[key], key), default=None)


def _is_own_key(label: str, text: Text) -> bool:
    """Whether a text tells the nodes of a label apart and is called as they are."""
    tells = min(text.coverage, text.distinct) >= LEAST_TELLING and text.length <= LONGEST
    return tells and _letters(text.key).startswith(_letters(label))


def _score(label: str, text: Text) -> float:
    """Above 0 for what may be a name, and more for a better one."""
    if text.distinct < LEAST_DISTINCT or text.length > 2 * LONGEST:
        return 0.0
    score = text.coverage * math.sqrt(text.distinct)
    key, own = _letters(text.key), _letters(label)
    usual = "name" if key == own else key.removeprefix(own)
    if usual in USUAL:
        # A year called "1995" has a name all the same.
        return score * max(text.plain, 0.5) * (10 - USUAL.index(usual) / 100)
    score *= text.plain
    if _last_word(text.key) in NEVER or text.length > LONGEST:
        return 0.0
    if text.distinct < 0.5 or text.coverage < 0.5 or text.plain < 0.5:
        return 0.0
    if _last_word(text.key) in CODES:
        score *= 0.5
    return score * (3 if usual.endswith(ENDINGS) else 1)


def text_kind(text: str) -> str:
    """What a text is: ``number`` or ``date``, else empty.

    Example:
        >>> text_kind("38"), text_kind("29/08/2017"), text_kind("0151")
        ('number', 'date', '')
    """
    kinds = (("number", NUMBER), ("date", DATE))
    return next((kind for kind, form in kinds if re.fullmatch(form, text)), "")


def preferences(
    given: Sequence[str] | None, labels: Sequence[str]
) -> tuple[list[str], dict[str, str]]:
    """(keys for every label, label to its own key) of the setting ``label_relations``.

    An entry is a property (``title`` or ``.title``), or a property of one label
    (``Movie.title`` or ``:Movie.title``), which goes before the others.

    Example:
        >>> preferences([".title", ":Person.surname"], ["Person", "Movie"])
        (['title'], {'Person': 'surname'})
    """
    general: list[str] = []
    own: dict[str, str] = {}
    for entry in given or ():
        for label in sorted(labels, key=len, reverse=True):
            if entry.removeprefix(":").startswith(f"{label}."):
                own.setdefault(label, entry.removeprefix(":")[len(label) + 1 :])
                break
        else:
            general.append(entry.removeprefix("."))
    return general, own


def _letters(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).lower()


def _last_word(key: str) -> str:
    return re.split(r"[\W_]+|(?<=[a-z])(?=[A-Z])", key)[-1].lower()
