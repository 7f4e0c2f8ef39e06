"""What "how" and "do" ask for: "how did Ann die" asks for no place and no day."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.words.answer_kinds import AnswerKinds, of_listed
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Pattern


def does_not_say_how(
    words: Sequence[Word], pattern: Pattern, kinds: AnswerKinds, language: Language
) -> bool:
    """Whether a question asks how something was done, or what somebody does, and a pattern
    does not say.
    """
    if _asks_what_is_done(words, language):
        return not _may_say_what_is_done(pattern, kinds, language)
    return _asks_how(words, language) and not _may_say_how(pattern, kinds, language)


def _asks_what_is_done(words: Sequence[Word], language: Language) -> bool:
    """Whether nothing but "do" says what is asked of somebody: "what does the mayor do"."""
    texts, does = [word.text for word in words], language.before_infinitives
    asks = not language.asking.which.isdisjoint(texts[:1])
    return asks and len(texts) > 2 and does.issuperset((texts[1], texts[-1]))


def _may_say_what_is_done(pattern: Pattern, kinds: AnswerKinds, language: Language) -> bool:
    """Whether the answers of a pattern say what somebody does, by the names of relations."""
    return any(
        forward and not language.schemas.sorts.isdisjoint(tokens(relation.text))
        for relation, forward in kinds.answer_relations(of_listed(pattern))
    )


def _asks_how(words: Sequence[Word], language: Language) -> bool:
    """Whether a question asks how something was done: no "how many", and no "how is the name"."""
    first, second, *rest = [*(word.text for word in words), "", ""]
    done = second in language.grammar.being and any(map(language.is_participle, rest))
    return first in language.asking.how and (done or second in language.auxiliaries)


def _may_say_how(pattern: Pattern, kinds: AnswerKinds, language: Language) -> bool:
    """Whether the answers of a pattern say how something was done, by the names of relations.

    A "cause of death" does, and what something was "paid with", but no place and no date.
    """
    schemas, grammar = language.schemas, language.grammar
    said = schemas.manners | schemas.verdicts | language.asking.how
    by_what = grammar.owning | grammar.by
    names = [
        tokens(relation.text)
        for relation, forward in kinds.answer_relations(of_listed(pattern))
        if forward and not relation.is_ordered
    ]
    return any(not (said.isdisjoint(name) and by_what.isdisjoint(name[-1:])) for name in names)
