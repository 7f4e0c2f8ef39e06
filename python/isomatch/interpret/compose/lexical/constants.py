"""Numbers and dates that words of a question say, and how values compare with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from isomatch.chains.graph import Step
from isomatch.dates import iso_of_slashed
from isomatch.interpret.compose.expressions import Expression
from isomatch.interpret.compose.units import unit_at
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import any_word
from isomatch.lexicon.language import Language
from isomatch.lexicon.tables import Scale, Unit
from isomatch.link.normalise import value_of
from isomatch.pattern.types import Operator

_YEAR = re.compile(r"\d{4}")
_QUARTER = re.compile(r"q([1-4])")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})")
MOST_DATE_WORDS = 5  # "the 5th of June 1998"


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a value compares with constants, or with the values of a set.

    Attributes:
        either: further comparisons, of which one is enough instead.
        unit: of the constants; None for that of the graph.
        own: the step to another value of the same thing, which it is compared with.
    """

    operator: Operator
    values: tuple[str, ...]
    other: Expression | None = None
    either: tuple[Comparison, ...] = ()
    unit: Unit | None = None
    own: Step | None = None

    def turned(self, operators: Mapping[str, Operator]) -> Comparison:
        """The same with other operators."""
        operator = operators.get(self.operator, self.operator)
        either = tuple(one.turned(operators) for one in self.either)
        return replace(self, operator=operator, either=either)


def equal_to(constants: tuple[str, ...]) -> Comparison:
    """The comparison with one constant, or with any of several."""
    return Comparison("=" if len(constants) == 1 else "in", constants)


def constant(
    words: Sequence[Word], place: int, language: Language
) -> tuple[int, str | tuple[Comparison, ...], str] | None:
    """The constant that begins at a word: how many words it takes, what it is, in words.

    What it is: a number or date as a text, or the bounds of a decade or of "from 1990 on". None
    where there is none.
    """
    for length in range(min(MOST_DATE_WORDS, len(words) - place), 1, -1):
        if said := _date(words[place : place + length], language):
            return length, said, said
    if words[place].text in language.grammar.starting:
        return _onward(words, place, language)
    if begin := _begin_of_range(words, place, language):
        return begin
    numbers = language.numbers
    dates, following = language.asking.dates, words[place + 1 : place + 2]
    if words[place].text in dates and following and _YEAR.fullmatch(following[0].text):
        return 2, following[0].text, following[0].text  # "in the year 1880"
    if part := _part_of_year([w.text for w in words[place : place + 4]], language):
        return part
    if dotted := _DOTTED.fullmatch(words[place].text):  # the day first, wherever dots are used
        iso = value_of(f"{dotted[3]}-{dotted[2]:0>2}-{dotted[1]:0>2}").iso
        return (1, iso, iso) if iso else None
    owned = place > 0 and words[place - 1].text in language.grammar.own  # "people in their 60s"
    period = _period([w.text for w in words[place : place + 2]], language)
    if period and not owned:
        return period
    text = numbers.digits.get(words[place].text, language.digits(words[place].text))
    short = re.fullmatch(r"(\d+(?:\.\d+)?)([a-z]+)", text)
    if short and short[2] in numbers.powers:  # "10k"
        times = Decimal(short[1]) * numbers.powers[short[2]]
        text = format(times.normalize(), "f")
    if text in numbers.powers and place and words[place - 1].text in language.grammar.indefinite:
        power = str(numbers.powers[text])  # "more than a million"
        return 1, power, power
    if text in numbers.half:
        return _half(words, place, language)
    if not text[0].isdigit():
        return None
    if re.fullmatch(rf"\d{{3}}0({any_word(language.endings.decade)})", text):
        bounds = Comparison(">=", (text[:4],)), Comparison("<=", (f"{text[:3]}9",))
        return 1, bounds, language.assumed.span.format(text[:4], f"{text[:3]}9")
    value = value_of(text)
    if value.number is None:
        return (1, text, text) if value.iso else None
    power = words[place + 1].text if place + 1 < len(words) else ""
    if power in numbers.powers:
        written = format((value.number * numbers.powers[power]).normalize(), "f")
        return _or_beyond(words, place + 2, 2, written, language)
    if (end := _end_of_range(words, place, language)) and value.number < end[0]:
        written = format((value.number * end[1]).normalize(), "f")
        return 1, written, written
    return _or_beyond(words, place + 1, 1, text, language)


def _or_beyond(
    words: Sequence[Word], after: int, length: int, number: str, language: Language
) -> tuple[int, str | tuple[Comparison, ...], str]:
    """A number of some words, or what begins or ends with it: "8 or higher", "8 or less"."""
    either, beyond, than = [*(w.text for w in words[after : after + 3]), "", "", ""][:3]
    grammar = language.grammar
    if either not in grammar.choosing or than in grammar.than:
        return length, number, number
    scales = [s for s in language.scales if not any(word.startswith("-") for word in s.of)]
    sides: tuple[tuple[Operator, Set[str]], ...] = (
        (">=", grammar.more.union(*(scale.higher for scale in scales))),
        ("<=", grammar.fewer.union(*(scale.lower for scale in scales))),
    )
    for operator, said in sides:
        if beyond in said:
            return length + 2, (Comparison(operator, (number,)),), f"{operator} {number}"
    return length, number, number


def _end_of_range(
    words: Sequence[Word], place: int, language: Language
) -> tuple[Decimal, int] | None:
    """The number at the end of a range, and its power, said once: "between 3 and 10 million"."""
    powers = language.numbers.powers
    match [w.text for w in words[place + 1 : place + 4]]:
        case [to, last, power] if to in language.grammar.range and power in powers:
            number = value_of(last).number if last[0].isdigit() else None
            return None if number is None else (number, powers[power])
    return None


def _begin_of_range(
    words: Sequence[Word], place: int, language: Language
) -> tuple[int, str, str] | None:
    """The begin of a range whose year or month is said once: "between 1 and 9 May 1990".

    How many words it takes, and the date twice.
    """
    between = {word for phrase in language.comparisons.get("between", ()) for word in phrase}
    if not place or words[place - 1].text not in between | language.grammar.starting:
        return None
    for length in range(1, min(MOST_DATE_WORDS, len(words) - place - 2)):
        end = place + length
        if words[end].text not in language.grammar.range:
            continue
        found = constant(words, end + 1, language)
        last = found[1] if found else ""
        if not isinstance(last, str) or not re.fullmatch(r"\d{4}-\d{2}(-\d{2})?", last):
            return None
        said = language.numbers.dated(word.text for word in words[place:end])
        rest = date(*map(int, last.split("-"))) if len(last) > 7 else None
        completed = [f"{said} {last[:4]}", *([f"{said} {rest:%B %Y}"] if rest else [])]
        dates = (value_of(one).iso or "" for one in completed)
        first = next((one for one in dates if len(one) == len(last) and one < last), "")
        return (length, first, first) if first else None
    return None


def _half(words: Sequence[Word], place: int, language: Language) -> tuple[int, str, str] | None:
    """ "Half a million"; "half an hour" up to its unit."""
    one, *of = [word.text for word in words[place + 1 : place + 3]] or [""]
    if one not in language.grammar.indefinite or not of:
        return None
    power = language.numbers.powers.get(of[0])
    if power is not None:
        return 3, str(power // 2), str(power // 2)
    return (2, "0.5", "0.5") if unit_at(words, place + 2, language) else None


def _period(
    texts: Sequence[str], language: Language
) -> tuple[int, tuple[Comparison, ...], str] | None:
    """A century, "19th century", or a decade of the last one, "nineties"."""
    numbers = language.numbers
    short = re.fullmatch(rf"(\d0)({any_word(language.endings.decade)})", texts[0])  # "the 90s"
    tens = int(short[1]) if short else -1
    known = tens in numbers.decades.values()
    decade = tens if known else numbers.decades.get(texts[0])
    if decade is not None:
        said = {form for text in texts[1:] for form in language.noun_forms(text)}
        years = not said.isdisjoint(language.asking.dates)
        first, last, length = 1900 + decade, 1909 + decade, 1 + years  # "neunziger Jahre"
    else:
        ordinal = re.fullmatch(rf"(\d{{1,2}})({any_word(language.endings.ordinal)})?", texts[0])
        if ordinal is None or texts[1:2] == [] or texts[1] not in numbers.century:
            return None
        last, length = 100 * int(ordinal[1]), 2
        first = last - 99
    bounds = Comparison(">=", (f"{first:04}",)), Comparison("<=", (f"{last:04}",))
    return length, bounds, language.assumed.span.format(first, last)


def _part_of_year(
    texts: Sequence[str], language: Language
) -> tuple[int, tuple[Comparison, ...], str] | None:
    """ "Q4 2023", "second half of 2023", "spring 2023": from its first to its last month."""
    numbers, year = language.numbers, next(filter(_YEAR.fullmatch, texts), "")
    said = texts[: texts.index(year)] if year else ()
    match [text for text in said if text not in language.grammar.of]:
        case [season] if season in numbers.seasons:
            return _months(year, numbers.seasons[season], 3, texts, language)
        case [quarter] if found := _QUARTER.fullmatch(quarter):
            number, parts = int(found[1]), 4
        case [ordinal, part] if ordinal in numbers.ordinals and part in numbers.parts:
            number, parts = numbers.ordinals.index(ordinal) + 1, numbers.parts[part]
        case _:
            return None
    if number > parts:
        return None
    return _months(year, (number - 1) * (12 // parts) + 1, 12 // parts, texts, language)


def _months(
    year: str, month: int, number: int, texts: Sequence[str], language: Language
) -> tuple[int, tuple[Comparison, ...], str]:
    """So many months of a year from one on, which some words end with."""
    first, last = f"{year}-{month:02}", f"{year}-{month + number - 1:02}"
    bounds = Comparison(">=", (first,)), Comparison("<=", (last,))
    return texts.index(year) + 1, bounds, language.assumed.span.format(first, last)


def _onward(
    words: Sequence[Word], place: int, language: Language
) -> tuple[int, tuple[Comparison, ...], str] | None:
    """ "From 1990 on" """
    found = constant(words, place + 1, language) if place + 1 < len(words) else None
    if found is None or not isinstance(found[1], str):
        return None
    end = place + 1 + found[0]
    if end == len(words) or words[end].text not in language.grammar.onward:
        return None
    return (
        end + 1 - place,
        (Comparison(">=", (found[1],)),),
        language.assumed.onward.format(found[2]),
    )


def is_numeral(text: str, language: Language) -> bool:
    """Whether a word is a number, or a part of one or of a date."""
    numbers = language.numbers
    return text[0].isdigit() or text in numbers.words or text in numbers.digits


def _date(words: Sequence[Word], language: Language) -> str:
    """The month or day that words say, in ISO 8601: "March 1997", "the 5th of June 1998"."""
    texts = [w.text for w in words]
    of, built = language.grammar.of, language.grammar.of | language.grammar.articles
    said = [text for text in texts if text not in built]
    if len(said) < 2 or texts[0] in of or texts[-1] in built:
        return ""
    return value_of(language.numbers.dated(said)).iso or ""


def is_date(text: str) -> bool:
    """Whether a constant is a date or a year."""
    return bool(value_of(text).iso)


def slashed(question: str, words: Sequence[Word], place: int) -> str:
    """The date as "29/08/2017" that begins at a word, in ISO 8601; empty where there is none.

    Nor where each of its numbers may be the month: the graph's own text is found all the same.
    """
    parts = words[place : place + 3]
    text = question[parts[0].start : parts[-1].end]
    return iso_of_slashed(text) if len(parts) == 3 else ""


def comparisons_at(texts: tuple[str, ...], language: Language) -> Iterator[tuple[int, str]]:
    """How many of the first words compare, and by which operator."""
    grammar = language.grammar
    for operator, phrases in language.comparisons.items():
        for length in range(1, len(texts) + 1):
            if texts[:length] not in phrases:
                continue
            following = texts[length : length + 1]
            number = any(is_numeral(word, language) for word in following)
            bounds = texts[0] in grammar.bounding
            if number or not (bounds or grammar.incomplete.intersection(following)):
                yield length, operator


def measured_by(
    words: Sequence[Word], place: int, scales: Iterable[Scale], language: Language
) -> Iterator[Scale]:
    """What an adjective after a number measures: "190 cm tall"."""
    before = words[place - 1].text if place else "-"
    if is_numeral(before, language) or (place and unit_at(words, place - 1, language)):
        yield from (scale for scale in scales if words[place].text in scale.high)


def are_apart(first: Sequence[Comparison], second: Sequence[Comparison]) -> bool:
    """Whether the first comparisons are with dates, and the second with things: of other values."""
    dates = [all(c.values and is_date(c.values[0]) for c in one) for one in (first, second)]
    return dates == [True, False]


def are_dates(comparisons: Sequence[Comparison]) -> bool:
    """Whether all comparisons are with dates, or with other things."""
    return all(one.other is not None or any(map(is_date, one.values)) for one in comparisons)
