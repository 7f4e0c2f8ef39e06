"""What makes a SPARQL query readable: values in it, names of variables, prefixes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from isomatch.compile.base import Known
from isomatch.store.terms import is_iri, is_literal
from isomatch.texts import PREFIXES

_BY_NAMESPACE = {namespace: prefix for prefix, namespace in PREFIXES.items()}
# What may hold no IRI nor variable, and these, in the order in which SPARQL reads a text.
TOKENS = re.compile(
    r'"(?:[^"\\\n]|\\.)*"'  # the only quotes of our texts
    r"|<(?P<iri>[^<>\"{}|^`\\\x00-\x20]*)>"
    r"|\#[^\n]*"
    r"|\?(?P<variable>\w+)"
)
# SPARQL 1.1's PNLOCAL without what engines disagree about: dots, colons, escapes, percent
# signs and characters beyond U+FFFF (https://www.w3.org/TR/sparql11-query/#rPNLOCAL).
_BASE = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd"
)
_LATER = _BASE + "_0-9\u00b7\u0300-\u036f\u203f-\u2040-"
LOCAL = re.compile(f"[{_BASE}_0-9][{_LATER}]*")
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9]*")


def shortened(text: str) -> str:
    """A query with prefixed names where there can be some, and their declarations first.

    Well-known namespaces get their usual prefix; of others those that occur more than
    once get one from their last word.

    Args:
        text: SPARQL of ours, without declarations.

    Example:
        >>> print(shortened("ASK { <http://dbpedia.org/resource/Heat> <urn:p> ?x }"))
        PREFIX dbr: <http://dbpedia.org/resource/>
        <BLANKLINE>
        ASK { dbr:Heat <urn:p> ?x }
    """
    prefixes = _chosen(Counter(namespace for namespace, _ in _names(text)))
    used: set[str] = set()

    def short(token: re.Match[str]) -> str:
        split = _split(token["iri"] or "")
        if split is None or split[0] not in prefixes:
            return token[0]
        used.add(split[0])
        return f"{prefixes[split[0]]}:{split[1]}"

    body = TOKENS.sub(short, text)
    lines = sorted(f"PREFIX {prefixes[namespace]}: <{namespace}>" for namespace in used)
    return "\n".join([*lines, *([""] if lines else []), body])


def _names(text: str) -> Iterator[tuple[str, str]]:
    for token in TOKENS.finditer(text):
        if split := _split(token["iri"] or ""):
            yield split


def _split(iri: str) -> tuple[str, str] | None:
    """(namespace, local part), or None where no prefixed name can stand for it."""
    end = max(iri.rfind("#"), iri.rfind("/"))
    if "://" not in iri:
        end = max(end, iri.rfind(":"))
    local = iri[end + 1 :]
    return (iri[: end + 1], local) if end > 0 and LOCAL.fullmatch(local) else None


def _chosen(counts: Counter[str]) -> dict[str, str]:
    """A prefix for every namespace that shall have one."""
    chosen = {n: _BY_NAMESPACE[n] for n in counts if n in _BY_NAMESPACE}
    for namespace in sorted(n for n, count in counts.items() if n not in chosen and count > 1):
        stem = _word(namespace)
        taken = {*PREFIXES, *chosen.values()}
        numbered = (f"{stem}{number}" for number in range(2, len(taken) + 3))
        chosen[namespace] = next(p for p in (stem, *numbered) if p not in taken)
    return chosen


def _word(namespace: str) -> str:
    """The last word of an IRI's path, or else the first of its host."""
    scheme, _, rest = namespace.partition(":")
    host, *path = re.split(r"[#/:]", rest.removeprefix("//"))
    if not rest.startswith("//"):
        host, path = scheme, [host, *path]
    words = [*reversed(path), *host.removeprefix("www.").split(".")]
    return next((word.lower() for word in words if _PREFIX.fullmatch(word)), "ns")


def renamed(
    text: str,
    tokens: re.Pattern[str],
    names: Mapping[str, str],
    written: Callable[[str], str] = str,
) -> str:
    """A query whose variables have other names.

    A name that another variable of the text has gets an underscore at its end.

    Args:
        tokens: whatever may hold no variable, and the group ``variable``.
        names: by the variables of the text.
        written: a name as the language writes it.
    """
    others = {token["variable"] for token in tokens.finditer(text)}.difference(names)
    chosen: dict[str, str] = {}
    for variable, name in names.items():
        while name in others:
            name += "_"
        others.add(name)
        chosen[variable] = written(name)

    def other(token: re.Match[str]) -> str:
        name = token["variable"]
        return token[0].removesuffix(name) + chosen[name] if name in chosen else token[0]

    return tokens.sub(other, text)


Bound = list[tuple[str, tuple[str, ...]]]


def nameable(nodes: Mapping[int, Known], names: Mapping[str, str]) -> tuple[Bound, list[str]]:
    """The ids of known nodes by variable; and comments about those that have no name.

    A node without a name in a query (a blank one) stays a variable.

    Args:
        nodes: ids by node number.
        names: of the variables.
    """
    named: Bound = []
    nameless: list[str] = []
    for number, known in nodes.items():
        ids = (known,) if isinstance(known, str) else tuple(known)
        if blank := [id for id in ids if not (is_iri(id) or is_literal(id))]:
            variable, listed = names[f"n{number}"], ", ".join(blank)
            nameless.append(f"# ?{variable} stands for {listed}, which a query cannot name\n")
        else:
            named.append((f"n{number}", ids))
    return named, nameless


def readable(text: str, names: Mapping[str, str]) -> str:
    """A query with prefixes, and its variables renamed where SPARQL takes the name."""
    written = {key: name for key, name in names.items() if LOCAL.fullmatch(name)}
    return renamed(shortened(text), TOKENS, written)
