"""Reads a question whole: every word becomes part of one expression, or is left out."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from math import exp, inf

from isomatch.chains.graph import ChainGraph
from isomatch.errors import QueryTimeout
from isomatch.interpret.compose.analysis import is_one, is_worked_out
from isomatch.interpret.compose.chart import parse
from isomatch.interpret.compose.expressions import Named, Whether
from isomatch.interpret.compose.items import Item
from isomatch.interpret.compose.kinds import GraphKinds
from isomatch.interpret.compose.leaves.filters import without_creation_verbs, without_naming_verbs
from isomatch.interpret.compose.leaves.joint_words import joint_words
from isomatch.interpret.compose.leaves.record_verbs import RecordVerbs, idle_deeds
from isomatch.interpret.compose.leaves.similar import SimilarWords
from isomatch.interpret.compose.leaves.untyped_kinds import learn
from isomatch.interpret.compose.leaves.word_reader import WordReader
from isomatch.interpret.compose.lexical.phrases import unread
from isomatch.interpret.compose.patterns import options_of, to_patterns
from isomatch.interpret.compose.readings.answering import (
    Answering,
    Reading,
    coverage_of,
    ranked,
    with_states,
)
from isomatch.interpret.compose.readings.assumptions import assumed, ordered_by, taken_for
from isomatch.interpret.compose.readings.beside_names import beside_names, others_than_named
from isomatch.interpret.compose.readings.record_pairs import of_pairs
from isomatch.interpret.compose.rules.all import Rules
from isomatch.interpret.compose.rules.dates import dates_of_deeds
from isomatch.interpret.compose.rules.yes_no import whether
from isomatch.interpret.compose.sets.counting import counts_none, without_few
from isomatch.interpret.compose.sets.joins import Joins
from isomatch.interpret.compose.sets.names import (
    asked_class,
    called_sets,
    gives_no_name,
    is_named_by,
    is_of_class,
    nouns_of_values,
    things_named,
    without_words,
)
from isomatch.interpret.compose.syntax.attachment import AttachmentReader
from isomatch.interpret.compose.syntax.relative_clauses import ClauseReader
from isomatch.interpret.compose.syntax.scopes import ScopeReader, is_thing, is_verb
from isomatch.interpret.compose.syntax.sentences import (
    SentenceReader,
    covers,
    named_again,
    only_builds,
)
from isomatch.interpret.compose.syntax.verb_final import VerbFinalClauses
from isomatch.interpret.compose.syntax.word_order import in_order
from isomatch.interpret.compose.units import in_other_currency
from isomatch.interpret.types import Hypothesis, Span
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import (
    Unread,
    Word,
    asks_last,
    asks_type,
    is_small_name,
    points_away,
    words_of,
)
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mention import Mention
from isomatch.lexicon.rank import Ranker
from isomatch.lexicon.substitutions import misspelled, spelling_notes
from isomatch.pattern.types import Pattern
from isomatch.schema.types import Schema
from isomatch.store.terms import is_literal

MOST_WORDS = 80
MOST_PLACES = 16  # that are not words which only build the sentence
LEAST_UNKNOWN = 3  # words that no table has, where a question is in another language
MOST_UNKNOWN = 0.6  # share of such words in a question of this language
PASSED_OVER = 1.5  # for a plain word that nothing is made of
LOST = 3.0  # for one without which it is another question
BUILDING = 0.03  # for a word that only builds the sentence
NOT_ASKED = 0.8
NO_PERSON = 0.5  # "who" may be a team that won
PART_OF_NAME = 0.1
MISSPELLED = 0.2
NOT_A_NAME = 0.1
CLASS_OF_NAME = 0.6  # for "a striker", where a position of that name has players
CLASS_OF_NAMES = 0.1  # for "strikers"
MARGIN = 0.3
LIKELY = 1.6  # what a reading may cost before it is as likely as not
SOURCE = "schema"


class Composer:
    """Composes patterns of the words of questions over one graph.

    Attributes:
        sentences: tells the questions that are none.
        known: forms of the lexicon's words.

    Args:
        schema: relations and types.
        lexicon: their words.
        ranker: for words that the lexicon does not have.
    """

    def __init__(self, schema: Schema, lexicon: Lexicon, ranker: Ranker):
        self._lexicon = lexicon
        self._kinds, self._is_typed = GraphKinds(schema, lexicon), schema.typed
        self._reader = WordReader(self._kinds, lexicon)
        self._similar = SimilarWords(self._kinds, lexicon, ranker, self._reader)
        self._joins = Joins(self._kinds, lexicon)
        self._records = RecordVerbs(self._joins, lexicon)
        self._rules, self._asked = Rules(self._joins), AskedKinds(schema, lexicon)
        self._language = language = lexicon.language
        self._scopes = ScopeReader(language, typed=schema.typed)
        self._attachment = AttachmentReader(self._kinds)
        self._clauses = ClauseReader(language, self._reader.is_noun)
        self.known = frozenset().union(*map(language.forms, lexicon.words()))
        self._answering = Answering(self._joins, lexicon)
        self.sentences = SentenceReader(self._joins, self._reader, lexicon)

    def learn_kinds(self, graph: ChainGraph) -> None:
        """Ask a graph without types which kinds of things it has; one too slow to tell has none."""
        with suppress(QueryTimeout):
            self._reader.add_kinds(learn(self._kinds, graph, self._lexicon))
        self._joins.met_before.cache_clear()

    def hypotheses(
        self,
        question: str,
        names: Sequence[Mention],
        beside: Sequence[Mention],
        graph: ChainGraph,
    ) -> list[Hypothesis]:
        """What a question may mean, by descending score.

        Args:
            names: what of it may name nodes.
            beside: names that are not given to it; a reading leaves them out.
            graph: asked what the named nodes are.
        """
        readings = self.readings(question, names, beside, graph)
        # A much worse one must not answer because the best one has no matches.
        near = (one for one in readings if one.score >= readings[0].score - MARGIN)
        return [self.hypothesis(question, one, names) for one in near]

    def hypothesis(self, question: str, reading: Reading, names: Sequence[Mention]) -> Hypothesis:
        """A reading as a hypothesis; ``names`` are those that it was made with."""
        of = reading.item.value
        called = {(s.start, s.end, s.meaning) for s in reading.item.spans if s.kind == "name"}
        used = [m for m in names if (m.start, m.end, m.text) in called]
        _, otherwise = to_patterns(of, self._kinds) or (None, ())
        return Hypothesis(
            reading.pattern,
            1.0 / (1.0 + exp(-LIKELY - reading.score)),
            {**options_of(of), **beside_names(question, reading.item, self._language)},
            SOURCE,
            (*spelling_notes(used, self._language), *assumed(of, self._kinds)),
            coverage_of(
                ordered_by(reading.item, self._joins.grading, self._language.assumed),
                self._language,
                whole=is_worked_out(of),
            ),
            (*misspelled(used), *taken_for(question, reading.item, self._kinds)),
            otherwise,
            not isinstance(of, Whether) or of.may_deny,
        )

    def readings(
        self,
        question: str,
        names: Sequence[Mention],
        beside: Sequence[Mention],
        graph: ChainGraph,
    ) -> list[Reading]:
        """All that a question may mean, best first; the arguments are those of `hypotheses`."""
        known, language = self._reader.phrases, self._language
        clauses = VerbFinalClauses(question, self._clauses, language)
        words = in_order(question, clauses.words(), language, known, self._joins.is_class)
        names, beside = (without_words(question, m, known, language) for m in (names, beside))
        if len(words) > MOST_WORDS or (asks_type(words, self._language) and not self._is_typed):
            return []
        named = {
            w
            for m in (*names, *beside)
            for w in words
            if covers(m, w) and (m.ids or m.marked or self._is_capital(question, w))
        }
        asked = self._asked.kind_words(words, {w for w in words if w not in named})
        unread = self._unread(question, words)
        leaves = self._leaves(question, words, unread, names, graph)
        leaves = clauses.with_voices(words, leaves)
        start = None if asked else self._asked.start(words)
        classes = asked_class(words, start, leaves, self._language)
        leaves = self._scopes.read(words, leaves)
        items = self._items(question, words, unread, named, leaves, clauses)
        if self._language.free_order and any(map(is_verb, leaves.get((0, 1), ()))):
            items = list(whether(items))
        items = [with_states(item, leaves) for item in items]
        found = self._patterns(items, words, asked or classes, clauses.inside())
        readings = [
            Reading(pattern, item, score)
            for pattern, (score, item) in found.items()
            if not classes or is_of_class(item, words, classes)
        ]
        best = ranked(readings, self._language)
        foreign = any(in_other_currency(question, r.pattern, self._language) for r in best[:1])
        return [] if foreign else best

    def unknown(self, question: str, names: Sequence[Mention]) -> list[str]:
        """The words of a question in another language, as written; empty for one in this.

        Words of this language that no table has are few beside those that build a question.
        """
        words = [
            w
            for place, w in enumerate(words_of(question))
            if not (place and self._is_capital(question, w))  # it may be a name
            and not any(covers(m, w) for m in names if m.ids)
        ]
        plain = (s for _, s in self._unread(question, words) if s is not None and s.kind == "word")
        forms = self._language.forms
        unknown = [s.text for s in plain if self.known.isdisjoint(forms(s.text.lower()))]
        foreign = len(unknown) >= LEAST_UNKNOWN and len(unknown) > MOST_UNKNOWN * len(words)
        return unknown if foreign else []

    def unplaced(self, question: str, names: Sequence[Mention], graph: ChainGraph) -> list[str]:
        """The words of a question, as written, that stand for nothing by themselves."""
        words = words_of(question)[:MOST_WORDS]
        unread = self._unread(question, words)
        leaves = self._leaves(question, words, unread, names, graph)
        covered = {p for span in leaves for p in range(*span)}
        return [span.text for at, (_, span) in enumerate(unread) if span and at not in covered]

    def _unread(self, question: str, words: Sequence[Word]) -> list[Unread]:
        """For each place, the words there that nothing is made of."""
        phrases, language = self._reader.phrases, self._language
        return [unread(question, words, n, phrases, language) for n in range(len(words))]

    def _is_capital(self, question: str, word: Word) -> bool:
        """Whether a capital makes a word look like a name."""
        return question[word.start].isupper() and not self._language.capital_nouns

    def _items(
        self,
        question: str,
        words: Sequence[Word],
        unread: Sequence[Unread],
        named: Set[Word],
        leaves: Mapping[tuple[int, int], list[Item]],
        clauses: VerbFinalClauses,
    ) -> list[Item]:
        """The meanings of the whole question, best first."""
        nouns = {start for (start, _), items in leaves.items() if any(map(is_thing, items))}
        idle = self._scopes.collocated(words, leaves) | idle_deeds(leaves)
        idle |= named_again(words, named, self._language)
        told, calls = self._scopes.told(words, leaves), self._language.grammar.calling
        passed = dict[int, tuple[int, Item]]()
        for place, word in enumerate(words):
            length, span = unread[place]
            letter = is_small_name(question, word, self._language)
            if only_builds(words, place, self._language) and not letter:
                passed[place] = 1, Item("set", None, -BUILDING)
                continue
            capital = place and self._is_capital(question, word)  # "The Thing", and not "What's"
            own = word in named and (capital or word.text not in self._language.building)
            own |= word.text in self._language.idle and self._joins.is_class(word.text)
            if span is None and (own or letter):
                span = Span(word.start, word.end, question[word.start : word.end], "name")  # "C"
            after = {w.text for w in words[place + 1 : place + 2]}
            called = word.text in calls and bool(after & self._language.grammar.by)  # by somebody
            if called or points_away(words, place, self._language):
                span = Span(word.start, word.end, question[word.start : word.end], "operator")
            called |= word.text in calls and gives_no_name(place, leaves)
            called |= (place, len(words)) in leaves  # "have been called", and not "is called"
            if span is None or place in idle or (word.text in calls and not called):
                score = -PASSED_OVER if place in told else -BUILDING
                about = place in told and word.text in self._language.prepositions  # at the end
                last = (Span(word.start, word.end, word.text, "operator"),) * about
                passed[place] = length, Item("set", None, score, spans=last)
                continue
            noun = place and self._language.capital_nouns and question[word.start].isupper()
            if span.kind == "word" and (word in named or noun or letter):
                span = replace(span, kind="name")
            # "the wonderful film" is a film, but who left a team did not play for it
            cost = PASSED_OVER if span.kind == "word" and place + length in nouns else LOST
            passed[place] = length, Item("set", None, -cost, spans=(span,))
        covered = {p for start, end in leaves for p in range(start, end)}
        # Function words that nothing is made of stand in the gaps between the places.
        places = [p for p in range(len(words)) if p in covered or passed[p][1].spans]
        if not 0 < len(places) <= MOST_PLACES:
            return []
        at = [bisect_left(places, p) for p in range(len(words) + 1)]
        return parse(
            len(places),
            {(at[start], at[end]): items for (start, end), items in leaves.items()},
            {at[p]: (at[p + passed[p][0]] - at[p], passed[p][1]) for p in places},
            clauses.gaps(words, places, idle),
            self._rules,
            self._scopes.bars(words, leaves, places)
            | self._attachment.bars(words, leaves, places)
            | clauses.bars(words, leaves, places),
        )

    def _patterns(
        self,
        items: Iterable[Item],
        words: Sequence[Word],
        asked: Sequence[Word],
        inside: Set[int],
    ) -> dict[Pattern, tuple[float, Item]]:
        """The patterns of what may be a whole question, with the best score of each.

        Only that one where "who" begins a question which is best read as one for things that
        nobody is: another reading would have a relation that the question does not say.
        """
        heads, texts = {w.start for w in asked}, [word.text for word in words]
        first, whom = texts[0] if texts else "", asks_last(words, self._language)
        found: dict[Pattern, tuple[float, Item]] = {}
        best, nobody, few = -inf, {}, False
        for item in (self._answering.described(words, one) for one in items):
            if item.category not in ("set", "number of", "answer") or isinstance(item.value, Named):
                continue
            of = self._answering.who_has(texts, item) or self._records.holders(item.value)
            if of is None:
                continue
            item = of_pairs(texts, replace(item, value=of), self._joins)
            asks_other = bool(heads) and not is_named_by(item, words, heads)
            item = item if asks_other else others_than_named(item, texts, self._joins, LOST)
            patterns = to_patterns(item.value, self._kinds)
            few = few or (patterns is None and counts_none(item.value, self._kinds))
            if few:  # a worse reading would leave out those that have none
                spans = without_few(item.spans)
                if spans == item.spans:
                    continue
                item = replace(item, spans=spans)
            may_be = patterns and self._answering.may_be(texts, item, inside)
            if patterns is None or not (may_be and is_one(item.value)):
                continue
            pattern, _ = patterns
            if first in self._language.asking.where and not self._asked.may_be_places(pattern):
                continue
            asked_for = not whom or self._asked.may_be_doers(pattern)
            if not asked_for or self._asked.unanswered_words(words, pattern):
                continue
            deeds = self._answering.are_deeds(first, item.value)
            score = item.score - NOT_ASKED * asks_other - NO_PERSON * deeds
            if first in self._language.asking.who:
                doers = self._asked.may_be_doers(pattern)
                if score > best or (score == best and doers):
                    best, nobody = score, {} if doers else {pattern: (score, item)}
            if not (deeds or self._answering.may_be_people(first, item.value)):
                score -= NO_PERSON
            if pattern not in found or found[pattern][0] < score:
                found[pattern] = score, item
        return nobody or found

    def _leaves(
        self,
        question: str,
        words: Sequence[Word],
        unread: Sequence[Unread],
        mentions: Sequence[Mention],
        graph: ChainGraph,
    ) -> Mapping[tuple[int, int], list[Item]]:
        """What single words, phrases and names may be, by their places (start, end)."""
        leaves: dict[tuple[int, int], list[Item]] = {}
        things, named = things_named(question, words, mentions, self._kinds)
        for mention in things:
            inside = [n for n, w in enumerate(words) if covers(mention, w)]
            items = self._names(question, words, mention, mentions, graph) if inside else []
            if items:
                leaves.setdefault((inside[0], inside[-1] + 1), []).extend(items)
        explained = {p for start, end in leaves for p in range(start, end)}
        for place in range(len(words)):
            joint = joint_words(question, words, place, self._reader.phrases, self._kinds)
            for length, item in chain(joint, self._reader.items(question, words, place)):
                if place not in named or item.category != "relation":
                    leaves.setdefault((place, place + length), []).append(item)
                    explained |= set(range(place, place + length))
        runs = []
        prepositions = {n for n, w in enumerate(words) if w.text in self._language.prepositions}
        for place in range(len(words)):
            length, span = unread[place]
            name = place and self._is_capital(question, words[place])
            if span and span.kind == "word" and place not in explained and not name:
                runs.append((place, length))
                if place + 1 in prepositions and unread[place + 1][1] is None:  # no "before 1990"
                    runs.append((place, 2))
        values = nouns_of_values(question, words, runs, leaves, self._kinds)
        dates = dates_of_deeds(question, words, self._joins)
        for place, length, item in [*self._similar.found(question, words, runs), *values, *dates]:
            leaves.setdefault((place, place + length), []).append(item)
        read = self._records.with_verbs(question, words, leaves)
        read = without_creation_verbs(words, read, self._joins, self._lexicon)
        return without_naming_verbs(words, read, self._kinds)

    def _names(
        self,
        question: str,
        words: Sequence[Word],
        mention: Mention,
        mentions: Sequence[Mention],
        graph: ChainGraph,
    ) -> list[Item]:
        """What a name may stand for; one inside another costs more."""
        at = [n for n, w in enumerate(words) if covers(mention, w)]
        place, last = at[0], at[-1]  # "vehicle crimes" are crimes
        start, end = mention.start, mention.end
        outer = [o for o in mentions if o.start <= start and end <= o.end and o != mention]
        rest = (w for o in outer for w in words if covers(o, w) and not covers(mention, w))
        if not all(self._joins.is_class(w.text) for w in rest):
            return []  # "Blues" in "Blues v Greens", and not "Ohio" in "Ohio River"
        inside = any((o.start, o.end) != (start, end) for o in outer)
        less = PART_OF_NAME * inside + MISSPELLED * (mention.written is not None)
        span = Span(start, end, question[start:end], "name", mention.text)
        before = words[place - 1].text if place else ""
        grammar = self._language.grammar
        any_of = before in grammar.indefinite | grammar.calling  # "lives with a Mary"
        items = [
            Item("set", named, -cost - less, place, (span,))
            for named, cost in called_sets(self._kinds, mention, graph, span.text, every=any_of)
        ]
        items += (posts := self._rules.record_kinds.leaves(items))
        capital = mention.marked or question[start].isupper()
        if any(map(is_literal, mention.ids)) or (capital and not mention.ids):  # on an edge
            items.append(Item("text", mention.text, -NOT_A_NAME, place, (span,)))
        if any(self._joins.is_class(word.text) for word in words[last + 1 : last + 2]):
            return items  # "French cities" are not those of the countries that speak French
        # "customers bought beverages", where the category is called Beverages; "strikers"
        common = question[start].islower() and mention.text[:1].isupper()
        if mention.plural or (place and (common or before in self._language.before_classes)):
            noun = place < last and self._joins.is_class(words[last].text)  # "a vehicle crime"
            cost = CLASS_OF_NAMES if mention.plural or noun else CLASS_OF_NAME
            items += [
                Item("set", members, item.score - cost, last, item.spans)
                for item in items
                if isinstance(item.value, Named) and not posts
                if (members := self._joins.members(item.value)) is not None
            ]
        return items
