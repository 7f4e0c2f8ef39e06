"""Relations that no word says, by which a reading sets a name beside a verb."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from isomatch.interpret.types import Coverage, Span
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.relation_spans import RelationSpans, names_at, unsaid
from isomatch.lexicon.language import Language
from isomatch.pattern.types import Edge, Pattern


class NamesBesideVerbs:
    """Finds the relations to such names, over one graph.

    Args:
        kinds: the relations of edges.
        language: of the questions.
        saying: what the words for relations are.
    """

    def __init__(self, kinds: AskedKinds, language: Language, saying: RelationSpans):
        self._kinds = kinds
        self._language = language
        self._saying = saying

    def found(self, question: str, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The relations to names that no word says, where a verb is read of nothing in particular.

        "Who works for Halden University" asks for nobody who studied there and works for any firm.
        """
        spans = [s for s in coverage.understood if s.kind == "relation"]
        types = {s.type_meant for s in coverage.understood if s.kind == "type"}
        beside = [
            edge
            for edge in unsaid(pattern.edges, spans, once=False)
            if any(pattern.node(id).text for id in edge.nodes)
        ]
        yield from self._named_deeds(question, pattern, coverage)
        yield from (edge for edge in beside if self._is_home(question, edge, pattern, coverage))
        for verb in pattern.edges if beside else ():
            own = [s for s in spans if s.meaning == verb.relation]
            if not own:
                continue
            # "Witnesses in a case": of that one.
            if any(self._saying.is_noun(s, verb) for s in own):
                yield from (e for e in beside if self._may_fill(e, verb, pattern, types))
            elif any(self._is_open(id, verb, pattern, types) for id in verb.nodes):
                if any(r.target_types or not r.literal_kinds for r in self._kinds.relations(verb)):
                    yield from beside
                else:  # "which judges did the university appoint", and not "Mann's films released"
                    done = (s for e in beside for s in names_at(e, pattern, coverage))
                    names = [s for s in done if self._does(question, s, own)]
                    yield from beside if names else ()

    def _named_deeds(self, question: str, pattern: Pattern, coverage: Coverage) -> Iterator[Edge]:
        """The relations to names that do, or are done, what is read as a kind of things.

        Which toys did Ada order: those that one of her orders has, and not what she owns and
        somebody ordered. And who ordered the kite is no order.
        """
        deeds = [s for s in coverage.understood if s.kind == "type"]
        answers = {(pattern.node(id).type or "").lower() for id in pattern.answers}
        for edge in pattern.edges if deeds else ():
            names = names_at(edge, pattern, coverage)
            done = {s.meaning for s in deeds for n in names if self._is_done(question, s, n)}
            did = {s.meaning for s in deeds for n in names if self._does(question, n, [s])}
            if not (did or done):
                continue
            called = {c for id in edge.nodes for c in self._kinds.called(self._at(id, edge))}
            words = map(self._kinds.words, self._kinds.relations(edge))
            called |= {noun for own in words for noun in (own.source, own.target)}
            if called.isdisjoint(did | done) or not done.isdisjoint(answers):
                yield edge

    def _is_done(self, question: str, deed: Span, name: Span) -> bool:
        """Whether a name is the object of a verb: "ordered the kite", and not "orders 7 and 9"."""
        verb, noun = deed.text.lower(), deed.meaning.lower()
        forms, articles = self._language.forms, self._language.grammar.articles
        is_noun = self._language.singular(verb) == noun or verb == self._language.plural(noun)
        between = question[deed.end : name.start].lower().split()
        is_verb = not is_noun and not forms(verb).isdisjoint(forms(noun))
        return is_verb and deed.end <= name.start and articles.issuperset(between)

    def _is_home(self, question: str, edge: Edge, pattern: Pattern, coverage: Coverage) -> bool:
        """Whether a name after "from" is where somebody lives, whose origin the graph says too."""
        relations = self._kinds.relations(edge)
        if any(map(self._kinds.says_origin, relations)):
            return False
        places = {t for r in relations for t in r.target_types}
        classes = [s for s in coverage.understood if s.kind == "type"]
        for name in names_at(edge, pattern, coverage):
            before = question[: name.start].rstrip()
            if self._language.grammar.whence.isdisjoint(before.lower().split()[-1:]):
                continue
            noun = next(
                (s for s in classes if len(question[s.end : len(before)].split()) == 1), None
            )
            people = {t for r in relations for t in r.source_types}
            if noun is not None:
                people = self._kinds.types_called(noun.meaning)
            elif (kind := pattern.node(edge.source).type) is not None:
                people &= self._kinds.types_called(kind)
            if self._kinds.have_origin(people, places):
                return True
        return False

    def _may_fill(self, beside: Edge, noun: Edge, pattern: Pattern, types: Set[str]) -> bool:
        """Whether a name beside a noun may be what the noun is of, which is left open."""
        named = {t for id in beside.nodes if pattern.node(id).text for t in self._at(id, beside)}
        free = (id for id in noun.nodes if self._is_open(id, noun, pattern, types))
        return any(not named.isdisjoint(self._at(id, noun)) for id in free)

    def _at(self, id: str, edge: Edge) -> set[str]:
        """The types that an end of an edge may be of."""
        relations = self._kinds.relations(edge)
        sides = (r.end_types(edge.source != id) for r in relations)
        return {t for side in sides for t in side}

    def _is_open(self, id: str, edge: Edge, pattern: Pattern, types: Set[str]) -> bool:
        """Whether an end of an edge may be anything, and nothing else is said of it."""
        answers = {*pattern.answers, *(one.node for one in pattern.each)}
        compared = {c.node for c in pattern.where} | {n for p in pattern.parts for n in p.nodes}
        ordered = {pattern.order.node if pattern.order else None}
        ordered |= {pattern.aggregate.node if pattern.aggregate else None}
        used = answers | compared | ordered
        node = pattern.node(id)
        single = all(e == edge or id not in e.nodes for e in pattern.edges)
        return node.text is None and node.type not in types and single and id not in used

    def _does(self, question: str, name: Span, verbs: Sequence[Span]) -> bool:
        """Whether a name is the subject of a verb: "did Ann open"."""
        before = question[: name.start].lower().split()[-1:]
        verb = any(not question[name.end : s.start].strip() for s in verbs if s.start > name.end)
        return verb and not self._language.auxiliaries.isdisjoint(before)
