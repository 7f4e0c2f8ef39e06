"""Relations of a reading that no word of the question says, and which of them may be added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace

from isomatch.interpret.asked import AskedKinds
from isomatch.interpret.beside import BesideVerbs
from isomatch.interpret.content import is_asked, words_of
from isomatch.interpret.said import RelationSpans, names_at, unsaid
from isomatch.interpret.silent import SilentHops
from isomatch.interpret.types import Coverage, Hypothesis, Span
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mentions import Mention
from isomatch.pattern.types import Edge, Pattern
from isomatch.schema.types import Relation

CHOSEN_BY_WORDS = ("schema",)
"""Interpreters that choose relations by their words. A model has its reasons elsewhere."""


@dataclass(frozen=True, slots=True)
class _Hop:
    """An edge that no word says, to a node that no word stands for.

    Attributes:
        up: whether the edge leads to that node, and so from a part to its whole.
        onward: the other edges of the node.
    """

    edge: Edge
    up: bool
    onward: tuple[Edge, ...]


class UnsaidHops:
    """Finds the relations that a reading adds to a question, over one graph.

    "The currency of Nairobi" is that of its country. But "the capital of Danish" asks for no
    capitals of the countries whose language is Danish, and the area of Tokyo is not Japan's.

    Args:
        kinds: the relations of edges, and their types.
        lexicon: their words.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._lexicon = lexicon
        self._language = language = lexicon.language
        self._saying = RelationSpans(kinds, language)
        self._beside = BesideVerbs(kinds, language, self._saying)
        self._silent = SilentHops(kinds, lexicon)
        self._placing = language.schemas.places | language.idle | language.function_words

    def refused(
        self, given: Hypothesis, question: str, mentions: Sequence[Mention], *, composed: bool
    ) -> Hypothesis:
        """The same, with what leads to a hop left out where that hop may not be added.

        Args:
            composed: whether the interpreter has placed the words of the question itself.
        """
        coverage = given.coverage
        if coverage is None:
            return given
        near = [m for m in mentions if m.edits or not m.ids]
        by_words = given.source in CHOSEN_BY_WORDS
        lost: dict[str, Sequence[Span]] = {}
        for pattern in _patterns(given.pattern):
            texts = {node.text for node in pattern.nodes}
            names = [m for m in near if m.text in texts]
            # A name that is only near and a relation that nobody named are two guesses.
            guessed = any(not (m.ids or m.edits) and _is_word(m.text) for m in names)
            least = 1 if guessed and by_words else 2
            missing = unsaid(pattern.edges, coverage.understood, once=False)
            if names and missing and not composed and len(pattern.edges) >= least:
                lost[missing[0].relation or ""] = [
                    Span(m.start, m.end, question[m.start : m.end], "name") for m in names
                ]
            for hop in self._hops(question, pattern, coverage, composed) if by_words else ():
                of = self._said_of(hop, pattern, coverage)
                members = not hop.up and all(self._is_class(question, s, coverage) for s in of)
                if not (members or self._may_be_added(hop, pattern, coverage, question)):
                    lost[hop.edge.relation or ""] = of
            for edge in self._beside.found(question, pattern, coverage) if by_words else ():
                lost[edge.relation or ""] = names_at(edge, pattern, coverage)
            for edge in self._dates(pattern, coverage) if by_words else ():
                lost[edge.relation or ""] = self._asking_when(question)
            if by_words and not composed:
                lost |= self._silent.found(question, pattern, coverage)
        told = self._silent.told(question, given.pattern, coverage) if by_words else ()
        return _without(replace(given, notes=(*given.notes, *told)), coverage, lost)

    def _hops(
        self, question: str, pattern: Pattern, coverage: Coverage, composed: bool
    ) -> Iterator[_Hop]:
        where = words_of(question)[0].text in self._language.asking.where
        answers = {*pattern.answers, pattern.count, *(one.node for one in pattern.each)}
        ends = {id for part in pattern.parts for id in part.nodes}
        # "major city" of a lexicon is told as "city, population > 150000".
        # What is asked for is said of the answers, and of no hop.
        said_types = [
            s.meaning.partition(",")[0]
            for s in coverage.understood
            if s.kind == "type" and not is_asked(question, s, self._language)
        ]
        forms = self._language.noun_forms  # "a player", read as who plays for a team
        verbs = {
            form
            for s in coverage.understood
            if s.kind == "relation"
            for form in forms(s.text.lower())
        }
        typed = bool(self._lexicon.types)
        for edge in unsaid(pattern.edges, coverage.understood, once=where or not composed):
            relations = self._kinds.relations(edge)
            if all(not r.target_types if typed else r.literal_kinds for r in relations):
                continue
            for id, up in ((edge.target, True), (edge.source, False)):
                node = pattern.node(id)
                onward = tuple(e for e in pattern.edges if id in e.nodes and e != edge)
                counts = [r.target_types if up else r.source_types for r in relations]
                called = {
                    self._lexicon.types[t].word
                    for count in counts
                    for t in self._kinds.with_wider(count)
                    if t in self._lexicon.types
                }
                if not typed and composed:
                    own = list(map(self._kinds.words, relations))
                    called = {words.target if up else words.source for words in own}
                types = {*said_types, *verbs}
                alone = node.text is None and types.isdisjoint(called) and called
                if self._is_end_of_noun(question, id, onward, coverage):
                    continue  # "with neighbours in the North": these lie there
                if alone and onward and id not in answers | ends:
                    yield _Hop(edge, up, onward)

    def _is_end_of_noun(
        self, question: str, id: str, edges: Sequence[Edge], coverage: Coverage
    ) -> bool:
        """Whether a node is what a noun says that things have: "with an adviser in Oslo".

        "The adviser of Cube Maze" is not somebody whose adviser designed it.
        """
        grammar = self._language.grammar
        lacking = {word for word, *others in self._language.operators.negation if not others}
        having = grammar.with_ | grammar.having | grammar.whose | lacking
        for span in coverage.understood:
            said = [e for e in edges if e.relation == span.meaning and span.kind == "relation"]
            before = question[: span.start].lower().split()
            own = [word for word in before if word not in grammar.articles | grammar.indefinite]
            if having.isdisjoint(own[-1:]) or not any(self._saying.is_noun(span, e) for e in said):
                continue
            every = (r for edge in said for r in self._kinds.relations(edge))
            both = any(map(self._kinds.holds_both_ways, every))
            if both or any(edge.target == id for edge in said):
                return True
        return False

    def _may_be_added(self, hop: _Hop, pattern: Pattern, coverage: Coverage, question: str) -> bool:
        """Whether people leave such a hop out.

        What a place or the one team of a player has is also theirs, but for its quantities; and
        several things of a place may be those of the places in it. What a verb says may be said
        of what only one relation joins with a place, or with the deed itself: customers bought what
        is in their orders. Their adviser owns none of their accounts.
        """
        if any(edge.relation == hop.edge.relation for edge in hop.onward):
            return not self._lexicon.types
        if not hop.up and self._is_inside(hop, pattern, question):
            return True
        spans = [s for s in coverage.understood if s.kind == "relation"]
        onward = [(s, edge) for edge in hop.onward for s in spans if s.meaning == edge.relation]
        nouns = [(s, edge) for s, edge in onward if self._saying.is_noun(s, edge)]
        if not onward and self._lexicon.types:  # "stadiums in Norway", where cities are
            edges = [e for e in (hop.edge, *hop.onward) if names_at(e, pattern, coverage)]
            ways = [r for e in (hop.edge, *hop.onward) for r in self._kinds.relations(e)]
            told = any(self._says_in(question, edge, pattern, coverage) for edge in edges)
            return told and all(map(self._is_place, ways))
        if onward and not nouns:
            if any(
                self._saying.is_elsewhere(s, tokens(question[s.end :])[:1], [s.meaning])
                for s, _ in onward
            ):
                return False
            relations = self._kinds.relations(hop.edge)
            far = hop.edge.source if hop.up else hop.edge.target
            where = words_of(question)[0].text in self._language.asking.where
            if where and far in pattern.answers:
                return False  # "where was it launched" asks for the site, and not its country
            if any(map(self._kinds.has_rivals, relations)):
                return False
            if not self._lexicon.types:  # "borrowed" is said of a loan, and of the book that it has
                passive = (self._language.is_passive(edge.relation or "") for edge in hop.onward)
                own = {hop.edge.source, *(edge.source for edge in hop.onward)}
                return not hop.up and len(own) == 1 and all(passive)
            place = any(map(self._is_place, relations)) and not hop.up
            return (
                place and self._says_in(question, hop.edge, pattern, coverage)
            ) or self._is_deed(hop)
        if self._is_person(hop):
            return False  # the mentor of a case's judge is not the mentor of the case
        single = any(r.leads_to_one(back=not hop.up) for r in self._kinds.relations(hop.edge))
        if not single and not any(map(self._is_place, self._kinds.relations(hop.edge))):
            return False
        there = [r for edge in hop.onward for r in self._kinds.relations(edge)]
        if any(map(self._kinds.holds_both_ways, there)):
            return False  # what borders a country borders few of its cities
        if any(map(_is_quantity, there)):
            return bool(pattern.order)  # "the most populated capital in the USA"
        several = pattern.order or pattern.count or pattern.each or pattern.aggregate
        many = not all(self._is_one(s) for s, _ in nouns)
        return bool(hop.up or single or several or many)

    def _is_inside(self, hop: _Hop, pattern: Pattern, question: str) -> bool:
        """Whether a hop is to the place that something is in, which is in or at another.

        "Museums in Norway" are in its cities, and "in which country is the hub of" asks for where
        that is.
        """
        if not self._says_where(hop.edge):
            return False
        into = (e for e in hop.onward if e.target == hop.edge.source)
        if any(map(self._says_where, into)):
            return True
        first, second, *_ = (*(w.text for w in words_of(question)[:2]), "", "")
        asked = first in self._language.prepositions and second in self._language.asking.which
        return asked and hop.edge.target in pattern.answers

    def _is_person(self, hop: _Hop) -> bool:
        """Whether a hop goes over somebody, who has things of their own."""
        relations = self._kinds.relations(hop.edge)
        called = {
            word
            for r in relations
            for word in self._kinds.called(r.target_types if hop.up else r.source_types)
        }
        if not self._lexicon.types:
            own = list(map(self._kinds.words, relations))
            called = {words.target if hop.up else words.source for words in own}
        return not called.isdisjoint(self._language.schemas.people)

    def _says_in(self, question: str, edge: Edge, pattern: Pattern, coverage: Coverage) -> bool:
        """Whether a preposition says that something is in the place that an edge leads to.

        Not who "works for" a city, or what a country "launched".
        """
        grammar = self._language.grammar
        names = names_at(edge, pattern, coverage)
        before = [
            [w for w in question[: s.start].lower().split() if w not in grammar.articles][-1:]
            for s in names
        ]
        placing = grammar.placing | grammar.whence | grammar.whither
        return not placing or all(not placing.isdisjoint(words) for words in before)

    def _is_deed(self, hop: _Hop) -> bool:
        """Whether what a hop goes over does what it is called: an order orders products."""
        edges = (hop.edge, *hop.onward)
        relations = [(e, r) for e in edges for r in self._kinds.relations(e)]
        own = hop.edge.target if hop.up else hop.edge.source
        called = {
            word
            for edge, relation in relations
            for types in [relation.source_types if edge.source == own else relation.target_types]
            for word in self._kinds.called(types)
        }
        verbs = [tokens(r.text)[0] for _, r in relations if self._language.is_verb(r.text)]
        done = {form for verb in verbs for form in self._language.forms(verb)}
        return not called.isdisjoint(done)

    def _says_where(self, edge: Edge) -> bool:
        """Whether an edge leads to the one place that something is in."""
        relations = self._kinds.relations(edge)
        return all(self._is_place(r) and r.leads_to_one() for r in relations)

    def _dates(self, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The dates that a reading adds of others than what a question is about.

        "When was Everest climbed" asks for no birthday of its climber: a date that no word says is
        that of a thing which the question names or calls by a noun, and never of a birth. "The
        oldest director" is so by a birth that the adjective says.
        """
        asking = self._language.asking
        spans = [
            s
            for s in coverage.understood
            if s.kind == "relation"
            and not (asking.when | {*asking.dates}).issuperset(tokens(s.text))
        ]
        types = {s.meaning.partition(",")[0] for s in coverage.understood if s.kind == "type"}
        answers = {*pattern.answers, pattern.count}
        graded = self._graded(pattern, coverage)
        for edge in unsaid(pattern.edges, spans, once=False):
            relations = list(filter(self._kinds.is_date, self._kinds.relations(edge)))
            if not relations or pattern.node(edge.source).text is not None:
                continue
            others = [e for e in pattern.edges if edge.source in e.nodes and e != edge]
            deeds = [(s, e) for e in others for s in spans if s.meaning == e.relation]
            called = {word for r in relations for word in self._kinds.called_source(r)}
            noun = any(self._saying.is_noun(s, e) for s, e in deeds) or not types.isdisjoint(called)
            compares = edge.source in answers and edge.target in graded
            birth = not compares and any(map(self._kinds.is_birth, relations))
            if (birth and len(pattern.edges) > 1) or (deeds and not noun):
                yield edge

    def _graded(self, pattern: Pattern, coverage: Coverage) -> Set[str]:
        """The values that an adjective compares: "the oldest director", "actors older than"."""
        graded = {pattern.order.node} if pattern.order else set()
        comparatives = self._language.comparatives
        if any(not comparatives.isdisjoint(tokens(s.text)) for s in coverage.understood):
            graded |= {node for part in pattern.parts for node in part.nodes}
            graded |= {condition.node for condition in pattern.where}
        return graded

    def _asking_when(self, question: str) -> list[Span]:
        """The word of a question that asks for a date; its first word where none does."""
        asking, words = self._language.asking, words_of(question)
        dating = asking.when | {*asking.dates}
        word = next((w for w in words if w.text in dating), words[0])
        return [Span(word.start, word.end, question[word.start : word.end], "kind")]

    def _is_place(self, relation: Relation) -> bool:
        """Whether a relation says in which place something is."""
        return self._placing.issuperset(tokens(relation.text))

    def _is_class(self, question: str, span: Span, coverage: Coverage) -> bool:
        """Whether a name stands for its members: "the beverages", where a category has products.

        So does one that is joined to such a name: "beverages and seafood".
        """
        if not span.text[:1].islower():
            return False
        text = question[: span.start].lower().rstrip()
        before = text.split()[-1:]
        if not self._language.grammar.joining.isdisjoint(before):
            end = len(text[: -len(before[0])].rstrip())
            if first := next((s for s in coverage.understood if s.end == end), None):
                return first.kind == "name" and self._is_class(question, first, coverage)
        several = not self._is_one(span)
        return several or not self._language.before_classes.isdisjoint(before)

    def _is_one(self, span: Span) -> bool:
        word = tokens(span.text)[-1]
        return self._language.singular(word) == word

    def _said_of(self, hop: _Hop, pattern: Pattern, coverage: Coverage) -> Sequence[Span]:
        """The words that a hop leads to: the name at its other end, else the relation's."""
        text = pattern.node(hop.edge.source if hop.up else hop.edge.target).text
        names = [s for s in coverage.understood if s.kind == "name" and s.meaning == text]
        onward = {edge.relation for edge in hop.onward}
        spans = [s for s in coverage.understood if s.meaning in onward]
        return names or spans or [s for s in coverage.understood if s.kind != "operator"]


def _without(given: Hypothesis, coverage: Coverage, lost: dict[str, Sequence[Span]]) -> Hypothesis:
    """A hypothesis without what leads to unsaid relations, which a note names."""
    spans = {s.start: replace(s, meaning="") for some in lost.values() for s in some}
    if not spans:
        return given
    known = tuple(s for s in coverage.understood if s.start not in spans)
    left = {s.start: s for s in coverage.left_out} | spans
    ordered = tuple(left[start] for start in sorted(left))
    notes = (f"no word of the question says “{relation}”" for relation in lost)
    read = replace(coverage, understood=known, left_out=ordered)
    return replace(given, coverage=read, notes=(*given.notes, *notes))


def _patterns(pattern: Pattern) -> Iterator[Pattern]:
    yield pattern
    for part in pattern.parts:
        yield from _patterns(part.pattern)


def _is_word(text: str) -> bool:
    """Whether a text is no number and no date."""
    return any(map(str.isalpha, text))


def _is_quantity(relation: Relation) -> bool:
    kinds = sum(relation.literal_kinds.values())
    return relation.is_ordered and kinds > 0 and not relation.target_types
