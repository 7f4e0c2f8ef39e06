"""How two neighbouring parts of a question join, and what that costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from isomatch.chains.graph import Step
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Compared,
    Count,
    Expression,
    Extreme,
    Named,
    OfType,
    Without,
)
from isomatch.interpret.compose.grading import Grading
from isomatch.interpret.compose.items import Category, Item, RelationWord
from isomatch.interpret.compose.kinds import LITERAL, GraphKinds, Kinds
from isomatch.interpret.content import forms
from isomatch.lexicon.english import CALLING, LINKING, PLACES, Scale
from isomatch.lexicon.lexicon import Lexicon

Joined = tuple[Category, Any, float, int]  # category, value, cost, head

APPOSITION = frozenset(("of", "the", "called", "named", "is", "are", "was", "a"))

_BEING = frozenset(("is", "are", "was", "were"))


class Rules:
    """The rules over one graph.

    Args:
        kinds: of the graph.
        lexicon: words of relations, to find those that an adjective compares.
    """

    def __init__(self, kinds: GraphKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._grading = Grading(kinds, lexicon)
        types = {form for words in lexicon.types.values() for form in forms(words.word)}
        self._classes = {
            r.id for r in kinds.schema.relations if not types.isdisjoint(forms(r.text.lower()))
        }
        self._named_extremes = self._grading.named_extremes
        self._rules: Mapping[
            tuple[Category, Category], Callable[[Item, Item, Sequence[str]], Iterator[Joined]]
        ] = {
            ("set", "set"): self._sets,
            ("relation", "set"): self._relation_set,
            ("set", "relation"): self._set_relation,
            ("relation", "relation"): self._relations,
            ("superlative", "set"): self._superlative_set,
            ("set", "superlative"): self._set_superlative,
            ("superlative", "relation"): self._superlative_relation,
            ("extreme", "set"): self._extreme_set,
            ("set", "extreme"): self._set_extreme,
            ("relation", "extreme"): self._relation_extreme,
            ("most", "set"): self._most_set,
            ("most", "relation"): self._most_relation,
            ("most", "number of"): self._most_number,
            ("count", "set"): self._count_set,
            ("count", "relation"): self._count_relation,
            ("count", "degree"): lambda a, b, gap: iter([("degree", b.value, 0.0, -1)]),
            ("degree", "set"): self._degree_set,
            ("set", "degree"): lambda a, b, gap: self._degree_set(b, a, gap),
            ("comparison", "constant"): self._comparison_constant,
            ("comparison", "set"): self._comparison_set,
            ("relation", "compared"): self._relation_compared,
            ("degree", "compared"): self._degree_compared,
            ("set", "compared"): self._set_compared,
            ("set", "filter"): self._set_filter,
            ("filter", "set"): lambda a, b, gap: self._set_filter(b, a, gap),
            ("not", "set"): self._not_set,
            ("set", "excluded"): self._set_excluded,
            ("where", "set"): self._where_set,
        }

    def join(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """What two neighbours make together.

        Args:
            gap: function words between them that are no items.
        """
        rule = self._rules.get((left.category, right.category))
        if rule is None:
            return
        for category, value, cost, head in rule(left, right, gap):
            spans = left.spans + right.spans
            yield Item(category, value, left.score + right.score - cost, head, spans)

    # -- sets ----------------------------------------------------------------

    def _sets(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        for value, cost in self._met(left.value, right.value, gap):
            yield "set", value, cost, left.head
        compound = not gap
        cost = 0.1 if compound else 0.7
        for value, more in self._met(right.value, left.value, gap, turned=True):
            yield "set", value, cost + more, right.head

    def _met(
        self, head: Expression, other: Expression, gap: Sequence[str], *, turned: bool = False
    ) -> Iterator[tuple[Expression, float]]:
        """The members of a set that are in another, or one step from it."""
        if isinstance(head, Extreme) and isinstance(other, (Along, Without, Both, Compared)):
            for of, cost in self._met(head.of, other, gap):
                yield Extreme(of, head.step, head.descending, of.kinds, head.counted), cost
        if isinstance(head, Named) and isinstance(other, Named) and not turned:
            for step in self._kinds.between(other.kinds, head.kinds) if not gap else ():
                there = Along(other, step, self._kinds.ends(step)[1])  # "Springfield, Missouri"
                yield Both(head, there, head.kinds), 0.1 if step.back else 0.5
        if isinstance(head, Named) and not isinstance(other, OfType):
            return
        same = head.kinds & other.kinds
        if (same or not head.kinds or not other.kinds) and not _is_value(head):
            named = Named in (type(head), type(other))
            if isinstance(head, OfType) and isinstance(other, OfType):
                pass
            elif not named:
                cost = 0.0 if isinstance(head, OfType) or isinstance(other, OfType) else 0.1
                if not same:
                    cost += 0.5
                yield Both(head, other, same or head.kinds), cost + 0.1 * isinstance(head, Extreme)
            elif OfType in (type(head), type(other)):
                yield (
                    Both(head, other, same or head.kinds),
                    0.0 if APPOSITION.issuperset(gap) else 1.0,
                )
        called = not CALLING.isdisjoint(gap)  # "rivers called Colorado" are not those in Colorado
        if called or isinstance(head, Named) or _is_value(head) or _is_value(other):
            return
        steps = [
            step
            for step in self._kinds.between(other.kinds, head.kinds)
            if not _comes_back(other, step)
        ]
        for step in steps:
            # Without a word for the relation any of them may be meant.
            cost = 0.25 + 0.4 * (len(steps) - 1)
            yield Both(head, Along(other, step, self._kinds.ends(step)[1]), head.kinds), cost

    # -- relations ------------------------------------------------------------

    def _relation_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        word: RelationWord = left.value
        of = right.value
        if not CALLING.isdisjoint(gap):
            return
        target = self._kinds.ends(Step(word.relation))[1]
        if isinstance(of, OfType) and not gap and target & of.kinds:  # "capital cities"
            yield "relation", word, 0.0, right.head
        back = word.role in ("inverse noun", "forward")
        head = left.head if "noun" in word.role else -1
        for value, cost in self._along(of, word, back):
            yield "set", value, cost, head
        if word.relation in self._named_extremes:
            yield from self._of_extreme(word, of, left.head)

    def _set_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        word: RelationWord = right.value
        step = Step(word.relation)
        if isinstance(left.value, Extreme) and self._kinds.gives_value(step.relation):
            if "by" in gap and left.value.counted is None:  # "the smallest state by area"
                yield "set", replace(left.value, step=step), 0.0, left.head
            return
        back = word.role in ("inverse noun", "backward")
        head = right.head if "noun" in word.role else -1
        apart = 0.0 if LINKING.issuperset(gap) else 0.8  # "the river in the country"
        for value, cost in self._along(left.value, word, back):
            yield "set", value, cost + apart, head
        if word.role == "noun" and "the" in gap:  # "that Columbus is the capital of"
            for value, cost in self._along(left.value, word, True):
                yield "set", value, cost + 0.2, -1
        if word.relation in self._named_extremes:
            step, descending = self._named_extremes[word.relation]
            of: Expression = left.value
            if self._leads(step, of.kinds):
                yield "set", Extreme(of, step, descending, of.kinds), 0.1, left.head

    def _along(
        self, of: Expression, word: RelationWord, back: bool
    ) -> Iterator[tuple[Expression, float]]:
        """One step of a relation from a set, in the direction that its word asks for."""
        paired = self._paired_value(of, word)
        if paired is not None:
            yield paired, 0.0
        # "state" as a relation leads to states; as a class it is read elsewhere.
        steps = (Step(word.relation, back), Step(word.relation, not back))
        fitting = [
            step
            for step in (steps[:1] if word.relation in self._classes else steps)
            if self._leads(step, of.kinds)
            and not (step.back and self._kinds.gives_value(step.relation))
            and not _comes_back(of, step)
        ]
        for number, step in enumerate(fitting):
            cost = 0.0 if len(fitting) == 1 or number == 0 else 0.8
            yield Along(of, step, self._kinds.ends(step)[1]), cost

    def _paired_value(self, of: Expression, word: RelationWord) -> Expression | None:
        """The height of the highest point: the value by which a state's point is the highest."""
        if isinstance(of, Along) and of.step.relation in self._named_extremes and not of.step.back:
            step, _ = self._named_extremes[of.step.relation]
            if step.relation == word.relation:
                return Along(of.of, step, self._kinds.ends(step)[1])
        return None

    def _relations(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if not gap:  # "population density": a compound is what its last word is
            yield "relation", right.value, 0.4, right.head

    def _leads(self, step: Step, kinds: Kinds) -> bool:
        source = self._kinds.ends(step)[0]
        return not kinds or not source or not source.isdisjoint(kinds)

    # -- the largest ------------------------------------------------------------

    def _superlative_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        scale, descending = left.value
        of: Expression = right.value
        if isinstance(of, (Named, Extreme)) or _is_value(of):
            return
        for place, (step, down) in enumerate(self._grading.graded(scale, descending, of.kinds)):
            yield "set", Extreme(of, step, down, of.kinds), 0.5 * place, right.head

    def _set_superlative(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if not _BEING.isdisjoint(gap):  # "which state is the largest"
            yield from self._superlative_set(right, left, gap)

    def _superlative_relation(
        self, left: Item, right: Item, gap: Sequence[str]
    ) -> Iterator[Joined]:
        word: RelationWord = right.value
        step = Step(word.relation)
        if not self._kinds.gives_value(step.relation):
            return
        if self._grading.agrees(word.relation, left.value[1]):
            yield "extreme", (step, left.value[1], None), 0.0, -1

    def _extreme_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        step, descending, counted = left.value
        of: Expression = right.value
        if isinstance(of, Named) or _is_value(of) or counted is not None:
            return
        if self._leads(step, of.kinds):
            extreme = Extreme(of, step, descending, of.kinds)
            yield "set", extreme, 0.0 if not gap else 0.6, right.head
            if gap:
                value = Along(extreme, step, self._kinds.ends(step)[1])
                yield "set", value, 0.2, -1

    def _set_extreme(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        step, descending, counted = right.value
        of: Expression = left.value
        if isinstance(of, (Named, Extreme)) or _is_value(of):
            return
        if counted is None:
            if self._leads(step, of.kinds):
                yield "set", Extreme(of, step, descending, of.kinds), 0.0, left.head
            return
        steps = [step] if step else self._kinds.between(of.kinds, counted.kinds)
        for one in steps:
            if self._leads(one, of.kinds):
                cost = 0.1 + 0.4 * (len(steps) - 1)
                yield "set", Extreme(of, one, descending, of.kinds, counted), cost, left.head

    def _relation_extreme(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        step, descending, counted = right.value
        if counted is None or step is not None:
            return
        word: RelationWord = left.value
        for back in (False, True):
            one = Step(word.relation, back)
            if not self._kinds.ends(one)[1].isdisjoint(counted.kinds):
                yield "extreme", (one, descending, counted), 0.4 * back, -1

    def _most_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        # Who has the fewest may have none, and is in no match.
        if left.value and isinstance(right.value, (OfType, Both, Compared)):
            yield "extreme", (None, True, right.value), 0.0, -1

    def _most_number(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if left.value:  # "the most number of rivers"
            yield "extreme", (None, True, right.value.of), 0.0, -1

    def _most_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        step = Step(right.value.relation)
        if self._kinds.gives_value(step.relation):
            yield "extreme", (step, left.value, None), 0.0, -1

    def _of_extreme(self, word: RelationWord, of: Expression, head: int) -> Iterator[Joined]:
        """The highest point of a region: that of the state in it whose point is the highest."""
        step, descending = self._named_extremes[word.relation]
        source = self._kinds.ends(step)[0]
        if not of.kinds or not source.isdisjoint(of.kinds):
            return
        for type_id in sorted(source & self._kinds.schema.sizes.keys()):
            every = OfType(type_id, self._kinds.of_type(type_id))
            for within, cost in self._met(every, of, ()):
                best = Extreme(within, step, descending, within.kinds)
                there = Step(word.relation)
                yield "set", Along(best, there, self._kinds.ends(there)[1]), cost + 0.1, head

    def alone(self, item: Item) -> Iterator[Item]:
        """What an item may also be by itself."""
        if item.category != "relation":
            return
        word: RelationWord = item.value
        if word.role != "noun":
            return
        if word.relation in self._named_extremes:
            step, descending = self._named_extremes[word.relation]
            yield Item("extreme", (step, descending, None), item.score - 0.1, -1, item.spans)
        step = Step(word.relation)
        source, target = self._kinds.ends(step)
        types = sorted(source & self._kinds.schema.sizes.keys())
        if len(types) == 1:
            every = OfType(types[0], self._kinds.of_type(types[0]))
            if word.relation in self._named_extremes:
                by, descending = self._named_extremes[word.relation]
                best = Extreme(every, by, descending, every.kinds)
                value = Along(best, step, target)
                yield Item("set", value, item.score - 0.2, item.head, item.spans)
            else:
                value = Along(every, step, target)
                yield Item("set", value, item.score - 0.5, item.head, item.spans)

    # -- numbers ------------------------------------------------------------

    def _count_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if not isinstance(right.value, (Named, Count, Extreme)) and not _is_value(right.value):
            yield "number of", Count(right.value), 0.0, right.head

    def _count_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if self._kinds.gives_value(right.value.relation):
            yield "relation", right.value, 0.0, right.head  # "how many people live in"

    def _degree_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of: Expression = right.value
        scale: Scale = left.value
        if isinstance(of, Along) and of.step.relation in self._named_extremes:
            step, descending = self._named_extremes[of.step.relation]
            if any(
                step == s
                for s, _ in self._grading.graded(scale, descending, self._kinds.ends(step)[0])
            ):
                yield "set", Along(of.of, step, self._kinds.ends(step)[1]), 0.0, -1
                return
        if _is_value(of):
            return
        for place, (step, _) in enumerate(self._grading.graded(scale, True, of.kinds)):
            yield "set", Along(of, step, self._kinds.ends(step)[1]), 0.5 * place, -1

    def _comparison_constant(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        operator, scale = left.value
        yield "compared", (operator, scale, right.value, None), 0.0, -1

    def _comparison_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        operator, scale = left.value
        yield "compared", (operator, scale, (), right.value), 0.0, -1

    def _relation_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        step = Step(left.value.relation)
        if self._kinds.gives_value(step.relation):
            operator, _, values, other = right.value
            yield "filter", (step, operator, values, self._value(other, step)), 0.0, -1

    def _degree_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        operator, scale, values, other = right.value
        if scale is None:
            yield "compared", (operator, left.value, values, other), 0.0, -1

    def _set_compared(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        operator, scale, values, other = right.value
        of: Expression = left.value
        if scale is None or isinstance(of, Named) or _is_value(of):
            return
        for place, (step, up) in enumerate(self._grading.graded(scale, operator == ">", of.kinds)):
            turned = ">" if up else "<"
            compared = Compared(of, step, turned, values, of.kinds, self._value(other, step))  # type: ignore[arg-type]
            yield "set", compared, 0.5 * place, left.head

    def _value(self, other: Expression | None, step: Step) -> Expression | None:
        """The values of what a value is compared with."""
        if other is None or _is_value(other):
            return other
        paired = self._paired_value(other, RelationWord(step.relation, "noun"))
        return paired or Along(other, step, self._kinds.ends(step)[1])

    def _set_filter(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        step, operator, values, other = right.value
        of: Expression = left.value
        if not isinstance(of, Named) and not _is_value(of) and self._leads(step, of.kinds):
            yield "set", Compared(of, step, operator, values, of.kinds, other), 0.0, left.head

    # -- not, where ------------------------------------------------------------

    def _not_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if not _is_value(right.value):
            yield "excluded", right.value, 0.0, right.head

    def _set_excluded(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of: Expression = left.value
        less: Expression = right.value
        if isinstance(of, Named) or _is_value(of):
            return
        if isinstance(less, (Along, Both, Named)) and of.kinds & less.kinds:
            yield "set", Without(of, less, of.kinds), 0.0, left.head
        if isinstance(less, (OfType, Named)):
            steps = self._kinds.between(less.kinds, of.kinds)
            for step in steps:
                cost = 0.1 + 0.4 * (len(steps) - 1)
                other = Along(less, step, self._kinds.ends(step)[1])
                yield "set", Without(of, other, of.kinds), cost, left.head

    def _where_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        of: Expression = right.value
        steps = [
            (self._kinds.schema.by_id[s.relation].objects, s)
            for relation in self._kinds.schema.relations
            for s in [Step(relation.id)]
            if of.kinds
            and not self._kinds.gives_value(s.relation)
            and not self._kinds.ends(s)[0].isdisjoint(of.kinds)
            and not PLACES.isdisjoint(self._grading.words[relation.id])
        ]
        for place, (_, step) in enumerate(sorted(steps, key=lambda s: (-s[0], s[1]))):
            yield "set", Along(of, step, self._kinds.ends(step)[1]), 0.2 + 0.5 * place, -1


def _comes_back(of: Expression, step: Step) -> bool:
    """Whether a step goes back the way that led to a set."""
    if isinstance(of, Both):
        return _comes_back(of.left, step) or _comes_back(of.right, step)
    return isinstance(of, Along) and of.step == step.inverse


def _is_value(of: Expression) -> bool:
    return bool(of.kinds) and all(kind.startswith(LITERAL) for kind in of.kinds)
