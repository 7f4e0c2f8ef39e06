"""Whether another relation than the one of a reading may be meant where no word says either."""

from __future__ import annotations

from isomatch.interpret.words.answer_kinds import AnswerKinds
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.schema.types import Relation


def may_be_another(
    relation: Relation, kinds: AnswerKinds, language: Language, *, turned: bool = False
) -> bool:
    """Whether others join the same types, and none of them alone says that one is in another.

    A city is "in country" Norway, and may be the "capital of" it.

    Args:
        turned: whether those that lead the other way round count too.
    """
    rivals, placing = kinds.rivals(relation, turned=turned), language.grammar.placing
    called = {relation.text.lower()} & {*kinds.called(relation.target_types)}
    there = bool(called) or not placing.isdisjoint(tokens(relation.text))
    said = (tokens(rival.text) for rival in rivals)
    return bool(rivals) and not (there and all(map(placing.isdisjoint, said)))
