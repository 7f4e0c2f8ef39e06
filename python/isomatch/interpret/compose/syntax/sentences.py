"""Sentences that ask for nothing, or for what is not read, by how they begin."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import takewhile

from isomatch.interpret.compose.leaves.word_reader import WordReader
from isomatch.interpret.compose.sets.joins import Joins
from isomatch.interpret.compose.syntax.scopes import is_verb
from isomatch.interpret.words.content import Word, words_of
from isomatch.lexicon.language import Language
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mention import Mention

SEAM = ","  # before what stood before the sentence


class SentenceReader:
    """Tells the questions that are refused whatever their words mean.

    Args:
        joins: of the graph.
        reader: of single words.
        lexicon: words of relations.
    """

    def __init__(self, joins: Joins, reader: WordReader, lexicon: Lexicon):
        self._joins = joins
        self._reader = reader
        self._language = language = lexicon.language
        self._nouns = {
            form
            for words in lexicon.relations.values()
            for noun in (*words.nouns, *words.inverse_nouns)
            for form in language.noun_forms(noun)
        }

    def owner(self, question: str) -> list[str]:
        """The word that asks for what has some of a type, which is not read; empty for none.

        "Whose papers cite it" asks for no papers, but "whose brother is he" for whom he is.
        """
        words = words_of(question)[:2]
        if len(words) < 2 or words[0].text not in self._language.grammar.whose:
            return []
        noun = self._language.noun_forms(words[1].text)
        plain = self._joins.is_class(words[1].text) and noun.isdisjoint(self._nouns)
        return [question[words[0].start : words[0].end]] if plain else []

    def statement(self, question: str, names: Sequence[Mention]) -> list[str]:
        """The verb of a sentence that asks for nothing; empty for none.

        "Lagos is a country", "France borders Spain".
        """
        words, language = words_of(question), self._language
        asking, grammar = language.asking, language.grammar
        texts = [word.text for word in words]
        asks = asking.which | asking.who | asking.where | asking.when | asking.how | grammar.whose
        asks |= {word for phrase in language.operators.condition for word in phrase}  # "why"
        if not asks.isdisjoint(texts) or not asking.commands.isdisjoint(texts):
            return []
        if asking.whether.union(grammar.being).intersection(texts[:1]):
            return []
        told = takewhile(lambda w: w.text not in grammar.relative, words[:-1])
        verb = next((w for w in told if w.text in grammar.being), None)
        rest = [word.text for word in words if verb and word.start > verb.start]
        if verb and language.prepositions.issuperset(rest):
            return []  # "the country that Lagos is in"
        verb = verb or self._between_names(question, words, names)
        return [question[verb.start : verb.end]] if verb else []

    def _between_names(
        self, question: str, words: Sequence[Word], names: Sequence[Mention]
    ) -> Word | None:
        """A verb between two names that are the rest of a sentence."""
        small = self._language.prepositions | self._language.grammar.articles
        bare = [n for n, w in enumerate(words) if w.text not in small]
        named = {n for m in names if m.ids for n, w in enumerate(words) if covers(m, w)}
        apart = [n for n in bare if n not in named]
        if len(apart) != 1 or self._language.free_order or not bare[0] < apart[0] < bare[-1]:
            return None
        verb = any(is_verb(item) for _, item in self._reader.items(question, words, apart[0]))
        return words[apart[0]] if verb else None


def covers(mention: Mention, word: Word) -> bool:
    """Whether a word is a part of a mention."""
    return mention.start < word.end and word.start < mention.end


def gap_of(
    language: Language, words: Sequence[Word], start: int, end: int, idle: Set[int]
) -> list[str]:
    """The words between two places, with a possessive 's of the one before.

    Args:
        idle: places of words that say nothing there, as "number" before the name of a phone.
    """
    before = words[start - 1] if start else None
    owns = before and before.end - before.start > len(before.text)
    possessive = language.grammar.possessive if owns else ()
    said = language.grammar.designating | language.grammar.anything
    between = (
        word.text
        for place, word in enumerate(words[start:end], start)
        if not (place in idle and word.text in said)
    )
    small = language.grammar.already | {SEAM}
    return [*possessive, *(text for text in between if text not in small)]


def only_builds(words: Sequence[Word], place: int, language: Language) -> bool:
    """Whether an operator adds nothing: "how many different products", "they have in common".

    What is in common must be read as such all the same, see `Answering`.
    """
    grammar, word = language.grammar, words[place].text
    before = words[place - 1].text if place else ""
    counted = word in grammar.distinct and before in language.asking.before_kinds
    own = word in grammar.own and before in grammar.having | grammar.alike  # "as its capital"
    return counted or own or (word in grammar.shared and before in grammar.placing)


def unfronted(question: str, words: Sequence[Word], language: Language) -> list[Word]:
    """The words with what stands before the sentence behind it: "in 2019, which films".

    Offsets stay as they are. A comma between them keeps words apart that now stand side by side.
    """
    asking = language.asking
    asks = asking.which | asking.who | asking.how | asking.where | asking.when | asking.commands
    before = language.prepositions - language.grammar.lacking - language.grammar.owning
    first = next((n for n, word in enumerate(words) if word.text in asks), 0)
    apart = first > 1 and question[: words[first].start].rstrip().endswith(",")
    if not apart or words[0].text not in before:
        return [*words]
    comma = Word(SEAM, words[first - 1].end, words[first - 1].end + 1)
    return [*words[first:], comma, *words[:first]]


def named_again(words: Sequence[Word], named: Set[Word], language: Language) -> set[int]:
    """The places of pronouns for the name before a verb: "when did Ann sell her first house".

    Only before the first or last, which is so among what that verb says.
    """
    grammar = language.grammar
    firsts, found = grammar.first | grammar.last, set[int]()
    if language.auxiliaries.isdisjoint(word.text for word in words[1:2]):
        return found
    for place, word in enumerate(words[:-1]):
        subject, verb = words[2 : place - 1], words[place - 1].text
        own = word.text in grammar.own and words[place + 1].text in firsts
        if own and subject and named >= {*subject} and verb not in language.function_words:
            found.add(place)
    return found
