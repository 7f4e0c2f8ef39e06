"""Relative clauses that end with their verbs: where they are, and the nouns that they describe.

In German "ein Buch, das von einem Autor geschrieben wurde, der in Bonn wohnt" the second clause
stands behind the verb of the first one, and not beside its noun. Commas, pronouns and articles tell
where each begins and ends, and what it describes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import takewhile

from isomatch.interpret.words.content import Word
from isomatch.lexicon.language import Language

PLURAL = "plural"


@dataclass(slots=True, eq=False)
class Clause:
    """A relative clause, or the sentence around all of them.

    Attributes:
        words: its own, without those of clauses inside.
        pronoun: how many of its words there are up to the relative pronoun.
        around: the clause that it stands in; None for the sentence.
        behind: the clause that ends right before it.
        joined: whether "and" joins it to that one, and it describes the same.
        inside: the clauses in it, by how many of its words stand before each.
        noun: the word in the clause around it that it describes; None where that is not known.
    """

    words: list[Word] = field(default_factory=list)
    pronoun: int = 0
    around: Clause | None = None
    behind: Clause | None = None
    joined: bool = False
    inside: list[tuple[int, Clause]] = field(default_factory=list)
    noun: Word | None = None

    def in_order(self) -> Iterator[Word]:
        """Its words, with those of clauses inside where these stand."""
        begin = 0
        for place, clause in self.inside:
            yield from self.words[begin:place]
            yield from clause.in_order()
            begin = place
        yield from self.words[begin:]

    def every(self) -> Iterator[Clause]:
        """The clauses inside, at any depth."""
        for _, clause in self.inside:
            yield clause
            yield from clause.every()

    def put(self, place: int, clause: Clause) -> None:
        """Have a clause inside, before one of the words."""
        if clause.around is not None:
            others = clause.around.inside
            others[:] = [(n, other) for n, other in others if other is not clause]
        clause.around = self
        self.inside.append((place, clause))
        self.inside.sort(key=lambda one: one[0])


class ClauseReader:
    """Finds the relative clauses of questions in a language whose clauses end with their verbs.

    Args:
        language: of the questions. One with a fixed order of words has no such clauses.
        is_noun: whether a word is called as a type or relation of the graph.
    """

    def __init__(self, language: Language, is_noun: Callable[[str], bool]):
        self._language, self._is_noun = language, is_noun
        self._grammar = grammar = language.grammar
        self._relative = grammar.relative | grammar.whose
        self._small = language.prepositions | grammar.any_article | grammar.relative
        self._small |= grammar.joining | grammar.choosing
        asking = language.asking
        self._asks = asking.which | asking.who | asking.how | asking.where | asking.when
        self._asks |= asking.commands

    def sentence(self, question: str, words: Sequence[Word]) -> Clause:
        """A question as the clauses that it has, each beside the noun that it describes."""
        if not self._language.free_order:
            return Clause([*words])
        words = self._named_as(question, words)
        whole = clause = Clause()
        found: list[Clause] = []
        for place, word in enumerate(words):
            comma = place > 0 and "," in question[words[place - 1].end : word.start]
            around, behind = clause.around, None
            ends = around is not None and self._is_complete(question, clause)
            joined = ends and not comma and self._is_joined(words, place)
            if around is not None and ends and (comma or joined):
                clause, behind = around, clause
                clause.words += [behind.words.pop()] if joined else []  # the "and"
            if (comma or joined) and (length := self._begins(words, place)):
                inner = Clause(pronoun=length, behind=behind, joined=joined)
                clause.put(len(clause.words), inner)
                found.append(inner)
                clause = inner
            clause.words.append(word)
        for one in found:
            self._attach(question, one)
        return whole

    def _named_as(self, question: str, words: Sequence[Word]) -> list[Word]:
        """The words with "have a translator named Max Nord" for "have Max Nord as translator".

        Only where the sentence or clause begins with those who have it.
        """
        grammar, texts = self._grammar, [word.text for word in words]
        at = next((n for n, text in enumerate(texts) if text in grammar.than), 0)
        noun, name = at + 1, at
        while noun < len(words) and texts[noun] in grammar.any_article | grammar.own:
            noun += 1
        while name and texts[name - 1] not in self._language.function_words:
            name -= 1
        if not (grammar.calling and 0 < name < at and noun < len(words)):
            return [*words]
        if not self._is_noun(texts[noun]):
            return [*words]
        if not all(question[words[n].start].isupper() for n in (noun, *range(name, at))):
            return [*words]
        said, ends = texts[name - 1], texts[noun + 1 : noun + 2]
        final = said in grammar.relative - grammar.object_pronouns - grammar.whose
        final = final and not grammar.having.isdisjoint(ends)
        if not (final or (said in grammar.having and self._is_subject(texts[: name - 1], said))):
            return [*words]
        named = Word(min(grammar.calling), words[at].start, words[at].end)
        return [
            *words[:name],
            *words[at + 1 : noun + 1],
            named,
            *words[name:at],
            *words[noun + 1 :],
        ]

    def _is_subject(self, words: Sequence[str], verb: str) -> bool:
        """Whether the words before "has" or "have" say who has something."""
        asking = self._language.asking
        if not words or not asking.objects.isdisjoint(words):
            return False
        if verb.endswith(self._language.endings.infinitive) or words[-1] in asking.subjects:
            return True
        accusative = {w for g in self._language.genders for w in g.oblique if w not in g.pronouns}
        one = self._language.singular(words[-1]) == words[-1]
        return len(words) > 1 and one and accusative.isdisjoint(words[-2:-1])

    def _is_joined(self, words: Sequence[Word], place: int) -> bool:
        """Whether a clause begins behind "and": "who lives in Kiel and who …"."""
        return words[place - 1].text in self._grammar.joining and self._begins(words, place) > 0

    def _begins(self, words: Sequence[Word], place: int) -> int:
        """How many words a clause begins with up to its pronoun; 0 where none begins."""
        texts = [word.text for word in words[place : place + 2]]
        length = 1 + (texts[0] in self._language.prepositions)
        pronoun = texts[length - 1 : length]
        if not pronoun or self._relative.isdisjoint(pronoun):
            return 0
        # "In Kiel, which people work there" asks so.
        asked = not self._asks.isdisjoint(word.text for word in words[:place])
        return length if asked or self._asks.isdisjoint(pronoun) else 0

    def _is_complete(self, question: str, clause: Clause) -> bool:
        """Whether the last word of a clause is its verb, and no noun or name; before an "and"."""
        last = next(w for w in reversed(clause.words) if w.text not in self._grammar.joining)
        return len(clause.words) > clause.pronoun and self._may_end(question, last)

    def _may_end(self, question: str, word: Word) -> bool:
        """Whether a word may be of the verbs at the end of a clause: "geleitet wird", "gibt es"."""
        return question[word.start].islower() and word.text not in self._small

    def _attach(self, question: str, clause: Clause) -> None:
        """Find the noun of a clause, and put the clause before the verbs behind that noun."""
        if clause.joined and clause.behind is not None and clause.behind.around is not None:
            clause.noun, beside = clause.behind.noun, clause.behind.around
            beside.put(next(n for n, one in beside.inside if one is clause.behind), clause)
            return
        host, end = clause.behind or clause.around, clause.around
        genders = self._described_by(clause)
        while host is not None:
            place = next((n for n, one in host.inside if one is clause), len(host.words))
            nouns = [
                n
                for n, word in enumerate(host.words[:place])
                if n >= host.pronoun and self._may_be_described(question, word)
            ]
            fitting = [n for n in nouns if genders & self._genders(question, host.words, n)]
            if fitting or (nouns and host is end and clause.behind is None):
                noun = max(fitting or nouns)
                clause.noun = host.words[noun]
                after = reversed(host.words[noun + 1 : place])
                verbs = [*takewhile(lambda word: self._may_end(question, word), after)]
                last = noun == max(nouns) and place - len(verbs) > noun
                host.put(place - len(verbs) if last else place, clause)
                return
            host = None if host is end else host.around

    def _may_be_described(self, question: str, word: Word) -> bool:
        """Whether a clause may describe a word: a noun of the graph, or "jemandem"."""
        if word.text in self._grammar.anything:
            return True
        return question[word.start].isupper() and self._is_noun(word.text)

    def _described_by(self, clause: Clause) -> Set[str]:
        """The genders that a clause may describe, by its pronoun and the number of its verb."""
        pronoun, after = clause.words[clause.pronoun - 1].text, clause.pronoun > 1
        genders = {
            one.name
            for one in self._language.genders
            if pronoun in (one.oblique_pronouns if after else one.pronouns)
        }
        one_does = clause.words[-1].text in self._grammar.singular
        subject = one_does and not after and self._grammar.whose.isdisjoint((pronoun,))
        return genders - {PLURAL} if subject else genders

    def _genders(self, question: str, words: Sequence[Word], noun: int) -> Set[str]:
        """The genders that a noun may have by the article before it; all where there is none."""
        genders = self._language.genders
        for place in range(noun - 1, max(-1, noun - 4), -1):
            word, before = words[place], words[place - 1] if place else None
            # After a noun its genitive follows, after many prepositions a dative.
            of = before is not None and place > 1 and question[before.start].isupper()
            placed = before is not None and before.text in self._language.prepositions
            found = {
                one.name
                for one in genders
                if word.text in (one.oblique if of or placed else one.articles)
            }
            if found:
                text = words[noun].text
                several = PLURAL in found and self._language.singular(text) != text
                return {PLURAL} if several else found
            if word.text in self._language.prepositions:
                break
        return {one.name for one in genders}
