"""The rules for light verbs, which say no relation themselves: what "directors made"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import any_of, is_whole
from isomatch.interpret.compose.categories import Category
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Expression,
    Named,
    OfType,
    is_value,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.relative_clauses import anything_such
from isomatch.interpret.compose.rules.unions import without_name
from isomatch.interpret.compose.sets.joins import UNSAID, Joined, Joins, Rule
from isomatch.lexicon.folding import tokens


class LightVerbRules(RuleSet):
    """Rules for verbs whose relation is told by a noun for who does it, as "directors".

    An item of category ``making`` is a verb as "made", and one of category ``made`` that and its
    object. One of category ``joint verb`` is "worked" before "with", and one of category ``joined``
    that and a name; ``anything`` is a word as "something".

    Args:
        set_relation: the rule that joins a subject and its verb.
    """

    def __init__(self, joins: Joins, set_relation: Rule):
        super().__init__(joins)
        self._set_relation = set_relation
        self.table: dict[tuple[Category, Category], Rule] = {
            ("set", "making"): self.set_making,
            ("making", "set"): self.making_set,
            ("set", "made"): self.set_made,
            ("joint verb", "set"): self.verb_name,
            ("set", "joint verb"): self.name_verb,
            ("set", "joined"): self.set_joined,
            ("anything", "set"): anything_such(joins.grammar),
            ("relation", "anything"): self.done_by_any,
        }
        if not self._grammar.negation_after:
            self.table["relation", "not"] = self.done_by_nobody

    def done_by_any(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "coached by anybody", "coached somebody" """
        if (done := self._of_any(left, gap)) is not None:
            yield "set", done, 0.0, -1

    def done_by_nobody(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "coached by nobody", "who coaches nobody": all but who is, or does so to anybody"""
        nobody = right.spans[0].text.lower() in self._grammar.nobody
        if not nobody or left.value.relation in self._kinds.said_by_several:
            return  # by another relation somebody may do it
        done = self._of_any(left, gap)
        # Nobody is a ticket.
        if done and (gap or done.of.kinds & done.kinds or self._joins.are_people(done.of.kinds)):
            yield "excluded", done, 0.0, -1

    def _of_any(self, verb: Item, gap: Sequence[str]) -> Along | None:
        """Those to whom a verb is done by any, or who do so to any; None for a noun."""
        relation, done = verb.value.relation, self._done(verb.value.relation)
        by = not self._grammar.by.isdisjoint(gap)
        if by and not self._joins.language.is_participle(verb.spans[-1].text.lower()):
            return None
        if not by and (gap or "noun" in verb.value.role or self._kinds.gives_value(relation)):
            return None
        step = done if by else done.inverse
        kinds = self._kinds.ends(step)[0]
        others = self._joins.whole(kinds) or OfType("", kinds)
        return self._joins.step(others, step) if kinds else None

    def _done(self, relation: str) -> Step:
        """The step from who does what a relation says to those whom it is done to."""
        return Step(
            relation, not (self._kinds.does(relation) or relation in self._kinds.done_by_sources)
        )

    def _deed(self, doers: Item, *, plays: bool = False) -> Step | None:
        """The step from those whom a noun calls by what they make to that: "directors".

        What reviewers "made" are no films.

        Args:
            plays: whether they may be in it and not have made it, as "actors".
        """
        language, schemas = self._joins.language, self._joins.language.schemas
        known = schemas.makers | (schemas.playing if plays else frozenset())
        of, spans = doers.value, [s for s in doers.spans if s.kind == "relation"]
        spans = [s for s in spans if language.singular(s.text.lower()) in known]
        if doers.head < 0 or not (isinstance(of, Along) and of.step.back) or is_value(of):
            return None
        text = self._kinds.schema.by_id[of.step.relation].text
        source, target = self._kinds.ends(of.step)
        said = any(span.meaning == text for span in spans)
        return of.step.inverse if said and source.isdisjoint(target) else None

    def _is_work(self, step: Step) -> bool:
        """Whether a relation says what makers or players do: who "reviewed" a film did not."""
        language, schemas = self._joins.language, self._joins.language.schemas
        verb, *_ = tokens(self._kinds.schema.by_id[step.relation].text)
        return any(language.does(noun, verb) for noun in schemas.makers | schemas.playing)

    def set_making(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "the director of Heat made" """
        step = self._deed(left)
        if step is not None and self._grammar.linking.issuperset(gap):
            verb = replace(right, category="relation", value=RelationWord(step.relation, "forward"))
            for category, value, cost, head in self._set_relation(left, verb, gap):
                yield category, value, cost + UNSAID, head

    def making_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "made films" """
        small = self._grammar.any_article
        if small.issuperset(gap) and right.head >= 0:
            yield "made", right.value, 0.0, -1

    def set_made(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "directors made films" """
        step, of = self._deed(left), right.value
        if step is None or not self._grammar.linking.issuperset(gap):
            return
        if not self._kinds.ends(step)[1].isdisjoint(of.kinds):
            does = self._joins.step(of, step.inverse)
            of = does if is_whole(left.value) else Both(left.value, does, does.kinds)
            yield self._joins.said(gap), of, UNSAID, left.head

    def verb_name(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "worked with Ann" """
        grammar = self._grammar
        if isinstance(right.value, Named) and (grammar.owning | grammar.for_).issuperset(gap):
            yield "joined", right.value, 0.0, -1

    def name_verb(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "Ann worked with" """
        if isinstance(left.value, Named) and not gap:
            yield "joined", left.value, 0.0, -1

    def set_joined(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "directors that Ann worked with": of what she made or played in, and not she herself"""
        step, name = self._deed(left, plays=True), right.value
        every = self._joins.whole(self._kinds.ends(step)[1]) if step else None
        small = self._grammar.linking | self._joins.language.auxiliaries
        plain = is_whole(left.value) and small.issuperset(gap)
        if step is None or every is None or not plain:
            return
        steps = sorted(name.steps, key=lambda s: s.relation)
        parts: list[Expression] = [
            self._joins.step(name, own)
            for own in steps
            if not own.back and self._kinds.ends(own)[1] & every.kinds and self._is_work(own)
        ]
        if not parts:
            return
        shared = parts[0] if len(parts) == 1 else any_of(every, parts)
        others = self._joins.step(shared, step.inverse)
        yield "set", without_name(others, name, self._joins), UNSAID, left.head
