"""Which values of a program a question says by their own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from isomatch.interpret.programs.tree import value_step
from isomatch.interpret.words.content import words_of
from isomatch.lexicon.language import Language
from isomatch.trained.alignment import Program


class SpelledValues:
    """The words of the values that a model knows.

    Args:
        values: their tokens.
        language: of the questions.
    """

    def __init__(self, values: Iterable[str], language: Language):
        self._language = language
        self._forms = {
            token: frozenset(form for word in _words(token) for form in language.forms(word))
            for token in values
        }

    def found(self, question: str, program: Program) -> Mapping[str, str]:
        """The forms of the words of those values whose words a question has, with their tokens.

        "Theft from a person" says the value "Theft from the person", seen in training or not. So do
        some of the words, where no other value of the property has all of these: "penalty notice".
        The "not" of "not in the public interest" is the value's too, if it is the only one.
        """
        language = self._language
        said = Counter(word.text for word in words_of(question))
        forms = {form for word in said for form in language.forms(word)}
        found: dict[str, str] = {}
        for token in program:
            if token.startswith("value:"):
                words = _words(token)
                of = [language.forms(word) for word in sorted(words - language.function_words)]
                here = [one for one in of if not forms.isdisjoint(one)]
                whole = len(here) == len(of)
                if here and (whole or self._is_distinct(token, here)):
                    found |= {form: token for one in here for form in one}
                    small = words & language.function_words if whole else ()
                    found |= {word: token for word in small if said[word] == 1}
        return found

    def _is_distinct(self, value: str, words: Collection[Collection[str]]) -> bool:
        """Whether no other value of the property has all of some words."""
        property = value.partition("=")[0]
        others = [t for t in self._forms if t != value and t.partition("=")[0] == property]
        return bool(others) and not any(
            all(not self._forms[other].isdisjoint(word) for word in words) for other in others
        )


def _words(value: str) -> set[str]:
    return {word.text for word in words_of(value_step(value)[1])}
