"""Which words of a question a reading accounts for, and which it leaves out.

A search proves that a pattern has no nearer matches. That is worth nothing where the
pattern is only a part of the question: the neighbours of California are no answer to "what
is the largest state that borders California". So every word is placed: in a name of the
pattern, in the words of its relations and types, among the words that only build the
sentence, or among those that were left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import dropwhile, takewhile

import numpy as np

from isomatch.interpret.types import Coverage, Hypothesis, Span, SpanKind
from isomatch.lexicon.english import (
    COMPARING,
    FUNCTION_WORDS,
    IDLE_WORDS,
    LISTENERS,
    NUMBER_WORDS,
    OPERATORS,
    PREPOSITIONS,
    YES_NO,
    agent,
    base_verb,
    fold,
    fold_with_offsets,
    participle,
    singular,
    tokens,
)
from isomatch.lexicon.lexicon import THING, Lexicon, RelationWords
from isomatch.lexicon.mentions import Mention
from isomatch.lexicon.rank import Ranker, TextEmbedder
from isomatch.pattern.types import Edge, Node, Pattern
from isomatch.schema.types import Relation, Schema
from isomatch.texts import find_word

CHOSEN_BY_WORDS = ("schema",)
"""Interpreters that choose relations by their words. A model has its reasons elsewhere."""
SIMILAR = 0.5
"""Cosine from which words are taken for a relation's."""
CLASS_WORD = 0.6
"""Cosine from which words are another word for a class: "movies" for "film"."""
MARGIN = 0.05
"""By how much words must be nearer to another relation to be missed."""

_WORD = re.compile(r"[^\W_]+(?:[.,\-'’][^\W_]+)*")
_NEGATED = re.compile(r"n['’]?t$")
_ASKING = ("what", "which")
_PREPOSITION = re.compile(rf"\s*((?:{'|'.join(sorted(PREPOSITIONS))})\b)?", re.IGNORECASE)
_COMMANDS = ("list", "name", "show", "give", "tell", "find", "count")
_NUMERIC = ("number", "date")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str  # in lower case, without a possessive 's
    start: int
    end: int


class CoverageReader:
    """Places the words of questions over one graph.

    Args:
        schema: relations and types of the graph.
        lexicon: their words.
        embedder: for words that the lexicon does not have.
    """

    def __init__(self, schema: Schema, lexicon: Lexicon, embedder: TextEmbedder):
        self._schema = schema
        self._lexicon = lexicon
        self._ranker = Ranker(embedder, lexicon)
        self._by_text: dict[str, list[Relation]] = {}
        for relation in schema.relations:
            self._by_text.setdefault(fold(relation.text), []).append(relation)
        self._type_words = {
            form: type_id
            for type_id, words in lexicon.types.items()
            for form in _noun_forms(words.word.rpartition(" ")[2])
        }
        self._wider: dict[str, list[str]] = {}
        for wide, below in schema.subclasses.items():
            for type_id in below:
                self._wider.setdefault(type_id, []).append(wide)
        ends = lexicon.relations.values()
        self._classes = {end for words in ends for end in (words.source, words.target)} | {THING}
        every = (w for words in lexicon.relations.values() for w in _ends(words))
        self._kinds = {*self._type_words, *every}

    def read(
        self, question: str, mentions: Sequence[Mention], given: Sequence[Hypothesis]
    ) -> list[Hypothesis]:
        """Hypotheses with their coverage; answers have the type that is asked for.

        Args:
            mentions: the names in the question.
        """
        return self._by_likeness(question, [self._read(question, mentions, h) for h in given])

    def _read(self, question: str, mentions: Sequence[Mention], given: Hypothesis) -> Hypothesis:
        words = [
            _Word(re.sub(r"['’]s$", "", match[0].lower()), match.start(), match.end())
            for match in _WORD.finditer(question)
        ]
        names = list(_names(question, mentions, given.pattern))
        free = [w for w in words if not any(n.start <= w.start < n.end for n in names)]
        asked = self._asked(words, free)
        pattern = self._typed(given.pattern, asked)
        understood: list[Span] = list(names)
        left_out: list[Span] = []
        known = self._words_of(pattern)
        for span in self._spans(question, words, free, names, mentions):
            forms = {form for word in tokens(span.text) for form in _forms(word)}
            kind, meaning = next((known[f] for f in sorted(forms) if f in known), (span.kind, ""))
            if span.kind == "operator" and self._is_count_read(span, pattern):
                kind, meaning = "relation", self._answer_relations(pattern)[0][0].text
            if meaning:
                understood.append(replace(span, kind=kind, meaning=meaning))
            else:
                left_out.append(span)
        if asked and not self._fits(pattern, asked):
            first = asked[0]
            left_out = [s for s in left_out if s.start != first.start]
            text = question[first.start : first.end]
            left_out.append(Span(first.start, first.end, text, "kind"))
        return replace(given, pattern=pattern, coverage=_ordered(understood, left_out))

    # -- words ---------------------------------------------------------------

    def _spans(
        self,
        question: str,
        words: Sequence[_Word],
        free: Sequence[_Word],
        names: Sequence[Span],
        mentions: Sequence[Mention],
    ) -> Iterator[Span]:
        """The words with content outside the used names, phrases and names as one."""
        sure = any(m.evident for m in mentions)
        others = [
            m
            for m in mentions
            if ((m.evident and (m.marked or m.text != m.text.lower())) or (m.ids and not sure))
            and all(m.end <= n.start or n.end <= m.start for n in names)
            and not {f for w in tokens(m.text) for f in _forms(w)} <= self._kinds
        ]
        place = 0
        while place < len(words):
            word = words[place]
            if word not in free:
                place += 1
                continue
            if name := next((m for m in others if m.start <= word.start < m.end), None):
                yield Span(name.start, name.end, question[name.start : name.end], "name")
                while place < len(words) and words[place].start < name.end:
                    place += 1
                continue
            kind, length = _kind(words, place)
            if kind is not None:
                end = words[place + length - 1].end
                yield Span(word.start, end, question[word.start : end], kind)
            place += length

    def _words_of(self, pattern: Pattern) -> Mapping[str, tuple[SpanKind, str]]:
        """The forms of words that a pattern's relations and types stand for, with these."""
        relations: dict[str, tuple[SpanKind, str]] = {}
        classes: dict[str, tuple[SpanKind, str]] = {}
        for edge in pattern.edges:
            phrases, ends = [edge.relation or ""], []
            for relation in self._relations(edge):
                words = self._lexicon.relations.get(relation.id, RelationWords())
                phrases += _phrases(words)
                ends += [words.source, words.target]
                types = self._all((*relation.source_types, *relation.target_types))
                ends += [self._lexicon.types[t].word for t in types if t in self._lexicon.types]
            for word in (w for phrase in phrases for w in tokens(phrase)):
                relations |= dict.fromkeys(_forms(word), ("relation", edge.relation or ""))
            for end in ends:
                classes |= {form: ("type", end) for w in tokens(end) for form in _noun_forms(w)}
        for text in (node.type for node in pattern.nodes if node.type):
            classes |= {form: ("type", text) for w in tokens(text) for form in _noun_forms(w)}
        return {**relations, **classes}

    def _by_likeness(self, question: str, given: Sequence[Hypothesis]) -> list[Hypothesis]:
        """The same; plain words that are like a relation's are read as that.

        Where they are more like a relation of another hypothesis, they are missed: "states
        that the Mississippi runs through" are not those that border Mississippi.
        """
        edges = {e.relation: e for h in given for e in h.pattern.edges if e.relation}
        phrases = {text: self._own_phrases(edge) for text, edge in edges.items()}
        stretches = {
            span: f"{span.text} {_preposition(question[span.end :])}".strip().lower()
            for h in given
            for span in _joined(question, (h.coverage or Coverage()).left_out)
        }
        if not stretches or not phrases:
            return list(given)
        vectors = self._ranker.vectors
        classes = sorted({words.word for words in self._lexicon.types.values()} | self._classes)
        like = (vectors(list(stretches.values())) @ vectors(classes).T).max(axis=1)
        stretches = {
            span: text
            for (span, text), cosine in zip(stretches.items(), like.tolist(), strict=True)
            if cosine < CLASS_WORD
        }
        if not stretches:
            return list(given)
        rows = vectors([p for of in phrases.values() for p in of])
        alike = vectors(list(stretches.values())) @ rows.T
        ends = np.cumsum([len(of) for of in phrases.values()])
        best = np.stack([part.max(axis=1) for part in np.split(alike, ends[:-1], axis=1)], axis=1)
        similar = {
            span: dict(zip(phrases, row, strict=True))
            for span, row in zip(stretches, best.tolist(), strict=True)
        }
        return [self._with_likeness(question, h, similar) for h in given]

    @staticmethod
    def _with_likeness(
        question: str, given: Hypothesis, similar: Mapping[Span, Mapping[str, float]]
    ) -> Hypothesis:
        coverage = given.coverage or Coverage()
        own = sorted({e.relation for e in given.pattern.edges if e.relation})
        if not own:
            return given
        understood, left_out = list(coverage.understood), list(coverage.left_out)
        for span in _joined(question, coverage.left_out):
            scores = similar.get(span)
            if scores is None:
                continue
            best = max(scores, key=scores.__getitem__)
            mine = max(own, key=scores.__getitem__)
            inside = [s for s in left_out if span.start <= s.start < span.end]
            if scores[best] > scores[mine] + MARGIN and given.source in CHOSEN_BY_WORDS:
                left_out = [s for s in left_out if s not in inside]
                left_out.append(replace(span, kind="relation"))
            elif scores[mine] >= SIMILAR:
                left_out = [s for s in left_out if s not in inside]
                understood.append(replace(span, kind="relation", meaning=mine))
        return replace(given, coverage=_ordered(understood, left_out))

    def _own_phrases(self, edge: Edge) -> list[str]:
        """What a relation is called, without the classes of its ends."""
        phrases = [edge.relation or ""]
        for relation in self._relations(edge):
            phrases += _phrases(self._lexicon.relations.get(relation.id, RelationWords()))
        return list(dict.fromkeys(phrases))

    # -- what is asked for ---------------------------------------------------

    def _asked(self, words: Sequence[_Word], free: Sequence[_Word]) -> list[_Word]:
        """The nouns that say what kind of thing is asked for; empty where none does.

        Only kinds that the graph has: "what film" asks for nothing where films are movies.
        """
        start = next((i + 1 for i, w in enumerate(words) if w.text in _ASKING), None)
        if start is None:
            counts = (i + 2 for i, w in enumerate(words[:-1]) if w.text == "how")
            start = next((i for i in counts if words[i - 1].text in ("many", "much")), None)
        if start is None and words and words[0].text in _COMMANDS:
            start = 1
        if start is None:
            return []
        rest = words[start:]
        run = list(takewhile(lambda w: w in free and w.text not in FUNCTION_WORDS, rest))
        direct = bool(run)  # "which cities border Texas", and not "what is the city population"
        if not direct:
            rest = list(dropwhile(lambda w: w in free and w.text in FUNCTION_WORDS, rest))
            run = list(takewhile(lambda w: w in free and w.text not in FUNCTION_WORDS, rest))
        kinds = [w for w in run if not self._kinds.isdisjoint(_noun_forms(w.text))]
        typed = [w for w in kinds if not self._type_words.keys().isdisjoint(_noun_forms(w.text))]
        return typed[:1] if typed and direct else kinds[-1:]

    def _typed(self, pattern: Pattern, asked: Sequence[_Word]) -> Pattern:
        """The pattern, with the type that is asked for where its answers may be of several."""
        wanted = next(
            (f for w in asked for f in sorted(_noun_forms(w.text)) if f in self._type_words), None
        )
        ends = self._answer_relations(pattern)
        if wanted is None or not ends or pattern.node(pattern.answers[0]).type is not None:
            return pattern
        type_id = self._type_words[wanted]
        counts = [r.target_types if forward else r.source_types for r, forward in ends]
        if any(type_id in self._all(c) and len(_classes(c)) > 1 for c in counts):
            text = next(t.text for t in self._schema.types if t.id == type_id)
            answer = pattern.answers[0]
            nodes = (Node(n.id, n.text, text) if n.id == answer else n for n in pattern.nodes)
            return replace(pattern, nodes=tuple(nodes))
        return pattern

    def _fits(self, pattern: Pattern, asked: Sequence[_Word]) -> bool:
        """Whether the answers of a pattern may be of a kind that is asked for."""
        ends = self._answer_relations(pattern)
        if not ends:
            return True
        kinds: set[str] = set()
        for relation, forward in ends:
            words = self._lexicon.relations.get(relation.id, RelationWords())
            kinds |= _ends(words if forward else words.inverse(), target_only=True)
            for type_id in self._all(relation.target_types if forward else relation.source_types):
                if type_id in self._lexicon.types:
                    kinds |= _noun_forms(self._lexicon.types[type_id].word.rpartition(" ")[2])
        typed = tokens(pattern.node(pattern.answers[0]).type or "")
        kinds |= {form for word in typed[-1:] for form in _noun_forms(word)}
        return any(not kinds.isdisjoint(_noun_forms(word.text)) for word in asked)

    def _is_count_read(self, span: Span, pattern: Pattern) -> bool:
        """Whether "how many" is read as a relation that gives a number: "how many people"."""
        if tuple(tokens(span.text)) not in OPERATORS["count"]:
            return False
        kinds = [r.literal_kinds for r, forward in self._answer_relations(pattern) if forward]
        return any(k.get("number", 0) * 2 > sum(k.values()) for k in kinds)

    def _answer_relations(self, pattern: Pattern) -> list[tuple[Relation, bool]]:
        """Relations at the one answer of a pattern, and whether the answer is their target."""
        if len(pattern.answers) != 1:
            return []
        answer, found = pattern.answers[0], []
        for edge in pattern.edges:
            for relation in self._relations(edge):
                if edge.target == answer or not edge.directed:
                    found.append((relation, True))
                if edge.source == answer or not edge.directed:
                    found.append((relation, False))
        unknown = any(answer in e.nodes and e.relation is None for e in pattern.edges)
        return [] if unknown else found

    def _all(self, types: Iterable[str]) -> list[str]:
        """Types, and what they are subclasses of."""
        return [one for type_id in types for one in (type_id, *self._wider.get(type_id, ()))]

    def _relations(self, edge: Edge) -> Sequence[Relation]:
        return () if edge.relation is None else self._by_text.get(fold(edge.relation), ())


def _ordered(understood: Iterable[Span], left_out: Iterable[Span]) -> Coverage:
    def place(span: Span) -> int:
        return span.start

    return Coverage(tuple(sorted(understood, key=place)), tuple(sorted(left_out, key=place)))


def _preposition(text: str) -> str:
    """The preposition that a text begins with, if any."""
    found = _PREPOSITION.match(text)
    return (found and found[1]) or ""


def _joined(question: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Plain words that stand side by side, as one."""
    found: Span | None = None
    for span in spans:
        if span.kind != "word":
            continue
        if found and not question[found.end : span.start].strip():
            found = Span(found.start, span.end, question[found.start : span.end], "word")
            continue
        if found:
            yield found
        found = span
    if found:
        yield found


def _names(question: str, mentions: Sequence[Mention], pattern: Pattern) -> Iterator[Span]:
    """The parts of a question that a pattern's known nodes stand for."""
    folded, offsets = fold_with_offsets(question)
    for node in pattern.nodes:
        if node.text is None:
            continue
        spans = {(m.start, m.end) for m in mentions if m.text == node.text and m.start < m.end}
        name = fold(node.text)
        if not spans and name and (first := find_word(folded, name)) is not None:
            spans = {(offsets[first], offsets[first + len(name) - 1] + 1)}
        for start, end in sorted(spans):
            yield Span(start, end, question[start:end], "name", node.text)


def _kind(words: Sequence[_Word], place: int) -> tuple[SpanKind | None, int]:
    """What the words from a place on are, and how many; None for those without content."""
    texts = [w.text for w in words[place : place + 3]]
    choice = any(w.text == "or" for w in words)  # "is he a man or a woman" asks which
    if place == 0 and texts[0] in YES_NO and texts[1:2] and texts[1] not in LISTENERS:
        return (None if choice else "operator"), 1
    if texts[0] == "or" and words[0].text in YES_NO:
        return None, 1
    degree = place > 0 and words[place - 1].text == "how"  # "how long is …" asks for a length
    for length in (3, 2, 1) if not degree else ():
        phrase = tuple(texts[:length])
        if len(phrase) == length and any(phrase in of for of in OPERATORS.values()):
            return "operator", length
    if _NEGATED.search(texts[0]) and texts[0] in YES_NO:
        return "operator", 1
    following = [w.text for w in words[place + 1 : place + 4] if w.text not in ("the", "year")]
    if (texts[0],) in COMPARING["any"] and following and _is_number(following[0]):
        return "operator", 1
    if (texts[0],) in COMPARING["number"] and following and _is_number(following[0]):
        return "operator", 1
    if _is_number(texts[0]):
        return "number", 1
    idle = texts[0] in FUNCTION_WORDS or texts[0] in IDLE_WORDS or len(texts[0]) < 2
    return (None if idle else "word"), 1


def _is_number(word: str) -> bool:
    return word[0].isdigit() or word in NUMBER_WORDS


def _classes(counts: Iterable[str]) -> list[str]:
    return [type_id for type_id in counts if not type_id.startswith("literal:")]


def _phrases(words: RelationWords) -> list[str]:
    lists = (words.nouns, words.inverse_nouns, words.forward, words.backward)
    return [phrase for of in lists for phrase in of]


def _ends(words: RelationWords, *, target_only: bool = False) -> set[str]:
    """Forms of the heads of what a relation's ends are called."""
    phrases = [words.target, *words.nouns]
    if not target_only:
        phrases += [words.source, *words.inverse_nouns]
    return {form for phrase in phrases for form in _noun_forms(phrase.rpartition(" ")[2])}


def _noun_forms(word: str) -> frozenset[str]:
    return frozenset((word, singular(word)))


def _forms(word: str) -> frozenset[str]:
    """A word and what it is a form of: "bordering", "borders" → "border"."""
    found = {word, singular(word)}
    for form in tuple(found):
        base = base_verb(participle(form) or form)
        found |= {base, agent(base)}
        if len(form) > 5 and form.endswith("ing"):
            stem = form[:-3]
            found |= {stem, f"{stem}e", stem[:-1] if stem[-1] == stem[-2] else stem}
    return frozenset(found)
