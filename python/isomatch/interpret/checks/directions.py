"""Runs all checks, and those of the direction in which a reading walks relations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import dropwhile, takewhile

from isomatch.interpret.checks.asked_values import VALUE_CHECKS
from isomatch.interpret.checks.base import Check
from isomatch.interpret.checks.hop_order import is_further
from isomatch.interpret.checks.registry import CHECKS
from isomatch.interpret.compose.lexical.constants import is_numeral
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.unsaid.hops import CHOSEN_BY_WORDS
from isomatch.interpret.words.agents import Agents
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import Word, is_asked, words_of
from isomatch.interpret.words.relation_spans import RelationSpans
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.places import brought_to
from isomatch.pattern.types import Edge
from isomatch.schema.types import Relation


class Directions:
    """Tells which end of a relation a name is by where it stands beside a verb or noun.

    "Who reports to Farid Haddad" asks for no one whom he reports to. Chains are enumerated from
    what the graph has, so that the only chain of a relation may be the one against its words.

    Args:
        kinds: the relations of edges.
        lexicon: their words.
    """

    def __init__(self, kinds: AskedKinds, lexicon: Lexicon):
        self._kinds = kinds
        self._lexicon = lexicon
        self._language = language = lexicon.language
        self._saying = RelationSpans(kinds, language)
        self._agents = Agents(kinds, language)
        self._checks: list[Agents | Check] = [self._agents]
        free = language.free_order
        self._checks += [of(kinds, language) for of in CHECKS if not (free and of.by_order)]
        self._against = (
            self._is_apart,
            self._is_reversed,
            self._is_together,
            self._only_plays,
            self._is_opposite,
            self._is_done_by_another,
            self._is_stranded,
        )
        asked = (language.question_words.get(who, ()) for who in language.asking.who)
        self._people = {word for words in asked for word in words}

    def checked(self, question: str, given: Hypothesis) -> Hypothesis:
        """The same; words that say a relation the other way round are left out."""
        coverage = given.coverage
        if coverage is None or given.source not in CHOSEN_BY_WORDS:
            return given
        words, ordered = words_of(question), not self._language.free_order
        lost = {
            span.start: span
            for span in coverage.understood
            if any(one.are_misread(words, span, given) for one in self._checks)
            or (ordered and self._is_passed(question, span, given))
            or (ordered and self._is_against(words, span, given))
        }
        if ordered and not coverage.exact:  # else the interpreter has placed the words itself
            lost |= {s.start: s for s in coverage.left_out if self._is_noun(words, s)}
        if not lost:
            return given
        left = [replace(s, kind="relation", meaning="") for s in lost.values()]
        kept = (s for s in coverage.left_out if s.start not in lost)
        read = replace(
            coverage,
            understood=tuple(s for s in coverage.understood if s.start not in lost),
            left_out=tuple(sorted((*kept, *left), key=lambda s: s.start)),
        )
        return replace(given, coverage=read)

    def _is_against(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether words say a relation the other way round by their order."""
        kinds, language, untyped = self._kinds, self._language, not self._lexicon.types
        return (
            any(is_so(words, span, given) for is_so in self._against)
            or any(are_so(words, span, given, kinds, language) for are_so in VALUE_CHECKS)
            or (untyped and is_further(words, span, given, language))
            or self._is_wrong(words, span, given)
        )

    def _is_wrong(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        if given.coverage is None or given.coverage.exact:
            return False
        turned = span.kind in ("relation", "type") and self._is_turned(words, span, given)
        linking = span.kind == "relation" and self._saying.is_linking(words, span)
        return turned or linking or self._is_guess(words, span, given)

    def _only_plays(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a name after "by" is that of who only plays in something: "films by Mann"."""
        *_, verb, by = [None, None, *(w for w in words if w.end <= span.start)]
        grammar, playing = self._language.grammar, self._language.schemas.playing
        if given.coverage is None or span.kind != "name" or by is None or by.text not in grammar.by:
            return False
        read = (s for s in given.coverage.understood if verb is not None and s.end == verb.end)
        said = {s.meaning for s in read}  # "played by Ann"
        edges = [e for e in given.pattern.edges if self._is_at(span, e, given)]
        relations = self._relations(edge for edge in edges if edge.relation not in said)
        return any(not playing.isdisjoint(self._kinds.words(r).nouns) for r in relations)

    def _is_opposite(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether what is "from" a name is read of what is "to" it."""
        small = self._language.grammar.articles  # "about the Oscar"
        before = [w.text for w in words if w.end <= span.start and w.text not in small][-1:]
        edges = given.pattern.edges if span.kind == "name" else ()
        named = [e.relation for e in edges if e.relation and self._is_at(span, e, given)]
        whence = not self._language.grammar.whence.isdisjoint(before)
        brought = whence and any(brought_to(r, self._language) for r in named)
        return brought or any(self._language.is_opposite(r, before) for r in named)

    def _is_done_by_another(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a name does what a preposition says it did not: "paid to Ann", "written for".

        But a module that was "imported from" another was so by that.
        """
        grammar, coverage = self._language.grammar, given.coverage
        edges = [e for e in given.pattern.edges if e.relation == span.meaning]
        after = [w.text for w in words if w.start >= span.end][:1]
        relations = self._relations(edges)
        if coverage is None or any(not {*after}.isdisjoint(tokens(r.text)) for r in relations):
            return False
        name = self._next(words, span, [s for s in coverage.understood if s.kind == "name"])
        agent = self._agents.end(span, relations, verb=True)
        if not grammar.by.isdisjoint(after) and relations:  # "lent by Ann", over `lentTo`
            return all(self._language.is_for_another(r.text) for r in relations)
        if any(r.text.lower() in self._language.schemas.received for r in relations):
            return False  # a drug "prescribed to Ann"
        others = grammar.whither | grammar.for_
        dated = any(is_numeral(w.text, self._language) for w in words if w.start >= span.end)
        if name is None and not dated and all(self._language.is_passive(r.text) for r in relations):
            return bool(relations) and not others.isdisjoint(after)  # "who was it paid to"
        others |= grammar.whence if agent == "target" else frozenset()
        undergone = agent == "target" and self._language.is_participle(span.text.lower())
        before = [w.text for w in words if w.end <= span.start]
        # In "who were led by Ann treated Bob" it is "led" that they were.
        joins = not grammar.joining.isdisjoint(before[-1:])
        apart = grammar.relative if joins else grammar.relative | grammar.by
        own = [*takewhile(lambda text: text not in apart, reversed(before[1:]))]
        undergone &= not grammar.being.isdisjoint(own)  # not "who are those who vaccinated"
        undergone &= grammar.by.isdisjoint(before[:1])  # nor "by whom was Ann vaccinated"
        if undergone and any(e.target in given.pattern.answers for e in edges):
            return True  # "who was vaccinated"
        if name is None or agent is None or others.isdisjoint(after):
            return False
        ends = (given.pattern.node(e.target if agent == "target" else e.source) for e in edges)
        return any(name.meaning == node.text for node in ends)

    def _is_stranded(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a question ends with another preposition than its verb's relation has.

        "Who were the cars rented from" asks for nobody whom they were rented to, and "what is it
        made of" for no maker. But where she "works at" is whom she "works for". "What has she
        acted in" asks for no nominations, which are `inFilm`.
        """
        grammar, forms = self._language.grammar, self._language.forms
        after = [w.text for w in words if w.start >= span.end]
        edges = [e for e in given.pattern.edges if e.directed and e.relation == span.meaning]
        walked = {edge.relation for edge in given.pattern.edges}
        onward = {t for r in self._relations(edges) for t in self._kinds.begun_by(r, after[:1])}
        if span.kind == "relation" and len(after) == 1 and onward and onward.isdisjoint(walked):
            return not any(e.target in given.pattern.answers for e in edges)
        aside = grammar.whence | grammar.whither | grammar.for_
        if self._language.is_participle(span.text.lower()):  # else it may be a noun: "mentor of"
            aside |= grammar.of
        if span.kind != "relation" or len(after) != 1 or aside.isdisjoint(after):
            return False
        if self._language.schemas.are_for(span.text.lower(), after[0], tokens(span.meaning)):
            return False  # "sell for", of a price
        verb, *others = tokens(span.meaning) or [""]
        same = not forms(tokens(span.text)[0]).isdisjoint(forms(verb))
        given_to = bool(others) and not forms(verb).isdisjoint(self._language.schemas.ditransitive)
        if given_to and self._language.prepositions.isdisjoint(others):
            aside = grammar.whence | grammar.for_  # "owe money to", of `owesMoney`
            same &= not aside.isdisjoint(after)
        return same and after[0] not in others and grammar.placing.isdisjoint(others)

    def _is_together(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a verb with "with" is read of two that are in one place: "live with Ann"."""
        grammar = self._language.grammar
        following = [w.text for w in words if w.start >= span.end][:1]
        edges = [e for e in given.pattern.edges if e.relation == span.meaning]
        if grammar.owning.isdisjoint(following) or not edges:
            return False
        relations = self._relations(edges)
        if len(edges) == 1:  # "who does Ann work with" asks for no employer
            both = any(map(self._kinds.holds_both_ways, relations))
            said = {word for r in relations for word in tokens(r.text)}
            joint = span.text.lower() in grammar.joint and not both
            return joint and grammar.owning.isdisjoint(said)
        there = any(map(self._kinds.leads_to_place, relations))
        verb = all(self._saying.is_verb(span, relation) for relation in relations)
        return there and verb and span.text.lower() not in grammar.joint

    def _is_reversed(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a name beside a verb does what is done to it, by the types of a relation.

        "Who employs Acme" asks for nobody whose employer it is.
        """
        pattern, grammar = given.pattern, self._language.grammar
        edges = [e for e in pattern.edges if e.directed and e.relation == span.meaning]
        relations = self._relations(edges)
        if not edges or given.coverage is None or any(map(self._kinds.holds_both_ways, relations)):
            return False
        names = [s for s in given.coverage.understood if s.kind == "name"]
        before = [w.text for w in words if w.end <= span.start]
        after = [w.text for w in words if w.start >= span.end][:1]
        following = name = self._next(words, span, names)
        does = not grammar.by.isdisjoint(after)
        if name is not None and not does and not self._language.prepositions.isdisjoint(after):
            forms, verb = self._language.forms, tokens(span.text)[0]
            own = [text for r in relations for text in [tokens(r.text)] if text[-1:] == after]
            if not own or any(forms(verb).isdisjoint(forms(text[0])) for text in own):
                return False  # "was founded in Oslo"
            agent: str | None = "source"  # "depends on", "was forked from"
        elif name is not None:
            agent = self._agents.end(span, relations)
            if not does and not grammar.being.isdisjoint(before):
                return False
        else:
            name = next((s for s in names if s.end <= span.start < s.end + 2), None)
            first = [w.text for w in words if name and w.end <= name.start]
            said = [text for text in first if text not in grammar.articles][-1:]
            asks = (self._language.auxiliaries - grammar.being) | grammar.relative
            does = not asks.isdisjoint(said)  # "did Ann direct", "that Ann directed"
            undergoes = not (grammar.being.isdisjoint(said) or grammar.by.isdisjoint(after))
            agent = self._agents.end(span, relations, verb=True)
            if name is None or not (does or undergoes):  # "is Ann mentored by"
                return False
            there = {id for edge in edges for id in edge.nodes}
            doers = {self._language.singular(w.text) for w in words[1:2]}
            doers &= self._language.schemas.doers.keys()
            if doers and not self._lexicon.types and {*pattern.answers}.isdisjoint(there):
                return True  # "which directors did Orion distribute": it distributes none
            if not (self._lexicon.types or any(self._is_at(name, e, given) for e in edges)):
                return True  # "does Ann maintain" asks for nothing of what she wrote
            following = None
        if agent is None:
            asked = words[0].text in self._language.asking.who
            place = self._agents.are_aside(span, relations, asked=asked)
            ends = {pattern.node(e.source if following else e.target).text for e in edges}
            return place and name.meaning in ends
        target = (agent == "target") == does
        ends = {pattern.node(e.target if target else e.source).text for e in edges}
        every = {pattern.node(id).text for e in edges for id in e.nodes}
        # "Movies starring Per Dahl" are none that star somebody else.
        beside = span.text.lower() in self._language.told.plain
        of_it = name.meaning in every or (beside and not self._lexicon.types)
        return of_it and name.meaning not in ends

    def _is_at(self, name: Span, edge: Edge, given: Hypothesis) -> bool:
        return any(given.pattern.node(id).text == name.meaning for id in edge.nodes)

    def _is_guess(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether a kind that is asked for is guessed, in a graph without types.

        That those who live in a place are members of something makes no people of that.
        """
        coverage, pattern = given.coverage, given.pattern
        if self._lexicon.types or coverage is None:
            return False
        if any(s.kind == "word" for s in coverage.left_out):
            return False  # which may say it
        said = {s.meaning for s in coverage.understood if s.kind in ("relation", "type")}
        texts = {word.text for word in words}  # of idle ones, too: "located in"
        unsaid = any(
            said.isdisjoint((edge.relation, *self._called(edge)))
            and texts.isdisjoint(tokens(edge.relation or "")[:1])
            for edge in pattern.edges
        )
        who = words[0].text in self._language.asking.who
        if span.kind == "type":
            return unsaid and span.meaning in self._people
        return unsaid and who and span.kind == "relation"

    def _is_passed(self, question: str, span: Span, given: Hypothesis) -> bool:
        """Whether a kind that is asked for only says the last of several hops, in such a graph.

        "Which authors were born in Vienna" asks for those who were, and not for the authors of
        what they translated: each word says one hop, or one end of it.
        """
        if self._lexicon.types or given.coverage is None:
            return False
        if span.kind not in ("relation", "type") or not is_asked(question, span, self._language):
            return False
        meant = Counter(s.meaning for s in given.coverage.understood)
        hops, answers = given.pattern.edges, given.pattern.answers
        named = [e for e in hops if span.meaning in (e.relation, *self._called(e))]
        if not any(edge.target in answers for edge in named):
            # Books are at the other end of "author", and are no authors; children at "father".
            said = self._language.noun_forms(span.text.lower())
            own = (self._kinds.inverse_nouns(r) for r in self._relations(named))
            turned = any(not said.isdisjoint(nouns) for nouns in own)
            at = (e for e in named if e.source in answers and not turned)
            return any(span.meaning in self._called(e) for e in at)
        if any(s.kind == "word" for s in given.coverage.left_out):
            return False  # which may say a hop
        for edge in hops:
            sources = (self._kinds.words(r).source for r in self._kinds.relations(edge))
            words = (edge.relation, *self._called(edge), *sources)
            known = [word for word in words if word and meant[word]]
            if not known:
                return len(hops) > 1
            meant[known[0]] -= 1
        return False

    def _is_apart(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        """Whether words say a relation of what is asked for, and the answers are not at its ends.

        "Which doctors live in Basel" asks for no specialty of those who do, where a noun like
        doctors stands for that; "which style has she as a member" for no style of her band.
        """
        pattern, grammar = given.pattern, self._language.grammar
        before = [w.text for w in words if w.end <= span.start]
        as_one = bool(
            grammar.alike.intersection(before[-2:-1])
            and grammar.indefinite.intersection(before[-1:])
        )
        if span.kind == "type" and self._lexicon.types:
            kind = Word(tokens(span.meaning)[-1], span.start, span.end)
            return as_one and not self._kinds.fits(pattern, [kind])
        edges = [edge for edge in pattern.edges if self._is_of(span, edge)]
        ends = {id for edge in edges for id in edge.nodes}
        if not edges or not {*pattern.answers}.isdisjoint(ends):
            return False
        said = list(dropwhile(grammar.being.__contains__, reversed(before)))
        which = not self._language.asking.which.isdisjoint(said[1:2])
        verb = all(self._saying.is_verb(span, relation) for relation in self._relations(edges))
        beside = len(said) == len(before)  # "which medicines treat"; no noun follows "are"
        after = [w.text for w in words if w.start >= span.end][:1]
        done = not self._language.auxiliaries.isdisjoint(after)  # "which parts does Ann supply"
        if done and not self._language.asking.which.isdisjoint(before[-1:]):
            return True
        return as_one or (not self._lexicon.types and which and (verb or beside))

    def _is_turned(self, words: Sequence[Word], span: Span, given: Hypothesis) -> bool:
        pattern = given.pattern
        edges = [edge for edge in pattern.edges if edge.directed and self._is_of(span, edge)]
        relations = self._relations(edges)
        if not edges or any(map(self._kinds.holds_both_ways, relations)):
            return False
        if noun := self._noun_end(words, span, relations):
            ends = {edge.target if noun == "target" else edge.source for edge in edges}
            return {*pattern.answers}.isdisjoint(ends)
        if not all(self._saying.is_verb(span, relation) for relation in relations):
            return False
        following = [w.text for w in words if w.start >= span.end][:1]
        if self._saying.is_elsewhere(span, following, [r.text for r in relations]):
            return True
        told = self._name_end(words, span, relations, given)
        if told is None:
            return False
        name, end = told
        there = {edge.target if end == "target" else edge.source for edge in edges}
        texts = {pattern.node(id).text for id in there}
        named = {pattern.node(id).text for edge in edges for id in edge.nodes}
        return name in named and name not in texts

    def _is_of(self, span: Span, edge: Edge) -> bool:
        """Whether words say the relation of an edge; those for what it leads to may be a class."""
        if span.kind == "relation":
            return edge.relation == span.meaning
        return not self._lexicon.types and span.meaning in self._called(edge)

    def _called(self, edge: Edge) -> list[str]:
        """The nouns for what an edge leads to."""
        return [noun for r in self._kinds.relations(edge) for noun in self._kinds.words(r).nouns]

    def _relations(self, edges: Iterable[Edge]) -> list[Relation]:
        return [relation for edge in edges for relation in self._kinds.relations(edge)]

    def _is_noun(self, words: Sequence[Word], span: Span) -> bool:
        """Whether a plain word says who somebody is to another, in a graph without types."""
        return span.kind == "word" and not self._lexicon.types and self._asks_for(words, span)

    def _asks_for(self, words: Sequence[Word], span: Span) -> bool:
        """Whether words stand where a noun does after "who is the"."""
        before = [w.text for w in words if w.end <= span.start][-3:]
        asking, grammar = self._language.asking, self._language.grammar
        owner = next((w for w in words if w.end < span.start <= w.end + 1), None)
        if owner and owner.end - owner.start > len(owner.text) and not words[-1].start > span.start:
            return True  # "Ann's mentor", at the end
        if len(before) < 3 or before[0] not in asking.who:
            return False
        return before[1] in grammar.being and before[2] in grammar.articles

    def _noun_end(self, words: Sequence[Word], span: Span, relations: Sequence[Relation]) -> str:
        """The end of a relation that "who is the customer" asks for; empty where it is no noun."""
        if not self._asks_for(words, span):
            return ""
        said = self._language.noun_forms(tokens(span.text)[-1])
        for relation in relations:
            own = self._kinds.words(relation)
            if not said.isdisjoint(self._saying.heads(own.nouns)):
                return "target"
            if not said.isdisjoint(self._saying.heads(own.inverse_nouns)):
                return "source"
        # "the boss of Eva Brunner" leads her: it is no noun for what she leads.
        return "target" if all(o.nouns for o in map(self._kinds.words, relations)) else ""

    def _name_end(
        self,
        words: Sequence[Word],
        span: Span,
        relations: Sequence[Relation],
        given: Hypothesis,
    ) -> tuple[str, str] | None:
        """A name beside a verb and the end of its relation that it is; None where unclear."""
        grammar = self._language.grammar
        names = [s for s in given.understood if s.kind == "name"]
        if not names or not all(self._kinds.words(r).forward for r in relations):
            return None
        after = [w.text for w in words if w.start >= span.end]
        by_agent = not grammar.by.isdisjoint(after[:1])
        passive = all(not grammar.by.isdisjoint(tokens(r.text)) for r in relations)
        following = self._next(words, span, names)
        if following is not None:
            if passive:  # "led by Carla" and "who leads Falcon"
                return following.meaning, "target" if by_agent else "source"
            return following.meaning, "source" if by_agent else "target"
        previous = [s for s in names if s.end <= span.start][-1:]
        between = [w.text for s in previous for w in words if s.end <= w.start < span.start]
        first = [w.text for w in words if previous and w.start < previous[0].start]
        if not previous or between or not grammar.being.isdisjoint(first):
            return None  # "when was Globex founded"
        return previous[0].meaning, "target" if passive else "source"

    def _next(self, words: Sequence[Word], span: Span, names: Sequence[Span]) -> Span | None:
        """The name that follows a verb, with only function words between."""
        following = next((s for s in names if s.start >= span.end), None)
        if following is None:
            return None
        between = [w.text for w in words if span.end <= w.start < following.start]
        small = self._language.prepositions | self._language.grammar.articles
        return following if small.issuperset(between) else None
