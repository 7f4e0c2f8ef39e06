"""What "how" asks for: "how did Ann die" asks for no place and no day."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.answered import AnswerKinds, of_listed
from isomatch.interpret.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Pattern


def asks_how(words: Sequence[Word], language: Language) -> bool:
    """Whether a question asks how something was done: no "how many", and no "how is the name"."""
    first, second, *rest = [*(word.text for word in words), "", ""]
    done = second in language.grammar.being and any(map(language.is_participle, rest))
    return first in language.asking.how and (done or second in language.auxiliaries)


def may_be_manners(pattern: Pattern, kinds: AnswerKinds, language: Language) -> bool:
    """Whether the answers of a pattern may say how something was done.

    Places, dates and numbers do not, nor what is named for a place: "death place", "buried at".
    """
    where = language.schemas.places | language.grammar.placing
    return not any(
        relation.is_ordered
        or kinds.is_date(relation)
        or kinds.leads_to_place(relation)
        or not where.isdisjoint(tokens(relation.text)[-1:])
        for relation, forward in kinds.answer_relations(of_listed(pattern))
        if forward
    )
