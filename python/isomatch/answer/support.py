"""Whether facts carry what a language model wrote, sentence by sentence.

The check is by names, numbers and a few kinds of words; it knows nothing of meaning. It
rather finds a good sentence without support than lets a wrong one pass. See "What the
check proves" in ``docs/open-questions.md``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from isomatch.answer.direction import turned_around
from isomatch.answer.evidence import citations, without_citations
from isomatch.answer.types import Evidence, Sentence
from isomatch.lexicon.language import FILES, Language, language_of
from isomatch.lexicon.lexicon import Lexicon
from isomatch.link.normalise import normalise
from isomatch.match.types import Triple
from isomatch.phrasing import bound_words, clean, relation_words

_NAME = 200  # characters of a name that a prompt shows
_CITED = r"[\[【][\s\d,;–-]+[\]】]"
# The end of a sentence, with the quotes, stars and citations that belong to it.
_END = re.compile(
    rf"(?<![.!?…])[.!?…]+[\"'”’»)*_]*(?:(?:\s*{_CITED})+[.!?]*)?(?=\s|$)"
    rf"|[。！？](?:\s*{_CITED})*|;(?=\s)"
)
_SHORT = re.compile(  # what a full stop follows inside a sentence
    r"(?:^|[\s(\"“])(?:[A-Z]|(?i:dr|mr|mrs|ms|st|prof|jr|sr|vs|no|ca|approx|e\.g|i\.e|z\.b|bzw))\.$"
)
_SHORTEST = 12  # characters before it
_NEAR = 500  # characters before a semicolon
_BULLET = re.compile(r"^\s*(?:[-*•–]|\d+[.)]|#+)\s+")
_LINE = re.compile(r"-> |<-|\s\|\s")  # of the evidence in a prompt
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_DIGITS = re.compile(r"\d+")
_THOUSANDS = re.compile(r"(?<=\d)[.,](?=\d{3}(?!\d))")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_LONG = 3  # letters of a name from which on it has other forms: "Mann's", "Asian"


def sentences_in(text: str, names: Sequence[str] = ()) -> Iterator[list[str]]:
    """The sentences of each line; a citation after a full stop belongs to what it follows.

    Args:
        names: in which a full stop ends nothing.

    Example:
        >>> list(sentences_in("Heat is by Mann. [1] Dr. No is not [2].\\n- Ali [3]"))
        [['Heat is by Mann. [1]', 'Dr. No is not [2].'], ['- Ali [3]']]
    """
    for line in text.splitlines():
        if line.strip():
            yield list(_split(line.strip(), names))


def _split(line: str, names: Sequence[str]) -> Iterator[str]:
    inside = {
        place
        for name in names
        if len(name) > 1
        for found in re.finditer(re.escape(name), line)
        for place in range(found.start(), found.end() - 1)
    }
    bullet = _BULLET.match(line)
    start = 0
    for end in _END.finditer(line, bullet.end() if bullet else 0):
        following = line[end.end() :].lstrip()
        part = end[0][0] == ";"
        if end.start() in inside or (following[:1].islower() and not part):
            continue
        if part and not citations(line[max(start, end.start() - _NEAR) : end.start()]):
            continue  # only a part that cites for itself stands for itself
        if _SHORT.search(line[max(start, end.start() - _SHORTEST) : end.start() + 1]) and following:
            continue
        yield line[start : end.end()].strip()
        start = end.end()
    if rest := line[start:].strip():
        yield rest


class SupportCheck:
    """Decides which sentences of a text some numbered facts carry.

    Args:
        evidence: the facts, by number.
        language: of the session; texts in another one that has a table are read with that.
        lexicon: the words for relations, to tell one from another by; None for no such check.
    """

    def __init__(
        self, evidence: Sequence[Evidence], language: Language, lexicon: Lexicon | None = None
    ):
        self._facts: dict[int, list[Triple]] = {}
        for fact in evidence:
            self._facts.setdefault(fact.number, []).append(fact.triple)
        self._language = language
        self._lexicon = lexicon
        self._never: dict[str, frozenset[tuple[str, ...]]] = {}

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of the facts' ends by their normal forms, longest first."""
        ends = (b for some in self._facts.values() for t in some for b in (t.source, t.target))
        found = {_plain(words): words for words in (bound_words(b, _NAME) for b in ends)}
        return dict(sorted(found.items(), key=lambda item: -len(item[0])))

    def lines(self, text: str) -> list[list[Sentence]]:
        """The sentences of a text by its lines, each with whether it has support."""
        read_as = self._spoken(text)
        given = list(self.names.values())
        return [[self._read(s, read_as) for s in line] for line in sentences_in(text, given)]

    def held(self, text: str) -> bool:
        """Whether a text names both ends of one of the facts."""
        named, _ = self._named(text)
        return any(self._joins([triple], named) for some in self._facts.values() for triple in some)

    def _read(self, text: str, language: Language) -> Sentence:
        cited = citations(text)
        reason = self._problem(text, cited, language)
        return Sentence(text, cited, not reason, reason)

    def _problem(self, text: str, cited: Sequence[int], language: Language) -> str:
        """What a sentence lacks to be carried by the facts that it cites; empty for nothing."""
        if not cited:
            return "it cites no fact"
        if wrong := [str(n) for n in cited if n not in self._facts]:
            return f"it cites {', '.join(wrong[:5])}, and there is no such fact"
        if _LINE.search(text):
            return "it copies the form of the evidence, and is no sentence"
        named, rest = self._named(text)
        for number in cited:
            if not self._joins(self._facts[number], named):
                return f"it does not name both ends of fact {number}"
        facts = [triple for number in cited for triple in self._facts[number]]
        known = " ".join(map(_fact_words, facts))
        foreign = [n for n in named - _ends(facts) if not _stands_in(n, f" {_plain(known)} ")]
        if foreign:
            listed = ", ".join(f"“{clean(self.names[name])}”" for name in sorted(foreign)[:3])
            return f"it names {listed}, and no fact that it cites does"
        return (
            _unknown(without_citations(text), known, language)
            or self._claim(rest, known, language)
            or self._other_relation(rest, facts, language)
            or self._turned(text, facts, language)
        )

    def _named(self, text: str) -> tuple[set[str], str]:
        """Normal forms of the names that stand in a text, and its words without them."""
        said = without_citations(text)
        words = f" {_plain(said)} "
        named = set()
        for name, written in self.names.items():  # the longest first: none is found in another
            if self._is_grammar(name) and not re.search(
                rf"(?<!\w){re.escape(written)}(?!\w)", said
            ):
                continue  # "it" is not the film "It"
            for form in self._forms(name):
                if _stands_in(form, words):
                    named.add(name)
                    spaced = f" {form} " in words
                    while f" {form} " in words:
                        words = words.replace(f" {form} ", " | ")
                    words = words if spaced else words.replace(form, " | ")
        return named, words

    def _is_grammar(self, name: str) -> bool:
        """Whether a name is made of words that any sentence may have."""
        return all(word in self._language.function_words for word in name.split())

    def _forms(self, name: str) -> tuple[str, ...]:
        """A name as it stands in a sentence: also "Mann's" and "films"."""
        with_s = f"{name}s"
        short = len(name) < _LONG or with_s in self._language.function_words
        return (name,) if short else (name, with_s)

    @staticmethod
    def _joins(triples: Sequence[Triple], named: set[str]) -> bool:
        ends = _ends(triples)
        return len(ends & named) >= min(2, len(ends))

    def _claim(self, rest: str, known: str, language: Language) -> str:
        """A word of a sentence, its names left out, for what single facts never say."""
        words = rest.split()
        allowed = set(_plain(known).split())
        for spoken in {one.code: one for one in (language, self._language)}.values():
            never = self._never.setdefault(spoken.code, _never_said(spoken))
            for place, word in enumerate(words):
                following = set(words[place + 1 : place + 2])
                mutual = (word,) in spoken.operators.each and following & spoken.asking.others
                for length in (3, 2, 1):
                    phrase = tuple(words[place : place + length])
                    if phrase in never and not allowed.issuperset(phrase) and not mutual:
                        return f"no single fact says “{' '.join(phrase)}”"
        return ""

    def _other_relation(self, rest: str, facts: Sequence[Triple], language: Language) -> str:
        """A word for a relation of other facts, where there is none for one of the cited."""
        if self._lexicon is None:
            return ""
        told = _forms_of([rest.replace("|", " ")], language)
        cited = {triple.relation.id for triple in facts}
        own = {form for id in cited for form in self._relations.get(id, ())}
        if told & own:
            return ""
        of_types = [w for t in self._lexicon.types.values() for w in (t.word, t.plural, *t.also)]
        own |= _forms_of([*of_types, *map(_fact_words, facts)], language)
        for id, forms in self._relations.items():
            if id not in cited and (said := sorted(told & forms - own)):
                return f"it says “{said[0]}”, as no fact that it cites does"
        return ""

    def _turned(self, text: str, facts: Sequence[Triple], language: Language) -> str:
        found = turned_around(without_citations(text), facts, language, self._lexicon)
        return f"it turns a fact around: “{found}”" if found else ""

    @cached_property
    def _relations(self) -> dict[str, frozenset[str]]:
        """The words for each relation of the facts, in all their forms."""
        assert self._lexicon is not None
        found = {}
        for triple in (triple for some in self._facts.values() for triple in some):
            relation = triple.relation
            words = self._lexicon.of_relation(relation.id)
            told = [*words.nouns, *words.inverse_nouns, *words.forward, *words.backward]
            found[relation.id] = _forms_of([bound_words(relation), *told], self._language)
        return found

    def _spoken(self, text: str) -> Language:
        """The language with most function words in a text."""
        words = [word.lower() for word in _WORD.findall(text)]
        known = [self._language, *map(language_of, FILES)]
        return max(known, key=lambda one: sum(word in one.function_words for word in words))


def _never_said(language: Language) -> frozenset[tuple[str, ...]]:
    """Phrases for what no fact says: "not", "allegedly", "only", "all", "largest", "than"."""
    operators, counting = language.operators, language.numbers.counting
    small = {str(word) for word in list(counting)[:3]}
    numbers = {(word,) for word in language.numbers.words if word not in small}
    of_all = {(word,) for word in (*language.grammar.every, *language.told.denying)}
    phrases = frozenset().union(
        *(operators.negation, operators.superlative, operators.comparison, operators.aggregate),
        *(operators.only, operators.each, of_all, numbers),
    )
    return frozenset(tuple(normalise(word) for word in phrase) for phrase in phrases)


def _unknown(text: str, known: str, language: Language) -> str:
    """A number or a word with a capital that is not among the words of the facts."""
    digits = {_number(n) for n in _DIGITS.findall(_THOUSANDS.sub("", known))}
    for number in _DIGITS.findall(_THOUSANDS.sub("", _BULLET.sub("", text))):
        if _number(number) not in digits:
            return f"it has the number {number}, and no fact that it cites does"
    words = [word.replace("’", "'").removesuffix("'s") for word in _WORD.findall(text)]
    if negated := language.endings.negated:
        for word in words:
            if word.lower().endswith(negated):
                return f"no single fact says “{word}”"
    if language.capital_nouns:
        return ""
    allowed = set(_plain(known).split())
    verbs = language.grammar.being | language.grammar.having | language.auxiliaries
    for place, word in enumerate(words):
        if not word[0].isupper() or word.lower() in language.function_words:
            continue
        if place == 0 and not verbs.intersection(w.lower() for w in words[1:2]):
            continue  # any word has a capital there; before a verb it is what is spoken of
        parts = _plain(word).split()
        if not all(_is_of(part, allowed, language) for part in parts):
            return f"it has the word “{clean(word)}”, and no fact that it cites does"
    return ""


def _forms_of(texts: Sequence[str], language: Language) -> frozenset[str]:
    """The words of some texts that say something, and what they are forms of."""
    words = {word for text in texts for word in _plain(text).split()}
    content = (w for w in words - language.function_words if len(w) >= _LONG and w.isalpha())
    return frozenset(form for word in content for form in (word, *language.forms(word)))


def _is_of(word: str, allowed: set[str], language: Language) -> bool:
    """Whether a word is one of the facts, or what is of its place: "Asian" of "Asia"."""
    if not allowed.isdisjoint((word, f"{word}s", word.removesuffix("s"))):
        return True
    stems = (word.removesuffix(end) for end in language.endings.demonyms if word.endswith(end))
    return any(len(stem) >= _LONG and stem in allowed for stem in stems)


def _ends(triples: Sequence[Triple]) -> set[str]:
    return {_plain(bound_words(b, _NAME)) for t in triples for b in (t.source, t.target)}


def _fact_words(triple: Triple) -> str:
    ends = (bound_words(b, _NAME) for b in (triple.source, triple.target))
    return " ".join((*ends, relation_words(triple, _NAME)))


def _stands_in(name: str, words: str) -> bool:
    return f" {name} " in words or (bool(_UNSPACED.search(name)) and name in words)


def _plain(text: str) -> str:
    return normalise(_THOUSANDS.sub("", text))


def _number(digits: str) -> str:
    return digits.lstrip("0") or "0"
