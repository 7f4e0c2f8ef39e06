"""Words that a program of a trained model leaves out, and that an answer only tells of."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from isomatch.interpret.programs.slots import asked_nouns
from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.lexicon.folding import any_word
from isomatch.lexicon.language import Language
from isomatch.lexicon.mention import Mention
from isomatch.lexicon.substitutions import misspelled, spelling_notes
from isomatch.trained.alignment import NONE, OPERATORS, Alignment
from isomatch.trained.masking import heard


class ToldWords:
    """Tells words apart that hardly make another question.

    Args:
        said: what words were seen to say.
        language: of the questions.
    """

    def __init__(self, said: Alignment, language: Language):
        self._said = said
        self._language = language
        self._opposite = re.compile(
            rf"(?:{any_word(language.endings.opposite)})\w{{3}}", re.IGNORECASE
        )

    def new(self, question: str, spans: Sequence[Span], asked: Collection[int]) -> set[Span]:
        """Words that training had in one question at most, among words that have a place.

        Where other words say every relation of a program, these refused twenty right programs of
        held-back templates for each wrong one, and only a warning tells of them. Not of what is
        asked for, of names, of words that may mean the opposite of others, and of what ends a
        question, which may be a condition of its own: "how many crimes were solved".
        """
        between = self._between(question, spans, asked)
        return {span for span in between if span.kind == "word" and self.is_new(span.text)}

    def is_new(self, word: str) -> bool:
        """Whether training had a word in one question at most."""
        seen = seen_form(word.lower(), self._said, self._language)
        return seen not in self._said.shares or seen in self._said.rare

    def _between(
        self, question: str, spans: Sequence[Span], asked: Collection[int]
    ) -> Iterator[Span]:
        """Words without a place, among words that have one, which hardly say another question."""
        last = max((span.start for span in spans if span.meaning), default=0)
        asked = self._nouns(spans, asked)
        for span in spans:
            inside = not span.meaning and span.start < last
            if inside and not self._says_more(question, span, asked):
                yield span

    def _nouns(self, spans: Sequence[Span], asked: Collection[int]) -> Collection[int]:
        """Of words beside each other that say what is asked for, those that are no known verb.

        A word of several questions is one after a plural that has a place: "what emails
        corresponds to". Not a new one, which may be a condition: "how many officers retired".
        """
        singular = self._language.singular
        nouns = (s for s in spans if s.start in asked and s.meaning)
        plurals = (s.start for s in nouns if singular(s.text.lower()) != s.text.lower())
        end = min(plurals, default=None)
        known = {s.start for s in spans if end is not None and s.start > end}
        known -= {s.start for s in spans if self.is_new(s.text)}
        return [start for start in asked if start not in known]

    def _says_more(self, question: str, span: Span, asked: Collection[int]) -> bool:
        """Whether a word is a name, asked for, or may mean the opposite of another.

        Not what was seen to say a relation: "investigated" is no opposite.
        """
        is_name = span.start > 0 and question[span.start].isupper()
        of = self._said.shares.get(seen_form(span.text.lower(), self._said, self._language), {})
        mostly = max(of, key=lambda token: of[token], default=NONE)
        chooses = mostly in (NONE, *OPERATORS) or mostly.startswith("value:")
        opposite = self._opposite.match(span.text) is not None and chooses
        return is_name or span.start in asked or opposite

    def of_certain(self, question: str, read: Coverage) -> Coverage:
        """What a program accounts for that is nearly certain: such words are only told.

        Of ZOGRASCOPE's first programs with a score of 0.85 or more, by two models that had not
        learnt from the questions, 15 left out only words for relations, and all were right.
        """
        asked = [word.start for word in asked_nouns(question, self._language)]
        told = set(self._between(question, (*read.understood, *read.left_out), asked))
        left_out = (
            replace(span, kind="word") if span in told and span.kind == "relation" else span
            for span in read.left_out
        )
        return replace(read, left_out=tuple(left_out))

    def of_precedents(self, read: Coverage, like: Iterable[str]) -> Coverage:
        """What a program accounts for that some masked questions meant: their words are told."""
        known = {form for text in like for w in heard(text) for form in self._language.forms(w)}
        left_out = (
            replace(s, kind="word") if s.kind == "relation" and s.text.lower() in known else s
            for s in read.left_out
        )
        return replace(read, left_out=tuple(left_out))


def with_guesses(given: Hypothesis, names: Iterable[Mention], language: Language) -> Hypothesis:
    """The same, which says the names that words were taken for: "Ann", for "Ann Lee".

    A composed reading says its own.
    """
    texts = {node.text for pattern in given.pattern.patterns() for node in pattern.nodes}
    used = [m for m in names if m.is_guess and m.text in texts]
    if given.taken_for or not used:
        return given
    notes = (*given.notes, *spelling_notes(used, language))
    return replace(given, notes=notes, taken_for=misspelled(used))


def seen_form(word: str, said: Alignment, language: Language) -> str:
    """A word as it was learnt, perhaps in another form."""
    seen = said.shares
    forms = () if word in seen else sorted(language.forms(word))
    return next((form for form in forms if form in seen), word)
