"""Gold answers by a query: what it gives on the graph that is evaluated.

A query may select one column, or several of which one is called ``answer``; what an ``ASK``
gives is ``true`` or ``false``. Where it ends in ``ORDER BY … LIMIT 1``, it is run without the
limit and with the keys of its order, and all rows with the keys of the first one are tied. A
limit further inside is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, NamedTuple

from isomatch.errors import LoadError, QueryRefused, StoreError
from isomatch.evaluate.readonly import CYPHER_QUOTED, SPARQL_QUOTED, check_plan, reads_only
from isomatch.evaluate.text_order import misordered, of_texts
from isomatch.questions.datasets import Question
from isomatch.store.base import Query, Row
from isomatch.store.terms import display_name, is_blank, is_iri, split_literal

if TYPE_CHECKING:
    from isomatch.session import Session

SECONDS = 60.0
LIMIT = 10_000  # different answers
ANSWER = "answer"

_KEY = "isomatch_key"
_FILL = "\u00b7"  # no part of a word
_ALIAS = re.compile(r"\s+AS\s+(\w+|`[^`]+`)\s*$", re.I)
_NODE = re.compile(r"\d+:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}:\d+")  # Neo4j's element id
_FIRST_ONLY = re.compile(
    r"\bORDER\s+BY\s+(?P<keys>(?:(?!\b(?:SKIP|OFFSET)\b).)+?)\s+LIMIT\s+1\s*$", re.I | re.S
)


@dataclass(frozen=True, slots=True)
class Gold:
    """The names that a gold query gives.

    Attributes:
        tied: whether it asks for one of them: then each alone is right, and so are all.
        misordered: what the texts are that it took one of for the first by their letters, see
            `isomatch.evaluate.text_order.misordered`.
    """

    names: tuple[str, ...]
    tied: bool = False
    misordered: str = ""


class _Key(NamedTuple):
    """An expression that rows are ordered by."""

    expression: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class _Select:
    """A query that can be run, and the columns that are read.

    Attributes:
        keys: of its order, each a column behind the answer.
    """

    text: str
    column: str
    keys: tuple[_Key, ...] = ()


def with_gold(question: Question, session: Session) -> Question:
    """The question with the answers that its query gives on the session's graph.

    A question without a query is returned as it is.

    Raises:
        LoadError: no query is in the language of the graph, or it might write, failed or
            took too long; with the question's line.
    """
    if not question.queries:
        return question
    try:
        gold = gold_answers(session, question.queries)
    except StoreError as error:
        raise LoadError(f"{question.place}: the gold query: {error}") from error
    return replace(question, answers=gold.names, tied=gold.tied, misordered=gold.misordered)


def gold_answers(session: Session, queries: Mapping[str, str], *, seconds: float = SECONDS) -> Gold:
    """Run the gold query in the language of the session's graph.

    Args:
        queries: text by language, ``cypher`` or ``sparql``.
        seconds: of its time-out.

    Raises:
        QueryRefused: it may do more than read, it does not say which column has the
            answers, gives more than `LIMIT` answers, or is in another language.
        StoreError: the database refused it, failed, or took too long.
    """
    store = session.store
    language = store.capabilities.language
    if language not in queries:
        raise QueryRefused(f"the graph is asked in {language}, and the line has none")
    text = queries[language]
    text = reads_only(_asked(text) if language == "sparql" else text, language)
    select = _cypher(text) if language == "cypher" else _sparql(text)
    check_plan(store, select.text, seconds)
    columns = (select.column, *(f"{_KEY}{place}" for place in range(len(select.keys))))
    query = Query(select.text, columns, name="gold", heavy=True)
    rows, misread = store.run(query, timeout=seconds), ""
    key, descending = (*select.keys, _Key(""))[0]
    texts = of_texts(session.resources.schema, key) if language == "cypher" else None
    if texts is not None:
        every = list(rows)
        misread = misordered(session.resources, texts, descending, [row[1] for row in every])
        rows = iter(every)
    cells: dict[str, None] = {}
    for cell in (row[0] for row in _tied(rows, bool(select.keys))):
        if cell is not None:
            cells[cell] = None
        if len(cells) > LIMIT:
            raise QueryRefused(f"it gives more than {LIMIT:,} answers")
    names = dict.fromkeys(cell_names(session, list(cells)))
    return Gold(tuple(names), bool(select.keys), misread)


def _tied(rows: Iterator[Row], keys: bool) -> Iterator[Row]:
    """The rows with the keys of the first; all where there are no keys."""
    first = next(rows, None)
    if first is None:
        return
    yield first
    yield from takewhile(lambda row: row[1:] == first[1:], rows) if keys else rows


def cell_names(session: Session, cells: Sequence[str]) -> list[str]:
    """What the nodes in a column of a query are called, and the texts of its values."""
    if session.store.capabilities.property_graph:
        nodes = [cell for cell in cells if _NODE.fullmatch(cell)]
        texts = {cell: _text(cell) for cell in cells}
    else:
        nodes = [cell for cell in cells if is_iri(cell) or is_blank(cell)]
        texts = {cell: display_name(cell) for cell in cells}
    texts |= session.resources.names_of(nodes)
    return [texts[cell] for cell in cells]


def _text(cell: str) -> str:
    """A text as it is; of a list of one, which a store gives as a literal, its value."""
    with suppress(ValueError):
        return split_literal(cell)[0]
    return cell


# -- Cypher -----------------------------------------------------------------------------


def _cypher(text: str) -> _Select:
    text, bare = _masked(text, CYPHER_QUOTED)
    outer = _outer(bare)
    if re.search(r"\bUNION\b", outer, re.I):
        return _Select(text, ANSWER)
    returns = list(re.finditer(r"(?<![.:])\bRETURN\b(?:\s+DISTINCT\b)?", outer, re.I))
    if not returns:
        raise QueryRefused("it returns nothing")
    start = returns[-1].end()
    end = re.search(r"\b(?:ORDER\s+BY|SKIP|OFFSET|LIMIT)\b", outer[start:], re.I)
    stop = start + end.start() if end else len(text)
    items = _split(text, outer, start, stop)
    named = [found[1].strip("`") if (found := _ALIAS.search(item)) else "" for item in items]
    column = _column(named)
    if not column:
        items[0], column = f"{items[0]} AS {ANSWER}", ANSWER
    tail, keys = text[stop:], list[_Key]()
    if found := _FIRST_ONLY.match(outer, stop):
        meant = {name: _ALIAS.sub("", item) for name, item in zip(named, items, strict=True)}
        for key in _split(text, outer, *found.span("keys")):
            plain, *way = re.split(r"\s+(ASC|DESC)(?:ENDING)?$", key, flags=re.I)
            keys.append(_Key(_spelt_out(plain, meant), "DESC" in map(str.upper, way)))
        tail = text[stop : found.end("keys")]
    more = [f"{key.expression} AS {_KEY}{place}" for place, key in enumerate(keys)]
    return _Select(f"{text[:start]} {', '.join([*items, *more])} {tail}", column, tuple(keys))


def _spelt_out(key: str, meant: Mapping[str, str]) -> str:
    """A key with what the names of columns stand for: a column does not know its neighbours."""
    for name, expression in meant.items():
        if name:
            alone = rf"(?<![.:\w`])`?{re.escape(name)}`?(?![\w`]|\s*\()"
            key = f"({expression})".join(re.split(alone, key))
    return key


# -- SPARQL -----------------------------------------------------------------------------


def _asked(text: str) -> str:
    """An ``ASK`` as a ``SELECT`` of true or false; another query as it is."""
    text, bare = _masked(text, SPARQL_QUOTED)
    ask = re.search(r"(?<![?$:\w-])ASK\b(?:\s*\bWHERE\b)?(?=\s*\{)", _outer(bare, "{}"), re.I)
    if ask is None:
        return text
    pattern = text[ask.end() :].strip()
    return f"{text[: ask.start()]}SELECT ?{ANSWER} WHERE {{ BIND(EXISTS {pattern} AS ?{ANSWER}) }}"


def _sparql(text: str) -> _Select:
    text, bare = _masked(text, SPARQL_QUOTED)
    outer = _outer(bare, "{}")
    head = re.search(r"\bSELECT\b(?:\s+(?:DISTINCT|REDUCED)\b)?", outer, re.I)
    body = re.search(r"\bWHERE\b|\{", outer[head.end() :], re.I) if head else None
    if head is None or body is None:
        raise QueryRefused("it is no SELECT")
    stop = head.end() + body.start()
    chosen = _outer(bare[head.end() : stop], "()")
    names = re.findall(r"[?$](\w+)", chosen)
    names += re.findall(r"\bAS\s+[?$](\w+)\s*\)", bare[head.end() : stop], re.I)
    if "*" in chosen:
        names += [ANSWER, ""]
    column = _column(names)
    found = _FIRST_ONLY.search(outer, outer.rfind("}") + 1)
    if found is None or "*" in chosen:
        return _Select(text, column)
    keys = _sparql_keys(text[slice(*found.span("keys"))])
    more = " ".join(f"({key} AS ?{_KEY}{place})" for place, key in enumerate(keys))
    end = found.end("keys")
    return _Select(f"{text[:stop]} {more} {text[stop:end]}", column, tuple(map(_Key, keys)))


def _sparql_keys(keys: str) -> list[str]:
    """The expressions of an order: ``?x``, or a function and what is in its parentheses."""
    depth, found, word = 0, [], ""
    for letter in keys + " ":
        depth += (letter == "(") - (letter == ")")
        if letter.isspace() and not depth and word and not re.fullmatch(r"\w+", word):
            found.append(re.sub(r"^(?:ASC|DESC)\s*(?=\()", "", word, flags=re.I))
            word = ""
        elif not letter.isspace() or depth:
            word += letter
    return found


# -- both -------------------------------------------------------------------------------


def _column(names: Sequence[str]) -> str:
    """The column of the answers; empty for the only one, where it has no name."""
    if len(names) > 1 and ANSWER not in names:
        raise QueryRefused(f"it has {len(names)} columns, of which none is called {ANSWER!r}")
    return ANSWER if ANSWER in names else names[0] if names else ""


def _masked(text: str, quoted: re.Pattern[str]) -> tuple[str, str]:
    """The text with spaces for comments; and with `_FILL` for what is quoted, too."""

    def mask(found: re.Match[str], fill: str) -> str:
        return (" " if found.lastgroup == "comment" else fill) * len(found[0])

    def blank(found: re.Match[str]) -> str:
        return mask(found, " ") if found.lastgroup == "comment" else found[0]

    return quoted.sub(blank, text), quoted.sub(lambda found: mask(found, _FILL), text)


def _outer(bare: str, brackets: str = "{}()[]") -> str:
    """The text with `_FILL` for what stands in brackets, in its places."""
    depth, found = 0, []
    for letter in bare:
        place = brackets.find(letter)
        if place >= 0 and place % 2:
            depth -= 1
        found.append(_FILL if depth > 0 else letter)
        if place >= 0 and not place % 2:
            depth += 1
    return "".join(found)


def _split(text: str, outer: str, start: int, stop: int) -> list[str]:
    """The parts of a place of the text that commas divide, outside of brackets."""
    commas = [place for place in range(start, stop) if outer[place] == ","]
    edges = [start - 1, *commas, stop]
    return [text[a + 1 : b].strip() for a, b in pairwise(edges)]
