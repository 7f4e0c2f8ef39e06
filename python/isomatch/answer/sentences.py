"""Facts told in sentences, by the words that the lexicon has for their relations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from isomatch.answer.evidence import key_of
from isomatch.lexicon.english import plural
from isomatch.lexicon.lexicon import RelationWords
from isomatch.match.types import Bound, Triple
from isomatch.phrasing import bound_words, clean, sentence

if TYPE_CHECKING:
    from isomatch.answer.evidence import Key
    from isomatch.answer.types import Evidence
    from isomatch.lexicon.lexicon import Lexicon
    from isomatch.prizes.selection import Selection


def fact_sheet(selection: Selection, evidence: Sequence[Evidence], lexicon: Lexicon) -> str:
    """Evidence as text: a paragraph for each tree, or a line for each path or fact.

    Args:
        evidence: the facts that are told, numbered; each sentence cites them.
    """
    numbers: dict[Key, list[int]] = {}
    for fact in evidence:
        numbers.setdefault(key_of(fact.triple), []).append(fact.number)
    if selection.form == "paths":
        return "\n".join(_path_lines(evidence, lexicon))
    cited = {key: found[0] for key, found in numbers.items()}
    if selection.form == "triplets":
        told = [fact.triple for fact in evidence]
        return " ".join(sentences(told, lexicon, cited))
    paragraphs = []
    for group in selection.groups:
        told = [triple for triple in group if key_of(triple) in cited]
        lead = connection_words(told, selection.topics)
        paragraphs.append(" ".join([*lead, *sentences(told, lexicon, cited)]))
    return "\n\n".join(filter(None, paragraphs))


def _path_lines(evidence: Sequence[Evidence], lexicon: Lexicon) -> list[str]:
    paths: dict[int, list[Triple]] = {}
    for fact in evidence:
        paths.setdefault(fact.number, []).append(fact.triple)
    lines = []
    for number, triples in paths.items():
        told = [words for triple in triples for words in sentences([triple], lexicon)]
        told[-1] = f"{told[-1].removesuffix('.')} [{number}]."
        lines.append(" ".join(told))
    return lines


def sentences(
    triples: Sequence[Triple], lexicon: Lexicon, numbers: Mapping[Key, int] | None = None
) -> list[str]:
    """One sentence for the facts that share a relation and an end, in their order.

    Args:
        numbers: of the facts, to cite them by.

    Example:
        >>> from isomatch.lexicon.lexicon import Lexicon, draft_words
        >>> heat, ali, mann = (Bound(name, name) for name in ("Heat", "Ali", "Mann"))
        >>> by = Bound("by", "directed by")
        >>> words = Lexicon({"by": draft_words("directed by")})
        >>> sentences([Triple(heat, by, mann), Triple(ali, by, mann)], words)
        ['The director of Heat and Ali is Mann.']
    """
    return [_told(group, lexicon, numbers or {}) for group in _groups(triples)]


def _groups(triples: Sequence[Triple]) -> list[list[Triple]]:
    """Facts of one source and relation together; of the others those of one target."""
    by_source: dict[tuple[str, str], list[Triple]] = {}
    for triple in dict.fromkeys(triples):
        by_source.setdefault((triple.source.id, triple.relation.id), []).append(triple)
    groups: dict[tuple[str, str, bool], list[Triple]] = {}
    for (source, relation), some in by_source.items():
        if len(some) > 1:
            groups[source, relation, True] = some
        else:
            groups.setdefault((some[0].target.id, relation, False), []).extend(some)
    return list(groups.values())


def _told(triples: Sequence[Triple], lexicon: Lexicon, numbers: Mapping[Key, int]) -> str:
    relation = triples[0].relation
    sources = _names([triple.source for triple in triples])
    targets = _names([triple.target for triple in triples])
    several = len({triple.target.id for triple in triples}) > 1
    words = lexicon.relations.get(relation.id, RelationWords())
    if lexicon.language.code != "en":  # the frames below are English
        noun = words.nouns[0] if words.nouns else bound_words(relation)
        text = f"{sources}: {noun} – {targets}"
    elif words.nouns:
        noun = plural(words.nouns[0]) if several else words.nouns[0]
        text = f"The {noun} of {sources} {'are' if several else 'is'} {targets}"
    elif words.forward:
        text = f"{sources} {words.forward[0]} {targets}"
    elif words.backward:
        text = f"{targets} {words.backward[0]} {sources}"
    else:
        text = f"{sources}: {bound_words(relation)} – {targets}"
    cited = "".join(f"[{numbers[key]}]" for t in triples if (key := key_of(t)) in numbers)
    text = clean(text, None)
    return f"{text} {cited}." if cited else sentence(text)


def _names(nodes: Sequence[Bound]) -> str:
    names = list(dict.fromkeys(bound_words(node) for node in nodes))
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]


def connection_words(triples: Sequence[Triple], topics: Sequence[str]) -> list[str]:
    """How the topics among some connected facts hang together: what lies between them."""
    near: dict[str, dict[str, None]] = {}
    named: dict[str, Bound] = {}
    for triple in triples:
        ends = triple.source, triple.target
        for here, there in (ends, ends[::-1]):
            named[here.id] = here
            near.setdefault(here.id, {})[there.id] = None
    held = [topic for topic in topics if topic in named]
    if len(held) < 2:
        return []
    between = [n for topic in held[1:] for n in _way(near, held[0], topic) if n not in held]
    ends_words = _names([named[topic] for topic in held])
    if not between:
        return [f"{ends_words} are connected directly."]
    return [f"{ends_words} are connected through {_names([named[n] for n in between])}."]


def _way(near: Mapping[str, Mapping[str, None]], start: str, end: str) -> list[str]:
    """The nodes between two, on a shortest way."""
    before = {start: start}
    waiting = [start]
    for node in waiting:
        for other in near[node]:
            if other not in before:
                before[other] = node
                waiting.append(other)
    way: list[str] = []
    here = before.get(end, start)
    while here != start:
        way.append(here)
        here = before[here]
    return way[::-1]
