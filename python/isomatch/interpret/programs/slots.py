"""The names and values of a question that a program may take, and the text without them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise, takewhile

from isomatch.chains.graph import ChainGraph
from isomatch.interpret.compose.expressions import Named
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.lexical.constants import constant
from isomatch.interpret.compose.sets.names import named_sets
from isomatch.interpret.programs.tokens import Slot
from isomatch.interpret.types import Span
from isomatch.interpret.words.content import Word, is_relative, left_unread, words_of
from isomatch.lexicon.english import singular
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.mention import Mention
from isomatch.lexicon.mentions import MentionFinder
from isomatch.link.normalise import value_of
from isomatch.trained.program_vocabulary import MOST_SLOTS

_DATE = re.compile(
    r"\b(?:(?P<y1>\d{4})[-/.](?P<m1>\d{1,2})[-/.](?P<d1>\d{1,2})"
    r"|(?P<d2>\d{1,2})[-/.](?P<m2>\d{1,2})[-/.](?P<y2>\d{4}))\b"
)
_TIME = re.compile(
    r"\b(?P<h>\d{1,2})(?:(?P<sign>[:.])(?P<m>\d{2}))?(?P<s>:\d{2})?(?:\s*(?P<half>[ap])\.?m\b\.?)?(?![:\d])",
    re.IGNORECASE,
)
_MARKS = re.compile(r"[\[\]\"“”«»]")
_WORD = re.compile(r"[^\W_][\w'’-]*")
MOST_WORDS = 5
"""Of a name that may stand in the plural."""
_MASKED = re.compile(r"\[\d+ [^\]]*\]")
_NUMBER = re.compile(r"\b\d+(?:\.\d+)?\b")


class SlotFinder:
    """Finds the names and values of questions over one graph.

    Args:
        kinds: of the graph.
        mentions: its names.
        language: of the questions, for dates in words.
    """

    def __init__(self, kinds: GraphKinds, mentions: MentionFinder, language: Language):
        self._kinds = kinds
        self._mentions = mentions
        self._language = language

    def find(
        self, question: str, graph: ChainGraph, topics: Sequence[str] | None = None
    ) -> tuple[Slot, ...]:
        """The names and values, in the order of the question, `MOST_SLOTS` at most.

        Dates and times are found in any notation that the graph's own may have, plurals as what
        they are of. Of two that overlap the longer one is taken.
        """
        finder = self._mentions
        if topics is None:
            plain = _MARKS.sub(" ", question)  # else only what is marked would be found
            named = finder.find(plain)
            inner = finder.inside(plain, named)
            found = [*named, *inner, *self._dates(plain), *self._times(plain)]
            found += self._plurals(plain)
        else:
            found = list(finder.given(question, topics))
        groups: dict[tuple[int, int], list[Mention]] = {}
        for mention in found:
            if mention.ids and not self._is_other_word(mention, question):
                groups.setdefault((mention.start, mention.end), []).append(mention)
        slots: list[Slot] = []
        for (start, end), some in sorted(groups.items(), key=_length):
            if all(end <= s.start or s.end <= start for s in slots):
                slot = self._slot(start, end, some, graph)
                typed = self._typed(question, slot, groups, graph)
                slot = replace(slot, variants=(*typed, *slot.variants))
                if slot.variants or slot.constant:
                    slots.append(slot)
        for match in _NUMBER.finditer(question):
            start, end = match.span()
            if all(end <= s.start or s.end <= start for s in slots):
                named = finder.named(match[0], start, end) or (Mention(match[0], start, end),)
                slots.append(self._slot(start, end, named, graph))
        return tuple(sorted(slots, key=lambda s: s.start)[:MOST_SLOTS])

    def _slot(self, start: int, end: int, mentions: Sequence[Mention], graph: ChainGraph) -> Slot:
        found = [
            (cost, number, named)
            for number, mention in enumerate(mentions)
            for named, cost in named_sets(self._kinds, mention, graph)
        ]
        text = mentions[0].text
        value = value_of(text)
        variants = dict.fromkeys(named for _, _, named in sorted(found, key=lambda f: f[:2]))
        return Slot(start, end, text, tuple(variants), value.number is not None or bool(value.iso))

    def _typed(
        self,
        question: str,
        slot: Slot,
        groups: Mapping[tuple[int, int], Sequence[Mention]],
        graph: ChainGraph,
    ) -> Iterator[Named]:
        """What a name without the word for its type may stand for.

        "Colorado river" is the river Colorado, whatever else has the whole name.
        """
        types = self._kinds.type_texts
        for (start, end), mentions in sorted(groups.items()):
            if not (
                slot.start <= start and end <= slot.end and end - start < slot.end - slot.start
            ):
                continue
            beside = f"{question[slot.start : start]} {question[end : slot.end]}".split()
            words = " ".join(map(singular, map(str.lower, beside)))
            for mention in mentions if words in types.values() else ():
                for named, _ in named_sets(self._kinds, mention, graph):
                    if any(types.get(kind) == words for kind in named.kinds):
                        yield named

    def _dates(self, question: str) -> Iterator[Mention]:
        """Dates as the graph writes them."""
        for match in _DATE.finditer(question):
            parts = {k[0]: int(v) for k, v in match.groupdict().items() if v is not None}
            for text in _notations(parts["d"], parts["m"], parts["y"]):
                yield from self._mentions.named(text, *match.span())
        words = words_of(question)
        for place, word in enumerate(words):
            said = constant(words, place, self._language)
            if said is None or said[0] == 1 or word.text in self._language.grammar.articles:
                continue
            if day := _DATE.fullmatch(said[2]):  # in words, "August 19, 2017"
                end = words[place + said[0] - 1].end
                for text in _notations(int(day["d1"]), int(day["m1"]), int(day["y1"])):
                    yield from self._mentions.named(text, word.start, end)

    def _times(self, question: str) -> Iterator[Mention]:
        """Times of the day as the graph writes them: "8:21 PM", "6 pm" and "8:01"."""
        for match in _TIME.finditer(question):
            if match["half"] or match["sign"] == ":":  # "5.30" is mostly a number
                for text in _clocks(match):
                    yield from self._mentions.named(text, *match.span())

    def _plurals(self, question: str) -> Iterator[Mention]:
        """Names that the question has in the plural: "Stephanies", "vehicle crimes"."""
        words = list(_WORD.finditer(question))
        for last, match in enumerate(words):
            ends = {singular(match[0]), match[0].removesuffix("s"), match[0].removesuffix("es")}
            for first in range(max(0, last - MOST_WORDS + 1), last + 1):
                start, end = words[first].start(), match.end()
                several = first < last
                if several or match[0][0].isupper() or match[0][-2:-1].isdigit():
                    for one in sorted(ends - {match[0]}):
                        text = question[start : match.start()] + one
                        found = self._mentions.named(text, start, end)
                        yield from (m for m in found if several or (m.exact and len(text) > 2))

    def _is_other_word(self, mention: Mention, question: str) -> bool:
        """Whether a name was found for a word of the language, or one of other letters.

        As "is", for a car that is an "IS", or "I"; and "probed", which is written small.
        """
        word = question[mention.start : mention.end]
        if word.lower() in self._language.function_words and (word.islower() or len(word) == 1):
            return True
        return mention.written is not None and not mention.adjective and word.islower()


def masked(question: str, slots: Sequence[Slot], kinds: GraphKinds) -> str:
    """The question with what each name is in its place: "[0 person surname]"."""
    parts, at = [], 0
    for number, slot in enumerate(slots):
        parts += [question[at : slot.start], f"[{number} {kind_words(slot, kinds)}]"]
        at = slot.end
    return "".join([*parts, question[at:]])


def unmasked(text: str) -> str:
    """A question that `masked` has masked, without its names; "@" is where they were."""
    return _MASKED.sub(" @ ", text)


def asked_nouns(text: str, language: Language, *, described: bool = False) -> list[Word]:
    """The words beside each other that say what a question asks for, the first one first.

    As "ongoing" and "cases" in "how many ongoing cases"; empty where none are seen.

    Args:
        text: the question, see `unmasked`. What a name describes is not looked at: "how many @
            who live in".
        described: whether to look at it where the name is directly before: "how many @ cars".
    """
    words, idle = words_of(text), language.function_words
    start = _after_asking(words, language)
    first = next((n for n in range(start, len(words)) if words[n].text not in idle), len(words))
    if first == len(words):
        return []
    before = words[first - 1].end
    far, near = text[words[start - 1].end : before], text[before : words[first].start]
    if "@" in far or ("@" in near and not described):
        return []
    return list(takewhile(lambda w: w.text not in idle, words[first:]))


def _after_asking(words: Sequence[Word], language: Language) -> int:
    """The place after the words that ask: "which", "how many", "what is the number of"."""
    counts = [(a.text, b.text) in language.operators.count for a, b in pairwise(words)] + [False]
    which, idle = language.asking.which, language.function_words
    asks = (w.text in which and not is_relative(words, n, language) for n, w in enumerate(words))
    start = next((n for n, one in enumerate(zip(asks, counts, strict=False)) if any(one)), None)
    if start is None:
        return len(words)
    after = next((n for n in range(start + 1, len(words)) if words[n].text not in idle), start)
    last = after if counts[after] else start
    return last + (2 if counts[last] else 1)


def phrases(text: str, language: Language) -> Iterator[tuple[str, Span | None]]:
    """The words of a question without its names, with the span of each that has content.

    Those that mean something together are one: "number of".
    """
    words, place = words_of(text), 0
    while place < len(words):
        length, span = left_unread(text, words, place, language)
        yield " ".join(word.text for word in words[place : place + length]), span
        place += length


def kind_words(slot: Slot, kinds: GraphKinds) -> str:
    """The types of a name, or the relations whose value it is, two at most."""
    words: list[str] = []
    types = kinds.type_texts
    for variant in slot.variants:
        values = sorted(
            s.relation for s in variant.steps if s.back and kinds.gives_value(s.relation)
        )
        named = [types[k] for k in sorted(variant.kinds) if k in types]
        words += [kinds.schema.by_id[r].text for r in values] or named
    # In one order, for the same kinds are then one word to a model.
    return " or ".join(sorted(list(dict.fromkeys(words))[:2])) or "value"


def _notations(day: int, month: int, year: int) -> Iterator[str]:
    """The ways to write a date; of one that does not exist, with day and month exchanged."""
    for d, m in ((day, month), (month, day)):
        try:
            date(year, m, d)
        except ValueError:
            continue
        for sign in "/.-":
            for form in ("{d:02}{s}{m:02}{s}{y}", "{d}{s}{m:02}{s}{y}", "{d}{s}{m}{s}{y}"):
                yield form.format(d=d, m=m, y=year, s=sign)
        yield f"{year}-{m:02}-{d:02}"
        return


def _clocks(time: re.Match[str]) -> Iterator[str]:
    """The ways to write a time of the day, the hours from 0 to 23; none where it is none."""
    hour, minute = int(time["h"]), time["m"] or "00"
    if half := time["half"]:
        hour = hour % 12 + (12 if half in "pP" else 0) if 1 <= hour <= 12 else 24
    if hour < 24 and int(minute) < 60:
        for text in (f"{hour:02}:{minute}", f"{hour}:{minute}"):
            yield f"{text}{time['s'] or ''}"
            if not time["s"]:
                yield f"{text}:00"


def _length(group: tuple[tuple[int, int], list[Mention]]) -> tuple[bool, int, int]:
    """Longer ones first, but those of other letters last."""
    (start, end), mentions = group
    return all(m.written for m in mentions), start - end, start


def named_values(question: str, kinds: GraphKinds) -> set[str]:
    """The relations to values whose names of several words a question has: "call times".

    But a name or value after them is one of these: "call time 10:45".

    Args:
        question: with ``@`` in place of names and values.
    """
    language = kinds.language
    texts = [language.singular(word) for word in re.findall(r"\w+|@", question.lower())]
    names = (
        (relation.id, tokens(language.spelled(relation.text)))
        for relation in kinds.relations
        if kinds.gives_value(relation.id)
    )
    return {
        relation
        for relation, name in names
        for end in range(len(name), len(texts) + 1)
        if len(name) > 1 and texts[end - len(name) : end] == name and "@" not in texts[end:][:2]
    }
