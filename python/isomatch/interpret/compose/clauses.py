"""What a set is to the verb beside it, in languages whose order of words does not say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from isomatch.interpret.content import Word
from isomatch.lexicon.language import Language

Beside = Literal["subject", "object", "agent", "object if named"]
"""``agent``: who does it, after a verb in the passive. ``object if named``: a verb in the plural
has no single name for its subject."""


def beside_verb(words: Sequence[Word], place: int, language: Language) -> Beside | None:
    """What a set beside the verb at a place is to it; None where that is not known.

    Example:
        >>> from isomatch.interpret.content import words_of
        >>> from isomatch.lexicon.language import language_of
        >>> beside_verb(words_of("Wen bewundert Anna?"), 1, language_of("de"))
        'subject'
    """
    grammar, asking = language.grammar, language.asking
    texts = [w.text for w in words]
    if place == 0:  # "Zitiert Anna Berta?"
        return "subject"
    agents = sum(text in grammar.by for text in texts)
    if agents and not grammar.passive.isdisjoint(texts):
        return "agent" if agents == 1 else None
    final = place == len(texts) - 1 and texts[1] in language.auxiliaries
    if place == 1 or final:  # "Wer hat Anna gelehrt?"
        if texts[0] in asking.subjects:
            return "object"
        if texts[0] in asking.objects:
            return "subject"
    several = not grammar.joining.isdisjoint(texts)
    plural = texts[place].endswith(language.endings.infinitive) and not several
    return "object if named" if plural else None
