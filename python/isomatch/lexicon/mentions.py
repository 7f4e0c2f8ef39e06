"""Which names of the graph a question mentions, by a trie of them.

Wherever a word begins, the trie has the names that the question goes on with, whatever
the size of the graph. It is part of the index, and memory-mapped
(`isomatch.link.name_table`); of an index without one, the names are cached as JSON, and
the trie is built from them at each start.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from pathlib import Path

from isomatch.files import read_cached, write_cached
from isomatch.lexicon.capitals import is_lowered, is_name_like, runs_of, said
from isomatch.lexicon.clock import clock_times
from isomatch.lexicon.folding import fold, fold_with_offsets, tokens
from isomatch.lexicon.language import Language, default_language
from isomatch.lexicon.mention import Mention, holds, is_part, maximal
from isomatch.lexicon.places import places_of
from isomatch.lexicon.plurals import MOST_PLURAL, may_be_noun, may_be_plural, one_of
from isomatch.link.name_table import MemoryTable, NameTable, NearName
from isomatch.pattern.identity import expanded, identity
from isomatch.schema.naming import LONGEST_NAME as LONGEST
from isomatch.store.terms import is_literal
from isomatch.texts import find_word, is_word

FILE = "names.json"
# 'the [Heat]', 'the "Heat"' or '"Heat,"', and the curly forms; single quotes are apostrophes.
_MARKED = re.compile(r"\[([^\[\]]+)\]|\"([^\"]+?),?\"|“([^“”]+?),?”|«([^«»]+?),?»")
_LONGEST_FORM = 18 * LONGEST  # folding makes up to 18 characters of one
_LEAST = 4  # letters of a name that an adjective may be of
_PARTICLES = 2  # words of a last name before the one with a capital: "de la Cruz"
_WORD = re.compile(r"[^\s,;:?!()]+")


class MentionFinder:
    """Finds the names of a graph in questions; texts over `LONGEST` characters are no names.

    Attributes:
        identify: ``<id>`` for a topic that names a node by its identity; any other topic
            as it is.
        language: of the questions.

    Args:
        names: (name, id) pairs, or what finds them by their letters.
        common: further words that are rarely meant as names (the lexicon's: "film", "directed").
        language: of the questions; None for English.

    Example:
        >>> finder = MentionFinder([("Heat", "m:1"), ("Michael Mann", "p:1")])
        >>> [m.text for m in finder.find("who directed heat")]
        ['Heat']
    """

    def __init__(
        self,
        names: Iterable[tuple[str, str]] | NameTable,
        common: Collection[str] = (),
        language: Language | None = None,
    ):
        self.language = language = language or default_language()
        self._names = names if isinstance(names, NameTable) else MemoryTable(names)
        usual = (*common, *language.function_words, *language.operators.words)
        self._common = {fold(word) for word in usual}
        self.identify: Callable[[str], str] = expanded
        self._spans = lru_cache(8)(self._all_spans)  # several readers look at each question

    @classmethod
    def open(
        cls,
        names: Iterable[tuple[str, str]] | Callable[[], Iterable[tuple[str, str]]],
        folder: Path | None,
        fingerprint: str,
        common: Collection[str] = (),
        language: Language | None = None,
    ) -> MentionFinder:
        """From the names kept in a folder if they are this graph's, else from ``names``.

        A callable is not called when the folder has them.
        """
        path = None if folder is None else folder / FILE
        cached = read_cached(
            path, fingerprint, lambda kept: list(zip(kept["names"], kept["ids"], strict=True))
        )
        if cached is not None:
            return cls(cached, common, language)
        given = names() if callable(names) else names
        pairs = [(name, id) for name, id in given if len(name) <= LONGEST]
        columns = {"names": [name for name, _ in pairs], "ids": [id for _, id in pairs]}
        write_cached(path, fingerprint, columns)
        return cls(pairs, common, language)

    def find(self, question: str) -> tuple[Mention, ...]:
        """The maximal mentions, in the order of the question.

        A mention is left out only when it lies inside another that fits the letters at
        least as well; overlapping ones all stay. Marked text is a mention even if the graph has no
        such name; beside it only names in the case of the graph or in no lower case count, and
        those around it. Function words and the lexicon's words count only when they are
        capitalised inside the sentence. Where nothing else is found, these count too; then
        capitalised words that the graph does not know, as the names that have them with a
        qualifier or are one edit away, or two where none is nearer and nothing there is a name.
        """
        found = self._spans(question)
        meant = [m for m in found if self._may_be_meant(m, question)]
        if marked := self._marked(question):
            whole = [m for m in meant if any(holds(m, o) and not o.ids for o in marked)]
            kept = [o for o in marked if not any(holds(m, o) for m in whole)]
            names = [m for m in meant if m.exact or not question[m.start].islower()]
            apart = [m for m in names if all(m.end <= o.start or o.end <= m.start for o in kept)]
            return tuple(maximal([*kept, *whole, *apart]))
        last = [m for m in found if not is_lowered(m.text, question[m.start : m.end])]
        return tuple(maximal([*meant, *self._guesses(question, found)] or last))

    def inside(self, question: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Names that lie inside mentions which `find` gave, in the order of the question.

        "Mississippi" in "Mississippi river" may be meant with the word beside it, but not "Halden"
        in "Halden University", where that is how a name is written.
        """
        if any(m.marked for m in mentions):
            return ()
        found = (m for m in self._spans(question) if self._may_be_meant(m, question))
        return tuple(
            m
            for m in found
            if m not in mentions
            and any(holds(o, m) for o in mentions)
            and not any(is_part(m, o, question) for o in mentions)
        )

    def values(self, question: str, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Values that are common words, beside names that `find` gave: "open", "vehicle crime"."""
        plain = self.language.function_words
        usual = plain | self.language.operators.words  # no song called "The Best"
        return tuple(
            m
            for m in self._spans(question)
            if all(map(is_literal, m.ids))
            and not (m in mentions or self._may_be_meant(m, question))
            if (m.exact and m.text.islower() and m.text not in plain)
            or (" " in m.text and not usual.issuperset(fold(m.text).split()))
        )

    def given(self, question: str, topics: Sequence[str]) -> tuple[Mention, ...]:
        """Mentions of entities that are known by name, in their order.

        The part of the question is where the name stands, whatever its case and
        accents; it is empty, at the end, where the question says it otherwise.
        """
        folded, offsets = fold_with_offsets(question)
        mentions = []
        for topic in map(self.identify, topics):
            if id := identity(topic):
                spans = [(m.start, m.end) for m in self._spans(question) if id in m.ids]
                start, end = spans[0] if spans else (len(question), len(question))
                mentions.append(Mention(topic, start, end, (id,), exact=True, marked=True))
                continue
            name = fold(topic)
            first = find_word(folded, name) if name else None
            if first is None:
                start = end = len(question)
            else:
                start, end = offsets[first], offsets[first + len(name) - 1] + 1
            same = self._names.of(name)
            if not same:
                mentions += self._misspelled(topic, start, end, marked=True)
            for text in [topic] if topic in same else same:
                ids = tuple(same[text])
                mentions.append(Mention(text, start, end, ids, exact=text == topic, marked=True))
        return tuple(mentions)

    def named(self, text: str, start: int, end: int) -> tuple[Mention, ...]:
        """The names that a text is, in any letter case, for a part of a question."""
        same = self._names.of(fold(text))
        return tuple(
            Mention(name, start, end, tuple(ids), exact=name == text) for name, ids in same.items()
        )

    def _marked(self, question: str) -> tuple[Mention, ...]:
        mentions = []
        for match in _MARKED.finditer(question):
            text = next(g for g in match.groups() if g is not None).strip()
            if text:
                mentions += self._named(text, match.start(), match.end(), marked=True)
        return tuple(mentions)

    def _named(self, text: str, start: int, end: int, *, marked: bool) -> list[Mention]:
        """The names that this text is; itself, without ids, where it is none."""
        same = self._names.of(fold(text))
        plain = text.replace("_", " ")
        exact = [name for name in same if name.replace("_", " ") == plain]
        # Written in lower case, a name may be any; else the writer chose the letters.
        fitting = exact if exact and plain != plain.lower() else same
        return [
            Mention(name, start, end, tuple(same[name]), name in exact, marked) for name in fitting
        ] or self._misspelled(text, start, end, marked=marked)

    def _misspelled(
        self, text: str, start: int, end: int, *, marked: bool, most: int = 2
    ) -> list[Mention]:
        """The names that a text may be meant for; the text itself where there is none."""
        near = self._names.corrections(text, most)
        if part := any(name.edits for name in near) or not near:
            near, part = (held, True) if (held := self._holding(text)) else (near, False)
        names = sorted(name.name for name in near)
        return [
            Mention(
                name,
                start,
                end,
                tuple(ids),
                marked=marked,
                written=text,
                edits=edits,
                part=part,
                rivals=tuple(other for other in names if other != name),
            )
            for edits, name, ids in sorted(near, key=lambda name: name.name)
        ] or [Mention(text, start, end, marked=marked)]

    def _holding(self, text: str) -> list[NearName]:
        """The names of nodes that a text is the first or last words of: "Ann" of "Ann Lee"."""
        if self._is_common(text) and not text[:1].isupper():
            return []
        form, articles = f" {fold(text)}", self.language.grammar.articles
        distinct = self.language.schemas.distinct  # New York is no York
        held = [(name, fold(name.name)) for name in self._names.holding(text)]
        before = [(name, f[: -len(form)].split() if f.endswith(form) else []) for name, f in held]
        whole = [name for name, words in before if words and articles.issuperset(words)]
        others = [name for name, words in before if distinct.isdisjoint(words)]
        return whole or [name for name in others if not any(map(is_literal, name.ids))]

    def _all_spans(self, question: str) -> tuple[Mention, ...]:
        folded, offsets = fold_with_offsets(question)
        mentions = []
        for end, first in sorted(self._places(folded)):
            alone = is_word(folded, first, end)
            for whole in [end] if alone else self._inflected(folded, first, end):
                start, last = offsets[first], offsets[end - 1] + 1
                named = self._named(question[start:last], start, last, marked=False)
                mentions += [replace(m, end=offsets[whole - 1] + 1) for m in named]
        others = (*self._plurals(question), *self._times(question))
        return (*mentions, *others, *self._also_called(question, folded, offsets))

    def _times(self, question: str) -> Iterator[Mention]:
        """Times of day that the graph writes otherwise: "18:00", of "6 PM"."""
        for start, end, forms in clock_times(question):
            named = (mention for form in forms for mention in self.named(form, start, end))
            yield from (m for m in named if all(map(is_literal, m.ids)))

    def _also_called(self, question: str, folded: str, offsets: Sequence[int]) -> Iterator[Mention]:
        """What the graph has by another name: "USA" where it has "United States"."""
        for names in self.language.same_names:
            for name in map(fold, names):
                first = find_word(folded, name)
                if first is not None and not self._names.of(name):
                    start, end = offsets[first], offsets[first + len(name) - 1] + 1
                    if name in self._common and not question[start:end].isupper():
                        continue  # "us", and not "US"
                    for other in names:
                        yield from self.named(other, start, end)

    def _plurals(self, question: str) -> Iterator[Mention]:
        """Names in lower case that the question has in the plural: "strikers", "meeting rooms"."""
        words = list(_WORD.finditer(question))
        for last, word in enumerate(words):
            if word[0] == self.language.singular(word[0]):
                continue
            for first in words[max(0, last + 1 - MOST_PLURAL) : last + 1]:
                start, end = first.start(), word.end()
                text, before = question[start:end], question[:start].lower().split()[-1:]
                text = text if before else text[:1].lower() + text[1:]
                one = one_of(text, self._names.of, self.language)
                named = text[0].isupper() and self._names.of(fold(text))  # "Nikes" themselves
                done = named or not self.language.asking.who.isdisjoint(before)  # no "who dances"
                if done or not text[0].isalnum() or (first == word and self._is_common(one)):
                    continue
                noun = " " in one or may_be_noun(question[:start], text, self.language)
                for name, ids in self._names.of(fold(one)).items():
                    several = len(ids) > 1 or all(map(is_literal, ids))
                    if may_be_plural(one, name, value=noun and several):
                        yield Mention(name, start, end, tuple(ids), plural=True)

    def _places(self, folded: str) -> Iterator[tuple[int, int]]:
        """End and start of each name that begins where a word may begin."""
        for first in range(len(folded)):
            if not (first and folded[first - 1].isalnum() and folded[first].isalnum()):
                for form in self._names.beginning(folded[first : first + _LONGEST_FORM]):
                    yield first + len(form), first

    def _inflected(self, folded: str, start: int, end: int) -> list[int]:
        """Where a name ends with an ending that the language puts to names: "Lorias"."""
        found = (end + len(e) for e in self.language.endings.names if folded.startswith(e, end))
        return [after for after in found if is_word(folded, start, after)]

    def _is_common(self, text: str) -> bool:
        return all(self._is_usual(w) or len(w) < 2 for w in fold(text).split())

    def _is_usual(self, word: str) -> bool:
        if fold(word) in self._common:
            return True
        inflected = self.language.forms(word.lower()) if self.language.capital_nouns else ()
        return any(fold(form) in self._common for form in inflected)

    def _may_be_meant(self, mention: Mention, question: str) -> bool:
        """Whether it is no common word, or one that is capitalised inside the sentence."""
        if not self._is_common(mention.text):
            return True
        if self.language.capital_nouns:
            return False
        inside = bool(question[: mention.start].strip())
        return mention.exact and inside and question[mention.start].isupper()

    def _guesses(self, question: str, found: Sequence[Mention]) -> list[Mention]:
        """What may be a name that the graph spells otherwise.

        Runs of capitalised words; where there is no name at all, the longest run of others.
        """
        words = list(_WORD.finditer(question))
        named = [m for m in found if not self._is_common(m.text)]
        runs = runs_of(words, lambda w: w[0][0].isupper() and self._may_name(question, w))
        if not runs and not named:
            runs = runs_of(words, lambda w: not all(map(self._is_usual, tokens(w[0]))))
            runs = sorted(runs, key=lambda run: run[0] - run[1])[:1]
        whole = [(first, last) for (first, _), (_, last) in combinations(runs, 2)]
        whole += runs_of(words[1:], lambda w: w[0][0].isupper())  # "The Thing", inside a sentence
        runs += [r for r in whole if r not in runs and self._names.qualified(said(question, *r))]
        guesses = self._adjectives(words)
        known = {m.start for m in guesses}
        for start, end in runs:
            if start in known or any(m.start <= start and end <= m.end for m in found):
                continue
            start = self._from_particle(question, start, end)
            text = said(question, start, end)
            inside = any(m.exact and m.start < end and start < m.end for m in named)
            near = self._misspelled(text, start, end, marked=False, most=1 if inside else 2)
            if self.language.capital_nouns and not near[0].ids:
                continue  # any noun that the lexicon lacks
            # A name inside may be all that is meant, but for a longer one that is misspelled.
            if near[0].ids or not inside:
                guesses += near
        return guesses

    def _may_name(self, question: str, word: re.Match[str]) -> bool:
        """Whether a word with a capital is no common one, or a part of a name: "Will", "May"."""
        common = self._is_usual(word[0])
        return not common or (
            is_name_like(question, word.start())
            and fold(word[0]) in self.language.function_words
            and bool(self._names.holding(said(question, *word.span())))
        )

    def _from_particle(self, question: str, start: int, end: int) -> int:
        """Where the last words of a name begin, if small words are before: "van Gogh"."""
        before = list(_WORD.finditer(question[:start]))[-_PARTICLES:]
        starts = [word.start() for word in before if word[0].islower()]
        held = (at for at in starts if self._names.holding(said(question, at, end)))
        return next(held, start)

    def _adjectives(self, words: Sequence[re.Match[str]]) -> list[Mention]:
        """Words before a word of the lexicon that are of a name: "European countries".

        Also where another thing has that name: Italian cities rather are in Italy.
        """
        adjectives, language, grammar = [], self.language, self.language.grammar
        joined = language.prepositions | grammar.of | grammar.any_article
        for word, following in zip(words, (*words[1:], None), strict=False):
            before = [w[0].lower() for w in words if w.start() < word.start()]
            if following:
                noun = following[0].lower()
                apart = noun in language.building or not self._is_usual(noun)
            else:  # "which of them are Irish", but "the capital of Irish"
                apart = grammar.being.isdisjoint(before) or not joined.isdisjoint(before[-1:])
            lower = word[0] == word[0].lower()
            if apart or lower != self.language.capital_nouns or self._is_usual(word[0]):
                continue
            adjectives += [
                Mention(name, *word.span(), tuple(ids), written=word[0], adjective=True)
                for place in places_of(word[0], self.language)
                if len(place) >= _LEAST
                for name, ids in self._names.of(place).items()
            ]
        return adjectives
