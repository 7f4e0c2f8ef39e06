"""Checks the words on the way to a name: their relations lie on that way in the reading."""

from __future__ import annotations

from collections.abc import Sequence

from isomatch.interpret.checks.base import Check, name_after
from isomatch.interpret.checks.pattern_graph import OTHER, joined, nodes_named
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.agents import End
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Edge, Pattern


class PathWords(Check):
    """Compares the order of words up to a name with the way from the answers to that.

    "Which phones called Ann" asks for none of hers that called somebody, and who "has a friend
    whose sister is Ann" for no friend of hers who is somebody's sister: without the call, or the
    friend, nothing would join the answers to her.
    """

    def __init__(self, kinds: AskedKinds, language: Language):
        super().__init__(kinds, language)
        grammar = language.grammar
        # No other prepositions: "investigated in June" is a crime of June.
        self._small = self._articles | grammar.having | grammar.calling | grammar.of
        self._relative = grammar.relative | grammar.whose

    def are_misread(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether words for a relation lead to a name that the answers are joined to without it.

        Or whether the answers are not at the end of it that does what a verb says.
        """
        if not (given.pattern.answers and self._edges_of(span, given.pattern)):
            return False
        if self._is_passed(words, span, given):
            return True
        return not self._language.free_order and self._is_turned(words, span, given)

    def _is_passed(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether the way to a name leaves out a relation of the words from one on to it."""
        read, pattern = given.understood, given.pattern
        name = next((s for s in read if s.kind == "name" and s.start >= span.end), None)
        if name is None or not self._leads_on(words, span, name, given):
            return False
        said = [s for s in read if s.kind == "relation"]
        inside = [s for s in said if span.start < s.start < name.start]
        others = {s.meaning for s in said} - {s.meaning for s in (span, *inside)}
        named = nodes_named(pattern, name.meaning)
        way = [edge for edge in pattern.edges if edge.relation not in others]
        for one in (span, *inside):
            edges = self._edges_of(one, pattern)
            own = [e for e in edges if e.target in named or not self._leads_to_value(e)]
            rest = [edge for edge in way if edge not in own]
            if own and not named.isdisjoint(joined(pattern.answers, rest)):
                return True
        return False

    def _leads_to_value(self, edge: Edge) -> bool:
        """Whether an edge leads to no name: "injured defenders", "recipes discontinued in May"."""
        return any(relation.literal_kinds for relation in self._kinds.relations(edge))

    def _edges_of(self, span: Span, pattern: Pattern) -> list[Edge]:
        """The edges that words say: of a relation, or of all things that a verb stands for.

        Whoever "called" somebody had a part in a call.
        """
        if span.kind == "relation":
            return [edge for edge in pattern.edges if edge.relation == span.meaning]
        if span.kind != "type" or not self._language.is_participle(span.text.lower()):
            return []
        things = {node.id for node in pattern.nodes if node.type == span.meaning}
        return [edge for edge in pattern.edges if not things.isdisjoint(edge.nodes)]

    def _leads_on(self, words: Sequence[Word], span: Span, name: Span, given: Hypothesis) -> bool:
        """Whether each word from one on to a name is said of the next: "a friend of who has a".

        What follows a comma or a verb may be said of what was before, too; and a noun may be for
        what is asked for itself: "the customer in Basel", "captains are keepers".
        """
        read = given.understood
        between = [word for word in words if span.end <= word.start < name.start]
        before, place, clause = "", span.end, False
        for number, word in enumerate(between):
            following = {w.text for w in between[number + 1 : number + 2]} or self._articles
            said = next((s for s in read if s.start <= word.start < s.end), None)
            if said is not None and said.kind == "relation":
                known = before in self._relative or self._is_noun(said, given)
            elif said is not None:  # "reviewed" is no noun for a review
                verb = self._language.is_participle(said.text.lower())
                known = said.kind == "type" and (before in self._relative or not verb)
            elif word.text in self._language.grammar.being:
                known = clause and not self._articles.isdisjoint(following)
            else:
                known = word.text in self._small | self._relative
            if not known or word.start > place + 1:
                return False
            before, place = word.text, word.end
            clause |= before in self._relative
        leads = clause or not self._is_noun(span, given)
        return leads and name.start <= place + 1

    def _is_noun(self, span: Span, given: Hypothesis) -> bool:
        edges = self._edges_of(span, given.pattern) if span.kind == "relation" else []
        return any(self._saying.is_noun(span, edge) for edge in edges)

    def _is_turned(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether what is asked for is said to do what is done to it: phones "received calls".

        The lexicon says of which end a verb is.
        """
        if span.kind != "relation" or not self._is_asked_before(words, span, given.understood):
            return False
        edges = [e for e in given.pattern.edges if e.directed and e.relation == span.meaning]
        if any(self._has_result(span, edge, given) for edge in edges):
            return False
        return bool(edges) and all(self._is_behind(span, edge, given.pattern) for edge in edges)

    def _has_result(self, span: Span, edge: Edge, given: Hypothesis) -> bool:
        """Whether a value right behind a verb is that of its deed: "who tested positive"."""
        name = name_after(span, given.understood)
        named = nodes_named(given.pattern, name.meaning) if name else set[str]()
        result = any(e.source == edge.source and e.target in named for e in given.pattern.edges)
        return result and self._is_of_deed(edge, span)

    def _is_behind(self, span: Span, edge: Edge, pattern: Pattern) -> bool:
        """Whether the answers are joined to the end of a relation that a verb does something to."""
        end = self._end_of(span, edge)
        if end is None or edge.source == edge.target:
            return False
        rest = [other for other in pattern.edges if other != edge]
        does = joined([getattr(edge, end)], rest)
        undergoes = joined([getattr(edge, OTHER[end])], rest)
        return undergoes.issuperset(pattern.answers) and does.isdisjoint(pattern.answers)

    def _is_asked_before(self, words: Sequence[Word], span: Span, read: Sequence[Span]) -> bool:
        """Whether a verb is right behind what is asked for: "who called", "which phones called"."""
        asking, grammar = self._language.asking, self._language.grammar
        before = [word for word in words if word.end <= span.start]
        after = {word.text for word in words if word.start >= span.end}
        subject = next((s for s in read if s.kind == "type" and s.end + 1 == span.start), None)
        texts = [word.text for word in before if subject is None or word.end <= subject.start]
        asked = asking.which if subject else asking.who
        return len(texts) == 1 and texts[0] in asked and grammar.by.isdisjoint(after)

    def _end_of(self, span: Span, edge: Edge) -> End | None:
        """The end of a relation that does what a verb says, by the words of the lexicon."""
        verb, ends = span.text.lower(), set[End]()
        for relation in self._kinds.relations(edge):
            own = self._kinds.words(relation)
            if (verb in own.forward) != (verb in own.backward) and not relation.literal_kinds:
                ends.add("source" if verb in own.forward else "target")
        return ends.pop() if len(ends) == 1 else None
