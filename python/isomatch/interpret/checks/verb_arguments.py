"""Checks the arguments of verbs: kinds beside one are at the ends of its relation, as said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from isomatch.interpret.checks.base import Check, name_after, name_before
from isomatch.interpret.checks.pattern_graph import OTHER, Types, typed_edges
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.agents import End
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word
from isomatch.interpret.words.relation_spans import RelationSpans
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.language import Language
from isomatch.lexicon.substitutions import Substitution
from isomatch.pattern.types import Edge, Pattern
from isomatch.schema.types import Relation


class VerbArguments(Check):
    """Compares where kinds stand beside a verb with the ends of its relation.

    Where a graph has a relation the other way round only, types let a reading join it to a kind
    whatever the words say: services "own teams", hospitals are "part of a ward". The verb of such
    a reading is left out.
    """

    by_order = True

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a word is said of something else than the kinds beside it."""
        return (
            self._are_turned(words, span, given)
            or self._is_of_another(words, span, given)
            or self._is_verb_itself(span, given)
        )

    def _is_verb_itself(self, span: Span, given: Hypothesis) -> bool:
        """Whether a kind between another and its own verb rather is a verb: "teams coach coaches".

        A coach that coaches has an article there.
        """
        understood = given.understood
        forms, kinds = self._language.forms, [s for s in understood if s.kind == "type"]
        if span not in kinds or all(s.end + 1 != span.start for s in kinds):
            return False
        after = (s for s in understood if s.kind == "relation" and s.start == span.end + 1)
        return any(not forms(s.text.lower()).isdisjoint(forms(span.text.lower())) for s in after)

    def _are_turned(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a kind beside a verb is only at the other end of the verb's relation."""
        if span.kind != "relation" or given.coverage is None or self._is_small(span):
            return False
        every = ((edge, types) for edges, types in typed_edges(given.pattern, {}) for edge in edges)
        read = [(e, types) for e, types in every if e.directed and e.relation == span.meaning]
        relations = [relation for edge, _ in read for relation in self._kinds.relations(edge)]
        if not read or any(map(self._kinds.holds_both_ways, relations)):
            return False
        understood = given.understood
        plainly = self._plainly(words, understood)

        def kinds_at(end: End) -> set[str]:
            return {kind for e, of in read for kind in self._kinds_at(e, end, of)}

        for kind, end in self._beside(plainly, span, relations, understood):
            if kind.type_meant in kinds_at(OTHER[end]) - kinds_at(end):
                return True
        for kind, end in self._right_beside(words, plainly, span, relations, understood):
            here = kinds_at(end)
            here |= {c for r in relations for c in self._kinds.called(r.end_types(end == "target"))}
            for edge, of in read if kind.start > span.end else ():
                here.update(self._around(edge.target, given.pattern, of))
            if here and kind.type_meant not in here:  # without types nothing is known
                return True
        return False

    def _right_beside(
        self,
        words: Sequence[Word],
        plainly: Sequence[Word],
        verb: Span,
        relations: Sequence[Relation],
        understood: Sequence[Span],
    ) -> Iterator[tuple[Span, End]]:
        """The kinds beside a verb that nothing else may be said of, each with its end.

        Trials are not "conducted at two arms" that have these, nor does the city of a maker
        "make drugs". But owners of cars may be those who "live in" a place.

        Args:
            plainly: see `_plainly`.
        """
        grammar = self._language.grammar
        kinds = [s for s in understood if s.kind == "type"]
        onward = self._from_preposition(plainly, verb, relations)
        for kind in kinds if len(onward) > 1 else ():
            plain = all(w.end - w.start == len(w.text) for w in words if w.start == kind.start)
            if kind.start == onward[1].start and plain:
                yield kind, "target"  # and not "at a trial's site"
        subject = next((k for k in reversed(kinds) if k.end <= verb.start), None)
        between = {w.text for w in words if subject and subject.end <= w.start < verb.start}
        before = [w.text for w in plainly if subject and w.end <= subject.start][-1:]
        if subject is None or not self._language.prepositions.isdisjoint(before):
            return
        agent = self._agents.end(verb, relations, verb=True)
        after = [w.text for w in words if w.start >= verb.end][:1]
        if onward and between <= grammar.being:
            yield subject, "source"  # "properties located in"
        elif agent and not grammar.by.isdisjoint(after) and between <= grammar.being:
            if not self._offer(relations):
                yield subject, OTHER[agent]  # "properties listed by"
        elif agent and not between and self._does_to_others(words, subject, verb, understood):
            yield subject, agent

    def _offer(self, relations: Sequence[Relation]) -> bool:
        """Whether relations lead from what stands for what it offers: "items sold by Ann"."""
        return all(not self._lots.isdisjoint(relation.source_types) for relation in relations)

    @cached_property
    def _lots(self) -> frozenset[str]:
        """The types of what stands for the one thing that it offers: the lot of an auction."""
        offered = self._language.schemas.offered
        return frozenset(
            type
            for relation in self._kinds.schema.relations
            for type in relation.source_types
            if not offered.isdisjoint(tokens(relation.text)) and relation.leads_to_one()
        )

    def _is_of_another(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a kind beside a name is said of something else: "does nurse Ann live".

        Where Ann is no nurse, that asks for no place where she and some nurse live; nor is "the
        Maths room" a room in the building of Maths.
        """
        understood = given.understood
        after, before = name_after(span, understood), name_before(span, understood)
        name, patterns = after or before, [*given.pattern.patterns()]
        if span.kind != "type" or name is None:
            return False
        nodes = [node for of in patterns for node in of.nodes if node.type == span.type_meant]
        if not nodes or any(node.text == name.meaning for node in nodes):
            return False
        if any(self._have_value(of, span.type_meant, name.meaning) for of in patterns):
            return False  # "patents in class G02B", which is its code
        if after is None:
            return any(_are_alike(of, name.meaning, span.type_meant) for of in patterns)
        noun = self._kinds.names_type(self._language.noun_forms(span.text.lower().split()[-1]))
        return noun and is_apposed(words, span, after, understood, self._language)

    def _kinds_at(self, edge: Edge, end: End, types: Types) -> Iterable[str]:
        """What is at an end of an edge: of its own type, or of those that its relations have."""
        own = types[getattr(edge, end)]
        if own is not None:
            return [own]
        ends = [relation.end_types(end == "target") for relation in self._kinds.relations(edge)]
        return {called for one in ends for called in self._kinds.called(one)}

    def _around(self, place: str, pattern: Pattern, types: Types) -> Iterator[str]:
        """What the places are that a place lies in: who lives in a house does in its region."""
        places = [place]
        for here in places:
            for edge in pattern.edges:
                further = edge.directed and edge.source == here and edge.target not in places
                relations = self._kinds.relations(edge) if further else ()
                if relations and all(map(self._kinds.leads_to_place, relations)):
                    places.append(edge.target)
                    yield from self._kinds_at(edge, "target", types)

    def _is_small(self, span: Span) -> bool:
        """Whether a word only builds the sentence; "listed" also says what was done."""
        small, said = self._language.function_words | self._language.prepositions, span.text.lower()
        return said in small and not self._language.is_participle(said)

    def _have_value(self, pattern: Pattern, kind: str, value: str) -> bool:
        """Whether something of a kind has a value in a pattern."""
        return any(
            pattern.node(edge.source).type == kind
            and pattern.node(edge.target).text == value
            and all(relation.literal_kinds for relation in self._kinds.relations(edge))
            for edge in pattern.edges
        )

    def _plainly(self, words: Sequence[Word], understood: Sequence[Span]) -> list[Word]:
        """The words without articles, names of kinds and what counts: "at least two Web teams"."""
        small = self._language.grammar.any_article
        kinds = {s.start for s in understood if s.kind == "type"}
        passed = [
            s
            for s in understood
            if s.kind in ("operator", "number") or (s.kind == "name" and s.end + 1 in kinds)
        ]
        within = {w.start for w in words for s in passed if s.start <= w.start < s.end}
        return [word for word in words if word.text not in small and word.start not in within]

    def _beside(
        self,
        words: Sequence[Word],
        verb: Span,
        relations: Sequence[Relation],
        understood: Sequence[Span],
    ) -> Iterator[tuple[Span, End]]:
        """The kinds beside a verb, each with the end at which the words say that it is."""
        grammar, does = self._language.grammar, self._language.before_infinitives
        kinds = [s for s in understood if s.kind == "type"]
        subject = next((k for k in reversed(kinds) if k.end <= verb.start), None)
        onward = self._from_preposition(words, verb, relations)
        if len(onward) > 1:  # "live in a city"
            yield from ((kind, "target") for kind in kinds if kind.start == onward[1].start)
            return
        if onward:
            if subject and self._is_asked_of(words, subject, verb, does | grammar.being):
                yield subject, "source"  # "does a doctor live in"
            return
        after = [word for word in words if word.start >= verb.end]
        behind = [kind for kind in kinds if len(after) > 1 and kind.start == after[1].start]
        noun = self._saying.end_of_noun(verb, relations)
        if noun and after and after[0].text in grammar.of:  # "the owners of cars"
            yield from ((kind, OTHER[noun]) for kind in behind)
            return
        agent = self._agents.end(verb, relations, verb=True)
        agent = agent or ("source" if self._has_object(verb, relations) else None)
        does_it = subject and self._does_to_others(words, subject, verb, understood)
        if agent is None:
            if subject and does_it and self._is_undergone(verb, relations):
                yield subject, "target"  # no account "holds branches" that is held at one
                if self._is_done_by_others(verb, relations):
                    yield subject, "source"  # nor does a room "teach maths" that is taught there
            return
        if after and after[0].text in grammar.by:  # "taught by professors"
            yield from ((kind, agent) for kind in behind)
        elif subject and (does_it or self._is_asked_of(words, subject, verb, does)):
            yield subject, agent

    def _is_undergone(self, verb: Span, relations: Sequence[Relation]) -> bool:
        """Whether what relations lead from does a verb to nothing: "held at", "runs on"."""
        language, said = self._language, self._language.forms(tokens(verb.text)[0])
        grammar, texts = language.grammar, [tokens(relation.text) for relation in relations]
        apart = grammar.for_ | grammar.whither | grammar.owning | grammar.of  # "play for"
        return bool(texts) and all(
            len(text) == 2
            and text[1] in language.prepositions
            and (language.is_participle(text[0]) or text[1] not in apart)
            and not said.isdisjoint(language.forms(text[0]))
            for text in texts
        )

    def _is_done_by_others(self, verb: Span, relations: Sequence[Relation]) -> bool:
        """Whether another relation says who does what a verb says: "teaches", not "taught in".

        And does it to the same: who "holds" cards holds no accounts, which are held at a branch.
        """
        said = self._language.forms(tokens(verb.text)[0])
        own = {relation.id for relation in relations}
        things = {type for relation in relations for type in relation.source_types}
        others = [r for r in self._kinds.schema.relations if r.id not in own]
        if things:
            others = [r for r in others if not things.isdisjoint(r.target_types)]
        same = (r for r in others if not said.isdisjoint(self._language.forms(tokens(r.text)[0])))
        return any(self._agents.end(verb, [one], verb=True) for one in same)

    def _has_object(self, verb: Span, relations: Sequence[Relation]) -> bool:
        """Whether relations are called by a verb and what it is done to: "reviews product"."""
        language, said = self._language, self._language.forms(tokens(verb.text)[0])
        texts = [tokens(relation.text) for relation in relations]
        own = [self._kinds.words(relation).forward for relation in relations]
        return bool(texts) and all(
            len(text) > 1
            and text[0] in forward
            and language.prepositions.isdisjoint(text)
            and not said.isdisjoint(language.forms(text[0]))
            for text, forward in zip(texts, own, strict=True)
        )

    def _is_asked_of(
        self, words: Sequence[Word], subject: Span, verb: Span, asks: frozenset[str]
    ) -> bool:
        """Whether a kind is what a question asks of: "what does the Web team own"."""
        *before, last = [w for w in words if w.start < verb.start]
        said = next((w.text for w in reversed(before) if w.end <= subject.start), "")
        return last.end == subject.end and said in asks

    def _does_to_others(
        self, words: Sequence[Word], subject: Span, verb: Span, understood: Sequence[Span]
    ) -> bool:
        """Whether a kind is right before a verb, and another behind it: services "own teams"."""
        grammar = self._language.grammar
        between = {w.text for w in words if subject.end <= w.start < verb.start}
        others, small = [s for s in understood if s.start >= verb.end], grammar.any_article
        behind = next((w.start for w in words if w.start >= verb.end and w.text not in small), -1)
        nouns = (s for s in others if s.start == behind and self._is_noun(s))  # "fix releases"
        kinds = (s for s in others if s.kind == "type" or s.meaning == verb.meaning)
        kind = next(kinds, None) or next(nouns, None)
        onto = {w.text for w in words if kind and verb.end <= w.start < kind.start}
        own = grammar.relative | grammar.having
        return kind is not None and own >= between and onto.isdisjoint(self._language.prepositions)

    def _is_noun(self, span: Span) -> bool:
        """Whether words are a noun for what relations lead to or from."""
        relations = self._kinds.named(span.meaning) if span.kind == "relation" else ()
        return bool(relations) and self._saying.end_of_noun(span, relations) is not None

    def _from_preposition(
        self, words: Sequence[Word], verb: Span, relations: Sequence[Relation]
    ) -> Sequence[Word]:
        """The words from the preposition on that words for relations end with.

        Empty where they end with none, or no relation is called so.
        """
        forms, prepositions = self._language.forms, self._language.prepositions
        after = [word for word in words if word.end >= verb.end]
        said, *ends = tokens(verb.text)[-2:]
        if not ends or not prepositions.issuperset(ends):
            said = tokens(verb.text)[-1]
            del after[:1]
        phrases = [tokens(p) for r in relations for p in (r.text, *self._kinds.words(r).forward)]
        own = {text[-1] for text in phrases if text[:-1] and forms(said) & forms(text[-2])}
        own &= prepositions - self._language.grammar.by
        return after if any(word.text in own for word in after[:1]) else []


def is_apposed(
    words: Sequence[Word],
    kind: Span,
    name: Span,
    understood: Sequence[Span],
    language: Language,
) -> bool:
    """Whether a kind right before a name says what that is: "of appeal A-1", "does nurse Ann".

    "The film Ann directed" is none that is called so, but "where is the film Heat set" is.
    """
    asking, grammar = language.asking, language.grammar
    first = [w.text for w in words if w.end <= kind.start]
    before = [text for text in first if text not in grammar.articles]
    if not before or language.singular(kind.text.lower()) != kind.text.lower():
        return False
    if not language.before_infinitives.isdisjoint(before[-1:]):
        return True
    if not grammar.being.isdisjoint(before[-1:]):
        return (asking.which | asking.who).isdisjoint(before)
    relations = [s for s in understood if s.kind == "relation"]
    follows = {w.text for w in words if name.end <= w.start <= name.end + 1}
    goes_on = any(s.start == name.end + 1 for s in relations)
    if goes_on or follows & (language.auxiliaries | grammar.being | grammar.having):
        return False
    small = language.prepositions | grammar.articles
    behind = any(s.end + 1 == kind.start for s in relations)  # and not "did Ann call Bob"
    return behind or not small.isdisjoint(first[-1:])


def described_otherwise(
    given: Hypothesis, kinds: AskedKinds, language: Language
) -> Iterator[Substitution]:
    """The adjectives that are said of something else than the kind behind them.

    "Accepted comments" may be comments on accepted answers.
    """
    understood = given.understood
    shown = {node.type for of in given.pattern.patterns() for node in of.nodes}
    for span in (s for s in understood if s.kind == "relation"):
        kind = next((s for s in understood if s.start == span.end + 1), None)
        if kind is None or not (
            (kind.kind == "type" and kind.type_meant in shown)
            or (kind.kind == "relation" and _is_noun_beside(span, kind, given, kinds, language))
        ):
            continue
        others = [
            (of[edge.source], relation)
            for edges, of in typed_edges(given.pattern, {})
            for edge in edges
            if edge.relation == span.meaning
            for relation in kinds.relations(edge)
            if relation.is_flag or (relation.literal_kinds and language.is_participle(span.text))
        ]
        called = [[own] if own else kinds.called(r.source_types) for own, r in others]
        if called and called[0] and all(kind.type_meant not in one for one in called):
            meant = language.assumed.asked_of.format(kind.text, f"{span.text} {called[0][0]}")
            yield Substitution(f"{span.text} {kind.text}", meant)


def _is_noun_beside(
    span: Span, noun: Span, given: Hypothesis, kinds: AskedKinds, language: Language
) -> bool:
    """Whether the noun of a relation is for other things than those that an adjective is of."""
    edges = given.pattern.edges
    named = [edge for edge in edges if edge.directed and edge.relation == noun.meaning]
    relations = [relation for edge in named for relation in kinds.relations(edge)]
    end = RelationSpans(kinds, language).end_of_noun(noun, relations)
    things = all(relation.target_types and not relation.literal_kinds for relation in relations)
    if end is None or not things:
        return False
    ends = {getattr(edge, end) for edge in named}
    return all(edge.source not in ends for edge in edges if edge.relation == span.meaning)


def _are_alike(pattern: Pattern, name: str, kind: str) -> bool:
    """Whether a name and something of a kind have one thing by the same relation."""
    ends = [
        (edge.relation, {one: pattern.node(one) for one in edge.nodes}) for edge in pattern.edges
    ]
    return any(
        relation == other and named.keys() & nodes.keys()
        for relation, named in ends
        for other, nodes in ends
        if any(node.text == name for node in named.values())
        if any(node.type == kind for id, node in nodes.items() if id not in named)
    )
