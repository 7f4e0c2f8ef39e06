"""What a noun for others with a part in the same may be: "co-actors", where films have actors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.lexical.phrases import KnownPhrases, meant_by, span_of
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.words.content import Word


def joint_words(
    question: str,
    words: Sequence[Word],
    place: int,
    phrases: KnownPhrases,
    kinds: GraphKinds,
) -> Iterator[tuple[int, Item]]:
    """What a noun for others with a part in the same is: "co-actors", where films have actors."""
    language, text = kinds.language, words[place].text
    said = next((text.removeprefix(j) for j in language.endings.joint if text.startswith(j)), "")
    own = [p[1:2] for j in language.endings.joint for p, *_ in phrases.get(j.rstrip("-"), ())]
    if not said or any(not language.forms(said).isdisjoint(word) for word in own):
        return  # a bill may have "co-sponsors" itself
    known = (one for form in language.forms(said) for one in phrases.get(form, ()))
    for phrase, _, value in dict.fromkeys(known):
        if len(phrase) == 1 and isinstance(value, RelationWord) and value.role != "number":
            meant = kinds.schema.by_id[value.relation].text
            span = meant_by(span_of(question, words, place, 1), "relation", meant)
            yield 1, Item("joint", value, head=place, spans=(span,))
