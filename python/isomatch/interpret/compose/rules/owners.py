"""The rules for "whose", said of what somebody has and not of them, and for "linked to"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from isomatch.interpret.compose.analysis import is_whole
from isomatch.interpret.compose.expressions import Along, Both, Expression, Named, OfType, is_value
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.base import RuleSet
from isomatch.interpret.compose.rules.comparisons import ComparisonRules
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.relation_words import THING

OF_SORT = 0.3  # for a value that says what sort of thing something is


class OwnerRules(RuleSet):
    """Rules that make sets of those who have something of which something is said.

    An item of category ``owned`` is a relation's noun after "whose"; one of category ``owners``
    the set of those who have it. One of category ``connecting`` is a word as "linked", and one of
    category ``linked`` (that word, the set behind it, whether nothing is between them).
    """

    def __init__(self, joins: Joins, comparisons: ComparisonRules):
        super().__init__(joins)
        self._comparisons = comparisons
        self.table = {
            ("relation", "filter"): self.relation_filter,
            ("owned", "set"): self.owned_set,
            ("owned", "compared"): self.owned_compared,
            ("set", "owners"): self.set_owners,
            ("connecting", "set"): self.connecting_set,
            ("set", "linked"): self.set_linked,
        }

    def relation_filter(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "whose capital has more than a million people" """
        word: RelationWord = left.value
        there = word.to_things
        owners, things = self._kinds.ends(there)
        every = self._joins.whole(owners)
        step, comparisons = right.value
        if step.relation == word.relation and self._kinds.gives_value(word.relation):
            yield "filter", right.value, 0.0, -1  # "sold more than 500 copies"
            return
        if "noun" not in word.role or every is None or not self._joins.leads(step, things):
            return
        compared = self._joins.compared(self._joins.step(every, there), step, comparisons)
        yield "owners", self._joins.step(compared, there.inverse), 0.0, -1

    def owned_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "whose neighbours speak French", "whose owner was born in Oslo": not who has them"""
        of: Expression = right.value
        there = left.value.to_things
        things = self._kinds.ends(there)[1]
        every, both = self._joins.whole(things), things & of.kinds
        verb = right.head < 0 and self._joins.grammar.been.issuperset(gap)
        if verb and every is not None and both and not is_value(of):
            members = Both(every, of, both)
            yield "owners", self._joins.step(members, there.inverse), 0.0, -1

    def owned_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "whose manager is older than 40" """
        there, (scale, _) = left.value.to_things, right.value
        every = self._joins.whole(self._kinds.ends(there)[1])
        graded = scale is not None and bool(gap) and self._joins.grammar.being.issuperset(gap)
        if every is None or not graded:
            return
        things = Item("set", every, spans=left.spans)
        for _, value, cost, _ in self._comparisons.set_compared(things, right, ()):
            yield "owners", self._joins.step(value, there.inverse), cost, -1

    def connecting_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "linked to vehicles" """
        grammar = self._joins.grammar
        small = self._joins.language.prepositions | grammar.any_article
        if small.issuperset(gap) and right.head >= 0:  # and not to where somebody "lives"
            yield "linked", (left.value, right.value, not gap), 0.0, right.head

    def set_linked(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "crimes linked to vehicles", which says nothing of who committed the crimes"""
        word, of, directly = right.value
        types = [span for span in left.spans if span.kind == "type"]
        nearest = max(types, key=lambda span: span.start, default=None)
        if isinstance(left.value, Named) or (
            nearest and nearest.meaning not in _called(left.value, self._joins)
        ):
            return
        if self._joins.grammar.linking.issuperset(gap):
            sorts = self._of_sort(left.value, of) if directly else ()
            for value, cost in (*sorts, *self._joins.met(left.value, of, (word,))):
                yield "set", value, cost, left.head

    def _of_sort(self, head: Expression, of: Expression) -> Iterator[tuple[Expression, float]]:
        """ "cases involving robbery", where that is a type of cases

        What is "linked to a robbery" need be none.
        """
        sorts, known = self._joins.language.schemas.sorts, self._kinds.schema.by_id
        steps = [
            step
            for step in self._to_things(of, head.kinds)
            if tokens(known[step.relation].text)[-1] in sorts
        ]
        if len(steps) == 1 and not is_value(head):
            yield Both(head, self._joins.step(of, steps[0]), head.kinds), OF_SORT

    def or_pair(self, rule: Rule) -> Rule:
        """A rule for sets; of "a mother and a father", those who have one of each."""

        def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
            grammar, both = self._joins.grammar, (left.value, right.value)
            joined = not (grammar.joining.isdisjoint(gap) or grammar.indefinite.isdisjoint(gap))
            if joined and all(isinstance(one, Along) and is_whole(one) for one in both):
                kinds = left.value.kinds & right.value.kinds
                if (pair := self._joins.owners(Both(*both, kinds))) is not None:
                    yield "owners", pair, 0.0, left.head
                    return
            yield from rule(left, right, gap)

        return join

    def set_owners(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        grammar = self._joins.grammar
        has = grammar.having | grammar.with_ if right.head >= 0 else frozenset()
        if not (grammar.whose | has).isdisjoint(gap):
            for value, cost in self._joins.met(left.value, right.value, ()):
                yield "set", value, cost, left.head


def _called(of: Expression, joins: Joins) -> set[str]:
    """The class words of a set."""
    phrases = joins.kinds.phrases
    return {phrases[f"{THING}:{k}"][0] for k in of.kinds if f"{THING}:{k}" in phrases}


def of_nearest(rule: Rule, joins: Joins) -> Rule:
    """A rule for two sets; "with" describes the noun before it, and not who has that.

    "Maintainers that have a package with an advisory" need have none themselves. What was
    prescribed "to Ann" is nothing else of hers. Towns that are "the residence of employees of the
    sales department" need not be where the department is, if these can be its own.
    """
    of, owning = joins.grammar.of, joins.grammar.owning
    given = joins.grammar.whither | joins.grammar.for_

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        last = max(left.spans, key=lambda span: span.start)
        verbs = (s.text.lower() for s in left.spans if s.kind == "type")
        if not given.isdisjoint(gap) and any(map(joins.language.is_participle, verbs)):
            return
        own = _called(left.value, joins)
        inner = last.kind == "type" and bool(own) and last.meaning not in own
        other = inner and left.head >= 0
        with_ = not owning.isdisjoint(gap)
        apart = with_ or (isinstance(left.value, OfType) and not of.isdisjoint(gap))
        # A "package with an advisory" is none, and "the phone of a person" is nobody.
        apart = apart and left.head >= 0 and right.head >= 0
        its = other and not of.isdisjoint(gap)
        nearer = joins.kinds.by_class_word.get(last.meaning, frozenset())
        if inner and not joins.grammar.whence.isdisjoint(gap) and joins.kinds.have_roles(nearer):
            return  # "phones that got calls from Ann": she called, and need have no such phone
        its = its and bool(joins.kinds.between(right.value.kinds, nearer))
        for joined in () if its or (with_ and other) else rule(left, right, gap):
            if not (apart and joined[3] == right.head):
                yield joined

    return join


def or_owners(rule: Rule, joins: Joins) -> Rule:
    """A rule for a set and a relation; of "Ann as their mentor", those who have her so."""

    def join(left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if (owners := joins.owners_as(left.value, right.value, gap)) is not None:
            yield "set", owners, 0.0, -1
            return
        yield from rule(left, right, gap)

    return join
