"""The words of a question in the order in which the rules read them; their offsets stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import replace

from isomatch.interpret.compose.lexical.phrases import KnownPhrases, matched
from isomatch.interpret.compose.syntax.sentences import unfronted
from isomatch.interpret.words.content import Word
from isomatch.lexicon.language import Language


def in_order(
    question: str,
    words: Sequence[Word],
    language: Language,
    phrases: KnownPhrases,
    is_class: Callable[[str], bool],
) -> list[Word]:
    """The words, with what stands before the sentence behind it, "count" and "first" in place.

    Args:
        phrases: what phrases of the graph stand for, by the forms of their first words.
        is_class: whether a word is a class of the graph.
    """
    if language.free_order:
        return unfronted(question, _owners_asked(words, language), language)
    owned = _owners_last(question, _by_last(words, language), language, phrases)
    counted = _count_first(owned, language, phrases, is_class)
    moved = _verb_last(unfronted(question, counted, language), language)
    return _first_last(_first_done(moved, language, is_class), language, is_class)


def _by_last(words: Sequence[Word], language: Language) -> list[Word]:
    """The words with "by" at the end: "by which papers is it cited", "by whom"."""
    asking = language.asking
    asked = words[1].text if len(words) > 2 and words[0].text in language.grammar.by else ""
    if asked not in asking.which | asking.who | asking.how:
        return [*words]
    return [*words[1:], words[0]]


def _owners_asked(words: Sequence[Word], language: Language) -> list[Word]:
    """The words of "von welchen Personen ist Anna die Trainerin" as if these had her "as" that."""
    texts, grammar, asking = [word.text for word in words], language.grammar, language.asking
    of = len(texts) > 4 and texts[0] in grammar.of and texts[1] in asking.which | asking.objects
    if not of or texts[-2] not in grammar.articles or grammar.being.isdisjoint(texts):
        return [*words]
    as_ = [replace(words[-2], text=text) for text in grammar.alike]
    return [*words[1:-2], *as_, words[-1]]


def _owners_last(
    question: str, words: Sequence[Word], language: Language, phrases: KnownPhrases
) -> list[Word]:
    """The words with "knows the number of Ann" for "knows Ann's number", a relation."""
    grammar = language.grammar
    for place, owner in enumerate(words[:-1]):
        extra = owner.end - owner.start - len(owner.text)  # its 's
        short = owner.text.endswith("s") and question[owner.end : owner.end + 1] in ("'", "’")
        if not place or not (extra or short):
            continue
        after = [word.text for word in words[place + 1 :]]
        for verb in reversed(range(place)):
            known = (p for form in language.forms(words[verb].text) for p in phrases.get(form, ()))
            nouns = (p[1:] for p, last, _ in known if last in {"", *grammar.of})
            noun = max((matched(n, after, language, noun=True) for n in nouns if n), default=0)
            if not noun:
                continue
            start = owner.start + len(owner.text)
            of = Word(next(iter(grammar.of)), start if extra else owner.end, owner.end + short)
            said = [*words[: verb + 1], *words[place + 1 : place + 1 + noun], of]
            alone = replace(owner, end=start)
            return [*said, *words[verb + 1 : place], alone, *words[place + 1 + noun :]]
    return [*words]


def _count_first(
    words: Sequence[Word],
    language: Language,
    phrases: KnownPhrases,
    is_class: Callable[[str], bool],
) -> list[Word]:
    """The words with "count" before what is counted: "the crime count for 2 Lee Lane".

    But a "page count" is what things have, where the graph has one.
    """
    texts = [word.text for word in words]
    after = language.prepositions | language.grammar.connecting
    for place in range(1, len(words)):
        noun = texts[place - 1]
        if texts[place] not in language.grammar.counted or not is_class(noun):
            continue
        known = (p for form in language.noun_forms(noun) for p, _, _ in phrases.get(form, ()))
        if any(phrase[-1] == texts[place] for phrase in known):
            continue
        if place + 1 < len(words) and texts[place + 1] not in after:
            continue
        start = place - 1
        while start and texts[start - 1] not in language.function_words:
            start -= 1
        the = language.grammar.articles.intersection(texts[start - 1 : start])
        if not the or language.operators.words.intersection(texts[start:place]):
            continue  # "which state has the highest city count"
        return [*words[:start], words[place], *words[start:place], *words[place + 1 :]]
    return [*words]


def _verb_last(words: Sequence[Word], language: Language) -> list[Word]:
    """The words with "occur" at the end: "when did the crime occur that Ann investigated"."""
    texts, asking = [word.text for word in words], language.asking
    does = language.before_infinitives
    asks = (asking.where | asking.when).intersection(texts[:1]) and does.intersection(texts[1:2])
    if not asks:
        return [*words]
    dated = language.schemas.dated_verbs
    for place in range(3, len(words) - 2):
        goes_on = texts[place + 1] in language.grammar.describing
        goes_on |= texts[place + 1].endswith(language.endings.going)
        if texts[place] in dated and goes_on:
            start = place - (texts[place - 1] in language.grammar.first)
            return [*words[:start], *words[place + 1 :], *words[start : place + 1]]
    return [*words]


def _first_done(
    words: Sequence[Word], language: Language, is_class: Callable[[str], bool]
) -> list[Word]:
    """The words with "first" before what something is done to: "when did Ann first direct a film".

    That asks when she directed the first film.
    """
    texts = [word.text for word in words]
    if not language.asking.when.intersection(texts[:1]):
        return [*words]
    if language.before_infinitives.isdisjoint(texts[1:2]):
        return [*words]
    small = language.grammar.indefinite | language.prepositions
    for place in range(3, len(words) - 2):
        at = place + 2
        while at < len(words) - 1 and texts[at] in small:
            at += 1
        verb = texts[place + 1] not in language.function_words and not is_class(texts[place + 1])
        if texts[place] in _extremes(language) and verb and is_class(texts[at]):
            return [*words[:place], *words[place + 1 : at], words[place], *words[at:]]
    return [*words]


def _first_last(
    words: Sequence[Word], language: Language, is_class: Callable[[str], bool]
) -> list[Word]:
    """The words with "first" behind the verb at the end: "which film did Ann first direct"."""
    texts, does = [word.text for word in words], language.before_infinitives
    if len(words) < 5 or texts[-2] not in _extremes(language) or does.isdisjoint(texts):
        return [*words]
    noun = language.function_words.union(language.schemas.calendar).intersection(texts[-3:-2])
    noun |= {texts[-1]} & {*language.schemas.dated_verbs}  # "when did a crime first occur"
    thing = language.singular(texts[-1]) in language.schemas.calendar or is_class(texts[-1])
    return [*words] if noun or thing else [*words[:-2], words[-1], words[-2]]


def _extremes(language: Language) -> Set[str]:
    """The words for the first and last of several: "last", and not "most"."""
    grammar = language.grammar
    return (grammar.first | grammar.last) - grammar.most_before
