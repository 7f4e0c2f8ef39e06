"""A question as it is composed: in plain words, and with what may name nodes in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from isomatch.interpret.rewording import plainly
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mention import Mention
from isomatch.lexicon.mentions import MentionFinder

MOST_MENTIONS = 8


@dataclass(frozen=True, slots=True)
class Asked:
    """What the composer reads of a question.

    Attributes:
        text: of the question, in plainer words that stand where the others stood.
        mentions: the names that were given, or else those that were found.
        names: these, and what else may name nodes.
        beside: the names that were found, whether they were given or not.
    """

    text: str
    mentions: tuple[Mention, ...]
    names: tuple[Mention, ...]
    beside: tuple[Mention, ...]

    @classmethod
    def of(
        cls,
        question: str,
        finder: MentionFinder,
        lexicon: Lexicon,
        topics: Sequence[str] | None = None,
    ) -> Asked:
        """What is read of a question.

        Args:
            lexicon: whose phrases are not put in plainer words.
            topics: the names that it is about; None for those that it has.
        """
        beside = finder.find(question)
        mentions = (beside if topics is None else finder.given(question, topics))[:MOST_MENTIONS]
        names = mentions
        if topics is None:
            names = (*names, *finder.inside(question, names), *finder.values(question, names))
        text = plainly(question, lexicon.language, lexicon.phrases(), lexicon.called())
        return cls(text, mentions, names, beside)
