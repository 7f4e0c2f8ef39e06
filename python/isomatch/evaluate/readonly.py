"""Whether a query that a model wrote only reads: refused unless that is plain.

Only the baseline ``text-to-query`` of ``isomatch eval`` runs such a query; `ask` never
does. What is refused here never reaches a database. What passes is run by a store that
only reads: a Neo4j session in read mode after the server's own planner has called the
statement a reading one, or a SPARQL endpoint's address for queries, which knows no
update. A query is refused for what it might do beside writing, too: load a file, call
a procedure or another endpoint, or a function that is not of the language itself.
"""

from __future__ import annotations

import re

from isomatch.errors import QueryRefused

LIMIT = 1000  # rows
_MOST = 10_000  # characters
_CYPHER_APART = re.compile(
    r"(?P<text>'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\")|(?P<name>`(?:``|[^`])*`)"
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)",
    re.DOTALL,
)
_CYPHER_BEGINS = ("MATCH", "OPTIONAL", "WITH", "UNWIND", "RETURN", "CALL")
_NEVER = """
    ALTER CREATE DELETE DENY DETACH DROP DRYRUN EXPLAIN FINISH FOREACH GRANT INSERT LOAD MERGE
    NODETACH PERIODIC PROFILE REALLOCATE REMOVE RENAME REVOKE SET SHOW START STOP TERMINATE
    TRANSACTIONS USE
"""
_CYPHER_NEVER = frozenset(_NEVER.split())
_CYPHER_SPACES = frozenset(
    ["date", "datetime", "duration", "localdatetime", "localtime", "point", "time"]
)
_SPARQL_APART = re.compile(
    r"(?P<text>'''.*?'''|\"\"\".*?\"\"\"|'(?:\\.|[^'\\\n])*'|\"(?:\\.|[^\"\\\n])*\")"
    r"|(?P<iri><[^<>\"{}|^`\\\s]*>)|(?P<comment>#[^\n]*)",
    re.DOTALL,
)
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
    """The query, with a limit of rows where it has none.

    Args:
        text: as the model wrote it.
        language: ``cypher`` or ``sparql``.

    Raises:
        QueryRefused: it may do more than read, or is no query at all.

    Example:
        >>> checked("MATCH (n) DETACH DELETE n", "cypher")
        Traceback (most recent call last):
        isomatch.errors.QueryRefused: the model's query has DETACH, and only reading is allowed
    """
    text = text.strip().removesuffix(";").strip()
    if not text:
        raise QueryRefused("the model wrote no query")
    if len(text) > _MOST:
        raise QueryRefused(f"the model's query has more than {_MOST:,} characters")
    if re.search(r"\\[uU]", text):  # both languages read these before anything else
        raise QueryRefused("the model's query has a Unicode escape")
    return _cypher(text) if language == "cypher" else _sparql(text)


def _cypher(text: str) -> str:
    bare = _bare_cypher(text)
    if re.search(r"['\"`]", bare.replace("''", "")):
        raise QueryRefused("the model's query has a quotation that does not end")
    if ";" in bare:
        raise QueryRefused("the model wrote several statements")
    words = [word.upper() for word in re.findall(r"[^\W\d]\w*", bare)]
    if not words or words[0] not in _CYPHER_BEGINS:
        raise QueryRefused(f"the model's query begins with none of {', '.join(_CYPHER_BEGINS)}")
    for word in words:
        if word in _CYPHER_NEVER:
            raise QueryRefused(f"the model's query has {word}, and only reading is allowed")
    if re.search(r"\bCALL\b(?!\s*[{(])", bare, re.IGNORECASE):
        raise QueryRefused("the model's query calls a procedure")
    for space in re.findall(r"([^\W\d]\w*)\s*\.\s*[^\W\d]\w*\s*\(", bare):
        if space.lower() not in _CYPHER_SPACES:
            raise QueryRefused(f"the model's query calls a function of {space!r}")
    if re.search(r"\bLIMIT\s+\d+\s*$", bare, re.IGNORECASE) or "UNION" in words:
        return text
    return f"{text}\nLIMIT {LIMIT}"


def _bare_cypher(text: str) -> str:
    """The text with quotations empty, quoted names plain and comments gone."""
    instead = {"text": "''", "name": "q", "comment": " "}
    return _CYPHER_APART.sub(lambda found: instead[found.lastgroup or ""], text)


def _sparql(text: str) -> str:
    bare, iris = _bare_sparql(text)
    if re.search(r"['\"`\\]", bare.replace("''", "")):
        raise QueryRefused("the model's query has a quotation that does not end")
    for iri in iris:
        if not re.match(r"(https?|urn):", iri):
            raise QueryRefused(f"the model's query has the address {iri[:60]!r}")
    if re.search(r"<>\s*\(", bare):
        raise QueryRefused("the model's query calls a function by its address")
    for prefix in re.findall(r"([\w.-]*):[\w.%-]*\s*\(", bare):
        if prefix != "xsd":
            raise QueryRefused(f"the model's query calls a function of {prefix!r}")
    plain = re.sub(r"[?$]\w+|@[\w-]+|[\w.-]*:[\w.%-]*", " ", bare)
    words = [word.upper() for word in re.findall(r"[^\W\d]\w*", plain)]
    for word in words:
        if word not in _SPARQL_WORDS:
            raise QueryRefused(f"the model's query has {word}, which no SELECT needs")
    first = next((word for word in words if word not in ("PREFIX", "BASE")), "")
    if first != "SELECT":
        raise QueryRefused("the model's query is no SELECT")
    if not re.search(r"[?$]answer\b", bare):
        raise QueryRefused("the model's query selects no ?answer")
    if re.search(r"\bLIMIT\s+\d+(\s+OFFSET\s+\d+)?\s*$", bare, re.IGNORECASE):
        return text
    return f"{text}\nLIMIT {LIMIT}"


def _bare_sparql(text: str) -> tuple[str, list[str]]:
    """The text with quotations and IRIs empty and comments gone; and the IRIs."""
    iris: list[str] = []

    def emptied(found: re.Match[str]) -> str:
        if found.lastgroup == "iri":
            iris.append(found[0][1:-1])
        return {"text": "''", "iri": "<>", "comment": " "}[found.lastgroup or ""]

    return _SPARQL_APART.sub(emptied, text), iris
