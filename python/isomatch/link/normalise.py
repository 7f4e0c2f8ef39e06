"""Normal forms of names, and the values that texts have as literals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation

WITHIN = "-T:Z+"  # what a date goes on with after a year, month, day, hour, minute or second
LONGEST = 8192  # characters of a text that are looked at
_APOSTROPHES = re.compile(r"['’ʼ`´]")
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?")
_DATE = re.compile(
    r"-?\d{4,}(?:-\d\d(?:-\d\d(?:[T ]\d\d(?::\d\d(?::\d\d(?:\.\d+)?)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?"
)
_FRACTION = re.compile(r"\.(\d*?)0*(?=$|[Z+-])")  # of a second
_ZONE = re.compile(r"(?:Z|[+-]\d\d:\d\d)$")
_DIGIT = re.compile(r"\d")
# A number with its sign, or a word that may stand for one.
_NUMERAL = re.compile(r"(?:(?<=\s)|^)-\d+|\d+|[^\W\d_]+")
_IDENTIFIER = re.compile(r"[A-Za-z0-9{][A-Za-z0-9._:/{}-]{5,127}")
_NOT_HEXADECIMAL = re.compile(r"[G-Zg-z]")
_CODE = re.compile(r"(?:[a-z]*\d[a-z\d]* ?)+")  # a normal form
_JOINED = re.compile(r"(?<!\d) | (?!\d)")  # a space that may be left out of a code
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_NUMERALS = {
    form: str(number)
    for forms in (
        "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx",
        "one two three four five six seven eight nine ten eleven twelve",
        "first second third fourth fifth sixth seventh eighth ninth tenth",
    )
    for number, form in enumerate(forms.split(), 1)
}
_MONTHS = (
    *("january", "february", "march", "april", "may", "june", "july", "august"),
    *("september", "october", "november", "december"),
)
_WORDED = re.compile(
    r"(?:(?P<d1>\d{1,2})(?:st|nd|rd|th)? )?(?P<month>[a-z]{3,9})\.?"
    r"(?: (?P<d2>\d{1,2})(?:st|nd|rd|th)?)?,? (?P<year>\d{4})"
)


def beginnings(texts: Iterable[str]) -> list[str]:
    """The part of each text that is embedded: a model looks at a few hundred words at most."""
    return [text[:LONGEST] for text in texts]


def normalise(text: str) -> str:
    """The form in which equal names are equal.

    Case is folded; accents and apostrophes are dropped; punctuation,
    underscores and white space become one space. Marks that make another
    letter (kana voicing, Indic signs) stay. A text of nothing but punctuation
    stands for itself, and so does one of more than `LONGEST` characters.

    Example:
        >>> normalise("ACTED_IN"), normalise("Amélie:  L'Été")
        ('acted in', 'amelie lete')
    """
    if len(text) > LONGEST:
        return text
    if text.isascii():  # most names of most graphs
        folded = text.lower()
        return " ".join(folded.translate(_PLAIN).split()) or folded.strip() or text.strip()
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    folded = "".join(c for c in decomposed if not _is_accent(c))
    folded = unicodedata.normalize("NFKC", folded).casefold()
    plain = _APOSTROPHES.sub("", folded)
    plain = "".join(c if c.isalnum() or not _is_separator(c) else " " for c in plain)
    return " ".join(plain.split()) or folded.strip() or text.strip()


def _is_accent(character: str) -> bool:
    # Canonical combining classes: 10 to 35 are Hebrew and Arabic points, from
    # 200 on the marks above and below; 7 to 9 and 84 to 132 make other letters.
    combining = unicodedata.combining(character)
    return combining >= 200 or 10 <= combining <= 35


def _is_separator(character: str) -> bool:
    # Symbols ("C++", "A$AP") and marks are part of a name.
    return unicodedata.category(character)[0] in "PZC"


_PLAIN = {
    code: "" if _APOSTROPHES.match(chr(code)) else " "
    for code in range(128)
    if _is_separator(chr(code)) or _APOSTROPHES.match(chr(code))
}


@dataclass(frozen=True, slots=True)
class Value:
    """The literal values that a text may have; each None where it has none.

    Attributes:
        number: equal to number literals.
        iso: a year, month, day or moment in ISO 8601; equal to date literals
            that are it or lie in it.
        boolean: ``true`` or ``false``.
    """

    number: Decimal | None = None
    iso: str | None = None
    boolean: str | None = None

    def __bool__(self) -> bool:
        return self != Value()


def value_of(text: str) -> Value:
    """The value of a text: numbers (``1,995``), dates (``1995``, ``1 July 1995``) and booleans.

    Example:
        >>> value_of("1,995.0").number == 1995, value_of("July 1, 1995").iso
        (True, '1995-07-01')
    """
    plain = text.strip()
    if len(plain) > 64 or not plain:
        return Value()
    if plain.lower() in ("true", "false"):
        return Value(boolean=plain.lower())
    number = as_number(plain.replace(",", "")) if _NUMBER.fullmatch(plain) else None
    return Value(
        number=number, iso=as_iso(plain) if _DATE.fullmatch(plain) else _worded_date(plain)
    )


def as_number(lexical: str) -> Decimal | None:
    """A number literal's lexical form as a number; None for NaN, INF and malformed text."""
    try:
        number = Decimal(lexical.strip())
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def as_iso(lexical: str) -> str:
    """A date literal's lexical form without time zone (moments keep theirs).

    Example:
        >>> as_iso("1995-07-01Z"), as_iso("1995-07-01 10:00:00.500")
        ('1995-07-01', '1995-07-01T10:00:00.5')
    """
    plain = lexical.strip().replace(" ", "T", 1)
    if "T" not in plain:
        return _ZONE.sub("", plain)
    plain = _FRACTION.sub(lambda m: f".{m[1]}" if m[1] else "", plain)
    return f"{plain[:-6]}Z" if plain.endswith(("+00:00", "-00:00")) else plain


def day_of(text: str) -> str | None:
    """The day or moment that a text is, in ISO 8601; None for other texts.

    A shorter date may as well be a code: ``1010-12``.
    """
    iso = value_of(text).iso if _DIGIT.search(text) else None
    try:
        return iso if iso and len(iso) >= 10 and date.fromisoformat(iso[:10]) else None
    except ValueError:
        return None


def agrees(asked: str, name: str) -> bool:
    """Whether a name may be what a text with digits means, however near it is.

    A date means itself and what lies in it, and a number or code (each word has a digit)
    means itself. The numbers of another text are in the name, in their order: in digits, as
    Roman numerals or as words. Texts without numbers agree with every name.

    Example:
        >>> agrees("1996-07", "1996-07-04 00:00:00"), agrees("SW1A 1AA", "sw1a1aa")
        (True, True)
        >>> agrees("1996-07-04", "1996-09-26"), agrees("Apollo 13", "Apollo 11")
        (False, False)
    """
    plain, other = _THOUSANDS.sub("", asked.strip()), _THOUSANDS.sub("", name.strip())
    if _DIGIT.search(asked):
        value, found = value_of(asked), value_of(name)
        if value:
            within = value.iso and found.iso and lies_in(found.iso, value.iso)
            return bool(within) or plain == other
        form = normalise(asked)
        if _CODE.fullmatch(form):
            return _JOINED.sub("", form) == _JOINED.sub("", normalise(name))
    numbers = iter(_numbers(other))
    return all(number in numbers for number in _numbers(plain, shortest=2))


def is_identifier(text: str) -> bool:
    """Whether a text looks like a UUID, a hash or a code, and not like a name.

    That is one word of 6 to 128 letters, digits, hyphens and the like: with a letter and
    at least four digits, and either more digits than letters, or 16 or more hexadecimal ones.

    Example:
        >>> [is_identifier(text) for text in ("tt0113277", "5eb63bbbe01eeed093cb22bb8f5acdc3")]
        [True, True]
        >>> [is_identifier(text) for text in ("Heat", "1995", "2001-A", "Blink-182")]
        [False, False, True, False]
    """
    if not _IDENTIFIER.fullmatch(text):
        return False
    digits = sum(map(str.isdigit, text))
    letters = sum(map(str.isalpha, text))
    hexadecimal = digits + letters >= 16 and not _NOT_HEXADECIMAL.search(text)
    return digits >= 4 and letters > 0 and (digits > letters or hexadecimal)


def _numbers(text: str, shortest: int = 1) -> list[str]:
    """The numbers of a text in their order; numerals of at least so many letters."""
    found = _NUMERAL.findall(text.casefold())
    long = (one for one in found if one[-1].isdecimal() or len(one) >= shortest)
    return [number for one in long if (number := _NUMERALS.get(one, one))[-1].isdecimal()]


def lies_in(iso: str, period: str) -> bool:
    """Whether a date is another one, or lies in it: a day in its year, a time in its day."""
    return iso == period or (iso.startswith(period) and iso[len(period)] in WITHIN)


def _worded_date(text: str) -> str | None:
    match = _WORDED.fullmatch(" ".join(text.lower().split()))
    if match is None or (match["d1"] and match["d2"]):
        return None
    months = [i for i, name in enumerate(_MONTHS, 1) if match["month"] in (name, name[:3])]
    if not months:
        return None
    day = match["d1"] or match["d2"]
    return f"{match['year']}-{months[0]:02}" + (f"-{int(day):02}" if day else "")
