"""What compares words for kinds and relations with where these are in a reading."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from isomatch.interpret.agents import Agents
from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.content import Word
from isomatch.interpret.said import RelationSpans
from isomatch.interpret.types import Hypothesis, Span
from isomatch.lexicon.language import Language


class Side(ABC):
    """Tells whether a reading has words for something else than they say, over one graph.

    Args:
        kinds: the relations of edges.
        language: of the questions.

    Attributes:
        by_order: whether it goes by where words stand in English, so that it tells nothing where
            they may stand in any order.
    """

    by_order: ClassVar[bool] = False

    def __init__(self, kinds: AskedKinds, language: Language):
        self._kinds = kinds
        self._language = language
        self._agents = Agents(kinds, language)
        self._saying = RelationSpans(kinds, language)

    @abstractmethod
    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a span of a reading is of something else by the words of the question.

        Args:
            words: of the question.
        """
