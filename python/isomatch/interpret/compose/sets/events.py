"""Relations that imply that something was done, or happened: "has Fido been adopted"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import is_participle, last_words
from isomatch.interpret.compose.expressions import Expression, OfType, Valued, Without
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds, Kinds
from isomatch.interpret.compose.lexical.grading import Grading
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language


class ImpliedEvents:
    """Finds the relations that imply what a verb says of a thing, over one graph.

    A dog was adopted if somebody adopted it, if it was adopted somewhere, or on some day.

    Args:
        kinds: of the graph.
        language: of the question.
        grading: which relations lead to dates.
    """

    def __init__(self, kinds: GraphKinds, language: Language, grading: Grading):
        self._kinds = kinds
        self._language = language
        self._grading = grading
        asking, schemas, grammar = language.asking, language.schemas, language.grammar
        days = {*asking.dates, *schemas.days, *schemas.times}
        # "Date paid" and "was paid on", but neither "will be paid on" nor "pay by".
        days |= {*schemas.plans.values()}  # an "actual start", and no planned one
        self._before = days | grammar.first | grammar.last | grammar.been | grammar.having
        self._after = self._before | language.function_words | language.idle
        self._after -= grammar.by

    def ways_said(self, verb: Item, of: Kinds, *, passive: bool, named: bool = False) -> list[Step]:
        """As `ways`, for a relation's word; empty if its relation is no way."""
        if not verb.spans:  # one of several
            return []
        said, relation = last_words(verb)[0], verb.value.relation
        return self.ways(said, of, passive=passive, named=named, relation=relation)

    def ways(
        self, said: str, of: Kinds, *, passive: bool, named: bool = False, relation: str = ""
    ) -> list[Step]:
        """The steps away from what was done, or did it; empty for none.

        Args:
            said: the verb.
            of: the kinds of what is said to have been done; empty for any.
            passive: whether it was done to them: "has been adopted".
            named: whether it is said of one thing, of which somewhere in the active voice is
                enough: "does Ann work".
            relation: one that has to be among them, or may be planned only; empty for any.
        """
        kinds, gives_date = self._kinds, self._grading.gives_date
        found = (self._way(said, id, passive=passive) for id in self._related(said))
        ways = [step for step in found if step is not None and kinds.leads(step, of)]
        if any(kinds.is_boolean(step.relation) for step in ways):
            return []  # it says itself whether it was done
        ways.sort(key=lambda step: not gives_date(step.relation))  # dates first
        if not (passive or named or any(gives_date(step.relation) for step in ways)):
            ordered = {r.id for r in kinds.values(of) if r.is_ordered}  # "closed in" 2015
            ways = [s for s in ways if s.relation in ordered or not self._is_placed(s)]
        if relation and all(step.relation != relation for step in ways):
            return []
        return [step for step in ways if not self._may_be_planned(step)] or ways

    def is_sure(self, said: str, of: Kinds, ways: Sequence[Step]) -> bool:
        """Whether what was done in no way was not done: who was "operated on" may have been.

        And all were born, whatever a graph says of it.
        """
        forms, ends = self._language.forms, self._kinds.ends
        if said in self._language.schemas.births:
            return False
        counted = {step.relation for step in ways}
        placed = (Step(id) for id in self._related(said) if id not in counted)
        return not any(
            self._is_placed(step)
            and self._language.prepositions.issuperset(self._name(step.relation)[1:])
            and not forms(said).isdisjoint(forms(self._name(step.relation)[0]))
            and ends(step)[0].isdisjoint(of)
            and not ends(step)[1].isdisjoint(of)
            for step in placed
        )

    def done(self, of: Expression, ways: Sequence[Step], every: OfType | None) -> Expression:
        """Those of a set that have been done in any of several ways."""
        if len(ways) == 1:
            return Valued(of, ways[0], of.kinds)
        return Without(of, self.not_done(every or of, ways, every or of), of.kinds)

    def not_done(self, of: Expression, ways: Sequence[Step], every: Expression) -> Expression:
        """Those of a set that have been done in none of several ways."""
        for step in ways:
            of = Without(of, Valued(every, step, of.kinds), of.kinds)
        return of

    @cached_property
    def _called(self) -> Mapping[str, set[str]]:
        """The relations by the forms of the words of their names: there may be thousands."""
        called: dict[str, set[str]] = {}
        for relation in self._kinds.relations:
            for form in (f for word in self._name(relation.id) for f in self._language.forms(word)):
                called.setdefault(form, set()).add(relation.id)
        return called

    def _related(self, said: str) -> list[str]:
        """The relations that have a form of a word in their names."""
        forms = self._language.forms(said)
        return sorted({id for form in forms for id in self._called.get(form, ())})

    def _name(self, relation: str) -> list[str]:
        being = self._language.grammar.being
        return [w for w in tokens(self._kinds.schema.by_id[relation].text) if w not in being]

    def _way(self, said: str, relation: str, *, passive: bool) -> Step | None:
        """The step of a relation that says just what a verb does, and by whom, where or when."""
        language, kinds = self._language, self._kinds
        if passive and not (language.is_verb(said) and language.singular(said) == said):
            return None  # what is "open" was not only opened, and "captains" are nouns
        if self._is_dated(said, relation):
            return Step(relation)
        first, *rest = self._name(relation) or [""]
        if language.forms(said).isdisjoint(language.forms(first)):
            return None
        value, dated = kinds.gives_value(relation), self._grading.gives_date(relation)
        if kinds.is_passive(relation):
            return None if dated or (value and not passive) else Step(relation, not passive)
        if rest and language.is_verb(first) and language.prepositions.issuperset(rest):
            present = language.singular(first) != first
            return None if present and (passive or dated) else Step(relation)  # "reports to"
        if value:
            return None
        of = language.grammar.of.issuperset(rest[:1]) and len(rest) == 1
        if rest and not of and not self._is_object(rest, relation):
            return None  # a "return reason" is no way to be returned
        if not passive:
            return None if of else Step(relation)  # a "review of" it
        source, target = kinds.ends(Step(relation))
        if not rest and source.isdisjoint(target) and self._is_doer(first, said):
            return Step(relation)  # what has a "translator" was translated
        doing = of or language.is_verb(first)  # a "review of" them, and no "sponsor"
        sure = (doing and source.isdisjoint(target)) or is_participle(said, relation, kinds)
        return Step(relation, True) if sure else None

    def _is_doer(self, noun: str, said: str) -> bool:
        """Whether a noun is for who does what a participle says: "translated"."""
        # An "open" ticket has an opener, and may be closed.
        return self._language.is_participle(said) and self._language.does(noun, said)

    def _is_dated(self, said: str, relation: str) -> bool:
        """Whether a relation to values tells that it was done, or when: no "planned ship date"."""
        if not (self._grading.gives_date(relation) or self._kinds.is_boolean(relation)):
            return False
        language, words = self._language, self._name(relation)
        at = next((i for i, word in enumerate(words) if word not in self._before), 0)
        is_plain = self._after.issuperset([w for w in words[at + 1 :] if w != said])
        same = not language.forms(said).isdisjoint(language.forms(words[at])) if words else False
        return same and is_plain and language.singular(words[at]) == words[at]

    def _is_object(self, words: Sequence[str], relation: str) -> bool:
        """Whether words are what the things are that a relation leads to: "played song"."""
        target = self._kinds.ends(Step(relation))[1]
        return " ".join(words) in {self._kinds.type_texts.get(kind, "") for kind in target}

    def _is_placed(self, step: Step) -> bool:
        """Whether a relation's name has a preposition other than that for who did it."""
        return len(self._name(step.relation)) > 1 and not self._kinds.is_passive(step.relation)

    def _may_be_planned(self, step: Step) -> bool:
        """Whether it says where to, or how, something is to be sent: it need not have been."""
        if self._grading.gives_date(step.relation) or not self._is_placed(step):
            return False
        sendings = self._language.schemas.sendings
        return not self._language.forms(self._name(step.relation)[0]).isdisjoint(sendings)
