"""Read the text of a pattern character by character, with errors that show the place.

Written by hand instead of with a parser library: the grammars need some thirty rules in
all, the command line starts quickly, and every message can name the mistake and its
remedy.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import NoReturn

from isomatch.errors import PatternError

_ESCAPES = {'"': '"', "'": "'", "\\": "\\", "n": "\n", "t": "\t", "r": "\r"}
_TO_ESCAPE = re.compile('["\\\\\x00-\x1f\x7f-\x9f\u2028\u2029]')
_LOOKALIKES = dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’‚", "'") | dict.fromkeys("–—−", "-")
_UNTIL = {mark: re.compile(rf"[^{mark}\\]*") for mark in "\"'"}
_WORD = re.compile(r"\w*")
_CODE_UNIT = re.compile(r"\\u([0-9A-Fa-f]{4})")
_EXCERPT = 36  # characters shown on either side of the place: a terminal's width


class Scanner:
    """A position in a text.

    Attributes:
        text: the whole input.
        position: offset of the next character to read.
        example: a correct input of the same form, for messages.
        prefixes: namespaces by prefix, beside the well-known ones.
    """

    def __init__(
        self, text: str, example: str, prefixes: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        self.text = text
        self.prefixes = prefixes
        self.position = 0
        self.example = example

    def fail(self, problem: str, position: int | None = None) -> NoReturn:
        """Raise PatternError at a position, by default the current one."""
        position = self.position if position is None else position
        # What is missing at the end is shown on the last line that is not empty.
        position = min(position, len(self.text.rstrip()))
        raise error_at(problem, self.text, position, self.example)

    def next(self) -> str:
        """The next character after white space, not yet read; empty at the end."""
        while self.position < len(self.text) and self.text[self.position].isspace():
            self.position += 1
        return self.text[self.position : self.position + 1]

    def take(self, mark: str) -> bool:
        """Read `mark` if it comes next."""
        self.next()
        if not self.text.startswith(mark, self.position):
            return False
        self.position += len(mark)
        return True

    def take_keyword(self, keyword: str) -> bool:
        """Read a whole word if it comes next, in any case."""
        self.next()
        match = _WORD.match(self.text, self.position)
        if match is None or match[0].lower() != keyword:
            return False
        self.position = match.end()
        return True

    def take_match(self, form: re.Pattern[str]) -> str | None:
        """Read what matches a form if it comes next; None where it does not."""
        self.next()
        match = form.match(self.text, self.position)
        if match is None:
            return None
        self.position = match.end()
        return match[0]

    def expect(self, mark: str, purpose: str) -> None:
        """Read `mark` or fail, saying what it is for."""
        if not self.take(mark):
            self.fail(f"expected {mark} {purpose}, found {self.found()}")

    def found(self) -> str:
        """What comes next, for a message."""
        character = self.next()
        if not character:
            return "the end"
        if character in _LOOKALIKES:
            return f"the typographic {character} (write {_LOOKALIKES[character]})"
        if not character.isprintable():
            return f"U+{ord(character):04X}"
        word = _WORD.match(self.text, self.position)
        return word[0][:_EXCERPT] if word and word[0] else character

    def word(self) -> str:
        """Read letters, digits and underscores; empty where there are none."""
        self.next()
        match = _WORD.match(self.text, self.position)
        self.position += len(match[0]) if match else 0
        return match[0] if match else ""

    def words(
        self, closer: str, forbidden: str, what: str, stop: re.Pattern[str] | None = None
    ) -> str:
        """Read the text before `closer`, quoted or bare, without reading `closer`.

        Bare words lose outer and repeated white space, and end where `stop`
        matches; a quoted text is returned as it is. Empty where there is nothing.
        """
        if self.next() in ('"', "'"):
            return self.quoted(what)
        start = self.position
        while self.position < len(self.text) and self.text[self.position] != closer:
            if stop and stop.match(self.text, self.position):
                break
            if self.text[self.position] in forbidden:
                self.fail(f"{what} holds {self.found()}: put it in quotes, or end it with {closer}")
            self.position += 1
        return " ".join(self.text[start : self.position].split())

    def quoted(self, what: str, may_be_empty: bool = False) -> str:
        """Read a text in double or single quotes, and undo its escapes."""
        start = self.position
        mark = self.text[start]
        self.position += 1
        parts: list[str] = []
        while True:
            match = _UNTIL[mark].match(self.text, self.position)
            if match:
                parts.append(match[0])
                self.position = match.end()
            if self.position >= len(self.text):
                self.fail(f"the quote opened here is not closed: {mark} is missing", start)
            if self.text[self.position] == mark:
                self.position += 1
                break
            parts.append(self._escaped())
        result = "".join(parts)
        if not (result.strip() or may_be_empty):
            self.fail(f"{what} is empty in its quotes", start)
        return result

    def _escaped(self) -> str:
        start = self.position
        letter = self.text[start + 1 : start + 2]
        if letter in _ESCAPES:
            self.position += 2
            return _ESCAPES[letter]
        unit = self._code_unit()
        if unit is not None and 0xD800 <= unit < 0xDC00:
            low = self._code_unit()
            if low is not None and 0xDC00 <= low < 0xE000:
                return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
            unit = low = None
        if unit is None or 0xDC00 <= unit < 0xE000:
            self.fail(
                "a backslash begins no escape here; the escapes are"
                r""" \" \' \\ \n \t \r and \uXXXX (a pair of them past FFFF)""",
                start,
            )
        return chr(unit)

    def _code_unit(self) -> int | None:
        match = _CODE_UNIT.match(self.text, self.position)
        if match is None:
            return None
        self.position = match.end()
        return int(match[1], 16)


def quote(text: str) -> str:
    """The text in double quotes, as `Scanner.quoted` reads it."""
    short = {"\n": r"\n", "\t": r"\t", "\r": r"\r", '"': r"\"", "\\": r"\\"}
    inner = _TO_ESCAPE.sub(lambda m: short.get(m[0]) or f"\\u{ord(m[0]):04x}", text)
    return f'"{inner}"'


def error_at(problem: str, text: str, position: int, example: str) -> PatternError:
    """The error for a place in a text: the problem, the line with a caret, an example."""
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    end = len(text) if end < 0 else end
    line = text.count("\n", 0, position) + 1
    first, last = max(start, position - _EXCERPT), min(end, position + _EXCERPT)
    before = ("…" if first > start else "") + plain(text[first:position])
    after = plain(text[position:last]) + ("…" if last < end else "")
    message = (
        f"{problem} (line {line}, column {position - start + 1})\n"
        f"  {before}{after}\n"
        f"  {' ' * _width(before)}^\n"
        f"A correct pattern: {example}"
    )
    return PatternError(message, text=text, position=position)


def plain(text: str) -> str:
    """The text for a message: what could move the caret, or the terminal, is a space."""
    return "".join(c if c.isprintable() else " " for c in text)


def _width(text: str) -> int:
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return len(text) + wide - sum(unicodedata.category(c) in ("Mn", "Me") for c in text)
