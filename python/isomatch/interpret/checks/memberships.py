"""Checks members of something: who leads a party is not the only one of it."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.checks.base import Check
from isomatch.interpret.checks.pattern_graph import OTHER
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.agents import End
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Edge


class Memberships(Check):
    """Compares nouns for who belongs to something with the relation by which a reading has them.

    "The members of the union" are joined to it by no relation that only its leader has.
    """

    def __init__(self, kinds: AskedKinds, language: Language):
        super().__init__(kinds, language)
        schemas = language.schemas
        posts = schemas.roles | schemas.people | schemas.doers.keys()
        self._posts = posts - schemas.members - schemas.staff

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether who belongs to a name is read of who has a post there, which no word says."""
        if span.kind != "type" or given.coverage is None:
            return False
        noun = self._language.noun_forms(tokens(span.text)[-1])
        if noun.isdisjoint(self._language.schemas.members):
            return False
        said = {one.meaning for one in given.understood if one.kind == "relation"}
        pattern = given.pattern
        return any(
            pattern.node(getattr(edge, end)).type == span.type_meant
            and pattern.node(getattr(edge, OTHER[end])).text is not None
            and self._is_post(edge, end)
            for edge in pattern.edges
            if edge.directed and edge.relation not in said
            for end in OTHER
        )

    def _is_post(self, edge: Edge, end: End) -> bool:
        """Whether one alone is at an end of an edge by a post: the leader, and who leads."""
        heads, relations = set[str](), self._kinds.relations(edge)
        for relation in relations:
            own, doer = self._kinds.words(relation), self._language.doer_of(relation.text.lower())
            nouns = own.nouns if end == "target" else own.inverse_nouns
            heads |= self._saying.heads(nouns)
            heads |= {doer} if doer and end == "source" else set()  # "leads"
        alone = all(one.leads_to_one(back=end == "source") for one in relations)
        return alone and not self._posts.isdisjoint(heads)
