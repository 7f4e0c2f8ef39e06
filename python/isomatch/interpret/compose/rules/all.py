"""All rules: how two neighbouring parts of a question join, and what that costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from isomatch.chains.graph import Step
from isomatch.interpret.compose.analysis import (
    are_names,
    is_apart,
    is_done_by,
    is_done_to,
    is_whole,
    way_back,
)
from isomatch.interpret.compose.categories import Category
from isomatch.interpret.compose.expressions import (
    Along,
    Both,
    Expression,
    Extreme,
    Named,
    OfType,
    Shared,
    Valued,
    is_value,
    last_steps,
)
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.lexical.class_verbs import leads_to_deed
from isomatch.interpret.compose.lexical.relation_words import RelationWord
from isomatch.interpret.compose.rules.averages import AverageRules
from isomatch.interpret.compose.rules.base import set_or_fact
from isomatch.interpret.compose.rules.choices import ChoiceRules
from isomatch.interpret.compose.rules.comparisons import ComparisonRules
from isomatch.interpret.compose.rules.counts import CountRules
from isomatch.interpret.compose.rules.dates import or_year
from isomatch.interpret.compose.rules.edges import EdgeRules
from isomatch.interpret.compose.rules.frequencies import FrequencyRules
from isomatch.interpret.compose.rules.groups import GroupRules
from isomatch.interpret.compose.rules.light_verbs import LightVerbRules
from isomatch.interpret.compose.rules.listings import ListingRules
from isomatch.interpret.compose.rules.lists import ListRules, are_two_of_kind
from isomatch.interpret.compose.rules.negations import NegationRules
from isomatch.interpret.compose.rules.others import OtherRules
from isomatch.interpret.compose.rules.owners import OwnerRules, of_nearest, or_owners
from isomatch.interpret.compose.rules.participants import (
    named_by_class,
    or_participant,
    or_their_values,
)
from isomatch.interpret.compose.rules.people import PeopleRules
from isomatch.interpret.compose.rules.places import PlaceRules
from isomatch.interpret.compose.rules.rankings import RankingRules, among_best, of_best
from isomatch.interpret.compose.rules.record_kinds import RecordKindRules
from isomatch.interpret.compose.rules.record_values import or_record_value
from isomatch.interpret.compose.rules.records import RecordRules
from isomatch.interpret.compose.rules.relative_clauses import (
    WITH_WHOM,
    is_going,
    or_relative,
    out_of_order,
)
from isomatch.interpret.compose.rules.repeated_relations import (
    or_had_value,
    or_same_relation,
    or_same_value,
)
from isomatch.interpret.compose.rules.superlatives import SuperlativeRules
from isomatch.interpret.compose.rules.yes_no import YesNoRules
from isomatch.interpret.compose.sets.joins import Joined, Joins, Rule

FAR = 0.002


class Rules:
    """The rules over one graph.

    Args:
        joins: of the graph.
    """

    def __init__(self, joins: Joins):
        self._joins = joins
        self._kinds, self._grammar = joins.kinds, joins.grammar
        both = self._relation_set, self._set_relation
        self._superlatives = superlatives = SuperlativeRules(joins)
        self._comparisons = comparisons = ComparisonRules(joins)
        self._yes_no, self._places = YesNoRules(joins), PlaceRules(joins)
        others = OtherRules(joins, self._relation_set, comparisons.set_compared)
        owners, records, self.record_kinds = (
            OwnerRules(joins, comparisons),
            RecordRules(joins),
            RecordKindRules(joins),
        )
        self._before_nouns = self._grammar.any_article
        self._is_free = joins.language.free_order
        # In a free order these are articles, too, but not in gaps of clauses, see `verb_final`.
        pronouns = self._grammar.relative - self._grammar.any_article
        self._relative = pronouns if self._is_free else self._grammar.relative
        self._clauses = pronouns if self._is_free else self._relative | self._grammar.being
        averages, edges = AverageRules(joins, superlatives), EdgeRules(joins)
        counts = CountRules(joins, edges)
        lists, negations = ListRules(joins, *both), NegationRules(joins, *both)
        groups, rankings = GroupRules(joins), RankingRules(joins, superlatives)
        listings = ListingRules(joins, groups)
        people = PeopleRules(joins, superlatives, comparisons)
        said = (lists, superlatives, averages, comparisons, edges, others, negations, records)
        self._unary = unary = (*said, self.record_kinds, listings, people)
        choices, light_verbs = ChoiceRules(joins, *both), LightVerbRules(joins, self._set_relation)
        last = (owners, rankings, self._yes_no, FrequencyRules(joins), light_verbs)
        sets = or_had_value(of_nearest(others.or_class(self._sets), joins), joins.language)
        sets = or_record_value(owners.or_pair(sets), joins)
        by_class = named_by_class(self._set_relation, joins)
        tables = (*unary, groups, choices, self._places, *last, counts)
        self._rules: dict[tuple[Category, Category], Rule] = {
            **{pair: rule for rules in tables for pair, rule in rules.table.items()},
            ("set", "set"): or_relative(or_participant(or_their_values(sets, joins), joins), joins),
            ("set", "linked"): or_relative(or_their_values(owners.set_linked, joins), joins),
            ("relation", "set"): or_same_relation(self._relation_set, self._kinds, joins.language),
            ("set", "relation"): or_owners(
                or_same_value(by_class, self._kinds, joins.language), joins
            ),
            ("relation", "relation"): self._relations,
            ("count", "answer"): listings.or_values(counts.count_set),
            ("set", "relations"): self._set_relations,
            ("relations", "set"): listings.of_nouns(self._relations_set),
            ("relation", "extreme"): superlatives.of_relation,
            ("set", "compared"): set_or_fact(comparisons.set_compared),
            ("set", "dated"): set_or_fact(comparisons.set_dated),
            ("set", "filter"): set_or_fact(comparisons.set_filter),
            ("filter", "set"): among_best(self._filter_set),
            ("constant", "set"): or_year(comparisons.constant_set, joins),
        }

    def join(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Item]:
        """What two neighbours make together, worth no more than both (see `chart.parse`).

        Args:
            gap: function words between them that are no items.
        """
        rule = self._rules.get((left.category, right.category))
        if rule is None:
            return
        for category, value, cost, head in rule(left, right, gap):
            spans = left.spans + right.spans
            # Of equals, what follows belongs to the nearest: "the state with the most people".
            far = FAR * len(left.spans)
            yield Item(category, value, left.score + right.score - cost - far, head, spans)

    def alone(self, item: Item) -> Iterator[Item]:
        """What an item may also be by itself."""
        for rules in self._unary:
            yield from rules.alone(item)

    def _filter_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "flagged payments"; "no public services" are no services that are not"""
        said = left.spans[0].text.lower() in self._grammar.lacking
        first, *rest = left.spans
        # "Have not passed an inspection", and "not have a cancelled booking": they may have others.
        apart = not self._before_nouns.isdisjoint(gap) or (rest and first.end + 1 < rest[0].start)
        other = first.kind == "operator" and apart
        if not (said or other):
            yield from self._comparisons.set_filter(right, left, gap)

    def _sets(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        if right.head < 0:  # "actors have directed": of a verb it is no possession
            gap = [word for word in gap if word not in self._grammar.having]
        has = not self._grammar.having.isdisjoint(gap)
        a_noun = bool(gap) and self._grammar.indefinite.issuperset(gap) and not self._is_free
        names = isinstance(left.value, Named) and isinstance(right.value, Named)
        joined = self._is_and([word for word in gap if word not in self._grammar.articles])
        if names and joined:
            yield "list", (left.value, right.value), 0.0, -1
        elif names:
            yield from self._places.within(left, right, gap)
            if self._places.are_joined(gap):
                return
        elif are_two_of_kind(left, right, gap, self._joins.language):
            return  # "a home policy and a life policy"
        elif joined and are_names(left, right):
            return  # "Ann and Ben's films" are no films of Ben beside Ann
        elif joined and left.value.kinds.isdisjoint(right.value.kinds):
            return  # "editors and journalists" are no editors of journalists
        for named, other in ((left.value, right.value), (right.value, left.value)):
            plain = isinstance(named, Named) and not isinstance(other, (Named, Extreme))
            plain = plain and not is_done_by(right, self._kinds)
            if plain and not has and (same := self._joins.shared_kinds(named, other)):
                of: Category = "one of" if a_noun else "fact"  # "Austin is the capital of Texas"
                yield of, Both(named, other, same), 0.0, -1
        owners = self._joins.owners(right.value) if has or a_noun else None
        both = left.value.kinds & owners.kinds if owners else frozenset()
        if isinstance(left.value, Named):
            if owners and both:  # who has a mentor need be nobody's
                yield "fact" if has else "owner", Both(left.value, owners, both), 0.0, -1
            if owners and has:
                return  # "have an illustrator" says by which relation
        elif owners and has and both and left.head >= 0:
            clause = not self._relative.isdisjoint(gap)
            of = "set" if clause else "answer"  # "a book that has a sequel", and "which books have"
            yield of, Both(left.value, owners, both), 0.0, left.head
            return
        if right.head >= 0 and self._after_whose(right, gap) is not None:
            return  # "whose mentor lives in Ulm" is no mentor of those who live there
        some = has and not self._grammar.indefinite.isdisjoint(gap)
        if some and not both and isinstance(right.value, Along):
            return  # ships that "have a captain from Norway": from there is he, not his ship
        if self._is_told(left, right, gap) or self._is_done(left, right, gap):
            return
        yield from self._described(left, right, gap)

    def _described(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """One of two sets as the other describes it: "the rivers in Texas", "Texas rivers"."""
        mutual = any(self._kinds.is_symmetric(step.relation) for step in last_steps(left.value))
        beside = mutual and not gap and right.head >= 0 and is_whole(right.value)
        if beside and left.head >= 0:
            return  # "states border the Mississippi river": no rivers, but those of that name
        verbal = left.head < 0 and not gap and isinstance(left.value, (Along, Both))
        yield from self._places.around(left, right, gap)
        equal = bool(gap) and self._grammar.being.issuperset(gap) and not is_value(right.value)
        if isinstance(right.value, Named) and (equal or (verbal and not is_value(left.value))):
            return  # "whose child is Ann", "countries border French": of nothing beside it
        noun = self._after_whose(right, gap)
        beside |= noun is not None and is_whole(noun)  # see `OwnerRules`
        owned = not self._grammar.possessive.isdisjoint(gap)  # the owner is not what it has
        beside |= owned and any(isinstance(one.value, Extreme) for one in (left, right))
        for value, cost in () if beside else self._places.met(left, right, gap):
            yield "set", value, cost + 0.5 * owned, left.head
        if right.head < 0 and self._grammar.linking.issuperset(gap):
            for value, cost in self._joins.bridged(left.value, right.value):
                yield "set", value, cost, left.head
        cost = 0.7 if gap or right.head < 0 else 0.1  # "Texas rivers"
        for value, more in self._joins.met(right.value, left.value, gap, turned=True):
            yield "set", value, cost + more, right.head

    def _after_whose(self, right: Item, gap: Sequence[str]) -> Along | None:
        """What a relation's noun after "whose" is for; None where a set is not called so."""
        noun = right.value.left if isinstance(right.value, Both) else right.value
        whose = not self._grammar.whose.isdisjoint(gap)
        return noun if whose and isinstance(noun, Along) else None

    def _is_done(self, left: Item, right: Item, gap: Sequence[str]) -> bool:
        """Whether something was done to a name: "has Ann been hired" is not whether she hires."""
        been = self._grammar.been - self._grammar.being
        done = been.issuperset(gap) and isinstance(left.value, Named) and len(right.spans) == 1
        verb = right.spans[0]
        said = verb.kind == "relation" and self._joins.language.is_participle(verb.text.lower())
        return bool(gap) and done and said

    def _is_told(self, left: Item, right: Item, gap: Sequence[str]) -> bool:
        """Whether a question says that something is what it cannot be: "is Texas a city"."""
        indefinite = self._says_what(gap)
        articles = self._grammar.articles - self._grammar.of
        the = bool(gap) and articles.issuperset(gap) and isinstance(left.value, Named)
        apart = left.value.kinds.isdisjoint(right.value.kinds) and bool(right.value.kinds)
        named = isinstance(left.value, Named) and isinstance(right.value, OfType) and indefinite
        return right.head >= 0 and left.head >= 0 and (named or (apart and (indefinite or the)))

    def _says_what(self, gap: Sequence[str]) -> bool:
        """Whether what follows is said of what comes before: "Texas is a state"."""
        grammar = self._grammar
        told = (grammar.indefinite | grammar.being).issuperset(gap)
        return told and not grammar.indefinite.isdisjoint(gap)

    def _relation_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        word: RelationWord = left.value
        of: Expression = right.value
        apart = self._grammar.calling | self._grammar.joining | self._grammar.possessive
        if not apart.isdisjoint(gap) or word.role == "number":
            return
        target = self._kinds.ends(Step(word.relation))[1]
        if isinstance(of, OfType) and not gap and target & of.kinds:  # "capital cities"
            yield "relation", word, 0.0, right.head
            if word.role == "noun":
                return  # and not the countries that have them
        if is_apart(left, right, gap, self._kinds) or self._joins.is_of_another(of, word, gap):
            return  # "the station World's End" is no line that has it
        behind = isinstance(of, Named) and not gap
        behind |= not self._is_free and self._before_nouns.issuperset(gap)
        behind = behind and not is_value(of)
        if behind and word.role == "forward" and self._kinds.gives_value(word.relation):
            return  # who "uses a laptop" is no system that it runs
        noun, those = "noun" in word.role, not self._grammar.antecedents.isdisjoint(gap)
        told = not gap or not (self._clauses.isdisjoint(gap) or those)
        same = self._kinds.ends(word.to_things)[1] & of.kinds
        described = right.head < 0 or (isinstance(of, (Along, Both)) and bool(same))
        doing = self._joins.language.is_verb(self._kinds.schema.by_id[word.relation].text)
        part = word.role != "noun" and right.head < 0 and not doing
        if part and not self._joins.language.auxiliaries.isdisjoint(gap):
            return  # "which parts does Ann supply" asks for no parts of what she does
        free = self._is_free and isinstance(of, Named) and word.to_things in of.steps
        has = not (free or self._grammar.having.isdisjoint(gap))  # "welchen Status hat A-7"
        one = not (self._is_free or self._grammar.indefinite.isdisjoint(gap))
        one = one and not any(map(self._joins.language.is_participle, _last_word(left)))
        has |= one and not self._grammar.owning.isdisjoint(gap)  # and not "acquainted with a"
        if noun and (has or (told and described)):
            return  # "which captains have a trainer", "which city ordered tea": none of theirs
        if not noun and (does := self._joins.does_any(word, right)):  # "use any library"
            yield "set", does, 0.0, -1
            return
        head = left.head if noun else -1
        owning = head < 0 and not self._grammar.owning.isdisjoint(gap)
        if owning and (beside := self._joins.beside(of, Step(word.relation))):
            yield "set", beside, 0.1, -1  # "worked with Tom Hanks"
            return
        back, sure = self._joins.object_back(word, gap), self._joins.is_sure(word, gap)
        told = self._joins.tells_direction(of, word, gap)
        told = told or any(self._joins.is_called(s.text, word, gap) for s in left.spans)
        told |= noun and not self._grammar.owning.isdisjoint(gap)  # "residences with postcode M9"
        owned = not self._grammar.being.isdisjoint(gap)
        for value, cost in self._joins.along(of, word, back=back, sure=sure):
            if told and isinstance(value, Along) and value.of == of and value.step.back != back:
                continue
            cost += out_of_order(value, word, gap, self._joins)
            is_name = isinstance(of, Named) and isinstance(value, Along) and value.of == of
            # "Captains are goalkeepers" is about captains, and "whose manager is Carol" is not.
            yield "set", value, cost, -1 if owned and (noun or not is_name) else head
        if word.relation in self._joins.named_extremes:
            yield from self._superlatives.highest_point(word, of, left.head)

    def _set_relation(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        word: RelationWord = right.value
        of: Expression = left.value
        step, grammar = Step(word.relation), self._grammar
        if not grammar.joining.isdisjoint(gap) or word.role == "number":
            return
        if isinstance(of, Extreme) and self._kinds.gives_value(word.relation):
            yield from of_best(self._joins, left, right, gap)
            return
        verb = "noun" not in word.role
        if self._says_what(gap) and not verb:
            return  # "is Texas a state" asks for no state that it is in
        has = not (verb or self._is_free or grammar.owning.isdisjoint(gap))
        if has and not self._kinds.gives_value(word.relation):
            return  # "a school with a speaker" is a school
        if verb and gap and not self._is_free and self._before_nouns.issuperset(gap[-1:]):
            return  # "have an illustrator" says not that they illustrated anything
        possessive = not grammar.possessive.isdisjoint(gap)  # "Eve Lang's mentor" mentors her
        back = word.role in ("inverse noun", "backward")
        if verb and possessive and self._joins.language.is_doer_itself(right.spans[-1].text):
            back = word.role == "forward"
        apart = 0.0 if grammar.linking.issuperset(gap) else 0.8  # "the river in the country"
        apart += 0.2 * (possessive and isinstance(of, OfType))  # "the biggest city's state"
        # "papers cite surveys": what comes first is rather the subject
        apart += 0.4 * (verb and (isinstance(of, Both) or is_whole(of)))
        # "the last question asked" is rather one, and not who asked it
        apart += 0.4 * (verb and isinstance(of, Extreme) and not gap)
        # "What did Ann order" asks for what is in her orders.
        apart += 0.4 * (verb and leads_to_deed(right.spans, word.relation, self._kinds))
        apart += WITH_WHOM * is_going(left, right, gap, self._joins.language)
        way = way_back(of, right, gap, self._kinds)  # "Heat has been reviewed"
        back = back if way is None else way
        has = way is not None or self._joins.is_bare(word)  # "from Ann to Ben"
        has = has or (not verb and not grammar.having.isdisjoint(gap))
        if verb and self._joins.is_object(left, step):  # "libraries does the shop use"
            yield "set", of, 0.1, left.head
            return
        some = not verb and isinstance(of, OfType) and self._yes_no.has_some(right, gap)
        told = some or is_done_to(of, right, gap, self._kinds)
        if not grammar.relative.isdisjoint(gap):  # "who have friends" are none of these
            told |= self._kinds.is_symmetric(word.relation)
        for value, cost in () if told else self._joins.along(of, word, back=back):
            # Who has an editor edits nothing by that, "Dutch captains" are none of their ships, and
            # "Ann's answers" no questions that she answered.
            along = isinstance(value, Along) and value.step.back != back and (has or value.of != of)
            if verb and possessive and isinstance(value, Along) and value.of != of:
                continue
            if not along or (not has and (verb or gap)):
                yield "set", value, cost + apart, -1 if verb else right.head
        yield from (self._yes_no.set_done if verb else self._yes_no.has_value)(left, right, gap)
        if some and self._joins.leads(step := Step(word.relation, back), of.kinds):
            yield self._joins.said(gap), Valued(of, step, of.kinds), 0.0, left.head
        if not (verb or has or self._before_nouns.isdisjoint(gap)):  # "that Oslo is the capital of"
            for value, cost in self._joins.along(of, word, back=word.role == "noun"):
                yield "set", value, cost + 0.2, -1
        if word.relation in self._joins.named_extremes:  # "the state with the highest point"
            step, descending = self._joins.named_extremes[word.relation]
            if self._joins.leads(step, of.kinds):
                yield "set", Extreme(of, step, descending, of.kinds), 0.1, left.head

    def _relations(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        words = (left.value, right.value)
        nouns = all(w.role == "noun" and self._kinds.gives_value(w.relation) for w in words)
        apart = gap or self._kinds.is_boolean(left.value.relation)  # "retired suppliers"
        if nouns and not apart and right.spans[-1].likeness == 1:  # "population density", no verb
            yield "relation", right.value, 0.4, right.head
        if self._is_and(gap[-1:]) and self._joins.language.prepositions.issuperset(gap[:-1]):
            yield "relations", (left.value, right.value), 0.0, -1  # "acted in and directed"
        yield from self._yes_no.both_deeds(left, right, gap)

    def _set_relations(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "that Tom Hanks directed and acted in" """
        words = [Item("relation", word) for word in right.value]
        yield from self._both(self._set_relation(left, word, gap) for word in words)

    def _relations_set(self, left: Item, right: Item, gap: Sequence[str]) -> Iterator[Joined]:
        """ "who wrote and directed Heat" """
        words = [Item("relation", word) for word in left.value]
        rows = [list(self._relation_set(word, right, gap)) for word in words]
        single = all(self._joins.is_single(s.text) for s in right.spans if s.kind == "type")
        if single:  # "directed and acted in a film" says that of one film
            yield from self._of_one(rows)
        else:
            yield from self._both(rows)

    def _of_one(self, joined: Sequence[Sequence[Joined]]) -> Iterator[Joined]:
        """What several verbs lead to from one thing; of a name, from that."""
        both = next(self._both(joined), None)
        firsts = [next((j[1] for j in some if j[0] == "set"), None) for some in joined]
        sets = [one for one in firsts if isinstance(one, Along)]
        if both is None or len(sets) < len(firsts):
            yield from () if both is None else (both,)
        elif isinstance(sets[0].of, Named) or any(one.of != sets[0].of for one in sets):
            yield both
        else:
            steps = tuple(one.step for one in sets)
            yield "set", Shared(sets[0].of, steps, both[1].kinds), both[2], -1

    def _both(self, joined: Iterable[Iterable[Joined]]) -> Iterator[Joined]:
        firsts = [next((j for j in some if j[0] == "set"), None) for some in joined]
        found = [j for j in firsts if j is not None]
        if len(found) == len(firsts) and found[0][1].kinds & found[1][1].kinds:
            kinds = found[0][1].kinds & found[1][1].kinds
            yield "set", Both(found[0][1], found[1][1], kinds), found[0][2] + found[1][2], -1

    def _is_and(self, gap: Sequence[str]) -> bool:
        return len(gap) == 1 and gap[0] in self._grammar.joining


def _last_word(item: Item) -> list[str]:
    """The last words that an item is made of, if any is."""
    return [span.text.lower() for span in item.spans[-1:]]
