"""SPARQL's JSON results, read as they come.

pyoxigraph reads this format too, but refuses a whole answer for one IRI with a blank
in it or for Virtuoso's names of blank nodes, and is slower. Here the standard library's
parser is given a short answer whole, and of a long one a row at a time, so that memory
holds a chunk of the text and not its tree.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from typing import Any, Protocol

_CHUNK = 1 << 16
_SHORT = 1 << 20  # bytes of an answer that is parsed at once
_LARGEST = 1 << 24  # characters of one row, or of anything else between two commas
_BLANKS = " \t\r\n"


class Readable(Protocol):
    """What a text is read from."""

    def read(self, size: int) -> bytes:
        """At most so many bytes; none at the end."""


class NotResults(ValueError):
    """The text is not of this format.

    Attributes:
        ended: whether it ends too early, as a body that was cut does.
    """

    def __init__(self, message: str, *, ended: bool = False):
        super().__init__(message)
        self.ended = ended


def read_json(
    source: Readable, row: Callable[[dict[str, Any]], None]
) -> tuple[list[str] | None, bool | None]:
    """Give each solution to ``row``, in order.

    Returns:
        The variables, where the answer lists them, and the boolean of an ``ASK``;
        None for a ``SELECT``.

    Raises:
        NotResults: the text is not of this format, or goes on after its end.
        UnicodeDecodeError: it is not UTF-8.
        KeyError, TypeError, ValueError: as ``row`` raises.
    """
    start = _Start(source)
    if start.whole and (parsed := _parsed(start.bytes)) is not None:
        variables, answer, solutions = parsed
        for solution in solutions:
            row(solution)
        return variables, answer
    text = _Text(start)
    variables, answer, found = None, None, False
    for key in text.members():
        if key == "results":
            for inner in text.members():
                if inner == "bindings":
                    found = True
                    text.each(row)
                else:
                    text.value()
        elif key == "boolean":
            answer = text.value()
            if not isinstance(answer, bool):
                raise NotResults("its boolean is none")
        elif key == "head":
            head = text.value()
            variables = head.get("vars") if isinstance(head, dict) else None
        else:
            text.value()
    text.end()
    if not found and answer is None:
        raise NotResults("it has neither bindings nor a boolean")
    return variables, answer


class _Start:
    """A source of which up to `_SHORT` bytes have been read, to be read again from there.

    Attributes:
        bytes: these.
        whole: whether they are all.
    """

    def __init__(self, source: Readable):
        self._source = source
        parts: list[bytes] = []
        size = 0
        while chunk := source.read(_CHUNK) if size < _SHORT else None:
            parts.append(chunk)
            size += len(chunk)
        self.bytes = b"".join(parts)
        self.whole = chunk == b""
        self._given = False

    def read(self, size: int) -> bytes:
        """See `Readable`; at first what has been read already."""
        if not self._given:
            self._given = True
            if self.bytes:
                return self.bytes
        return b"" if self.whole else self._source.read(size)


def _parsed(
    body: bytes,
) -> tuple[list[str] | None, bool | None, list[dict[str, Any]]] | None:
    """Variables, boolean and solutions of a whole answer.

    None for one that is to be read step by step: it says what is wrong.
    """
    if body.count(b'"bindings"') > 1 or body.count(b'"results"') > 1:
        return None  # a parsed object has the last of two values of one key
    try:
        document = json.loads(body.decode("utf-8-sig"))
        head, answer = document.get("head"), document.get("boolean")
        solutions = document["results"]["bindings"] if "results" in document else []
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    is_answer = type(answer) is bool
    if not isinstance(solutions, list) or is_answer is ("results" in document):
        return None
    return head.get("vars") if isinstance(head, dict) else None, answer, solutions


class _Text:
    """A text of which only what has not been read yet is held."""

    def __init__(self, source: Readable):
        self._source = source
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._scan = json.JSONDecoder().raw_decode
        self._buffer = ""
        self._place = 0
        self._ended = False

    def members(self) -> Iterator[str]:
        """The keys of an object; before each next one its value must be read."""
        self._take("{")
        if self._peek() == "}":
            self._place += 1
            return
        while True:
            key = self.value()
            if not isinstance(key, str):
                raise NotResults(f"a key is {key!r}")
            self._take(":")
            yield key
            if self._take(",}") == "}":
                return

    def each(self, row: Callable[[dict[str, Any]], None]) -> None:
        """Every element of an array."""
        self._take("[")
        if self._peek() == "]":
            self._place += 1
            return
        while True:
            row(self.value())
            if self._take(",]") == "]":
                return

    def value(self) -> Any:
        """The next value, whole."""
        self._peek()
        while True:
            try:
                value, end = self._scan(self._buffer, self._place)
                if end < len(self._buffer) or not self._more():  # "12" may go on as "123"
                    self._place = end
                    return value
            except json.JSONDecodeError as error:
                if len(self._buffer) - self._place > _LARGEST:
                    raise NotResults(f"{error.msg}, or too long") from error
                if not self._more():
                    ended = error.pos >= len(self._buffer) - 1 or "Unterminated" in error.msg
                    raise NotResults(error.msg, ended=ended) from error
            except RecursionError as error:
                raise NotResults("it is nested too deep") from error

    def end(self) -> None:
        """See that nothing follows."""
        if rest := self._peek():
            raise NotResults(f"it goes on after its end: {rest!r}")

    def _take(self, allowed: str) -> str:
        character = self._peek()
        if not character:
            raise NotResults("it ends too early", ended=True)
        if character not in allowed:
            raise NotResults(f"{character!r} where one of {' '.join(allowed)} belongs")
        self._place += 1
        return character

    def _peek(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            while self._place < len(self._buffer):
                if (character := self._buffer[self._place]) not in _BLANKS:
                    return character
                self._place += 1
            if not self._more():
                return ""

    def _more(self) -> bool:
        if self._ended:
            return False
        chunk = self._source.read(_CHUNK)
        self._ended = not chunk
        self._buffer = self._buffer[self._place :] + self._decode(chunk, final=not chunk)
        self._place = 0
        return not self._ended
