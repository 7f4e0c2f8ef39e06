"""Times of day in questions, and how a graph may write them: "6 PM" of "18:00"."""

from __future__ import annotations

import re
from collections.abc import Iterator

_TWELVE = re.compile(r"\b(\d{1,2})(?:[:.](\d\d))? ?([ap])(?:m\b|\.m\.)", re.IGNORECASE)
_ALL_DAY = re.compile(r"\b(\d{1,2}):(\d\d)\b(?!:| ?[ap]\.?m\b)", re.IGNORECASE)
HALF = 12


def clock_times(question: str) -> Iterator[tuple[int, int, list[str]]]:
    """The times of day in a question: where each begins and ends, and ways to write it.

    Example:
        >>> [forms[0] for *_, forms in clock_times("calls at 6 PM, 6:05 am or 7:15")]
        ['18:00', '06:05', '07:15']
    """
    found = [
        (*match.span(), int(match[1]) % HALF + HALF * (match[3].lower() == "p"), match[2] or "00")
        for match in _TWELVE.finditer(question)
        if 0 < int(match[1]) <= HALF
    ]
    found += [(*match.span(), int(match[1]), match[2]) for match in _ALL_DAY.finditer(question)]
    for start, end, hour, minutes in sorted(found):
        half = f"{hour % HALF or HALF}:{minutes} {'pm' if hour >= HALF else 'am'}"
        forms = (f"{hour:02}:{minutes}", f"{hour}:{minutes}", f"{hour:02}:{minutes}:00", half)
        written = question[start:end].lower()
        yield start, end, [form for form in dict.fromkeys(forms) if form != written]
