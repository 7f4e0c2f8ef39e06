"""What words that a lexicon lacks may mean: by the vectors of what they resemble."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import OfType
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.leaves.word_reader import WordReader
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.types import GUESSED
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import any_word, tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.rank import Ranker
from isomatch.schema.types import Relation

SIMILAR = 0.7
CLASS_WORD = 0.8  # names are near to what they are too: "euro" is 0.76 from "currency"
CLASS_WORDS = 0.7  # for a plural, which hardly is a name
ALIKE = 2  # relations that a word which the lexicon lacks may stand for
UNLIKE = 0.3
LONG = 6  # letters of a word that may be misspelled


class SimilarWords:
    """Finds what the words of questions resemble, over one graph.

    Args:
        kinds: of the graph.
        lexicon: words of relations and types.
        ranker: has the vectors.
        reader: of the words that the lexicon has.
    """

    def __init__(self, kinds: GraphKinds, lexicon: Lexicon, ranker: Ranker, reader: WordReader):
        self._kinds = kinds
        self._lexicon = lexicon
        self._language = language = lexicon.language
        self._ranker = ranker
        self._reader = reader
        self._opposite = re.compile(rf"({any_word(language.endings.opposite)})\w{{3}}")
        self._said = [(r.id, self._names_of(r)) for r in kinds.relations]

    def found(
        self, question: str, words: Sequence[Word], runs: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, int, Item]]:
        """What runs of words that the lexicon lacks resemble: relations, and types."""
        typed = [*self._misspelled(question, words, runs)]
        yield from typed
        places = {place for place, _, _ in typed}
        runs = [(place, length) for place, length in runs if place not in places]
        yield from self._relations(question, words, runs)
        yield from self._classes(question, words, runs)

    def _misspelled(
        self, question: str, words: Sequence[Word], runs: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, int, Item]]:
        """Words of the lexicon with a letter too few or too many in a double, or two swapped.

        Other letters make other words: a county is no country.
        """
        for place in (place for place, length in runs if length == 1):
            text = words[place].text
            one = self._language.singular(text)
            pairs = (one[:n] + one[n + 1] + one[n] + one[n + 2 :] for n in range(len(one) - 1))
            near = {*self._spelled.get(_without_doubles(one), ()), *pairs}
            entries = [e for form in sorted(near) for e in self._reader.phrases.get(form, ())]
            single = [v for said, last, v in entries if len(said) == 1 and not last]
            for value in dict.fromkeys(single) if len(text) >= LONG else ():
                if isinstance(value, (OfType, RelationWord)):
                    item = self._reader.known(question, words, place, 1, value)
                    spans = (replace(item.spans[0], likeness=GUESSED),)
                    yield place, 1, replace(item, score=item.score - UNLIKE, spans=spans)

    @cached_property
    def _spelled(self) -> Mapping[str, list[str]]:
        """The forms of words of the lexicon, by how they are without double letters."""
        found: dict[str, list[str]] = {}
        for form in self._reader.phrases:
            found.setdefault(_without_doubles(form), []).append(form)
        return found

    def _relations(
        self, question: str, words: Sequence[Word], runs: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, int, Item]]:
        """Relations that words which the lexicon lacks resemble, for runs of words."""
        present = self._language.schemas.present  # "current", which is no kind of thing
        runs = [(a, n) for a, n in runs if present.isdisjoint(w.text for w in words[a : a + n])]
        runs = [(a, n) for a, n in runs if not self._opposite.match(words[a].text)]
        runs = [(a, n) for a, n in runs if not self._reader.forms.is_class(words[a].text)]
        if not runs or not self._said or not self._language.similar_words:
            return
        texts = [" ".join(w.text for w in words[a : a + n]) for a, n in runs]
        said = [phrase for _, phrases in self._said for phrase in phrases]
        similar = self._ranker.vectors(texts) @ self._ranker.vectors(said).T
        for number, (place, length) in enumerate(runs):
            at, scores = 0, []
            for relation, phrases in self._said:
                best = at + int(similar[number, at : at + len(phrases)].argmax())
                scores.append((float(similar[number, best]), relation, said[best]))
                at += len(phrases)
            said_whole = [s for s in scores if self._says_all(words[place].text, s[1])]
            scores = sorted(said_whole or scores, key=lambda s: (-s[0], s[1]))
            vague = words[place].text in self._language.grammar.vague
            for cosine, relation, phrase in self._alike(scores):
                turned = self._reader.forms.is_turned(words, place, length, relation)
                turned = turned or self._leads_here(words, place + length, relation)
                if cosine >= SIMILAR and not (turned or (vague and self._kinds.rivals(relation))):
                    back = phrase in self._lexicon.relations[relation].inverse_nouns
                    value = RelationWord(relation, "inverse noun" if back else "noun")
                    item = self._reader.known(question, words, place, length, value)
                    if not self._reader.forms.is_state(words, place, value):
                        spans = (replace(item.spans[0], likeness=cosine),)
                        score = cosine - 1.0 - UNLIKE
                        yield place, length, replace(item, score=score, spans=spans)

    def _alike(self, scores: Sequence[tuple[float, str, str]]) -> Iterator[tuple[float, str, str]]:
        """The nearest relations; as near as the first are those that are the same of other ones.

        "Diagnosed with" says neither the "first diagnosis" nor the "other diagnosis".
        """
        ends = [(self._kinds.ends(Step(id)), self._last_word(id)) for _, id, _ in scores]
        for place, (cosine, relation, phrase) in enumerate(scores):
            same = ends[place] == ends[0]
            if place < ALIKE or same:
                yield scores[0][0] if same else cosine, relation, phrase

    def _says_all(self, word: str, relation: str) -> bool:
        """Whether the parts of a word say all words of a relation: "co-sponsored"."""
        parts, name = word.split("-"), tokens(self._kinds.schema.by_id[relation].text)
        forms = self._language.forms
        same = (not forms(a).isdisjoint(forms(b)) for a, b in zip(parts, name, strict=False))
        return 1 < len(parts) == len(name) and all(same)

    def _last_word(self, relation: str) -> str:
        return tokens(self._kinds.schema.by_id[relation].text)[-1]

    def _names_of(self, relation: Relation) -> list[str]:
        """What a relation is called, without the classes of its ends."""
        return [relation.text, *self._lexicon.relations[relation.id].phrases()]

    def _leads_here(self, words: Sequence[Word], end: int, relation: str) -> bool:
        """Whether what follows "of" is what a relation leads to: "mother of Ann", of "parent of".

        But "whom is she the mother of" asks for that.
        """
        of = self._language.grammar.of
        name = tokens(self._kinds.schema.by_id[relation].text)
        return end < len(words) and {words[end - 1].text, name[-1]} <= of

    def _classes(
        self, question: str, words: Sequence[Word], runs: Sequence[tuple[int, int]]
    ) -> Iterator[tuple[int, int, Item]]:
        """Types that words which the lexicon lacks resemble: "films" where there are movies."""
        types = list(self._lexicon.types.items())
        singular = self._language.singular
        runs = [(a, n) for a, n in runs if not self._reader.forms.is_idiom(words, a, n)]
        runs = [(a, n) for a, n in runs if not self._reader.forms.is_head_of_several(words[a].text)]
        if not types or not runs or not self._language.similar_words:
            return
        rows = self._ranker.vectors([singular(words[place].text) for place, _ in runs])
        similar = rows @ self._ranker.vectors([t.word for _, t in types]).T
        for (place, length), row in zip(runs, similar, strict=True):
            best = int(row.argmax())
            word = words[place].text
            if length == 1 and row[best] >= (CLASS_WORDS if singular(word) != word else CLASS_WORD):
                type_id = types[best][0]
                value = OfType(type_id, self._kinds.of_type(type_id))
                item = self._reader.known(question, words, place, 1, value)
                cost = UNLIKE + 1.0 - float(row[best])
                yield place, length, replace(item, score=-cost)


def _without_doubles(text: str) -> str:
    return re.sub(r"(.)\1", r"\1", text)
