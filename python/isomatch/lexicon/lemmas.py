"""The forms of words by simplemma's dictionaries, for languages without rules of their own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Protocol

from isomatch.errors import ConfigurationError


class Morphology(Protocol):
    """The forms of the words of one language."""

    def singular(self, noun: str) -> str: ...
    def plural(self, noun: str) -> str: ...
    def is_verb(self, text: str) -> bool: ...
    def noun_forms(self, word: str) -> frozenset[str]: ...
    def verb_forms(self, word: str) -> frozenset[str]: ...
    def spelled(self, word: str) -> str: ...


@dataclass(frozen=True, slots=True)
class NameWords:
    """Words in the names of relations.

    Attributes:
        having: verbs that a noun may follow: "hat Leiter".
        being: those that a noun or a participle may follow: "ist Leiter von", "wird geleitet von".
        by: what stands between a participle and who did it.
        unchanged: what verbs begin with whose participle may be their infinitive: "beraten von".
    """

    having: Set[str]
    being: Set[str]
    by: Set[str]
    unchanged: Sequence[str]


class Lemmas:
    """The dictionary forms of a language's words.

    Args:
        code: of the language, as simplemma has it.
        infinitive: what its verbs end in there, the most usual first.
        present: what they end in in the names of relations.
        irregular: forms that the dictionary lacks, and what they are forms of.
        digraphs: what pairs of letters stand for in the names of relations: "oe" for "ö".
        capital_nouns: whether its nouns have a capital there: "Seen", and "sehen" for "seen".
        names: of relations, what else tells whether they are verbs.

    Raises:
        ConfigurationError: simplemma is not installed, or does not know the language.
    """

    def __init__(
        self,
        code: str,
        infinitive: Sequence[str],
        present: Sequence[str],
        irregular: Mapping[str, str],
        digraphs: Mapping[str, str],
        *,
        capital_nouns: bool,
        names: NameWords,
    ):
        try:
            from simplemma import is_known, lemmatize
        except ImportError as error:
            raise ConfigurationError(
                f"questions in the language {code!r} need the dictionaries of simplemma: "
                "pip install 'isomatch[languages]'"
            ) from error
        self._code = code
        self._infinitive, self._present = tuple(infinitive), tuple(present)
        self._irregular, self._digraphs = irregular, digraphs
        self._capital_nouns = capital_nouns
        self._names = names
        self._lemmatize, self._is_known = lemmatize, is_known
        try:
            lemmatize("a", lang=code)
        except ValueError as error:
            raise ConfigurationError(f"simplemma has no dictionary {code!r}: {error}") from error

    def singular(self, noun: str) -> str:
        """The dictionary form of a noun's last word, in lower case."""
        head, _, last = noun.rpartition(" ")
        return f"{head} {self._noun(last)}".strip()

    def plural(self, noun: str) -> str:
        """The noun itself: plurals have their dictionary form in common with it."""
        return noun

    def is_verb(self, text: str) -> bool:
        """Whether a relation's name says what its sources do: "liegt in", "gegründet"."""
        first, *rest = text.split()
        if rest and first.lower() in self._names.being:  # "ist Leiter von"
            return self.is_verb(" ".join(rest))
        if rest and first.lower() in self._names.having:
            return False
        lemma = self._verb(first)
        done = len(rest) == 1 and rest[0].lower() in self._names.by
        if done and first.startswith(tuple(self._names.unchanged)):
            return self._is_infinitive(lemma)  # "beraten von"
        noun = self._capital_nouns and text == first and self._is_noun(first)  # "betrag"
        return first[0].islower() and lemma != first and self._is_infinitive(lemma) and not noun

    def noun_forms(self, word: str) -> frozenset[str]:
        """What a word may be a form of as a noun."""
        return frozenset((self._noun(word), word.lower()))

    def verb_forms(self, word: str) -> frozenset[str]:
        """What a word may be a form of as a verb or an adjective."""
        return frozenset((self._verb(word).lower(),))

    def spelled(self, word: str) -> str:
        """A word with the letters that pairs of others stand for, where only this one is known."""
        found = word
        for pair, letter in self._digraphs.items():
            found = found.replace(pair, letter)
        known = found != word and not self._is_known(word, lang=self._code)
        return found if known and self._is_known(found, lang=self._code) else word

    def _noun(self, word: str) -> str:
        lemma = self._lemma(word.capitalize() if self._capital_nouns else word).lower()
        return lemma.replace("ß", "ss") if "ss" in word else lemma  # "Fluss": "Fluß" there

    def _verb(self, word: str) -> str:
        """As a verb or an adjective; of a regular verb that the dictionary lacks too."""
        lemma = self._lemma(word)
        if lemma != word:
            return lemma
        ending = next((end for end in self._present if word.endswith(end)), "")
        return word.removesuffix(ending) + "".join(self._infinitive[:1]) if ending else word

    def _lemma(self, word: str) -> str:
        return self._irregular.get(word) or str(self._lemmatize(word, lang=self._code))

    def _is_noun(self, word: str) -> bool:
        """Whether a word is in the dictionary with a capital, as it stands."""
        noun = word.capitalize()
        return bool(self._is_known(noun, lang=self._code)) and self._lemma(noun) == noun

    def _is_infinitive(self, lemma: str) -> bool:
        return lemma[0].islower() and lemma.endswith(self._infinitive)
