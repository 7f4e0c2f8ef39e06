"""What kind of thing a question asks for, and whether a pattern answers with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence, Set
from dataclasses import replace
from itertools import chain, combinations, dropwhile, pairwise, product, takewhile

from isomatch.interpret.types import Span
from isomatch.interpret.words.answer_kinds import AnswerKinds
from isomatch.interpret.words.content import Word, asked_span, asks_directly, is_relative, is_state
from isomatch.interpret.words.how import does_not_say_how
from isomatch.interpret.words.record_roles import counts_deeds, roles_of
from isomatch.lexicon.folding import tokens
from isomatch.lexicon.lexicon import Adjective, Lexicon
from isomatch.lexicon.relation_words import RelationWords
from isomatch.pattern.types import Node, Pattern
from isomatch.schema.types import Relation, Schema, node_types


class AskedKinds(AnswerKinds):
    """The kinds of things that a graph has, by the words for them.

    Attributes:
        known: forms of the nouns that name a kind.
        roles: relations to who did what classes record, and to whom.

    Args:
        schema: relations and types of the graph.
        lexicon: their words.
    """

    def __init__(self, schema: Schema, lexicon: Lexicon):
        super().__init__(schema, lexicon)
        self.roles = roles_of(schema, lexicon)
        noun_forms = lexicon.language.noun_forms
        types = lexicon.types.items()
        called = [(id, phrase) for id, words in types for phrase in words.phrases()]
        called.sort(key=lambda one: " " not in one[1])  # a "city" is no "port city"
        heads = [(f, id) for id, p in called for f in noun_forms(p.rpartition(" ")[2])]
        self._type_words = dict(heads)
        ends, whole = Counter(form for form, _ in set(heads)), {p for _, p in called}
        self._several = {form for form, number in ends.items() if number > 1} - whole
        self._compounds = {tuple(pair[-2:]) for _, p in called if len(pair := tokens(p)) > 1}
        nouns = ((words.source, n) for words in lexicon.relations.values() for n in words.nouns)
        self._compounds |= {(source, form) for source, n in nouns for form in self._forms(n)}
        every = (w for words in lexicon.relations.values() for w in self._ends(words))
        self.known = frozenset((*self._type_words, *every))
        language = lexicon.language
        verbs = (v for r in lexicon.relations.values() for v in (*r.forward, *r.backward))
        self._verbs = {form for v in verbs for form in language.forms(tokens(v)[0])}
        turned = {s.high[0] for s in language.scales if any(w.startswith("-") for w in s.of)}
        self._dating = {
            signed.removeprefix("-")
            for word in language.schemas.dating
            for signed in lexicon.adjectives.get(word, Adjective()).relations
            if signed.startswith("-") or word not in turned  # an age is no date
        }
        # Relations whose noun also counts: the "amount (EUR)" of a grant.
        named = [tokens(r.text.partition("(")[0]) for r in schema.relations]
        self._amounts = {w[-1] for w in named if len({*w} - language.grammar.having) == 1}
        self._last_pairs = {tuple(words[-2:]) for words in named}  # "billed amount"
        self._last_pairs |= {*product(language.function_of, language.asking.amount)}  # "total"
        self._sources = {words.source for words in lexicon.relations.values()}
        self._guessed = {form for word in self._sources for form in noun_forms(word)}

    def kind_words(self, words: Sequence[Word], free: Set[Word]) -> list[Word]:
        """The words that say what kind of thing is asked for; empty where none does.

        Only kinds that the graph has: "what film" asks for nothing where films are movies.
        """
        asking, function_words = self._language.asking, self._language.function_words
        start = self.start(words)
        if start is None:
            when = next((w for w in words if w.text in asking.when and w in free), None)
            date = next(iter(asking.dates), "")
            known = when is not None and not self.known.isdisjoint(self._forms(date))
            return [replace(when, text=date)] if when and known else []
        rest = words[start:]
        if start and words[start - 1].text not in asking.commands:  # "which of the other films"
            rest = list(dropwhile(lambda w: w in free and w.text in asking.others, rest))
        named = list(dropwhile(lambda w: w not in free, rest))
        rest = named if any(map(self._is_kind, named[:1])) else rest  # "how many Texas cities"
        connecting = self._language.grammar.connecting
        ends = function_words | self._language.told.plain | connecting  # "films starring"
        run = list(takewhile(lambda w: w in free and w.text not in ends, rest))
        joined = {w.text for w in rest[len(run) : len(run) + 1]} & self._language.grammar.joining
        if run and joined and not any(map(self._is_kind, run)):  # "damaged and insured cars"
            rest = rest[len(run) + 1 :]
            run = list(takewhile(lambda w: w in free and w.text not in ends, rest))
        direct = bool(run)  # "which cities border Texas", and not "what is the city population"
        if any(map(self._is_kind, run)):  # "which European countries"
            run = list(dropwhile(lambda w: not self._is_kind(w), run))
        pair = tuple(w.text for w in words[max(0, start - 2) : start])
        counting = pair in self._language.operators.count
        if not direct:
            grammar = self._language.grammar
            does, more = self._language.auxiliaries, grammar.having | grammar.being
            does = does | more if counting else does - more
            if rest and rest[0].text in does:
                return []  # "what does the company make", "how many have the number 7"
            rest = list(dropwhile(lambda w: w in free and w.text in function_words, rest))
            run = list(takewhile(lambda w: w in free and w.text not in function_words, rest))
            run = list(takewhile(lambda w: w.text not in connecting, run)) or run
        # "which writers co-wrote films with" asks for what comes first.
        head = takewhile(self._is_kind, run) if direct else filter(self._is_kind, run)
        kinds = list(head)
        first, after = ({w.text for w in some} for some in (run[:1], rest[1:2]))
        acts = first & self._language.told.verbs and after & self._language.grammar.articles
        if counting and not kinds and not acts and not first & self._language.idle:
            return run[:1]  # "how many people", not "how many owns the shop"
        typed = [w for w in kinds if not self._type_words.keys().isdisjoint(self._forms(w.text))]
        if not typed or not direct:  # "which managers head a team" asks for no heads
            many = [word.text != self._language.singular(word.text) for word in kinds]
            return kinds[:1] if direct and many and many[0] and not many[-1] else kinds[-1:]
        # "How many phone calls" are no phones, and "merchant categories" no merchants.
        last = kinds[kinds.index(typed[0]) + 1 :][:1]
        pairs = ((typed[0].text, form) for w in last for form in self._forms(w.text))
        kind = {self._type_words.get(form, "") for form in self._forms(typed[0].text)}
        doers = {form for word in last for form in self._forms(word.text)}  # "prize winners"
        # "Which vehicle crimes", and not "which customer orders tea".
        apart = any(self._are_several(w.text) and w.text not in self._verbs for w in last)
        apart |= any(pair in self._compounds for pair in pairs) or self.name_holders(doers, kind)
        return last if apart else typed[:1]

    def start(self, words: Sequence[Word]) -> int | None:
        """The place after the words that ask for a kind; None where none does."""
        language, places = self._language, list(enumerate(words))
        asking, grammar = language.asking, language.grammar
        pairs = [(a.text, b.text) for a, b in pairwise(words)]
        counting = (
            i + 2
            for i, p in enumerate(pairs)
            if p in language.operators.count  # but not "the top three by the number of films"
            and grammar.by.isdisjoint(w.text for w in words[max(0, i - 2) : i])
            and not (p[1] in grammar.of and p[0] in self._amounts)
            and not (i and p[1] in grammar.of and (words[i - 1].text, p[0]) in self._last_pairs)
            # "the phone number of"
            and not (i and p[0] in grammar.number and self._names(words[i - 1].text))
        )
        asks = [w.text in asking.which and not is_relative(words, i, language) for i, w in places]
        which = (i + 1 for i, asked in enumerate(asks) if asked)
        much = (i + 2 for i, (a, b) in enumerate(pairs) if a in asking.how and b in asking.much)
        command = (1 for w in words[:1] if w.text in asking.commands)
        described = (0 for w in words[1:2] if self._are_several(w.text) and self._adds(words[0]))
        several = (w for w in words[:1] if w.text != language.singular(w.text))  # "states that"
        plural = (0 for w in several if self._is_kind(w) or self._are_several(w.text))
        first = (1 for asked in asks[:1] if asked and asks_directly(words, self._is_kind, language))
        return next(chain(first, counting, which, much, command, plural, described), None)

    def _adds(self, word: Word) -> bool:
        """Whether a word only describes the noun after it: "pending claims from Ann"."""
        small = self._language.function_words | self._language.operators.words
        return self._names(word.text) and word.text not in small and not self._is_kind(word)

    def _are_several(self, word: str) -> bool:
        """Whether a word is the plural of a type's class word."""
        classes = self._type_words.keys() or self._guessed
        return word != self._language.singular(word) and not classes.isdisjoint(self._forms(word))

    def _forms(self, noun: str) -> frozenset[str]:
        return self._language.noun_forms(noun)

    def _names(self, word: str) -> bool:
        """Whether a word is rather a part of a relation's name."""
        return word not in self._language.function_words | self._language.function_of.keys()

    def _is_kind(self, word: Word) -> bool:
        return not self.known.isdisjoint(self._forms(word.text))

    def names_type(self, forms: Set[str]) -> bool:
        """Whether a word with such forms is one that the lexicon has for a type."""
        return not self._type_words.keys().isdisjoint(forms)

    def is_told(self, words: Sequence[Word]) -> bool:
        """Whether a question asks what something is, "a lake or a city": no relation tells."""
        one = self._language.grammar.indefinite
        return any(a.text in one and self._is_kind(b) for a, b in pairwise(words))

    def typed(self, pattern: Pattern, asked: Sequence[Word]) -> tuple[Pattern, tuple[str, ...]]:
        """The pattern, with the type that is asked for where its answers may be of several.

        And that type's text, where it was put there.
        """
        forms = (form for word in asked for form in sorted(self._forms(word.text)))
        wanted = next((form for form in forms if form in self._type_words), None)
        ends = self.answer_relations(pattern)
        if wanted is None or not ends or pattern.node(pattern.answers[0]).type is not None:
            return pattern, ()
        type_id = self._type_words[wanted]
        counts = [(r.end_types(forward), r.triples) for r, forward in ends]
        # Some may be of no type, as a coach beside athletes.
        several = (c for c, n in counts if len(node_types(c)) > 1 or 0 < sum(c.values()) < n)
        if any(type_id in types for types in map(self.schema.with_superclasses, several)):
            text = next(t.text for t in self.schema.types if t.id == type_id)
            of = pattern.answers[0]
            nodes = (Node(n.id, n.text, text) if n.id == of else n for n in pattern.nodes)
            return replace(pattern, nodes=tuple(nodes)), (text,)
        return pattern, ()

    def fits(self, pattern: Pattern, asked: Sequence[Word]) -> bool:
        """Whether the answers of a pattern may be of a kind that is asked for."""
        counted = pattern.count
        if counted is not None:  # "how many languages" is no number of countries
            pattern = replace(pattern, returns=(counted,), count=None)
        for one in pattern.each:  # "how many films has each director" asks for films
            if self.fits(replace(pattern, returns=(one.node,), each=()), asked):
                return True
        ends = self.answer_relations(pattern)
        if not ends:
            return True
        kinds: set[str] = set()
        for relation, forward in ends:
            words = self.words(relation)
            nouns = self._ends(words if forward else words.inverse(), target_only=True)
            nouns |= self.inverse_nouns(relation, forward=forward)
            kinds |= nouns - self._of_others(relation, forward)
            if pattern.aggregate is not None:  # "the average rating", of the stars of ratings
                kinds |= self.called_source(relation) & self._language.schemas.marks
            literal, said = relation.literal_kinds, tokens(relation.text)
            timed = self._language.schemas.are_times(literal, said)
            years = literal.get("number") and self._language.says_when_done(relation.text)
            if forward and (literal.get("date") or relation.id in self._dating or timed or years):
                kinds |= {*self._language.asking.dates}
            for phrase in self.called(relation.end_types(forward)):
                kinds |= self._forms(phrase.rpartition(" ")[2])
        typed = tokens(pattern.node(pattern.answers[0]).type or "")
        kinds |= {form for word in typed[-1:] for form in self._forms(word)}
        # Stations are those of the buses and of the police: no word says which.
        every = (self._forms(word.text) for word in asked)
        return any(not kinds.isdisjoint(f) and self._several.isdisjoint(f) for f in every)

    def _of_others(self, relation: Relation, forward: bool) -> set[str]:
        """The words for types that nothing at the end of a relation is of.

        What a paper is "funded by" is a grant there, and "which funder" asks for no grants. But
        the relation's own noun, as "director", may be of people.
        """
        there = self.schema.with_superclasses(relation.end_types(forward))
        if self._lexicon.types.keys().isdisjoint(there):
            return set()
        others = {form for form, type_id in self._type_words.items() if type_id not in there}
        here = self.schema.with_superclasses(relation.end_types(not forward))
        called = tokens(relation.text)  # what coaches "coach" is no coach
        own = {form for form in others if self._type_words[form] in here and len(called) == 1}
        return own | others.difference(*map(self._forms, called))

    def is_said(self, pattern: Pattern, span: Span, *, trained: bool) -> bool:
        """Whether a word was read as the kind of the answers, or as a relation to them.

        A ``trained`` model's words need not be the lexicon's, nor "movies" for guessed classes.
        """
        types = {(pattern.node(id).type or "").lower() for id in pattern.answers}
        counted = {(pattern.node(one.node).type or "").lower() for one in pattern.each}
        if span.kind == "kind" or counts_deeds(pattern, span, self.schema):
            return True
        if span.kind == "relation" and pattern.count is None:
            noun = Word(span.text.split()[-1].lower(), span.start, span.end)
            typed = not trained and self.names_type(self._forms(noun.text))
            return not typed or bool(self.count_meaning(pattern)) or self.fits(pattern, [noun])
        values = {node.id for node in pattern.nodes if trained and node.text == span.meaning}
        beside = any({*pattern.answers} & {*e.nodes} and values & {*e.nodes} for e in pattern.edges)
        if beside or (span.kind == "type" and {span.meaning} in (types, counted)):
            return True
        kind = Word(span.meaning.rpartition(" ")[2].lower(), span.start, span.end)
        likely = trained or (span.kind == "type" and not self.schema.typed)
        return likely and span.kind in ("type", "relation") and self.fits(pattern, [kind])

    def are_asked(self, first: str, pattern: Pattern) -> bool:
        """Whether the answers may be what "where", "when" or "who", the first word, asks for."""
        asking = self._language.asking
        if first in asking.where:
            return self.may_be_places(pattern)
        if first in asking.when:
            return self.may_be_dates(pattern)
        if first in self._language.grammar.whose:  # but "whose capital is Oslo"
            return not self.are_things(pattern)
        return first not in asking.who or self.may_be_doers(pattern)

    def are_told(self, words: Sequence[Word], pattern: Pattern) -> bool:
        """Whether a question for people names its answers as what they have to do with.

        "Who wrote a book with Pratchett" asks for no books; but "who is the author" for one.
        """
        language = self._language
        first, *rest = words
        if first.text not in language.asking.who or not rest:
            return first.text in language.grammar.whose and self.are_owned(rest, pattern)
        if rest[0].text in language.grammar.being:
            return False
        people = frozenset(language.question_words.get(first.text, ()))
        classes = self._type_words.keys() or self._guessed
        names = [tokens(relation.text) for relation, _ in self.answer_relations(pattern)]
        whole = {pair for name in names for pair in pairwise(name)}  # "a student number"
        rest = [w for w, after in pairwise((*rest, first)) if (w.text, after.text) not in whole]
        kinds = (w for w in rest if not classes.isdisjoint(self._forms(w.text)))
        others = [w for w in kinds if people.isdisjoint(self._forms(w.text))]
        return bool(others) and self.fits(pattern, others)

    def counted(self, words: Sequence[Word], asked: Sequence[Word], pattern: Pattern) -> Pattern:
        """The pattern that counts its answers, where the question asks for their number.

        "How many rivers" and "the number of rivers" count rivers, but where a relation gives
        the number itself.
        """
        if not asked or self.count_meaning(pattern) or not self.answer_relations(pattern):
            return pattern
        if pattern.order is not None or pattern.each or not pattern.answers:
            return pattern  # it says itself what it gives, and is no number of things
        before = [w.text for w in words if w.end < asked[0].start][-2:]
        counts = self._language.operators.count
        if tuple(before) not in counts or not self.fits(pattern, asked):
            return pattern
        return replace(pattern, returns=(), count=pattern.answers[0])

    def count_meaning(self, pattern: Pattern) -> str:
        """What "how many" is read as: "count", or a relation that gives a number; else empty."""
        if pattern.count is not None:
            return "count"
        ends = [r for r, forward in self.answer_relations(pattern) if forward]
        kinds = {r.text: r.literal_kinds for r in ends}
        numbers = (t for t, k in kinds.items() if k.get("number", 0) * 2 > sum(k.values()))
        return next(numbers, "")

    def unanswered_words(self, words: Sequence[Word], pattern: Pattern) -> list[Word]:
        """The word that asks for something else than the answers are.

        Which stations a line has is not answered by its number of "stations", nor where a painting
        comes from by the museum that it is in.
        """
        if not words:
            return []
        first, last, ends = words[0], words[-1], self.answer_relations(pattern)
        named = [(set(tokens(relation.text)), relation) for relation, forward in ends if forward]
        if ends and all(forward and relation.is_flag for relation, forward in ends):
            return [w for w in words if self._are_several(w.text)][:1]  # no yes and no
        if first.text in self._language.asking.where and last.text in self._language.grammar.whence:
            return [] if any(self.says_origin(relation) for _, relation in named) else [first]
        if pattern.aggregate is not None or first.text not in self._language.asking.which:
            return []
        several = [w for w in words[1:2] if w.text != self._language.singular(w.text)]
        numbers = [said for said, relation in named if relation.literal_kinds.get("number")]
        return [w for w in several if any(w.text in said for said in numbers)]

    def missed(
        self,
        question: str,
        words: Sequence[Word],
        pattern: Pattern,
        read: Sequence[Span],
        *,
        told: bool = False,
    ) -> list[Span]:
        """The "where", "who" or "stations" that are asked for, if the answers are none of these.

        Args:
            told: whether "who" is missed anyway.
        """
        grammar = self._language.grammar
        told |= does_not_say_how(words, pattern, self, self._language)
        first = (w for w in words[:1] if told or not self.are_asked(w.text, pattern))
        others = (*self.unanswered_words(words, pattern), *self._beside(words, read, pattern))
        kind = [w for id in pattern.answers for w in tokens(pattern.node(id).type or "")[-1:]]
        both = len(words) > 3 and words[2].text in grammar.joining and self._is_kind(words[1])
        if both and self._is_kind(words[3]) and self._forms(words[3].text).isdisjoint(kind):
            others = (*others, words[3])  # "which actors and directors"
        return [asked_span(question, word) for word in (*first, *others)]

    def _beside(self, words: Sequence[Word], read: Iterable[Span], pattern: Pattern) -> list[Word]:
        """The plural that is asked for, if it was read as what the answers only have to do with.

        "Which actors were born in Hull" asks for no films with such actors, and "which office does
        Ann run" for nobody with such an office; "what depends on it" for no depends.
        """
        counting = tuple(w.text for w in words[:2]) in self._language.operators.count
        which = words[:1] and words[0].text in self._language.asking.which
        which = which and self._language.grammar.amounts.isdisjoint(w.text for w in words[2:4])
        noun = words[2:3] if counting else words[1:2] if which else []
        plain = self._language.auxiliaries.isdisjoint(w.text for w in words[2:3])
        noun = [w for w in noun if not plain or self._is_kind(w) or w.text not in self._verbs]
        several = [w for w in noun if not (plain and w.text == self._language.singular(w.text))]
        own = (s for s in read if not counts_deeds(pattern, s, self.schema))
        spans = [s for s in own for w in several if s.start <= w.start < s.end]
        if pattern.count is not None:
            pattern = replace(pattern, returns=(pattern.count,), count=None)
        if not spans or not pattern.answers or pattern.each:
            return []
        answer, meaning = pattern.answers[0], spans[0].meaning
        if spans[0].kind == "name":  # of a value: "strikers"
            named = {node.id for node in pattern.nodes if node.text == meaning}
            beside = any(answer in e.nodes and named & {*e.nodes} for e in pattern.edges)
            return [] if beside or not named else list(noun)
        ends = [(r, ahead) for r, ahead in self.answer_relations(pattern) if r.text == meaning]
        there = any(ahead or self._is_source(r, self._forms(several[0].text)) for r, ahead in ends)
        there |= not ends and all(edge.relation != meaning for edge in pattern.edges)
        return [] if spans[0].kind != "relation" or there else list(noun)

    def _is_source(self, relation: Relation, forms: Set[str]) -> bool:
        """Whether a noun with such forms is what the sources of a relation are called."""
        words = self.words(relation)
        sources = self._ends(words) - self._ends(words, target_only=True)
        called = self.called_source(relation) | self.inverse_nouns(relation)
        return not forms.isdisjoint(sources | called)

    def shared_relation(self, words: Sequence[Word], span: Span, pattern: Pattern) -> str:
        """The relation by which a pattern leads to what has "the same"; empty for none.

        In a graph with types only of one thing: "the same languages" are all of them, and those who
        "share languages" have one of them.
        """
        noun = next((w.text for w in words if w.start > span.end), "")
        shares = span.text.lower() in self._language.grammar.sharing
        if noun in self._language.grammar.alike:  # "the same as France": in what
            return ""
        if self.schema.typed and self._language.singular(noun) != noun and not shares:
            return ""
        unknown = {node.id for node in pattern.nodes if node.text is None}
        for one, other in combinations(pattern.edges, 2):
            if one.relation == other.relation and unknown & {*one.nodes} & {*other.nodes}:
                return one.relation or ""
        return ""

    def has_other_meaning(self, words: Sequence[Word], span: Span, pattern: Pattern) -> bool:
        """Whether a relation's word says something else: "open in 1900", "opened by 1900"."""
        language = self._language
        if span.kind == "operator" and span.text.lower() in language.grammar.around_dates:
            return True
        dates = (r.text for e in pattern.edges for r in self.relations(e) if self.is_date(r))
        return any(is_state(words, span.start, text, language) for text in dates)

    def is_mere_text(self, relation: Relation) -> bool:
        """Whether a relation of a graph without types seems to lead to texts, as a "job title"."""
        words = self.words(relation)
        return not (self.schema.typed or relation.literal_kinds or words.target in self._sources)

    def are_led_to(self, types: Set[str]) -> bool:
        """Whether some relation leads to things of some types: to a project, to no membership."""
        return any(not types.isdisjoint(r.target_types) for r in self.schema.relations)

    def called_source(self, relation: Relation) -> set[str]:
        """What those are called that have a relation."""
        return {self.words(relation).source, *self.called(node_types(relation.source_types))}

    def _ends(self, words: RelationWords, *, target_only: bool = False) -> set[str]:
        """Forms of the heads of what a relation's ends are called."""
        phrases = [words.target, *words.nouns]
        if not target_only:
            phrases += [words.source, *words.inverse_nouns]
        return {form for phrase in phrases for form in self._forms(phrase.rpartition(" ")[2])}
