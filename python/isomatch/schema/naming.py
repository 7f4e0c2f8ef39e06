"""Which property names the nodes of a label: the usual words, coverage, distinctness.

A property is a good name if most nodes of the label have it, if few share its
value, and if it reads like a name: short text, no address, number or checksum.
Properties that are usually called so (``name``, ``title``, ``movieName``) are
preferred to any other. A label may have none.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

# Letters only, in lower case; the label's own word may stand before (`movieName`).
USUAL = ("name", "title", "label", "displayname", "fullname", "preflabel", "prefname")
ENDINGS = ("name", "title", "label", "caption", "heading")
NEVER = ("id", "uuid", "guid", "url", "uri", "iri", "email", "hash", "password", "token", "path")
# A node is rather named by an address than by one of these, and they are no numbers.
CODES = {"account", "badge", "barcode", "code", "fax", "iban", "id", "isbn", "key", "mobile", "no"}
CODES |= {"nr", "num", "number", "phone", "pin", "plate", "postcode", "registration", "release"}
CODES |= {"room", "serial", "sku", "ssn", "telephone", "version", "zip", "zipcode"}
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
# Texts that are numbers, or dates, in the same notation of expressions. What begins with a zero is
# a code. Of dates with slashes, those with a number above twelve tell whether the day is first.
FORMS = {
    "number": r"-?(0|[1-9][0-9]*)([.][0-9]+)?",
    "iso": r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([ T].*)?",
    "slashed": r"[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4}([ ,T].*)?",
    "day_first": r"(1[3-9]|2[0-9]|3[01])[/.-][0-9]{1,2}[/.-][0-9]{4}([ ,T].*)?",
    "month_first": r"[0-9]{1,2}[/.-](1[3-9]|2[0-9]|3[01])[/.-][0-9]{4}([ ,T].*)?",
}


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
    if not scored:
        scored = {text.key: 1.0 for text in texts if _is_own_key(label, text)}
    return min(scored, key=lambda key: (-scored[key], key), default=None)


def _is_own_key(label: str, text: Text) -> bool:
    """Whether a text is the address of the nodes of a label: of an email."""
    tells = min(text.coverage, text.distinct) >= LEAST_TELLING and text.length <= LONGEST
    return tells and _letters(text.key) == f"{_letters(label)}address"


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


def forms_of(texts: Iterable[str]) -> Counter[str]:
    """How many texts have each of `FORMS`."""
    forms = [(name, re.compile(form)) for name, form in FORMS.items()]
    return Counter(name for text in texts for name, form in forms if form.fullmatch(text))


def text_kind(name: str, texts: int, forms: Mapping[str, int]) -> str:
    """What the texts of a relation are, see `Relation.texts`.

    Args:
        name: of the relation, in words: a number called "code" is none.
        texts: how many were looked at.
        forms: how many of them have each of `FORMS`.

    Example:
        >>> text_kind("call duration", 2, forms_of(["38", "7"]))
        'number'
        >>> text_kind("date", 2, forms_of(["29/08/2017", "1/08/2017"]))
        'date'
    """
    found = {form for form, number in forms.items() if texts and number == texts}
    if "number" in found:
        return "" if CODES.intersection(name.lower().split()) else "number"
    told = bool(forms.get("day_first")) != bool(forms.get("month_first"))
    if "iso" in found or ("slashed" in found and told):
        return "date"
    return "" if any(forms.values()) else "text"


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
