"""Relations of a reading that no word of the question says, and which of them may be added."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from isomatch.interpret.types import TOLD, Coverage, Hypothesis, Span
from isomatch.interpret.unsaid.names_beside_verbs import NamesBesideVerbs
from isomatch.interpret.unsaid.omitted import Hop, OmittedHops
from isomatch.interpret.unsaid.untyped import UntypedHops
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import is_asked, words_of
from isomatch.interpret.words.relation_spans import STEM, RelationSpans, names_at, unsaid
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mention import Mention
from isomatch.pattern.types import Edge, Pattern
from isomatch.schema.types import node_types

CHOSEN_BY_WORDS = ("schema",)
"""Interpreters that choose relations by their words. A model has its reasons elsewhere."""


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
        self._names = NamesBesideVerbs(kinds, language, self._saying)
        self._untyped = UntypedHops(kinds, lexicon)
        self._omitted = OmittedHops(kinds, lexicon, self._saying)

    def without_unsaid(
        self, given: Hypothesis, question: str, mentions: Sequence[Mention], *, composed: bool
    ) -> Hypothesis:
        """The same, with what leads to a hop left out where that hop may not be added.

        Args:
            composed: whether the interpreter has placed the words of the question itself.
        """
        coverage = given.coverage
        if coverage is None:
            return given
        near = [m for m in mentions if m.is_guess or not m.ids]
        by_words = given.source in CHOSEN_BY_WORDS
        lost: dict[str, Sequence[Span]] = {}
        omitted = self._omitted.may_be_omitted
        for pattern in given.pattern.patterns():
            texts = {node.text for node in pattern.nodes}
            names = [m for m in near if m.text in texts]
            # A name that is only near and a relation that nobody named are two guesses.
            guessed = any(not (m.ids or m.edits) and _is_word(m.text) for m in names)
            least = 1 if guessed and by_words else 2
            missing = unsaid(pattern.edges, coverage.understood, once=False)
            if names and missing and not composed and len(pattern.edges) >= least:
                lost[missing[0].relation or ""] = [
                    Span(m.start, m.end, question[m.start : m.end] or m.text, "name") for m in names
                ]
            like = [s for s in coverage.understood if self._is_only_like(s)]
            if like and missing and composed and by_words:  # so is a verb that is only like one
                lost[missing[0].relation or ""] = like
            for hop in self._hops(question, pattern, coverage, composed) if by_words else ():
                of = self._said_of(hop, pattern, coverage)
                members = not hop.up and all(self._is_class(question, s, coverage) for s in of)
                if not (members or omitted(hop, question, pattern, coverage)):
                    lost[hop.edge.relation or ""] = of
            for edge in self._names.found(question, pattern, coverage) if by_words else ():
                lost[edge.relation or ""] = names_at(edge, pattern, coverage)
            for edge in self._denying(pattern, coverage) if by_words else ():
                lost[edge.relation or ""] = list(coverage.understood)
            for edge in self._of_records(pattern, coverage) if by_words else ():
                spans = [s for s in coverage.understood if s.kind == "relation"]
                said = [s for s in spans if s.meaning == edge.relation]
                lost[edge.relation or ""] = said or spans or names_at(edge, pattern, coverage)
            for edge in self._undone(pattern, coverage) if by_words else ():
                lost[edge.relation or ""] = [s for s in coverage.understood if s.kind == "relation"]
            for edge in self._twice(question, pattern) if by_words else ():
                lost[edge.relation or ""] = names_at(edge, pattern, coverage)
            for edge in self._opposed(question, pattern, coverage) if by_words else ():
                lost[edge.relation or ""] = names_at(edge, pattern, coverage)
            for edge in self._dates(question, pattern, coverage) if by_words else ():
                lost[edge.relation or ""] = self._asking_when(question)
            for edge in self._of_several(pattern, coverage) if by_words and not composed else ():
                lost[edge.relation or ""] = self._counting(edge, coverage)
            for edge in self._values(pattern, coverage) if by_words and not composed else ():
                numbers = (replace(s, kind="number") for s in names_at(edge, pattern, coverage))
                lost[edge.relation or ""] = tuple(numbers)
            for edge in self._rivals(pattern, coverage) if by_words and not composed else ():
                every = [s for s in coverage.understood if s.kind != "operator"]
                words = names_at(edge, pattern, coverage) or every
                lost[edge.relation or ""] = [replace(s, kind="name") for s in words]
            if by_words and not composed:
                lost |= self._untyped.found(question, pattern, coverage)
        told = self._untyped.told(question, given.pattern, coverage) if by_words else ()
        given = replace(given, notes=(*given.notes, *told))
        return self._without(given, coverage, lost)

    def _hops(
        self, question: str, pattern: Pattern, coverage: Coverage, composed: bool
    ) -> Iterator[Hop]:
        grammar, meant = self._language.grammar, {s.meaning for s in coverage.understood}
        if not grammar.joint.isdisjoint(meant):
            return  # what two "worked" on together, by whatever they did
        anything = not grammar.anything.isdisjoint(meant)
        where = words_of(question)[0].text in self._language.asking.where
        answers = {*pattern.answers, *(one.node for one in pattern.each)}
        ends = {id for part in pattern.parts for id in part.nodes}
        # "major city" of a lexicon is told as "city, population > 150000"; what is asked for is
        # said of the answers, and of no hop.
        said_types = [
            s.type_meant
            for s in coverage.understood
            if s.kind == "type" and not is_asked(question, s, self._language)
        ]
        forms = self._language.noun_forms  # "a player", read as who plays for a team
        verbs = {
            form
            for s in coverage.understood
            if s.kind == "relation" or " " in s.text  # "a vehicle crime", a value, is a crime
            for form in forms(s.text.lower().split()[-1] if s.kind == "name" else s.text.lower())
        }
        typed = bool(self._lexicon.types)
        deeds = {  # who did what a verb says of records: "what did her friends rate"
            s.meaning
            for s in coverage.understood
            if s.kind == "type" and s.meaning not in forms(s.text.lower())
        }
        for edge in unsaid(pattern.edges, coverage.understood, once=where or not composed):
            relations = self._kinds.relations(edge)
            if all(not r.target_types if typed else r.literal_kinds for r in relations):
                continue
            where_it_is = composed and self._saying.is_of_where(question, edge)
            if where_it_is or (edge.relation or "").lower() in said_types:  # "on the Blue stage"
                continue
            for id, up in ((edge.target, True), (edge.source, False)):
                node = pattern.node(id)
                onward = tuple(e for e in pattern.edges if id in e.nodes and e != edge)
                called = {
                    self._lexicon.types[t].word
                    for r in relations
                    for t in self._kinds.schema.with_superclasses(r.end_types(up))
                    if t in self._lexicon.types
                }
                if not typed and composed:
                    own = list(map(self._kinds.words, relations))
                    called = {words.target if up else words.source for words in own}
                types = {*said_types, *verbs}
                alone = node.text is None and types.isdisjoint(called) and called and not anything
                deed = up and pattern.node(edge.source).type in deeds
                if deed and self._by_noun(onward, coverage):
                    continue
                if self._is_end_of_noun(question, id, onward, coverage):
                    continue  # "with neighbours in the North": these lie there
                if alone and onward and id not in answers | ends:
                    yield Hop(edge, up, onward)

    def _by_noun(self, edges: Sequence[Edge], coverage: Coverage) -> bool:
        """Whether a noun says one of some relations, as "friends", and "followers" of `follows`."""
        language, said = self._language, [(s, e) for e in edges for s in coverage.understood]
        return any(
            self._saying.is_noun(s, e)
            or language.does(language.singular(s.text.lower()), tokens(s.meaning)[0])
            for s, e in said
            if s.kind == "relation" and s.meaning == e.relation
        )

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
            own = [word for word in before if word not in grammar.any_article]
            if having.isdisjoint(own[-1:]) or not any(self._saying.is_noun(span, e) for e in said):
                continue
            every = (r for edge in said for r in self._kinds.relations(edge))
            both = any(map(self._kinds.holds_both_ways, every))
            if both or any(edge.target == id for edge in said):
                return True
        return False

    def _dates(self, question: str, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The dates that a reading adds of others than what a question is about.

        "When was Everest climbed" asks for no birthday of its climber: a date that no word says is
        that of a thing which the question names or calls by a noun, and never of a birth. "The
        oldest director" is so by a birth that the adjective says.
        """
        asking = self._language.asking
        dates = asking.when | {*asking.dates}
        relations_said = [s for s in coverage.understood if s.kind == "relation"]
        spans = [s for s in relations_said if not dates.issuperset(tokens(s.text))]
        types = {s.type_meant for s in coverage.understood if s.kind == "type"}
        types |= self._saying.of_names(coverage.understood)
        answers = {*pattern.answers}
        graded = self._graded(pattern, coverage)
        own = {e.source for e in pattern.edges for c in pattern.where if c.other == e.target}
        when = any(asking.when.issuperset(tokens(s.text)) for s in coverage.understood)
        first = words_of(question)[0].text in asking.when
        for edge in unsaid(pattern.edges, spans, once=False):
            asked = when and edge.target in answers  # a number, of a ship that was "built" then
            relations = [r for r in self._kinds.relations(edge) if asked or self._kinds.is_date(r)]
            named = pattern.node(edge.source).text is not None
            born = first and edge.target in answers and all(map(self._kinds.is_birth, relations))
            if not relations or (named and not born):
                continue  # "when is Ann a member" asks for no birthday
            others = [e for e in pattern.edges if edge.source in e.nodes and e != edge]
            deeds = [(s, e) for e in others for s in spans if s.meaning == e.relation]
            called = {word for r in relations for word in self._kinds.called_source(r)}
            own_deeds = (s for s, e in deeds if e.source == edge.source)
            noun = any(self._saying.is_noun(s, e) for s, e in deeds) or not types.isdisjoint(called)
            noun |= any(self._saying.says_class(s, called) for s in own_deeds)
            then = any(c.node == edge.target for c in pattern.where)  # "bought in 1997"
            noun |= then and not self._language.schemas.deeds.keys().isdisjoint(called)
            compares = edge.source in answers | own and edge.target in graded
            birth = not compares and any(map(self._kinds.is_birth, relations))
            if named or (birth and len(pattern.edges) > 1) or (deeds and not noun):
                yield edge

    def _denying(self, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The relations that say what is not, where words do not: "visited", of `neverVisited`."""
        spans = coverage.understood
        for edge in pattern.edges:
            own = [s.text for s in spans if s.meaning == edge.relation]
            said = {word.text for text in own for word in words_of(text)}
            relations = self._kinds.relations(edge)
            if any(not self._language.denials(r.text).issubset(said) for r in relations):
                yield edge

    def _twice(self, question: str, pattern: Pattern) -> Iterator[Edge]:
        """The relations to two names of a thing that has one such only, and is of no two: "and".

        That Cy accepted Ben's challenge is not that both were its one challenger.
        """
        if not self._language.grammar.joining.isdisjoint(tokens(question)):
            return
        named = [e for e in pattern.edges if e.directed and pattern.node(e.target).text is not None]
        for edge in named:
            rivals = (e for e in named if e.source == edge.source and e.relation == edge.relation)
            single = all(relation.leads_to_one() for relation in self._kinds.relations(edge))
            if single and len({e.target for e in rivals}) > 1:
                yield edge

    def _opposed(self, question: str, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The relations to a name that say the opposite of "from" or "to" before it: `toTeam`.

        Nor did whose claim was "withdrawn" withdraw it, where "by" stands before the name.
        """
        grammar = self._language.grammar
        silent = unsaid(pattern.edges, coverage.understood, once=False)
        values = {n.lower() for s in coverage.understood if s.kind == "name" for n in [s.text]}
        for edge in pattern.edges:
            for span in names_at(edge, pattern, coverage):
                before = question[: span.start].lower().split()
                done = values.intersection(before[-2:-1])
                if done and edge in silent and not grammar.by.isdisjoint(before[-1:]):
                    yield edge
                own = [w for w in before if w not in grammar.any_article][-1:]
                name = set(tokens(edge.relation or ""))
                for one, other in grammar.opposed:
                    if not one.isdisjoint(own) and not other.isdisjoint(name - one):
                        yield edge

    def _of_records(self, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """Relations such as `player`, which records of several kinds have, of records not named.

        Cards and transfers have a `player`, and cards a match. Whoever got a card in a match played
        in it, but so may others who got none.
        """
        schemas = self._language.schemas
        said = {s.type_meant for s in coverage.understood if s.kind == "type"}
        for edge in pattern.edges:
            source, name = pattern.node(edge.source), (edge.relation or "").lower()
            onward = [one for one in pattern.edges if edge.source in one.nodes and one != edge]
            types = {t for r in self._kinds.relations(edge) for t in node_types(r.source_types)}
            above = self._kinds.schema.superclasses
            own = [t for t in types if types.isdisjoint(above.get(t, ()))]
            several = name in schemas.people - schemas.doers.keys() and len(own) > 1
            if not (several and onward) or source.text is not None or source.type in said:
                continue
            called = self._kinds.called(self._kinds.types_of(source, [edge, *onward]))
            if edge.source not in pattern.answers and said.isdisjoint(called):
                yield edge

    def _undone(self, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The relations to records that may say that something was not done, or not so.

        Who has an approval of a request by which it is not "approved" did not approve it, and
        "voted for" says more than that there is a vote.
        """
        verbs = [s.text for s in coverage.understood if s.kind == "relation"]
        answers = {*pattern.answers, *(one.node for one in pattern.each)}
        for node in pattern.nodes:
            edges = [edge for edge in pattern.edges if node.id in edge.nodes]
            if node.text is not None or node.id in answers or len(edges) < 2:
                continue
            told = {edge.relation for edge in edges}
            for relation in self._kinds.value_relations(node, edges):
                if relation.text not in told and self._kinds.may_be_undone(relation, verbs):
                    yield edges[0]

    def _counting(self, edge: Edge, coverage: Coverage) -> list[Span]:
        """The words "how many" that are taken for the relation of an edge."""
        count = self._language.operators.count
        spans = (s for s in coverage.understood if s.meaning == edge.relation)
        return [s for s in spans if s.kind == "relation" and tuple(tokens(s.text)) in count]

    def _of_several(self, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The relations to numbers of several things, which are not "how many" there are in all."""
        for edge in pattern.edges:
            if edge.target in pattern.answers and self._counting(edge, coverage):
                ways = [e for e in pattern.edges if edge.source in e.nodes and e != edge]
                single = any(
                    relation.leads_to_one(back=way.source == edge.source)
                    for way in ways
                    for relation in self._kinds.relations(way)
                )
                if ways and not single:
                    yield edge

    def _values(self, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The relations to a number or a date that no word says, where others may be meant.

        "Orders in 2023" were ordered then, delivered then, or cost as much.
        """
        texts = {node.id: node.text for node in pattern.nodes if node.text is not None}
        for edge in unsaid(pattern.edges, coverage.understood, once=False):
            values = [texts[id] for id in edge.nodes if id in texts]
            relations = self._kinds.relations(edge)
            others = any(map(self._kinds.has_other_values, relations))
            if values and others and not any(map(_is_word, values)):
                yield edge

    def _rivals(self, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The relations that no word says, where others between the same types may be meant.

        "A city in Peru" may be any city there, and not its capital. Nor are things together that
        have the same value, as `true`.
        """
        classes = {s.meaning for s in coverage.understood if s.kind == "type"}
        for edge in unsaid(pattern.edges, coverage.understood, once=False):
            relations = self._kinds.relations(edge)
            target, *ends = (pattern.node(id) for id in (edge.target, *edge.nodes))
            named = any(node.text for node in ends) and any(node.type in classes for node in ends)
            places = all(self._language.says_place(tokens(r.text)) for r in relations)
            rivals = any(self._kinds.rivals(r, turned=True) for r in relations)
            shared = target.text is None and any(
                other != edge and target.id in other.nodes for other in pattern.edges
            )
            value = shared and all(r.literal_kinds and not r.target_types for r in relations)
            if value or (named and rivals and not places) or self._is_another(edge, coverage):
                yield edge

    def _is_another(self, edge: Edge, coverage: Coverage) -> bool:
        """Whether a verb says another relation between the same types: "scored", `scored by`."""
        forms, spans = self._language.forms, coverage.understood
        said = {f for s in spans if s.kind == "relation" for f in forms(tokens(s.text)[0])}
        rivals = (r for one in self._kinds.relations(edge) for r in self._kinds.rivals(one))
        return any(not said.isdisjoint(forms(tokens(r.text)[0])) for r in rivals)

    def _is_only_like(self, span: Span) -> bool:
        """Whether a word is none of the relation's that it stands for, and only resembles them."""
        small = self._language.function_words
        texts = (span.text.replace("-", " "), span.meaning)
        said, meant = ({w[:STEM] for w in tokens(t) if w not in small} for t in texts)
        return TOLD < span.likeness < 1 and said.isdisjoint(meant)

    def _graded(self, pattern: Pattern, coverage: Coverage) -> Set[str]:
        """The values that an adjective compares: "the oldest director", "actors older than"."""
        graded = {pattern.order.node} if pattern.order else set()
        comparatives = self._language.comparatives
        if any(not comparatives.isdisjoint(tokens(s.text)) for s in coverage.understood):
            graded |= {node for part in pattern.parts for node in part.nodes}
            graded |= {id for one in pattern.where for id in (one.node, one.other) if id}
        return graded

    def _asking_when(self, question: str) -> list[Span]:
        """The word of a question that asks for a date; its first word where none does."""
        asking, words = self._language.asking, words_of(question)
        dating = asking.when | {*asking.dates}
        word = next((w for w in words if w.text in dating), words[0])
        return [Span(word.start, word.end, question[word.start : word.end], "kind")]

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
        return self._saying.are_several(span) or not self._language.before_classes.isdisjoint(
            before
        )

    def _said_of(self, hop: Hop, pattern: Pattern, coverage: Coverage) -> Sequence[Span]:
        """The words that a hop leads to: the name at its other end, else the relation's."""
        text = pattern.node(hop.edge.source if hop.up else hop.edge.target).text
        names = [s for s in coverage.understood if s.kind == "name" and s.meaning == text]
        onward = {edge.relation for edge in hop.onward}
        spans = [s for s in coverage.understood if s.meaning in onward]
        return names or spans or [s for s in coverage.understood if s.kind != "operator"]

    def _without(
        self, given: Hypothesis, coverage: Coverage, lost: dict[str, Sequence[Span]]
    ) -> Hypothesis:
        """A hypothesis without what leads to unsaid relations, which a note names."""
        spans = {s.start: replace(s, meaning="") for some in lost.values() for s in some}
        if not spans:
            return given
        known = tuple(s for s in coverage.understood if s.start not in spans)
        left = {s.start: s for s in coverage.left_out} | spans
        ordered = tuple(left[start] for start in sorted(left))
        said = {span.meaning for span in known}
        quoted, frame = self._language.answers.quoted, self._language.assumed.unsaid
        notes = (frame.format(quoted.format(one)) for one in lost if one not in said)
        read = replace(coverage, understood=known, left_out=ordered)
        return replace(given, coverage=read, notes=(*given.notes, *notes))


def _is_word(text: str) -> bool:
    """Whether a text is no number and no date."""
    return any(map(str.isalpha, text))
