"""Facts told in sentences, by the words that the lexicon has for their relations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from isomatch.answer.evidence import key_of
from isomatch.answer.paths import ends_of
from isomatch.answer.types import Sentence
from isomatch.lexicon.english import article, is_participle, singular
from isomatch.lexicon.english import participle as of_past
from isomatch.lexicon.lexicon import draft_words
from isomatch.lexicon.relation_words import RelationWords
from isomatch.match.types import Bound, Triple
from isomatch.phrasing import bound_words, clean, sentence

if TYPE_CHECKING:
    from isomatch.answer.evidence import Key
    from isomatch.answer.types import Evidence
    from isomatch.lexicon.language import Language
    from isomatch.lexicon.lexicon import Lexicon
    from isomatch.prizes.selection import Selection

_FEW = 3  # citations that are written one by one


def fact_sheet(
    selection: Selection, evidence: Sequence[Evidence], lexicon: Lexicon
) -> tuple[str, tuple[Sentence, ...]]:
    """Evidence as text: a paragraph for each tree, or a line for each path; and its sentences.

    Args:
        evidence: the facts that are told, numbered; each sentence cites them.
    """
    if selection.form == "paths":
        lines = _path_lines(evidence, lexicon, selection.single)
        return "\n".join(line.text for line in lines), tuple(lines)
    numbers: dict[Key, int] = {}
    for fact in evidence:
        numbers.setdefault(key_of(fact.triple), fact.number)
    groups = selection.groups
    if selection.form == "triplets":
        groups = (tuple(fact.triple for fact in evidence),)
    teller = _Teller(lexicon, numbers, selection.single)
    paragraphs = []
    for group in groups:
        told = [triple for triple in group if key_of(triple) in numbers]
        lead = [] if selection.form == "triplets" else teller.connection(told, selection.topics)
        paragraphs.append([*lead, *teller.told(told)])
    text = "\n\n".join(" ".join(s.text for s in told) for told in paragraphs if told)
    return text, tuple(sentence for told in paragraphs for sentence in told)


def _path_lines(
    evidence: Sequence[Evidence], lexicon: Lexicon, single: Collection[str]
) -> list[Sentence]:
    paths: dict[int, list[Triple]] = {}
    for fact in evidence:
        paths.setdefault(fact.number, []).append(fact.triple)
    teller = _Teller(lexicon, {}, single)
    lines = []
    for number, triples in paths.items():
        if len(triples) == 1:
            text = teller.words(triples)
        else:
            way = " – ".join(map(bound_words, ends_of(triples)))
            text = f"{way}: {'; '.join(teller.words([t], inside=True) for t in triples)}"
        lines.append(_cited(text, (number,)))
    return lines


def sentences(
    triples: Sequence[Triple],
    lexicon: Lexicon,
    single: Collection[str] | None = None,
) -> list[str]:
    """One sentence for the facts that share a relation and an end, in their order.

    Args:
        single: relations that have one target at most; facts of others are told as some of
            several. None tells all as if there were no others.

    Example:
        >>> from isomatch.lexicon.lexicon import Lexicon, draft_words
        >>> heat, ali, mann = (Bound(name, name) for name in ("Heat", "Ali", "Mann"))
        >>> by = Bound("by", "directed by")
        >>> words = Lexicon({"by": draft_words("directed by")})
        >>> sentences([Triple(heat, by, mann), Triple(ali, by, mann)], words)
        ['The director of Heat and Ali is Mann.']
    """
    return [one.text for one in _Teller(lexicon, {}, single).told(triples)]


class _Teller:
    """Tells facts in the language of a lexicon.

    Args:
        numbers: of the facts, to cite them by.
        single: relations whose targets are all known; None where all are.
    """

    def __init__(
        self, lexicon: Lexicon, numbers: Mapping[Key, int], single: Collection[str] | None
    ):
        self._lexicon = lexicon
        self._numbers = numbers
        self._single = single

    def told(self, triples: Sequence[Triple]) -> list[Sentence]:
        """A sentence for the facts that share a relation and an end."""
        return [self._cited(self.words(group), group) for group in _groups(triples)]

    def words(self, triples: Sequence[Triple], *, inside: bool = False) -> str:
        """Facts of one relation and end, without an end.

        Args:
            inside: of a sentence.
        """
        relation, language = triples[0].relation, self._lexicon.language
        told = language.told
        several = len({triple.target.id for triple in triples}) > 1
        many = len({triple.source.id for triple in triples}) > 1
        words = self._lexicon.of_relation(relation.id)
        values = {
            "sources": names_words([triple.source for triple in triples], language),
            "targets": names_words([triple.target for triple in triples], language),
        }
        noun = _noun(words, relation, language)
        verb = _verb(words, relation, language, many)
        if verb and not (noun and words != draft_words(bound_words(relation).lower())):
            return told.does.format(verb=verb, **values)
        if not noun:
            if words.backward and not words.forward:
                swapped = {"sources": values["targets"], "targets": values["sources"]}
                return told.does.format(verb=words.backward[0], **swapped)
            return "{sources}: {noun} – {targets}".format(noun=bound_words(relation), **values)
        frame = told.each if several else told.one
        if self._single is not None and relation.id not in self._single:
            frame = told.include
        if inside:
            frame = frame[:1].lower() + frame[1:]
        nouns = language.plural(noun) if "{nouns}" in frame else noun
        return frame.format(noun=noun, Noun=noun[:1].upper() + noun[1:], nouns=nouns, **values)

    def connection(self, triples: Sequence[Triple], topics: Sequence[str]) -> list[Sentence]:
        """How the topics among some connected facts hang together: what lies between them."""
        near: dict[str, dict[str, Triple]] = {}
        named: dict[str, Bound] = {}
        for triple in triples:
            ends = triple.source, triple.target
            for here, there in (ends, ends[::-1]):
                named[here.id] = here
                near.setdefault(here.id, {}).setdefault(there.id, triple)
        held = [topic for topic in topics if topic in named]
        if len(held) < 2:
            return []
        ways = [_way(near, held[0], topic) for topic in held[1:]]
        steps = [near[a][b] for way in ways for a, b in pairwise(way)]
        between = [named[node] for way in ways for node in way if node not in held]
        language = self._lexicon.language
        ends_words = names_words([named[topic] for topic in held], language)
        told = language.told
        frame = told.joined if between else told.direct if len(held) == 2 else told.together
        words = frame.format(ends=ends_words, between=names_words(between, language))
        return [self._cited(words, steps)]

    def _cited(self, words: str, triples: Sequence[Triple]) -> Sentence:
        numbers = (self._numbers[key] for t in triples if (key := key_of(t)) in self._numbers)
        return _cited(words, tuple(dict.fromkeys(numbers)))


def _cited(words: str, numbers: tuple[int, ...]) -> Sentence:
    text, numbers = clean(words, None), tuple(sorted(numbers))
    return Sentence(f"{text} {_numbers(numbers)}." if numbers else sentence(text), numbers, True)


def _numbers(numbers: Sequence[int]) -> str:
    """Citations of numbers in order: ``[1][4]``, and ``[1, 4-11]`` where they are many.

    Example:
        >>> _numbers((1, 4)), _numbers((1, 2, 3, 6, 7, 9))
        ('[1][4]', '[1-3, 6-7, 9]')
    """
    if len(numbers) <= _FEW:
        return "".join(f"[{number}]" for number in numbers)
    runs = groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    ranges = [[number for _, number in run] for _, run in runs]
    listed = (f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in ranges)
    return f"[{', '.join(listed)}]"


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


def _noun(words: RelationWords, relation: Bound, language: Language) -> str:
    """What the targets are to the sources; empty where that is no plain noun."""
    noun = words.nouns[0] if words.nouns else ""
    parts = noun.lower().split()
    if parts and (parts[-1] in language.prepositions or parts[0] in language.prepositions):
        return ""
    if noun in language.told.plain:
        return ""
    # The draft for another language takes what it does not know for a noun.
    own = len(parts) > 1 and noun.lower() == bound_words(relation).lower()
    return "" if own and language.lemmas else noun


def _verb(words: RelationWords, relation: Bound, language: Language, many: bool) -> str:
    """What the sources do to the targets, or are; empty where the relation does not say.

    Args:
        many: whether there are several sources.
    """
    told = language.told
    text = bound_words(relation).lower()
    first, *rest = text.split()
    if first in told.verbs:
        return " ".join([singular(first) if many else first, *rest])
    if first in told.passive and rest:
        return f"{'are' if many else 'is'} {text}"
    if language.code != "en":
        return ""
    if rest and rest[-1] == "of" and not words.nouns:
        noun = " ".join([first, *rest[:-1]])
        return f"are {language.plural(noun)} of" if many else f"is {article(noun)} {noun} of"
    if of_past(first) and not (rest and is_participle(first) and rest[-1] == "by"):
        return text
    return "" if words.nouns or not words.forward else words.forward[0]


def names_words(nodes: Sequence[Bound], language: Language) -> str:
    """Names as a list; with a comma before the last where one of them looks like a list."""
    names = list(dict.fromkeys(bound_words(node) for node in nodes))
    last = language.told.last
    if len(names) < 2:
        return "".join(names)
    lists = any(last in name or "," in name for name in names)
    comma = "," if lists and not last.startswith(",") else ""
    return f"{', '.join(names[:-1])}{comma}{last}{names[-1]}"


def _way(near: Mapping[str, Mapping[str, Triple]], start: str, end: str) -> list[str]:
    """The nodes on a shortest way, its ends too; only the start where there is none."""
    before = {start: start}
    waiting = [start]
    for node in waiting:
        for other in near[node]:
            if other not in before:
                before[other] = node
                waiting.append(other)
    way = [end] if end in before else [start]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]
