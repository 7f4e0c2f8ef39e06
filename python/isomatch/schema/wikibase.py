"""The shape of a Wikibase, as Wikidata is one.

Its facts are direct claims (``wdt:P57``); beside each of them are statement nodes with
qualifiers and references, and much that is about the pages. Only direct claims are
relations here. What a property is called is said of its entity (``wd:P57``), and types
are given by a property too, in Wikidata by ``wdt:P31``. See
https://www.mediawiki.org/wiki/Wikibase/Indexing/RDF_Dump_Format.

The shape is in force where the graph says which claims are direct
(``wikibase:directClaim``), or where the setting ``type_relation`` is such a property.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from isomatch.store.terms import RDF_TYPE

DIRECT_CLAIM = "http://wikiba.se/ontology#directClaim"
INSTANCE_OF = "http://www.wikidata.org/prop/direct/P31"
_DIRECT = re.compile(r"(?P<base>.+)/prop/direct/(?P<property>P[1-9][0-9]*)")


@dataclass(frozen=True, slots=True)
class Wikibase:
    """The addresses of one.

    Attributes:
        base: what they begin with: ``http://www.wikidata.org``.
    """

    base: str

    @classmethod
    def of(cls, predicates: Iterable[str], type_relation: str) -> Wikibase | None:
        """The one whose claims are among some predicates; None for any other graph."""
        if chosen := _DIRECT.fullmatch(type_relation):
            return cls(chosen["base"])
        known = set(predicates)
        matches = [match for p in known if (match := _DIRECT.fullmatch(p))]
        if not matches or DIRECT_CLAIM not in known:
            return None
        bases = [match["base"] for match in matches]
        return cls(max(set(bases), key=lambda base: (bases.count(base), base)))

    @property
    def direct(self) -> str:
        """What the predicates of direct claims begin with."""
        return f"{self.base}/prop/direct/P"

    def type_relation(self, chosen: str, predicates: Iterable[str]) -> str:
        """The predicate that gives types: Wikidata's own, unless another was chosen."""
        return INSTANCE_OF if chosen == RDF_TYPE and INSTANCE_OF in predicates else chosen


def entity_of(predicate: str) -> str | None:
    """The entity that a direct claim's predicate is named by; None for other predicates."""
    match = _DIRECT.fullmatch(predicate)
    return f"{match['base']}/entity/{match['property']}" if match else None
