"""Check that a query only reads; refuse it where that is not certain.

Only ``isomatch eval`` runs queries that isomatch did not write: those of a model (the
baseline ``text-to-query``) and the gold queries of a question file; `ask` never does. A
refused query never reaches a database. An accepted one is run by a store that
only reads: a Neo4j session in read mode, after the server's planner has called the
statement a reading one, or a SPARQL endpoint's query address, which takes no update.
A query is also refused if it might load a file, call a procedure or another endpoint,
or call a function that is not part of the language.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from isomatch.errors import QueryRefused

if TYPE_CHECKING:
    from isomatch.store.base import Store

LIMIT = 1000  # rows
_LONGEST = 10_000  # characters
CYPHER_QUOTED = re.compile(
    r"""(?P<text>'(?:\\[bfnrtBFNRT'"`\\]|[^'\\])*'|"(?:\\[bfnrtBFNRT'"`\\]|[^"\\])*")"""
    r"|(?P<name>`(?:``|[^`])*`)|(?P<comment>//[^\n]*|/\*.*?\*/)",
    re.DOTALL,
)
_CYPHER_TOKEN = re.compile(r"\d+(?:\.+\d+)*\.*|[^\W\d]\w*|\S")  # a number includes its points
_CYPHER_STARTS = ("MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL")
# START and STOP only begin statements, and are valid names of variables.
_FORBIDDEN = """
    ALTER CREATE DELETE DENY DETACH DROP DRYRUN EXPLAIN FINISH FOREACH GRANT INSERT LOAD MERGE
    NODETACH PERIODIC PROFILE REALLOCATE REMOVE RENAME REVOKE SET SHOW TERMINATE TRANSACTIONS USE
"""
_CYPHER_FORBIDDEN = frozenset(_FORBIDDEN.split())
_CYPHER_SPACES = frozenset(
    ["date", "datetime", "duration", "localdatetime", "localtime", "point", "time"]
)
SPARQL_QUOTED = re.compile(
    r"""(?P<text>'''(?:(?:''?)?(?:[^'\\]|\\[tbnrf\\"']))*'''"""
    r"""|"{3}(?:(?:""?)?(?:[^"\\]|\\[tbnrf\\"']))*"{3}"""
    r"""|'(?!'')(?:[^'\\\n]|\\[tbnrf\\"'])*'|"(?!"")(?:[^"\\\n]|\\[tbnrf\\"'])*")"""
    r"""|(?P<iri><[^\x00-\x20<>"{}|^`\\]*>)|(?P<comment>#[^\n]*)""",
    re.DOTALL,
)
_PREFIX = r"(?:(?<![\w.-])([\w.-]+))?"  # matched once per run of letters
_KEYWORDS = """
    A ABS AS ASC AVG BASE BIND BNODE BOUND BY CEIL COALESCE CONCAT CONTAINS COUNT DATATYPE DAY
    DESC DISTINCT ENCODE_FOR_URI EXISTS FALSE FILTER FLOOR GRAPH GROUP GROUP_CONCAT HAVING HOURS
    IF IN IRI ISBLANK ISIRI ISLITERAL ISNUMERIC ISURI LANG LANGMATCHES LCASE LIMIT MAX MIN MINUS
    MINUTES MONTH NOT NOW OFFSET OPTIONAL ORDER PREFIX REDUCED REGEX REPLACE ROUND SAMETERM
    SAMPLE SECONDS SELECT SEPARATOR STR STRAFTER STRBEFORE STRDT STRENDS STRLANG STRLEN
    STRSTARTS SUBSTR SUM TRUE UCASE UNDEF UNION URI VALUES WHERE YEAR
"""
_SPARQL_WORDS = frozenset(_KEYWORDS.split())


def checked(text: str, language: str) -> str:
    """Check a model's query, and add a limit of rows where it has none.

    Args:
        text: as the model wrote it; it selects ``answer``.
        language: ``cypher`` or ``sparql``.

    Raises:
        QueryRefused: it may do more than read, or is not a query.

    Example:
        >>> checked("MATCH (n) DETACH DELETE n", "cypher")
        Traceback (most recent call last):
        isomatch.errors.QueryRefused: the query has DETACH, and only reading is allowed
    """
    text = reads_only(text, language)
    return _limited_cypher(text) if language == "cypher" else _limited_sparql(text)


def reads_only(text: str, language: str) -> str:
    """Check a query of whatever columns and rows; its text without what ends it.

    Raises:
        QueryRefused: it may do more than read, or is not a query.
    """
    text = re.sub(r"\r\n?", "\n", text).strip().removesuffix(";").strip()
    if not text:
        raise QueryRefused("there is no query")
    if len(text) > _LONGEST:
        raise QueryRefused(f"the query has more than {_LONGEST:,} characters")
    if re.search(r"\\[uU]", text):  # both languages read these before anything else
        raise QueryRefused("the query has a Unicode escape")
    if odd := re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", text):
        raise QueryRefused(f"the query has the control character {odd[0]!r}")
    _CHECKS[language](text)
    return text


def check_plan(store: Store, text: str, seconds: float) -> None:
    """Ask the server's planner for the type of a Cypher statement, before it is run.

    Raises:
        QueryRefused: it does more than read.
        StoreError: the server refuses the statement, or failed.
    """
    if not store.capabilities.queries_may_write:
        return
    kind = store.statement_type(text, timeout=seconds)
    if kind != "r":
        raise QueryRefused(f"Neo4j's planner says that the query is of type {kind!r}")


def _cypher(text: str) -> None:
    bare = _bare_cypher(text)
    _refuse_odd_characters(bare)
    if ";" in bare:
        raise QueryRefused("the query has several statements")
    tokens = [token.upper() for token in _CYPHER_TOKEN.findall(bare)]
    if not tokens or tokens[0] not in _CYPHER_STARTS:
        raise QueryRefused(f"the query begins with none of {', '.join(_CYPHER_STARTS)}")
    words = _cypher_words(bare)
    for word, after in zip(words, [*words[1:], ""], strict=True):
        if word in _CYPHER_FORBIDDEN:
            raise QueryRefused(f"the query has {word}, and only reading is allowed")
        if word == "CALL" and after not in ("{", "("):
            raise QueryRefused("the query calls a procedure")
    for place, mark in enumerate(tokens):
        space = _namespace(tokens, place) if mark == "(" else ""
        if space and space not in _CYPHER_SPACES:
            raise QueryRefused(f"the query calls a function of {space!r}")


def _cypher_words(bare: str) -> list[str]:
    """The words and marks that are no names, in capital letters."""
    tokens = [token.upper() for token in _CYPHER_TOKEN.findall(bare)]
    return [token for place, token in enumerate(tokens) if not _is_name(tokens, place)]


def _limited_cypher(text: str) -> str:
    bare = _bare_cypher(text)
    if "UNION" in _cypher_words(bare):  # its parts have limits of their own
        return f"CALL {{\n{text}\n}}\nRETURN answer LIMIT {LIMIT}"
    return _limited(text, re.search(r"\bLIMIT\s+(\d+)\s*$", bare, re.IGNORECASE))


def _bare_cypher(text: str) -> str:
    """The text without comments, with placeholders for strings and quoted names."""
    placeholders = {"text": " 0 ", "name": " q ", "comment": " "}
    return CYPHER_QUOTED.sub(lambda found: placeholders[found.lastgroup or ""], text)


def _is_name(tokens: Sequence[str], place: int) -> bool:
    """Whether a word is the name of a property, a label or a type.

    A word after the points of a range or of a number is not.
    """
    before, earlier = tokens[place - 1 : place], tokens[max(place - 2, 0) : place - 1]
    if before == ["."]:
        return bool(earlier) and (earlier[0] in (")", "]", "}") or earlier[0][0].isidentifier())
    return before == [":"]


def _namespace(tokens: Sequence[str], place: int) -> str:
    """The namespace of the function name before a parenthesis."""
    start = place - 1
    while start >= 2 and tokens[start - 1] == ".":
        start -= 2
    return "".join(tokens[start : max(place - 2, 0)]).lower()


def _refuse_odd_characters(bare: str) -> None:
    """Refuse unterminated quotations, and characters that parsers may treat differently."""
    if re.search(r"['\"`\\]", bare):
        raise QueryRefused("the query has a quotation that does not end")
    if odd := re.search(r"[^\w\n\t -~]", bare):
        raise QueryRefused(f"the query has {odd[0]!r} outside of a text")


def _limited(text: str, own: re.Match[str] | None) -> str:
    """The text with a limit of rows; its own limit may not be higher."""
    if own is None:
        return f"{text}\nLIMIT {LIMIT}"
    if int(own[1]) > LIMIT:
        raise QueryRefused(f"the query asks for more than {LIMIT:,} rows")
    return text


def _sparql(text: str) -> None:
    bare, iris = _bare_sparql(text)
    _refuse_odd_characters(bare)
    for iri in iris:
        if not re.match(r"(https?|urn):", iri):
            raise QueryRefused(f"the query has the address {iri[:60]!r}")
    if re.search(r"<>\s*\(", bare):
        raise QueryRefused("the query calls a function by its address")
    for prefix in re.findall(rf"{_PREFIX}:[\w.%-]*\s*\(", bare):
        if prefix != "xsd":
            raise QueryRefused(f"the query calls a function of {prefix!r}")
    for prefix in re.findall(f"{_PREFIX}:", bare):  # some parsers need no space before it
        if re.search("SERVICE|SILENT|FROM|NAMED", prefix.upper()):
            raise QueryRefused(f"the query has the prefix {prefix!r}")
    plain = re.sub(rf"[?$]\w+|@[\w-]+|{_PREFIX}:(?:[\w%][\w.%-]*)?", " ", bare)
    words = [word.upper() for word in re.findall(r"[^\W\d]\w*", plain)]
    for word in words:
        if word not in _SPARQL_WORDS:
            raise QueryRefused(f"the query has {word}, which no SELECT needs")
    first = next((word for word in words if word not in ("PREFIX", "BASE")), "")
    if first != "SELECT":
        raise QueryRefused("the query is no SELECT")


def _limited_sparql(text: str) -> str:
    bare, _ = _bare_sparql(text)
    if not re.search(r"[?$]answer\b", bare):
        raise QueryRefused("the query selects no ?answer")
    end = r"\bLIMIT\s+(\d+)(?:\s+OFFSET\s+\d+)?\s*$"
    return _limited(text, re.search(end, bare, re.IGNORECASE))


def _bare_sparql(text: str) -> tuple[str, list[str]]:
    """The text without comments, with placeholders for strings and IRIs; and the IRIs."""
    iris: list[str] = []

    def placeholder(found: re.Match[str]) -> str:
        if found.lastgroup == "iri":
            iris.append(found[0][1:-1])
        elif found.lastgroup == "text" and "\n" in found[0]:
            # A parser that takes `?a <b#` for a comparison and a comment would skip to
            # the end of the line, and must not read the rest differently from us.
            raise QueryRefused("the query has a text of several lines")
        return {"text": " 0 ", "iri": "<>", "comment": " "}[found.lastgroup or ""]

    return SPARQL_QUOTED.sub(placeholder, text), iris


_CHECKS = {"cypher": _cypher, "sparql": _sparql}
