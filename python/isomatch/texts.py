"""Words and folded letters of texts, and the package's own texts: Jinja2 templates and TOML."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import escape
from importlib import resources
from typing import TYPE_CHECKING, Any

if sys.version_info >= (3, 11):
    import tomllib as toml
else:
    import tomli as toml

if TYPE_CHECKING:
    from jinja2 import Environment


def shortened(text: str, most: int) -> str:
    """A text of at most so many characters.

    Example:
        >>> shortened("Michael Mann", 8)
        'Michael…'
    """
    return text if len(text) <= most else f"{text[: most - 1]}…"


def html_table(head: Iterable[str], rows: Iterable[Iterable[str]], caption: str) -> str:
    """A table for notebooks; every text is escaped, and cut at 80 characters.

    Example:
        >>> html_table(["x"], [["<Heat>"]], "1")
        '<table><caption>1</caption><tr><th>x</th></tr><tr><td>&lt;Heat&gt;</td></tr></table>'
    """

    def line(cells: Iterable[str], tag: str) -> str:
        written = (f"<{tag}>{escape(shortened(cell, 80))}</{tag}>" for cell in cells)
        return f"<tr>{''.join(written)}</tr>"

    body = [line(head, "th"), *(line(row, "td") for row in rows)]
    return f"<table><caption>{escape(caption)}</caption>{''.join(body)}</table>"


def is_word(text: str, start: int, end: int) -> bool:
    """Whether ``text[start:end]``, which is not empty, cuts no word at either end.

    Example:
        >>> is_word("aliens in Alien", 0, 5), is_word("aliens in Alien", 10, 15)
        (False, True)
    """
    before = start > 0 and text[start - 1].isalnum() and text[start].isalnum()
    after = end < len(text) and text[end].isalnum() and text[end - 1].isalnum()
    return not (before or after)


def find_word(text: str, name: str) -> int | None:
    """Where a name first stands in a text as whole words; None where it does not."""
    start = text.find(name)
    while start >= 0:
        if is_word(text, start, start + len(name)):
            return start
        start = text.find(name, start + 1)
    return None


PREFIXES: Mapping[str, str] = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "schema": "http://schema.org/",
    "sdo": "https://schema.org/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dct": "http://purl.org/dc/terms/",
    "prov": "http://www.w3.org/ns/prov#",
    "geo": "http://www.opengis.net/ont/geosparql#",
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
    "dbr": "http://dbpedia.org/resource/",
    "wd": "http://www.wikidata.org/entity/",
    "wdt": "http://www.wikidata.org/prop/direct/",
    "p": "http://www.wikidata.org/prop/",
    "ps": "http://www.wikidata.org/prop/statement/",
    "pq": "http://www.wikidata.org/prop/qualifier/",
    "wikibase": "http://wikiba.se/ontology#",
}
"""Prefixes that people know, as prefix.cc and the public endpoints have them."""

# What the plain form of a Latin name has, and the letters that lose no accent.
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789 øłđæœðþß"
_SPELLED = range(3, 100)  # characters: of less, another name is one letter away


def one_edit(text: str) -> Iterator[str]:
    """What one letter more, less or other makes of a folded text, and two swapped.

    Letters are those of Latin and of the scripts that the text is in. Nothing for texts of
    one or two characters, where any other may be so near, and for very long ones.
    """
    if len(text) not in _SPELLED:
        return
    scripts = {ord(c) & ~0x7F for c in text if not c.isascii()}
    others = (chr(code) for first in scripts for code in range(first, first + 0x80))
    letters = sorted({*_LETTERS, *filter(str.isalnum, others)})
    for place in range(len(text) + 1):
        head, tail = text[:place], text[place:]
        yield from (head + letter + tail for letter in letters)
        if tail:
            yield head + tail[1:]
            yield from (head + letter + tail[1:] for letter in letters if letter != tail[0])
        if tail[1:] and tail[0] != tail[1]:
            yield head + tail[1] + tail[0] + tail[2:]


def fold(text: str) -> str:
    """Lower case, without accents, underscores as blanks, single blanks."""
    if text.isascii():  # as most names of a graph, which are all folded at the start
        return " ".join(text.replace("_", " ").lower().split())
    return fold_with_offsets(text)[0].strip()


def fold_with_offsets(text: str) -> tuple[str, list[int]]:
    """The folded text, and for each of its characters the offset it came from."""
    folded: list[str] = []
    offsets: list[int] = []
    for offset, character in enumerate(text):
        if character.isspace() or character == "_":
            plain = "" if folded and folded[-1] == " " else " "
        elif character in "‘’ʼ":
            plain = "'"
        elif character.isascii():
            plain = character.lower()
        else:
            parts = unicodedata.normalize("NFKD", character)
            plain = "".join(p for p in parts if not unicodedata.combining(p)).casefold()
        folded.extend(plain)
        offsets.extend([offset] * len(plain))
    return "".join(folded), offsets


@lru_cache(maxsize=8)
def templates(package: str, folder: str) -> Environment:
    """The templates in a folder of a package, cached: loading is slower than rendering.

    Only ``.html.j2`` is escaped; an undefined name is an error, and a line that holds only a
    statement leaves no blank line. The filter ``json`` writes a value as JSON.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    environment = Environment(
        loader=PackageLoader(package, folder),
        undefined=StrictUndefined,
        autoescape=select_autoescape(["html.j2"]),
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["json"] = lambda value: json.dumps(value, ensure_ascii=False)
    return environment


def parse_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text; a ValueError where it is none."""
    return dict(toml.loads(text))


def data(package: str, name: str) -> dict[str, Any]:
    """A TOML file of a package."""
    return parse_toml(resources.files(package).joinpath(name).read_text(encoding="utf-8"))
