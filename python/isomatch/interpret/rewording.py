"""Rewords questions: plainer words stand where the others stood."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from isomatch.interpret.words.content import is_request, words_of
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language


def plainly(
    question: str,
    language: Language,
    known: Collection[str] = (),
    called: Collection[str] = (),
) -> str:
    """A question with "and" for "as well as", and "list" for "can you share"; offsets stay.

    Args:
        known: phrases of the graph; what one of them has all words of is not reworded.
        called: see `rephrased`.
    """
    lowered = question.lower()
    phrases = {
        phrase: word
        for phrase, word in language.reworded.items()
        if phrase in lowered and not _is_known(phrase, language, known)
    }
    question = _with_words(rephrased(question, language, called), phrases)
    for ending in language.endings.related:  # "drug-related crimes" have to do with drugs
        pattern = rf"(?<=\w){re.escape(ending)}\b(?= *\w)"
        question = re.sub(pattern, " " * len(ending), question, flags=re.IGNORECASE)
    question = _without_request(_without_both(question, language), language)
    return _without_command_end(question, language)


def _is_known(phrase: str, language: Language, known: Collection[str]) -> bool:
    """Whether a phrase of the graph has all words of another one: "marked as spam"."""
    said = {*phrase.split()} - language.function_words
    return any(
        said.issubset(form for word in tokens(own) for form in (word, *language.forms(word)))
        for own in known
    )


def rephrased(question: str, language: Language, called: Collection[str] = ()) -> str:
    """A question with the plain words that some phrases stand for, as "and"; offsets stay.

    Args:
        called: what relations are called; "the names of" things are these where none is a name.
    """
    said = {phrase: phrase.split()[-2] for phrase in language.listed if phrase in question.lower()}
    words = {word for phrase in called for word in tokens(phrase)} if said else set()
    listed = {
        phrase: language.listed[phrase]
        for phrase, noun in said.items()
        if words.isdisjoint(language.noun_forms(noun))
    }
    return _with_words(_with_words(question, listed), language.rephrased)


def _with_words(question: str, phrases: Mapping[str, str]) -> str:
    for phrase, word in phrases.items():
        before, _, last = phrase.rpartition(" … ")  # "noch", after "weder"
        earlier = rf"\b{re.escape(before)}\b.*?" if before else ""
        pattern = rf"{earlier}\b({re.escape(last)})\b"
        for found in re.finditer(pattern, question, re.IGNORECASE):
            start, end = found.span(1)
            question = question[:start] + word.rjust(end - start) + question[end:]
    return question


def _without_both(question: str, language: Language) -> str:
    """A question without "both" before two verbs: "did Ann both write and direct"."""
    words, grammar = words_of(question), language.grammar
    texts = [word.text for word in words]
    for place, word in enumerate(words[:-2]):
        done = not language.before_infinitives.isdisjoint(texts[:place])
        doing = done or (place == 1 and texts[0] in language.asking.who)
        at = place + 2 + (texts[place + 2] in language.prepositions)  # "both act in and direct"
        if word.text in grammar.both and doing and grammar.joining & {*texts[at : at + 1]}:
            question = question[: word.start] + " " * len(word.text) + question[word.end :]
    return question


def _without_request(question: str, language: Language) -> str:
    """A question whose "can you share" or "provide" is a plain "list".

    What such a verb else means, as "share", is not asked.
    """
    asking, words = language.asking, words_of(question)
    texts = [word.text for word in words]
    asks = texts[:1] and texts[0] in asking.whether and not asking.listener.isdisjoint(texts[1:2])
    at = 2 if asks else 0
    at += texts[at : at + 1] == [asking.please]
    plain = language.operators.words if asks else language.operators.words | language.function_words
    if not is_request(texts[at:], language) or texts[at] in plain:
        return question
    end = words[at].end
    return question if end < len(asking.command) else asking.command.rjust(end) + question[end:]


def _without_command_end(question: str, language: Language) -> str:
    """A command without the particle of its verb that comes last: "liste alle Städte auf"."""
    words, asking = words_of(question), language.asking
    if len(words) < 3 or words[0].text not in asking.commands:
        return question
    last = words[-1]
    if last.text not in asking.command_ends:
        return question
    return question[: last.start] + " " * len(last.text) + question[last.end :]
