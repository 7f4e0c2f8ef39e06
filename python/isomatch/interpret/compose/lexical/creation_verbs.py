"""Verbs for what happened when a thing was made: a question was asked when it was `createdAt`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from isomatch.chains.graph import Step
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.lexicon.lexicon import Lexicon


def creation_verbs(
    relation: str, kinds: GraphKinds, lexicon: Lexicon
) -> Mapping[str, Sequence[str]]:
    """The verbs for when things were made, by their type: users "joined" then.

    Empty where a relation does not say that.
    """
    schemas = kinds.language.schemas
    if not kinds.says_made(relation):
        return {}
    types = kinds.ends(Step(relation))[0] & lexicon.types.keys()
    called = ((type_id, lexicon.types[type_id].word) for type_id in sorted(types))
    return {
        type_id: (*schemas.begun.get(word, ()), *schemas.deeds.get(word, ()))
        for type_id, word in called
    }
