"""Nodes from an endpoint's own text search, for graphs too large to index their names.

The endpoint finds names with the words of a text, approximately and in its own order;
those names are embedded here, and distances computed here, so that they compare with
those of relations and types. Names that equal the text exactly are looked up as well,
and values: literals that equal it.

A text of a user enters a query as an escaped literal alone. Of the words for a search
only letters and digits are used, each in quotes, so that nothing of the engine's own
syntax (``AND``, ``*``, brackets) is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Literal, NamedTuple

from isomatch.errors import ConfigurationError
from isomatch.link.candidates import Candidate, Page, ordered
from isomatch.link.linker import distance_of
from isomatch.link.normalise import value_of
from isomatch.store.base import Query
from isomatch.store.terms import XSD, is_blank, is_literal, literal, split_literal

if TYPE_CHECKING:
    from isomatch.link.embedder import Embedder
    from isomatch.link.vectors import Matrix
    from isomatch.schema.types import Schema
    from isomatch.store.base import Store

Kind = Literal["virtuoso", "jena", "graphdb", "qlever", "wikidata", "labels"]
SETTING = "ISOMATCH_TEXT_SEARCH"
LEAST = 50  # names asked for: the engine's order is not that of distances
MOST = 2000
PREDICATES = 4  # that give names, the best ones
MISSPELT = 200  # names asked for where a word is left out, of each such search
TOGETHER = 16  # texts in one query
WORDS = 8  # of a text,
LONGEST = 64  # characters; Virtuoso takes longer ones for noise
_PLAIN = ("qlever", "wikidata")  # searches without a syntax: all words, beside each other
_NUMBERS = ("integer", "decimal", "double", "gYear")


class Hit(NamedTuple):
    """A node with a name that was found."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class TextQuery:
    """The query for one text.

    Attributes:
        number: of the text.
        words: for the engine's search, in its syntax; empty for none.
        names: literals that a name may be, for names that are equal.
        values: literals that may be nodes.
    """

    number: int
    words: tuple[str, ...]
    names: tuple[str, ...]
    values: tuple[str, ...]


class TextSearch:
    """A `NodeSource` over an endpoint's text index.

    Args:
        store: the endpoint; it stays open.
        schema: has the predicates that give names.
        embedder: for the names that are found.
        kind: whose search it is; ``labels`` finds equal names alone.
        languages: of names, preferred first.
        index: of GraphDB, the IRI of the Lucene connector.
    """

    setting = SETTING

    def __init__(
        self,
        store: Store,
        schema: Schema,
        embedder: Embedder,
        kind: Kind,
        languages: Sequence[str] = ("en",),
        *,
        index: str | None = None,
    ):
        self.kind = kind
        self._store = store
        self._embedder = embedder
        self._predicates = schema.name_relations[:PREDICATES]
        self._excluded = schema.excluded
        self._begins = schema.begins
        self._type_relation = schema.type_relation
        self._languages = tuple(languages)
        self._index = index

    @classmethod
    def open(
        cls, store: Store, schema: Schema, embedder: Embedder, languages: Sequence[str] = ("en",)
    ) -> TextSearch:
        """The search that the endpoint's profile names, else that for equal names.

        Raises:
            ConfigurationError: the graph is not behind a SPARQL endpoint.
            StoreError: the endpoint failed.
        """
        profile = store.profile
        if profile is None:
            raise ConfigurationError(
                f"{SETTING} is set, but the graph is not behind a SPARQL endpoint: set "
                "ISOMATCH_ENDPOINT, or unset it"
            )
        kind: Kind = profile.text_search or "labels"  # type: ignore[assignment]
        index = None
        if kind == "graphdb":
            text = store.render("store/text_graphdb.rq.j2")
            found = [row[0] for row in store.run(Query(text, ("index",), name="text indexes"))]
            index = found[0] if found else None
            kind = "graphdb" if index else "labels"
        return cls(store, schema, embedder, kind, languages, index=index)

    def pages(
        self, vectors: Matrix, limit: int, *, exact: bool = False, texts: Sequence[str] = ()
    ) -> list[Page]:
        """See `NodeSource.pages`; ``exact`` makes no difference.

        Raises:
            StoreError: the endpoint failed.
            EmbeddingError: the names could not be embedded.
        """
        wanted = min(max(LEAST, limit + limit // 16 + 8), MOST)
        limits = dict.fromkeys(range(len(texts)), wanted)
        found = self._search(texts, range(len(texts)), wanted, every=True)
        # Labels in many languages are as many rows of one node.
        while wanted < MOST and (
            short := [
                i for i, hits in found.items() if len(hits) >= limits[i] and _nodes(hits) < limit
            ]
        ):
            wanted = min(wanted * 4, MOST)
            limits |= dict.fromkeys(short, wanted)
            found |= self._search(texts, short, wanted, every=True)
        # A name that lacks a word, or has it spelt otherwise, may still be near.
        if missed := [i for i, hits in found.items() if not hits and len(words_of(texts[i])) > 1]:
            found |= self._search(texts, missed, max(wanted, MISSPELT), every=False)
        return [
            self._page(hits, vectors[i], limit, more=limits[i] <= len(hits))
            for i, hits in found.items()
        ]

    def equal(self, texts: Sequence[str]) -> Query | None:
        """The query for some nodes that the index would have, with one of these texts as a name.

        None where there is nothing to ask.
        """
        names = [name for text in texts for name in self._names(text.replace("\0", "").strip())]
        if not names or not self._predicates:
            return None
        text = self._store.render(
            "text/equal.rq.j2",
            names=dict.fromkeys(names),
            predicates=self._predicates,
            excluded=self._excluded,
            type_relation=self._type_relation,
            limit=LEAST,
        )
        return Query(text, ("n",), name="equal names")

    def _search(
        self, texts: Sequence[str], numbers: Sequence[int], limit: int, *, every: bool
    ) -> dict[int, list[Hit]]:
        """Rows by number of text, nearly always in one query.

        ``every`` word of a text has to be in a name; else one may be missing.
        """
        found: dict[int, list[Hit]] = {i: [] for i in numbers}
        asked = [self._text_query(i, texts[i], every) for i in numbers]
        together = TOGETHER if every else TOGETHER // WORDS
        for first in range(0, len(asked), together):
            query = self._query(asked[first : first + together], limit)
            for number, id, name in self._store.run(query) if query else ():
                if id and name and not is_blank(id):
                    text = split_literal(name)[0] if is_literal(name) else name
                    found[int(number or 0)].append(Hit(id, text))
        return found

    def _query(self, asked: Sequence[TextQuery], limit: int) -> Query | None:
        asked = [a for a in asked if a.words or a.names or a.values]
        if not asked or not (self._predicates or any(a.values for a in asked)):
            return None
        text = self._store.render(
            "text/search.rq.j2",
            asked=asked,
            kind=self.kind,
            predicates=self._predicates,
            excluded=self._excluded,
            begins=self._begins,
            languages=[literal(x) for x in self._languages],
            index=self._index,
            limit=limit,
        )
        return Query(text, ("i", "n", "name"), name="text search")

    def _text_query(self, number: int, text: str, every: bool) -> TextQuery:
        plain = text.replace("\0", "").strip()  # no engine takes a zero
        return TextQuery(
            number,
            tuple(literal(x) for x in self._words(plain, every)),
            tuple(self._names(plain)) if plain and self._predicates and every else (),
            tuple(dict.fromkeys(self._values(plain))) if plain and every else (),
        )

    def _words(self, text: str, every: bool) -> list[str]:
        """Texts for the engine's search; a name that one of them finds counts."""
        words = words_of(text)
        if not words or self.kind == "labels":
            return []
        some = [words] if every else [words[:i] + words[i + 1 :] for i in range(len(words))]
        if self.kind in _PLAIN:
            return [" ".join(these) for these in some]
        return [" AND ".join(f'"{word}"' for word in these) for these in some]

    def _names(self, text: str) -> Iterator[str]:
        for form in dict.fromkeys((text, text[:1].upper() + text[1:], text.title())):
            yield literal(form)
            for language in self._languages:
                yield literal(form, language=language)

    def _values(self, text: str) -> Iterator[str]:
        """Literals that equal a text: itself, and the number, date or boolean that it is."""
        yield literal(text)
        for language in self._languages:
            yield literal(text, language=language)
        value = value_of(text)
        if value.number is not None:
            for name in _NUMBERS:
                yield literal(text.replace(",", ""), datatype=XSD + name)
        if value.iso is not None:
            name = {4: "gYear", 7: "gYearMonth", 10: "date"}.get(len(value.iso), "dateTime")
            yield literal(value.iso, datatype=XSD + name)
        if value.boolean is not None:
            yield literal(value.boolean, datatype=XSD + "boolean")

    def _page(self, hits: Sequence[Hit], vector: Matrix, limit: int, *, more: bool) -> Page:
        """What was found, by distance; ``more`` where the endpoint may have left some out."""
        import numpy as np

        if not hits:
            return Page((), inf, True)
        names = list(dict.fromkeys(hit.name for hit in hits))
        measured = np.linalg.norm(self._embedder.embed(names) - vector, axis=1).tolist()
        distances = {name: distance_of(x) for name, x in zip(names, measured, strict=True)}
        entries: dict[str, Candidate] = {}
        for id, name in dict.fromkeys(hits):
            candidate = Candidate(id, 0.0 if is_literal(id) else distances[name], name)
            if id not in entries or candidate.distance < entries[id].distance:
                entries[id] = candidate
        nearest = ordered(entries.values())
        frontier = nearest[-1].distance if more else inf
        return Page(nearest, frontier, True)


def _nodes(hits: Sequence[Hit]) -> int:
    return len({hit.id for hit in hits})


def words_of(text: str) -> list[str]:
    """The words of a text for a search: runs of letters and digits, without case, once each.

    Example:
        >>> words_of('"Heat" AND (Thief OR *)')
        ['heat', 'and', 'thief', 'or']
    """
    found = (w.strip("_") for w in re.findall(r"\w+", text.lower()))
    return list(dict.fromkeys(w for w in found if 0 < len(w) <= LONGEST))[:WORDS]
