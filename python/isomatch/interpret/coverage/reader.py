"""Which words of a question a reading accounts for, and which it leaves out.

A search proves that a pattern has no nearer matches. That is worth nothing where the
pattern is only a part of the question: the neighbours of California are no answer to "what
is the largest state that borders California". So every word is placed: in a name of the
pattern, in the words of its relations and types, among the words that only build the
sentence, or among those that were left out.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace

from isomatch.interpret.checks.asked_values import are_mere_texts
from isomatch.interpret.checks.directions import Directions
from isomatch.interpret.coverage.known_words import KnownWords, meaning_of, phrase_words
from isomatch.interpret.coverage.mistaken import MistakenWords
from isomatch.interpret.coverage.named_ends import ALIKE, SIMILAR, NamedEnds
from isomatch.interpret.coverage.preference import preferred
from isomatch.interpret.types import Coverage, Hypothesis, Span, SpanKind
from isomatch.interpret.unsaid.hops import CHOSEN_BY_WORDS, UnsaidHops
from isomatch.interpret.words.answer_kinds import of_counted
from isomatch.interpret.words.asked_kinds import AskedKinds
from isomatch.interpret.words.content import (
    Word,
    asked_span,
    describes,
    is_asked,
    is_small_name,
    kind_of,
    points_away,
    side_by_side,
    words_of,
)
from isomatch.lexicon.folding import any_word, fold, fold_with_offsets, tokens
from isomatch.lexicon.lexicon import Lexicon
from isomatch.lexicon.mention import Mention
from isomatch.lexicon.rank import Ranker, TextEmbedder
from isomatch.pattern.types import Edge, Pattern
from isomatch.schema.types import Schema
from isomatch.texts import find_word

CLASS_WORD = 0.6
"""Cosine from which words are another word for a class: "movies" for "film"."""
CLASS_OF_TYPES = 0.7
"""The same in a graph with types, for readings by words: "nurse" is 0.61 from "doctor"."""
MOST_COMPARED = 64
"""How many words that the lexicon does not have are compared with those that it has."""
MARGIN = 0.05  # by how much words must be nearer to another relation to be missed


class CoverageReader:
    """Places the words of questions over one graph.

    Args:
        schema: relations and types of the graph.
        lexicon: their words.
        embedder: for words that the lexicon does not have.
    """

    def __init__(self, schema: Schema, lexicon: Lexicon, embedder: TextEmbedder):
        self._lexicon = lexicon
        self._language = language = lexicon.language
        self._alike = language.grammar.same | language.grammar.sharing
        of, prepositions = any_word(language.grammar.of), any_word(language.prepositions)
        self._head = re.compile(rf"\s+(?:{of})\b|\W*$")
        self._preposition = re.compile(rf"\s*((?:{prepositions})\b)?", re.IGNORECASE)
        self._ranker = Ranker(embedder, lexicon)
        self._kinds = AskedKinds(schema, lexicon)
        self._directions = Directions(self._kinds, lexicon)
        self._unsaid = UnsaidHops(self._kinds, lexicon)
        self._named_ends = NamedEnds(self._kinds, lexicon, self._ranker)
        self._mistaken = MistakenWords(self._kinds, lexicon, self._ranker)

    def read(
        self, question: str, mentions: Sequence[Mention], given: Sequence[Hypothesis]
    ) -> list[Hypothesis]:
        """Hypotheses with their coverage; answers have the type that is asked for.

        Args:
            mentions: the names in the question.
        """
        words, texts = words_of(question), fold_with_offsets(question)
        read = [self._read(question, words, texts, mentions, h) for h in given]
        composed = {i for i, h in enumerate(given) if _is_read(h)}
        rest = [h for i, h in enumerate(read) if i not in composed]
        liked = iter(self._by_likeness(question, rest) if self._language.similar_words else rest)
        merged = (h if i in composed else next(liked) for i, h in enumerate(read))
        mistaken, added = self._mistaken.told, self._unsaid.without_unsaid
        every = (self._directions.checked(question, mistaken(question, h)) for h in merged)
        read = [added(h, question, mentions, composed=i in composed) for i, h in enumerate(every)]
        return preferred(question, read, composed, self._language)

    def _read(
        self,
        question: str,
        words: Sequence[Word],
        folded: tuple[str, Sequence[int]],
        mentions: Sequence[Mention],
        given: Hypothesis,
    ) -> Hypothesis:
        names = list(_names(question, folded, mentions, given.pattern))
        trained = given.source == "programs"
        if trained and given.coverage is not None:  # who finds names in the plural: "Amys"
            names += [span for span in given.coverage.understood if span.kind == "name"]
        named = {place for n in names for place in range(n.start, n.end)}
        free = {w for w in words if w.start not in named}
        asked = self._kinds.kind_words(words, free)
        if given.coverage is not None and _is_read(given):
            without = self._left_out(question, words, asked, given)
            return replace(given, coverage=replace(given.coverage, left_out=tuple(without)))
        typed, asked_types = self._kinds.typed(given.pattern, asked)
        pattern = self._kinds.counted(words, asked, typed)
        understood: list[Span] = list(names)
        left_out: list[Span] = []
        known, by_words = self._words_of(pattern), given.source in CHOSEN_BY_WORDS
        used: Counter[str] = Counter()
        for span in self._spans(question, words, free, self._others(mentions, named), by_words):
            kind, meaning = meaning_of(words, span, known, self._language)
            if meaning and self._kinds.has_other_meaning(words, span, pattern):
                kind, meaning = "operator", ""
            if span.text.lower() in self._alike:
                if not by_words:
                    continue
                kind, meaning = "relation", self._shared(words, span, pattern)
            if span.kind == "operator" and kind == "relation":
                used[span.text.lower()] += 1  # "the highest city of the state with the highest …"
                if used[span.text.lower()] > sum(e.relation == meaning for e in pattern.edges):
                    kind, meaning = span.kind, ""
            if tuple(tokens(span.text)) in self._language.operators.count and (
                of := self._kinds.count_meaning(pattern)
            ):
                kind, meaning = "relation", of
            if kind == "word" and by_words:
                kind = self._named_ends.kind_of(span)
            if meaning:
                understood.append(replace(span, kind=kind, meaning=meaning))
            else:
                left_out.append(replace(span, kind=kind))
        left_out = self._without_kind(question, pattern, asked, left_out)
        told = self._kinds.are_told(words, pattern)
        left_out += self._kinds.missed(question, words, pattern, understood, told=told)
        coverage = _ordered(understood, dict.fromkeys(left_out), asked_types)
        exact = given.coverage is not None and given.coverage.exact
        return replace(given, pattern=pattern, coverage=replace(coverage, exact=exact))

    def _left_out(
        self, question: str, words: Sequence[Word], asked: Sequence[Word], given: Hypothesis
    ) -> Iterable[Span]:
        """What a reading that placed the words itself left out, and what it misses of the asked."""
        assert given.coverage is not None
        read, pattern, left_out = given.coverage.understood, given.pattern, given.coverage.left_out
        missed = self._kinds.missed(question, words, pattern, read)
        trained, at = given.source == "programs", asked[0].start if asked else -1
        own = [s for s in read if asked and (s.start <= at < s.end or s.kind == "kind")]
        if not missed and any(self._kinds.is_said(pattern, s, trained=trained) for s in own):
            return left_out  # "how many people", where a population is asked for
        phrase = any(s.kind in ("type", "operator") and " " in s.text for s in own)
        asked = () if phrase else asked  # "how many times", "thefts from a person"
        return dict.fromkeys([*self._without_kind(question, pattern, asked, left_out), *missed])

    def _without_kind(
        self, question: str, pattern: Pattern, asked: Sequence[Word], left_out: Iterable[Span]
    ) -> list[Span]:
        """What is left out, with the kind that is asked for where no answer is of it."""
        before = tuple(tokens(question[: asked[0].start])[-2:]) if asked else ()
        pattern = of_counted(pattern) if before in self._language.operators.count else pattern
        if not asked or self._kinds.fits(pattern, asked):
            return list(left_out)
        return [*(s for s in left_out if s.start != asked[0].start), asked_span(question, asked[0])]

    # -- words ---------------------------------------------------------------

    def _others(self, mentions: Sequence[Mention], named: Set[int]) -> dict[int, Mention]:
        """The names that the pattern lacks, at each of their places in the question."""
        sure, forms = any(m.evident for m in mentions), self._language.forms
        return {
            place: m
            for m in reversed(mentions)
            if ((m.evident and (m.marked or m.text != m.text.lower())) or (m.ids and not sure))
            and named.isdisjoint(range(m.start, m.end))
            and not {f for w in tokens(m.text) for f in forms(w)} <= self._kinds.known
            for place in range(m.start, m.end)
        }

    def _spans(
        self,
        question: str,
        words: Sequence[Word],
        free: Set[Word],
        others: Mapping[int, Mention],
        by_words: bool,
    ) -> Iterator[Span]:
        """The words with content outside the used names, phrases and names as one."""
        choice = not self._language.grammar.choosing.isdisjoint(w.text for w in words)
        choice = choice and words[0] in free and not self._kinds.is_told(words)
        place = 0
        while place < len(words):
            word = words[place]
            if word not in free:
                place += 1
                continue
            if name := others.get(word.start):
                yield Span(name.start, name.end, question[name.start : name.end], "name")
                while place < len(words) and words[place].start < name.end:
                    place += 1
                continue
            kind, length = kind_of(words, place, choice, self._language)
            if by_words and not kind and points_away(words, place, self._language, chain=True):
                kind = "operator"
            if is_small_name(question, word, self._language):
                yield Span(word.start, word.end, question[word.start : word.end], "name")
            elif kind is not None:
                end = words[place + length - 1].end
                yield Span(word.start, end, question[word.start : end], kind)
            place += length

    def _words_of(self, pattern: Pattern) -> KnownWords:
        """The forms of words that a pattern's types and relations stand for, with these."""
        types, relations = dict[str, str](), dict[str, str]()
        for edge in (e for one in pattern.patterns() for e in one.edges):
            said = phrase_words(self._own_phrases(edge), edge.relation or "", self._language)
            relations |= dict.fromkeys(said, edge.relation or "")
        for text in self._own_classes(pattern):
            nouns = (form for w in tokens(text) for form in self._language.noun_forms(w))
            types |= dict.fromkeys(nouns, text)
        return types, relations

    def _own_classes(self, pattern: Pattern) -> list[str]:
        """What the ends of a pattern's relations are called, then the types that it names.

        A node is of the types that all its relations may have there: what supplies something
        and has a city is no customer, though customers have cities too.
        """
        classes: list[str] = []
        types: dict[str, set[str]] = {}
        for edge in pattern.edges:
            ends: dict[str, set[str]] = {edge.source: set(), edge.target: set()}
            for relation in self._kinds.relations(edge):
                words = self._kinds.words(relation)
                there = (edge.source, words.source, relation.source_types)
                back = (edge.target, words.target, relation.target_types)
                for end, word, counts in (there, back):
                    known = self._kinds.schema.with_superclasses(counts)
                    classes += [] if known else [word]
                    for node in {end} if edge.directed else ends:
                        ends[node].update(known)
            for node, found in ends.items():
                types[node] = (types.get(node, found) & found) or types.get(node, found) | found
        every = sorted(set().union(*types.values()))
        classes += [self._lexicon.types[t].word for t in every if t in self._lexicon.types]
        return [*filter(None, classes), *(node.type for node in pattern.nodes if node.type)]

    def _by_likeness(self, question: str, given: Sequence[Hypothesis]) -> list[Hypothesis]:
        """The same; plain words that are like a relation's are read as that.

        Where they are more like a relation of another hypothesis, they are missed: "states
        that the Mississippi runs through" are not those that border Mississippi.
        """
        edges = {e.relation: e for h in given for e in h.pattern.edges if e.relation}
        relations = {text: self._own_phrases(edge) for text, edge in edges.items()}
        classes = {c: [c] for c in sorted({c for h in given for c in self._own_classes(h.pattern)})}
        lists = [[s for s in h.coverage.left_out if s.kind == "word"] for h in given if h.coverage]
        like = self._likeness({s: s.text.lower() for of in lists for s in of}, classes)
        by_words = any(h.source in CHOSEN_BY_WORDS for h in given)
        least = CLASS_OF_TYPES if by_words and self._lexicon.types else CLASS_WORD
        kinds = {s: scores for s, scores in like.items() if max(scores.values()) >= least}
        joined = [
            s for of in lists for s in side_by_side(question, (s for s in of if s not in kinds))
        ]
        texts = {s: f"{s.text} {self._followed(question[s.end :])}".strip().lower() for s in joined}
        similar = self._likeness(texts, relations)
        placed = self._named_ends.placed(question, similar, given)
        read = (
            self._with_likeness(question, one, kinds, alike)
            for one, alike in zip(given, placed, strict=True)
        )
        return [self._named_ends.without_guesses(question, one) for one in read]

    def _likeness(
        self, texts: Mapping[Span, str], phrases: Mapping[str, Sequence[str]]
    ) -> dict[Span, dict[str, float]]:
        """How like each text is to the nearest phrase of each key; of the first texts only."""
        spans = list(texts)[:MOST_COMPARED]
        if not spans or not phrases:
            return {}
        rows = self._ranker.vectors([texts[span] for span in spans])
        alike = {key: (rows @ self._ranker.vectors(of).T).max(1) for key, of in phrases.items()}
        return {span: {key: float(alike[key][i]) for key in alike} for i, span in enumerate(spans)}

    def _with_likeness(
        self,
        question: str,
        given: Hypothesis,
        kinds: Mapping[Span, Mapping[str, float]],
        similar: Mapping[Span, Mapping[str, float]],
    ) -> Hypothesis:
        coverage = given.coverage or Coverage()
        own = sorted({e.relation for e in given.pattern.edges if e.relation})
        if not own:
            return given
        classes = sorted(self._own_classes(given.pattern))
        by_words = given.source in CHOSEN_BY_WORDS
        read: list[Span] = []
        loose = not (by_words and self._lexicon.types) or self._says_what(question, coverage)
        for span in coverage.left_out:
            if classes and (scores := kinds.get(span)):
                mine = max(classes, key=scores.__getitem__)
                same = {s.start for s in coverage.understood if s.meaning == mine}
                described = describes(question, span, same) and not self._lexicon.types
                mere = by_words and are_mere_texts(mine, self._kinds)
                if described or (mere and is_asked(question, span, self._language)):
                    read.append(replace(span, kind="relation"))  # "documentary films"
                elif scores[mine] >= max(scores.values()) - MARGIN:
                    read.append(replace(span, kind="type", meaning=mine))
        said = (s for s in coverage.understood if s.kind == "relation")
        nouns = {s.start for s in said if not self._named_ends.is_verb(s)}
        for span in side_by_side(question, (s for s in coverage.left_out if s not in kinds)):
            if scores := similar.get(span):
                mine = max(own, key=lambda text: scores.get(text, 0.0))
                better = max(scores.values()) > scores.get(mine, 0.0) + MARGIN
                other = self._named_ends.is_other_end(question, span, mine, given.pattern)
                other = other or describes(question, span, nouns)  # "the married author"
                far = by_words and self._named_ends.is_far(question, span, mine, given.pattern)
                if by_words and (better or other or self._is_vague(span, mine, given.pattern)):
                    read.append(replace(span, kind="relation"))
                elif scores.get(mine, 0.0) >= (SIMILAR if loose and not far else ALIKE):
                    words = self._named_ends.said(question, span, mine, given.pattern)
                    read.append(
                        replace(words, kind="relation", meaning=mine, likeness=scores[mine])
                    )
        placed = {place for span in read for place in range(span.start, span.end)}
        left_out = [s for s in coverage.left_out if s.start not in placed]
        left_out += [s for s in read if not s.meaning]
        understood = [*coverage.understood, *(s for s in read if s.meaning)]
        meant = {s.meaning for s in understood if s.kind == "relation"}
        unsaid = sum(e.relation not in meant for e in given.pattern.edges)
        # Without types the words for classes are not known, and unknown words say little.
        sure = by_words and bool(self._lexicon.types)
        if by_words and not sure:
            left_out = self._named_ends.unsaid_verbs(question, given.pattern, understood, left_out)
        missed = self._missed(question, understood, left_out, sure, unsaid)
        ordered = _ordered(understood, missed, coverage.asked_types)
        return replace(given, coverage=replace(ordered, exact=coverage.exact))

    def _says_what(self, question: str, coverage: Coverage) -> bool:
        """Whether a type stands where a question says what it asks for: "which films"."""
        spans, language = coverage.understood, self._language
        return any(s.kind == "type" and is_asked(question, s, language) for s in spans)

    def _is_vague(self, span: Span, text: str, pattern: Pattern) -> bool:
        """Whether a word may as well mean other relations: "films that she made"."""
        vague = not self._language.grammar.vague.isdisjoint(tokens(span.text))
        return vague and self._has_rivals(text, pattern)

    def _shared(self, words: Sequence[Word], span: Span, pattern: Pattern) -> str:
        """The relation that things share; none where a prize may be shared by a nomination."""
        found = self._kinds.shared_relation(words, span, pattern)
        told = {word.text for word in words}.issuperset(tokens(found))
        shares = span.text.lower() in self._language.grammar.sharing
        return "" if shares and not told and self._has_rivals(found, pattern) else found

    def _has_rivals(self, text: str, pattern: Pattern) -> bool:
        """Whether other relations join the same types as one of a pattern."""
        edges = [edge for edge in pattern.edges if edge.relation == text]
        return any(self._kinds.rivals(one) for e in edges for one in self._kinds.relations(e))

    def _own_phrases(self, edge: Edge) -> list[str]:
        """What a relation is called, without the classes of its ends."""
        phrases = [edge.relation or ""]
        for relation in self._kinds.relations(edge):
            phrases += self._kinds.words(relation).phrases()
        return list(dict.fromkeys(phrases))

    def _missed(
        self,
        question: str,
        understood: Sequence[Span],
        left_out: Sequence[Span],
        sure: bool,
        unsaid: int,
    ) -> Iterator[Span]:
        """The words that are left out; plain ones that may not be have another kind.

        These are nouns that understood words only describe ("the population density of Texas" asks
        for no population), and all where nothing but names was understood, or where several hops of
        the pattern are said by no word.
        """
        ends = {s.end for s in understood if s.kind not in ("name", "word")}
        nouns = {s.start for s in understood if s.kind in ("type", "relation")}
        verbs = {s.start for s in understood if self._named_ends.is_verb(s)}
        lost = sure and ((not ends and len(left_out) > 1) or unsaid > 1)
        for span in left_out:
            compound = len(question[: span.start].rstrip()) in ends
            if sure and span.kind == "word" and compound and self._head.match(question, span.end):
                yield replace(span, kind="kind")
                continue
            # "which manager lives in Basel": no word before a verb describes it
            of = nouns - verbs if is_asked(question, span, self._language, first=True) else nouns
            apart = self._named_ends.restricts(question, span) or not describes(question, span, of)
            if span.kind == "word" and (lost or (sure and apart)):
                span = replace(span, kind="relation")
            yield span

    def _followed(self, text: str) -> str:
        """The preposition that a text begins with, if any."""
        found = self._preposition.match(text)
        return (found and found[1]) or ""


def _is_read(given: Hypothesis) -> bool:
    """Whether the interpreter itself has placed the words of the question."""
    return bool(given.coverage and (given.coverage.understood or given.coverage.left_out))


def _ordered(
    understood: Iterable[Span], left_out: Iterable[Span], asked_types: tuple[str, ...]
) -> Coverage:
    known, missed = (sorted(of, key=lambda s: s.start) for of in (understood, left_out))
    return Coverage(tuple(known), tuple(missed), asked_types)


def _names(
    question: str,
    folded: tuple[str, Sequence[int]],
    mentions: Sequence[Mention],
    pattern: Pattern,
) -> Iterator[Span]:
    """The parts of a question that a pattern's known nodes stand for."""
    text, offsets = folded
    for node in pattern.nodes:
        if node.text is None:
            continue
        same = [m for m in mentions if m.text == node.text and m.start < m.end]
        spans = {(m.start, m.end) for m in same}
        guessed = bool(same) and not any(m.ids or m.marked for m in same)
        name = fold(node.text)
        if not spans and name and (first := find_word(text, name)) is not None:
            spans = {(offsets[first], offsets[first + len(name) - 1] + 1)}
        last = 0
        for start, end in sorted(spans):
            if start >= last:  # "Texas", and not "Texas." too
                text = question[start:end]
                kind: SpanKind = "word" if guessed and text == text.lower() else "name"
                yield Span(start, end, text, kind, node.text)
                last = end
