"""SPARQL's XML results, read as they come.

pyoxigraph reads this format too, but takes a body that ends between two rows for whole,
and takes the blanks around a literal away.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from isomatch.store.sparql.json_results import NotResults, Readable

_CHUNK = 1 << 16


def read_xml(
    source: Readable, row: Callable[[dict[str, Any]], None]
) -> tuple[list[str] | None, bool | None]:
    """Give each solution to ``row``, in order, in the form of the JSON results.

    Returns:
        The variables, and the boolean of an ``ASK``; None for a ``SELECT``.

    Raises:
        NotResults: the text is not of this format, ends too early or goes on after its
            end.
        UnicodeDecodeError: it is not UTF-8.
        KeyError, TypeError, ValueError: as ``row`` raises.
    """
    document = _Document(row)
    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = document.start
    parser.EndElementHandler = document.end
    parser.CharacterDataHandler = document.text
    parser.StartDoctypeDeclHandler = _declared
    decode = codecs.getincrementaldecoder("utf-8-sig")().decode
    ended = False
    try:
        while not ended:
            chunk = source.read(_CHUNK)
            ended = not chunk
            parser.Parse(decode(chunk, final=ended), ended)
    except expat.ExpatError as error:
        raise NotResults(str(error), ended=ended) from error
    if document.answer is None and not document.found:
        raise NotResults("it has neither results nor a boolean")
    return document.variables, document.answer


def _declared(*_: object) -> None:
    """Refuse entities, which are declared nowhere else and may grow without end."""
    raise NotResults("it declares a document type, which results have none of")


@dataclass(slots=True)
class _Element:
    """An element inside of a binding, or the boolean."""

    name: str
    attributes: dict[str, str]
    texts: list[str] = field(default_factory=list)
    children: list[_Element] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.texts)


class _Document:
    """What has been read: no more than one row."""

    def __init__(self, row: Callable[[dict[str, Any]], None]):
        self.variables: list[str] = []
        self.answer: bool | None = None
        self.found = False
        self._row = row
        self._solution: dict[str, Any] = {}
        self._began = False
        self._open: list[_Element] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = _local(name)
        if not self._began and name != "sparql":
            raise NotResults(f"it begins with <{name}>")
        self._began = True
        if self._open or name in ("binding", "boolean"):
            element = _Element(name, attributes)
            if self._open:
                self._open[-1].children.append(element)
            self._open.append(element)
        elif name == "variable":
            self.variables.append(attributes["name"])
        elif name == "results":
            self.found = True
        elif name == "result":
            self._solution = {}

    def text(self, text: str) -> None:
        if self._open:
            self._open[-1].texts.append(text)

    def end(self, name: str) -> None:
        if self._open:
            element = self._open.pop()
            if self._open:
                return
            if element.name == "boolean":
                self.answer = _boolean(element.text.strip())
            else:
                [term] = element.children
                self._solution[element.attributes["name"]] = _term(term)
        elif _local(name) == "result":
            self._row(self._solution)


def _term(element: _Element) -> dict[str, Any]:
    """A term as the JSON results have it."""
    kind = element.name
    if kind == "triple":
        return {"type": kind, "value": {c.name: _term(c.children[0]) for c in element.children}}
    if kind == "literal":
        return {"type": kind, "value": element.text, **element.attributes}
    return {"type": kind, "value": element.text.strip()}


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise NotResults("its boolean is none")
    return text == "true"


def _local(name: str) -> str:
    return name.rpartition(":")[2]
