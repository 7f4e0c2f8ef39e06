"""What the words of a question are by themselves, whatever a reading makes of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from typing import TypeAlias

from isomatch.errors import InterpretationError
from isomatch.interpret.types import Span, SpanKind
from isomatch.interpret.words.universal import asks_for_each
from isomatch.lexicon.capitals import is_name_like
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.link.normalise import value_of
from isomatch.texts import shortened

_WORD = re.compile(r"[^\W_]+(?:[.,\-'’][^\W_]+)*")
_SHORTENED = {"wo": "will", "ca": "can", "sha": "shall"}  # before "n't"


MOST_WORDS = 200
"""Longer questions are refused."""
LONGEST_SHOWN = 200  # characters of a question in a message
MOST_LISTED = 10  # words there that have no place

Unread: TypeAlias = tuple[int, Span | None]
"""How many words there are that nothing is made of, and these; None for words without content."""


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question.

    Attributes:
        text: in lower case, with straight apostrophes, without a possessive 's.
        start, end: offsets into the question.
    """

    text: str
    start: int
    end: int


def words_of(question: str) -> list[Word]:
    """The words of a question, in their order; "aren't" are two of its offsets, "are" and "not"."""
    return [*_words_of(question)]


@lru_cache(64)  # each check of a reading asks for them
def _words_of(question: str) -> tuple[Word, ...]:
    words = list[Word]()
    for match in _WORD.finditer(question):
        text = match[0].lower().replace("’", "'").removesuffix("'s")
        verb = text.removesuffix("n't")
        parts = [text] if verb == text else [_SHORTENED.get(verb, verb), "not"]
        words += [Word(part, match.start(), match.end()) for part in parts]
    return tuple(words)


def is_request(texts: Sequence[str], language: Language) -> bool:
    """Whether the first word asks for something: "state the names", and not "state with"."""
    word, after = [*texts[:2], "", ""][:2]
    noun = word in language.asking.requests and after in language.prepositions
    return word in language.asking.commands | language.asking.requests and not noun


def is_letter(question: str, word: Word) -> bool:
    """Whether a word is one capital letter inside a question, and so a name: "vitamin A"."""
    text = question[word.start : word.end]
    alone = len(text) == 1 and text.isupper() and text != "I" and word.start > 0
    return alone and question != question.upper()


def is_small_name(question: str, word: Word, language: Language) -> bool:
    """Whether capitals make a name of a word that else builds sentences: "US", "Will", "vitamin A".

    But "The Matrix" is often called Matrix.
    """
    text, grammar = question[word.start : word.end], language.grammar
    small = word.text in language.function_words - grammar.articles - grammar.indefinite
    capitals = len(text) > 1 and text.isupper() and not question.isupper()
    inside = not language.capital_nouns and is_name_like(question, word.start)
    return (small and (capitals or inside)) or is_letter(question, word)


def describes(question: str, span: Span, nouns: Collection[int]) -> bool:
    """Whether a word stands right before a noun, as in "the wonderful film".

    Args:
        nouns: where these begin.
    """
    following = question[span.end :]
    return span.end + len(following) - len(following.lstrip()) in nouns


def is_relative(words: Sequence[Word], place: int, language: Language) -> bool:
    """Whether "which" goes on from a noun: "where are the homes which are crime scenes"."""
    asking, before = language.asking, [word.text for word in words[:place]]
    begins = asking.which | asking.who | asking.where | asking.when | asking.commands
    after_noun = not (language.function_words | asking.commands).intersection(before[-1:])
    relative = words[place].text in language.grammar.relative
    return relative and after_noun and not begins.isdisjoint(before[:1])


def is_asked(question: str, span: Span, language: Language, *, first: bool = False) -> bool:
    """Whether words stand where a question says what it asks for: "which films".

    Args:
        first: whether they may also begin it, or follow a command: "list all films".
    """
    before, asking = question[: span.start].lower().split(), language.asking
    if first and language.function_words.union(asking.commands).issuperset(before):
        people = {w for who in asking.who for w in language.question_words.get(who, ())}
        also = {noun for one in people for noun in language.schemas.nouns.get(one, ())}
        return span.text.lower() not in people | also  # "everyone"
    return not asking.before_kinds.isdisjoint(before[-1:])


def asks_for(question: str, span: Span, language: Language) -> bool:
    """Whether words are the noun that a question asks for: "which films", "what is the area of"."""
    before, after = (tokens(text) for text in (question[: span.start], question[span.end :]))
    asking, grammar = language.asking, language.grammar
    if is_asked(question, span, language):  # the "club" of "which football club"
        return not after or after[0] in language.function_words
    is_of = not grammar.of.isdisjoint(after[:1]) and not grammar.being.isdisjoint(before[1:2])
    return is_of and not (asking.which | asking.who).isdisjoint(before[:1])


def asks_directly(
    words: Sequence[Word], is_kind: Callable[[Word], bool], language: Language
) -> bool:
    """Whether a kind is in the first words after "what": "what latest crime involves a number"."""
    grammar = language.grammar
    small = language.function_words - grammar.most_before | grammar.number  # "what number of"
    return any(map(is_kind, takewhile(lambda word: word.text not in small, words[1:])))


def not_understood(question: str, unplaced: Sequence[str], note: str = "") -> str:
    """In words, that nothing was made of a question, and which words were not placed."""
    text = f"{shortened(question, LONGEST_SHOWN)!r} was not understood{note}"
    if not unplaced:
        return f"{text}: its words do not join"
    listed = ", ".join(f"“{word}”" for word in unplaced[:MOST_LISTED])
    more = f" and {len(unplaced) - MOST_LISTED} more" if len(unplaced) > MOST_LISTED else ""
    return f"{text}: no place was found for {listed}{more}"


def check_length(question: str) -> None:
    """Refuse a question of no words, and one of more than any is read with.

    Raises:
        InterpretationError: it is no text, has none, or more than `MOST_WORDS`.
    """
    if not isinstance(question, str):
        raise InterpretationError(f"a question is text, not {type(question).__name__}")
    count = len(words_of(question))
    if not count:
        raise InterpretationError("the question has no words: ask in words, or write a pattern")
    if count > MOST_WORDS:
        raise InterpretationError(
            f"the question has {count:,} words, and questions of at most {MOST_WORDS} are read: "
            "ask for less, or write a pattern"
        )


def asks_whether(words: Sequence[str], language: Language) -> bool:
    """Whether a question that begins with these words asks whether something is so."""
    asking, grammar = language.asking, language.grammar
    if words[0] not in asking.whether or len(words) < 2:
        return False
    if words[1] not in asking.listener:
        return True
    # "do we have any customers", but not "do you have the address"
    begun = len(words) > 3 and words[2] in grammar.having and words[0] in language.auxiliaries
    return begun and words[3] not in grammar.articles | grammar.own


def asks_last(words: Sequence[Word], language: Language) -> bool:
    """Whether a question ends with whom it asks for: "films by Mann were written by whom"."""
    texts, asking = [word.text for word in words], language.asking
    whom = not asking.who.isdisjoint(texts[-1:])
    return whom and (asking.who | asking.which).isdisjoint(texts[:1])


def asks_type(words: Sequence[Word], language: Language) -> bool:
    """Whether a question asks which type things are of: "what types are the films by Mann"."""
    texts = [w.text for w in words[:3]]
    if len(texts) < 3 or texts[0] not in language.asking.which:
        return False
    sort = language.singular(texts[1]) in language.schemas.sorts & language.idle
    return sort and texts[2] in language.grammar.being


def kind_of(
    words: Sequence[Word], place: int, choice: bool, language: Language
) -> tuple[SpanKind | None, int]:
    """What the words from a place on are, and how many; None for those without content.

    Args:
        choice: whether the question has an "or": "is he a man or a woman" asks which.
    """
    texts = [w.text for w in words[place : place + 3]]
    first, grammar, operators = texts[0], language.grammar, language.operators
    if place == 0 and asks_whether(texts, language):
        return (None if choice else "operator"), 1
    if first in grammar.every | grammar.universal:
        every = [w.text for w in words]
        each = asks_for_each(every, place, asks_whether(every, language), language)
        if each and (first in grammar.every or language.prepositions.isdisjoint(every[:place])):
            return None, 1  # "list every film", and not "for every film"
        if first in grammar.every:
            return "operator", 1
    if first in grammar.choosing and choice and words[0].text in language.asking.whether:
        return None, 1
    told = not place or words[place - 1].text in language.asking.listener
    if told and is_request(texts, language) and (first,) not in operators.every:
        return None, 1  # "share the names", "can you share"
    if first in grammar.same and not grammar.alike.isdisjoint(w.text for w in words[place:]):
        return "operator", 1  # "the same currency as Germany"
    if first in grammar.sharing and not grammar.owning.isdisjoint(w.text for w in words[place:]):
        return "operator", 1  # "share actors with Heat"
    if first in language.idle and _asks_for_kinds(words, place, language):
        return "operator", 1  # "what kinds of films" are no films
    if first in grammar.both and grammar.joining.isdisjoint(w.text for w in words):
        return "operator", 1  # "border both states" does not say which two
    if first in language.asking.how and not language.graded.isdisjoint(texts[1:2]):
        return "operator", 2
    for length in range(len(texts), 0, -1):
        if tuple(texts[:length]) in operators.every:
            return "operator", length
    if first.endswith(language.endings.superlative) and first not in language.building:
        return "operator", 1
    if is_negated(first, language) or not operators.hyphenated.isdisjoint(first.split("-")):
        return "operator", 1
    if first in grammar.dating or _compares(words, place, language):
        return "operator", 1
    if _is_number(first, language) or _is_month(words, place, language):
        return "number", 1
    return (None if first in language.building or len(first) < 2 else "word"), 1


def points_away(
    words: Sequence[Word], place: int, language: Language, *, chain: bool = False
) -> bool:
    """Whether a word says what a reading may not pass over: "my", "allergic to it", "and when".

    So do "many patients" and "one patient", which are not any. But a request may say for whom it
    is: "list the rivers for me".

    Args:
        chain: whether a chain reads them, which "their" and "other" may go along.
    """
    grammar, asking, texts = language.grammar, language.asking, [w.text for w in words]
    text, before = texts[place], texts[place - 1] if place else ""
    if text in language.pointing | grammar.more:
        if text in asking.others and (before in language.numbers.words or before[:1].isdigit()):
            noun = {language.singular(word) for word in texts[place + 1 : place + 2]}
            if not noun.isdisjoint(map(language.singular, texts[:place])):
                return False  # "services that depend on two other services"
        beside = before in grammar.joining  # "employees and their managers"
        return not chain or beside or text not in grammar.returning
    if text in grammar.listing:  # but "who is listed as director"
        return grammar.alike.isdisjoint(texts[place + 1 : place + 2])
    if text in asking.commands and place > 1 and place + 1 == len(words):
        return not language.auxiliaries.isdisjoint(texts[:place])  # "what did Ann show"
    if text in grammar.particles:
        apart = tuple(texts[place : place + 2]) not in grammar.out_of
        return apart and before not in language.idle
    if text in asking.before_kinds - asking.which:
        return before not in asking.how | grammar.alike
    if text in language.function_words.intersection(language.numbers.counting):
        return language.building.isdisjoint(texts[place + 1 : place + 2] or [text])
    if text in grammar.pointing and place and before not in language.building:
        return before not in asking.commands  # "who ordered it", but not "show me"
    if text in grammar.pointing and before in language.prepositions:
        return before not in grammar.for_ or texts[0] not in asking.commands
    if text in grammar.shared & language.function_words:  # "cheaper together", of no two things
        if not grammar.with_.isdisjoint(texts[place + 1 : place + 2]):
            return False  # "acted together with whom"
        return (grammar.joining | grammar.every | asking.how).isdisjoint(texts)
    asks = asking.which | asking.who | asking.where | asking.when | asking.how
    twice = texts[0] in asks and before not in language.prepositions  # "who ordered what"
    last = place > 0 and place + 1 == len(words) and (twice or before in grammar.joining)
    return last and text in asks


def _compares(words: Sequence[Word], place: int, language: Language) -> bool:
    """Whether a word says how the number or date beside it compares."""
    grammar, first = language.grammar, words[place].text
    following = [w.text for w in words[place + 1 : place + 4]]
    following = [text for text in following if text not in grammar.before_numbers]
    if first in language.comparing and following:  # "over one state"
        numbers = language.numbers.digits.keys() | language.numbers.months
        return _is_number(following[0], language) or following[0] in numbers
    if first in grammar.around_dates:  # "as of 1900"
        dated = [text for text in following if text not in grammar.of]
        return bool(dated) and _is_date(dated[0], language)
    if first not in grammar.onward or not place or not _is_date(words[place - 1].text, language):
        return False
    last = place + 1 == len(words) or first not in language.prepositions
    return last or (place > 1 and words[place - 2].text in grammar.starting)


def _is_month(words: Sequence[Word], place: int, language: Language) -> bool:
    """Whether a word that has another meaning is a month here: "in May", "5 May"."""
    if words[place].text not in language.numbers.months:
        return False
    before = words[place - 1].text if place else ""
    beside = [w.text for w in words[max(0, place - 1) : place + 2]]
    return before in language.prepositions or any(_is_number(t, language) for t in beside)


def _is_date(text: str, language: Language) -> bool:
    """Whether a word is a year, a date or a month."""
    year = len(text) >= 4 and text[:4].isdigit() and not text[4:5].isdigit()
    month = text in language.numbers.words or text in language.numbers.months
    return year or (month and bool(value_of(f"{language.numbers.dated([text])} 2000").iso))


def is_state(words: Sequence[Word], start: int, verb: str, language: Language) -> bool:
    """Whether a word only says what something is: "open", and not that it was "opened".

    Args:
        start: where the word begins in the question.
        verb: what a relation is called that says when something happened.
    """
    place = next(n for n, word in enumerate(words) if word.start >= start)
    first, word = tokens(verb)[0], words[place].text
    # "were open", "is the hut open"
    before = words[place - 1].text if place else ""
    if before in language.grammar.articles:
        return False  # "is Ann the guard of Bob"
    being = {words[0].text, before} & language.grammar.being
    return bool(being) and len(word) < len(first) and first.startswith(word)


def is_only_meant(words: Sequence[Word], place: int, relation: str, language: Language) -> bool:
    """Whether what a relation says was done only can, must or will be: "must be inspected".

    So is what something is "allowed to do", or "costs to run". But "who can speak French" asks for
    those who do, and "can you list" asks nothing of them.

    Args:
        place: of a word for the relation.
        relation: what it is called.
    """
    grammar, said = language.grammar, tokens(relation)
    verb = next((word for word in said if word not in grammar.being), "")
    texts = [w.text for w in words[: place + 1]]
    before = {*texts[-2:-1]} & grammar.infinitive - {*said}
    if before and language.is_infinitive(texts[-1]) and texts[-1] in language.forms(verb):
        # "The first to join" did join, and who has "no car to drive" drives none.
        did = grammar.first | grammar.last | grammar.solely | grammar.lacking
        return language.is_verb(verb) and did.isdisjoint(texts)
    if not language.is_verb(verb) or language.singular(verb) != verb:
        return False
    meant = any(
        tuple(texts[n : n + len(phrase)]) == phrase
        and texts[n + len(phrase)] not in language.asking.listener
        and not (n and texts[n - 1] in language.auxiliaries | grammar.been)  # "did Will sell"
        for phrase in grammar.modal
        for n in range(place - len(phrase) + 1)
    )
    return meant and grammar.modal.isdisjoint((word,) for word in said)


def left_unread(question: str, words: Sequence[Word], place: int, language: Language) -> Unread:
    """The words from a place on, as `Unread`."""
    kind, length = kind_of(words, place, False, language)
    if kind is None:
        return length, None
    said = words[place : place + length]  # in another order than in the question, perhaps
    start, end = min(word.start for word in said), max(word.end for word in said)
    return length, Span(start, end, question[start:end], kind)


def side_by_side(question: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Plain words that stand side by side, as one."""
    found: Span | None = None
    for span in spans:
        if span.kind != "word":
            continue
        if found and not question[found.end : span.start].strip():
            found = Span(found.start, span.end, question[found.start : span.end], "word")
            continue
        if found:
            yield found
        found = span
    if found:
        yield found


def is_negated(word: str, language: Language) -> bool:
    """Whether a word says "not" beside what else it says: "doesn't", "non-fiction"."""
    endings = language.endings
    return word.endswith(endings.negated) or word.startswith(endings.negating)


def _asks_for_kinds(words: Sequence[Word], place: int, language: Language) -> bool:
    """Whether a word asks for the kinds of things, and not for these: "what kinds of"."""
    word, kind = words[place].text, language.singular(words[place].text)
    before, after = ([w.text for w in part] for part in (words[:place], words[place + 1 :]))
    asked = not language.asking.which.isdisjoint(before[-1:])
    several = word != kind and kind in language.schemas.sorts
    return asked and several and not language.grammar.of.isdisjoint(after[:1])


def _is_number(word: str, language: Language) -> bool:
    words, decades = language.numbers.words, language.numbers.decades
    return any(part[:1].isdigit() or part in words or part in decades for part in word.split("-"))


def asked_span(question: str, word: Word) -> Span:
    """A word that asks for a kind of things, which the answers are not."""
    return Span(word.start, word.end, question[word.start : word.end], "kind")
