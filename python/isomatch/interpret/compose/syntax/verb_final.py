"""What the clauses of a question that end with their verbs tell of its parts.

"Der in Bonn wohnt" says what "who lives in Bonn" does: a clause is one part, beside its noun, and
its small words join as if its verb came first.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import takewhile

from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.voice import beside_verb, beside_verb_of_clause
from isomatch.interpret.compose.syntax.relative_clauses import Clause, ClauseReader
from isomatch.interpret.compose.syntax.scopes import Leaves
from isomatch.interpret.compose.syntax.sentences import gap_of
from isomatch.interpret.words.content import Word, words_of
from isomatch.lexicon.language import Language


class VerbFinalClauses:
    """The clauses of one question; it has none in a language whose verbs come first.

    Args:
        question: as it is written; one without clauses is left as it is.
        reader: finds its clauses.
        language: of the question.
    """

    def __init__(self, question: str, reader: ClauseReader, language: Language):
        self._question = question
        self._sentence = reader.sentence(question, words_of(question))
        self._language, self._grammar = language, language.grammar

    def words(self) -> list[Word]:
        """The words, with each clause beside the noun that it describes."""
        return [*self._sentence.in_order()]

    def inside(self) -> Set[int]:
        """Where in the question the words of relative clauses begin."""
        return {word.start for clause in self._sentence.every() for word in clause.words}

    def bars(
        self, words: Sequence[Word], leaves: Leaves, places: Sequence[int]
    ) -> set[tuple[int, int]]:
        """The stretches that are no parts of the question, as they are across its clauses.

        Those are such that end inside a clause or begin there, and those that end with the noun
        that a clause describes, but begin before it. So are those that end between an auxiliary
        and the verb that the sentence ends with: "are written by Ann" is one part.

        Args:
            places: those of the words that are no function words.

        Returns:
            Numbers of places: of the first, and of the one behind the last.
        """
        at = {word: place for place, word in enumerate(words)}
        barred: set[tuple[int, int]] = set()
        if phrase := self._verb_phrase():
            start, end = (bisect_left(places, at[word]) for word in phrase)
            within = range(start + 1, end + 1)
            barred |= {(first, last) for first in range(start) for last in within}
            parts = self._parts(words, leaves, places, (start, end))
            barred |= {(first, end + 1) for first in parts}
        for clause in self._sentence.every():
            said = [at[word] for word in clause.in_order()]
            start, end = (bisect_left(places, place) for place in (min(said), max(said) + 1))
            if start == end:
                continue
            within, behind = range(start + 1, end), range(end + 1, len(places) + 1)
            barred |= {(first, last) for first in range(start) for last in within}
            barred |= {(first, last) for first in within for last in behind}
            parts = self._parts(words, leaves, places, (start, end - 1))
            barred |= {(first, end) for first in parts}
            if clause.words[clause.pronoun - 1].text in self._grammar.whose:
                owned = max((b for a, b in leaves if a == places[start]), default=places[start])
                subject = bisect_left(places, owned)
                barred |= {(start, last) for last in range(subject + 1, end)}
            if clause.noun is None:
                continue
            place = at[clause.noun]
            first = min((a for a, b in leaves if a <= place < b), default=place)
            noun = bisect_left(places, first)
            if noun < start:
                whole = self._noun_phrase(noun, leaves, places)
                barred |= {(first, last) for first in range(whole + 1, noun + 1) for last in behind}
                barred |= {(first, start) for first in range(noun)}
                barred |= {(first, end) for first in range(noun + 1, start)}
                barred |= {(start, last) for last in behind}
        return barred

    def _parts(
        self,
        words: Sequence[Word],
        leaves: Leaves,
        places: Sequence[int],
        phrase: tuple[int, int],
    ) -> Iterator[int]:
        """Where what belongs to the noun before it begins, before the verb at the end.

        In "by the mentor of Ann represented" the mentor represents somebody, and not Ann, and in
        "by the oldest person represented" the person is the oldest of all.

        Args:
            phrase: numbers of places, of the first word and of the verb.
        """
        (start, verb), grammar = phrase, self._grammar
        begin = places[start - 1] + 1 if start else 0
        passive = not grammar.passive.isdisjoint(word.text for word in words[begin:])
        agent = not grammar.by.isdisjoint(word.text for word in words[begin : places[start]])
        begun = {clause.words[0] for clause in self._sentence.every()}
        for number in range(start + 1, verb):
            before = words[places[number - 1] + 1 : places[number]]
            of = before[0].text if before and begun.isdisjoint(before) else ""
            owner = of in grammar.of and (of not in grammar.by or agent or not passive)
            if owner or self._noun_phrase(number, leaves, places) < number:
                yield number
            agent |= of in grammar.by

    def _noun_phrase(self, noun: int, leaves: Leaves, places: Sequence[int]) -> int:
        """The number of the place where a noun phrase begins: at "oldest" before "captain"."""
        while noun and places[noun - 1] + 1 == places[noun]:
            before = [i for at, items in leaves.items() if at[0] == places[noun - 1] for i in items]
            if not any(item.category == "superlative" for item in before):
                break
            noun -= 1
        return noun

    def _verb_phrase(self) -> tuple[Word, Word] | None:
        """The first word behind an auxiliary, and the verb that the sentence ends with."""
        words, language = self._sentence.words, self._language
        small = language.auxiliaries | self._grammar.been | self._grammar.being
        begin = next((n + 1 for n, word in enumerate(words[:-1]) if n and word.text in small), 0)
        passive = begin and words[begin - 1].text in self._grammar.passive
        if not (passive or (self._sentence.inside and begin)) or begin + 1 >= len(words):
            return None
        last = words[-1]
        verb = self._question[last.start].islower() and last.text not in language.function_words
        return (words[begin], last) if verb else None

    def gaps(self, words: Sequence[Word], places: Sequence[int], idle: Set[int]) -> list[list[str]]:
        """The function words before each place, in clauses as if their verbs came first.

        The "in" of "who lives in Kiel" does not join the clause to its noun, and "has" and "is"
        stand before what somebody has or is.

        Args:
            idle: as `gap_of` has it.
        """
        grammar, before = self._grammar, [-1, *places]
        found = [
            gap_of(self._language, words, last + 1, place, idle)
            for last, place in zip(before, places, strict=False)
        ]
        at = {word: place for place, word in enumerate(words)}
        if phrase := self._verb_phrase():  # "have written a book" does not say that they have it
            number = bisect_left(places, at[phrase[0]])
            found[number] = [word for word in found[number] if word not in grammar.having]
        for clause in self._sentence.every():
            number = bisect_left(places, at[clause.words[0]])
            *first, pronoun = (word.text for word in clause.words[: clause.pronoun])
            owned = pronoun in grammar.whose
            if number + owned >= len(places) or len(clause.words) <= clause.pronoun + owned:
                continue
            verb = self._small_verb(clause)
            if owned:
                found[number] = [*first, pronoun]
                if places[number] == at[clause.words[clause.pronoun]]:
                    articles = self._articles(found[number + 1]) if verb else ()
                    found[number + 1] = [*verb, *articles]
            elif (
                grammar.calling and clause.words[-1].text in grammar.bearing
            ):  # "who is called Kiel"
                found[number] = [*first, min(grammar.calling)]
            else:
                said = (word.text for word in clause.words[clause.pronoun :])
                articles = self._articles(said) if verb else ()
                found[number] = [*first, self._plain(pronoun), *verb, *articles]
        return found

    def _articles(self, words: Iterable[str]) -> list[str]:
        return [*takewhile(self._grammar.any_article.__contains__, words)]

    def _small_verb(self, clause: Clause) -> list[str]:
        """ "Has" or "is" at the end of a clause, where these are all of its verb."""
        *_, before, last = clause.words
        alone = self._question[before.start].isupper() or not before.text.isalpha()
        small = self._grammar.having | self._grammar.being
        return [last.text] if alone and last.text in small else []

    def _plain(self, pronoun: str) -> str:
        """A relative pronoun that is no article as well."""
        grammar = self._grammar
        others = grammar.any_article | grammar.whose | self._language.asking.which
        return min(grammar.relative - others, default=pronoun)

    def with_voices(
        self, words: Sequence[Word], leaves: Leaves
    ) -> dict[tuple[int, int], list[Item]]:
        """The leaves, with what is beside the verbs of clauses as these say what it is to them."""
        found = {at: [*items] for at, items in leaves.items()}
        for at, items in found.items() if self._sentence.inside else ():
            clause = self._around(words[at[0]])
            of = beside_verb if clause is self._sentence else beside_verb_of_clause
            beside = of(clause.words, clause.words.index(words[at[0]]), self._language)
            found[at] = [
                replace(item, value=replace(item.value, beside=beside))
                if item.category == "relation"
                else item
                for item in items
            ]
        return found

    def _around(self, word: Word) -> Clause:
        """The innermost clause that a word is in."""
        every = self._sentence.every()
        return next((clause for clause in every if word in clause.words), self._sentence)
