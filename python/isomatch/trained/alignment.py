"""Which words of questions say which tokens of programs, learnt from both.

IBM model 1 (Brown et al., Computational Linguistics 1993): each word of a question is said by
one token of its program, or by none, and expectation maximisation finds which say it how
often. A reading by a trained model accounts for a word where its program has a token that the
word says much of the time, or more often than words do on the whole. A word that was never seen,
or only with other tokens, is left out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from isomatch.errors import ArtifactError

Program = tuple[str, ...]
NONE = ""
"""Stands for no token: what only builds sentences."""
_EDGE = "^"
ROUNDS = 8
LEAST = 0.05  # share of a word's occurrences, below which a token is not kept
ENOUGH = 0.2
NEAR = 0.5
"""Of a word's most usual token, how usual another may be for the word to say it."""
LIFT = 4.0
"""How many times as often as words on the whole a word says a rarer token."""
MOSTLY = 0.8
VAGUE = 0.6
OF_FORMS = 20.0
"""Occurrences of a word that all its forms together weigh as much as."""
ADDED = 0.05
"""Of each pair of word and token as if seen: else rare words gather at rare tokens (Moore 2004)."""
KEPT = 1e-3
"""P(pair of words | token), below which it is not kept."""
OLDER = "the trained model is older than this isomatch, or damaged: train it again"
FEW = 0.95
"""Share of its occurrences that a word of few tokens has with those of `LEAST`."""
OPERATORS: Mapping[str, str] = {
    "count": "how many",
    "whether": "whether there is any",
    "sum": "sum",
    "avg": "average",
    "and": "and",
    "not": "except",
    "max": "greatest",
    "min": "least",
    "most": "most",
    "<": "less than",
    "<=": "at most",
    ">": "more than",
    ">=": "at least",
    "!=": "other than",
}
"""The operators of programs, in words."""


@dataclass(frozen=True)
class Alignment:
    """For each word, the tokens that say it, with the share of its occurrences.

    Attributes:
        shares: by word and token.
        beside: by word, the operators of the programs that it was seen with, with the share of
            its occurrences.
        usual: by token, the share of the occurrences of all words.
        asked: by noun that was asked for, as "cases" in "how many cases", the types of the
            answers, with the share of such questions.
        rare: words of one question only.
        pairs: by two neighbouring words, the tokens that say them, with P(pair | token).

    Example:
        >>> pairs = [(["how", "many", "rivers"], ("count", "type:River")),
        ...          (["which", "rivers"], ("type:River",)), (["which", "lakes"], ("type:Lake",))]
        >>> learned = Alignment.learn(pairs)
        >>> learned.operator("many", ("count", "type:Lake"))
        'count'
        >>> learned.token("rivers", ("count", "type:Lake")) is None
        True
    """

    shares: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    beside: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    usual: Mapping[str, float] = field(default_factory=dict)
    asked: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    rare: frozenset[str] = frozenset()
    pairs: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    @classmethod
    def learn(
        cls,
        pairs: Iterable[tuple[Sequence[str], Program]],
        asked: Iterable[tuple[str, Iterable[str]]] = (),
        paired: Iterable[tuple[Sequence[str], Program]] = (),
        forms: Callable[[str], Collection[str]] = lambda word: (word,),
    ) -> Alignment:
        """From the words of questions and the programs that they mean.

        Args:
            asked: the nouns that questions ask for, each with the types of the answers.
            paired: questions and programs again, with names among the words.
            forms: gives what a word is a form of; what a few questions have in one form is also
                read from its others.
        """
        seen = [(list(words), [NONE, *_plain(program)]) for words, program in pairs]
        counts = aligned(seen)
        bases = _bases({word for words, _ in seen for word in words}, forms)
        based = [([bases[word] for word in words], tokens) for words, tokens in seen]
        pooled = _by_word(aligned(based))
        shares: dict[str, dict[str, float]] = defaultdict(dict)
        usual: dict[str, float] = defaultdict(float)
        for (word, token), count in counts.items():
            of = pooled[bases[word]]
            shares[word][token] = count + OF_FORMS * of.get(token, 0.0) / sum(of.values())
            usual[token] += count
        whole = sum(usual.values())
        alone = {word: sum(pooled[bases[word]].values()) < 2 for word in shares}
        beside: dict[str, Counter[str]] = defaultdict(Counter)
        for words, tokens in seen:
            for word in set(words):
                beside[word].update([NONE, *(token for token in tokens if token in OPERATORS)])
        nouns: dict[str, Counter[str]] = defaultdict(Counter)
        for noun, types in asked:
            nouns[noun].update([NONE, *types])
        return cls(
            {word: _kept(of) for word, of in sorted(shares.items())},
            _of_all(beside),
            {token: round(count / whole, 6) for token, count in sorted(usual.items())},
            _of_all(nouns),
            frozenset(word for word, of in beside.items() if of[NONE] == 1 and alone[word]),
            _pairs(paired),
        )

    def of_pair(self, pair: str, among: Iterable[str]) -> str:
        """The one of some tokens that says two neighbouring words; `NONE` where none does."""
        of = self.pairs.get(pair, {})
        return max((t for t in sorted(among) if t in of), key=lambda t: of[t], default=NONE)

    def token(self, word: str, program: Program) -> str | None:
        """The token of a program that a word says; `NONE` where it only builds the sentence.

        Returns:
            None where it says another token, or was never seen.
        """
        of = self.shares.get(word, {})
        # A value is one of a property: "the status" of what is under investigation.
        values = (t.removeprefix("value:") for t in program if t.startswith("value:"))
        properties = (value.partition("=")[0] for value in values)
        here = {token: of[token] for token in (*_plain(program), *properties) if token in of}
        nothing = of.get(NONE, 0.0)
        rather = max((of[t] for t in of if t != NONE), default=0.0)
        if nothing < rather and max(here.values(), default=0.0) < NEAR * rather:
            # It mostly says something that the program lacks. An operator or value that is its
            # rarer meaning makes it another question: "the first", for the last.
            rarer = [t for t in here if t not in OPERATORS and not t.startswith("value:")]
            rarer = [token for token in rarer if self.speaks_for(word, token)]
            return max(rarer, key=lambda token: here[token], default=None)
        if sum(here.values()) + nothing < ENOUGH:
            return None
        # "How many rivers": the noun says what there is, not what is done with it.
        things = {token: share for token, share in here.items() if token not in OPERATORS}
        here = things or here
        best = max(here, key=lambda token: here[token], default=NONE)
        return best if here.get(best, 0.0) >= nothing else NONE

    def asked_for(self, noun: str, types: Iterable[str]) -> str | None:
        """The one of the types of some answers that a noun mostly asked for; None for none.

        A word that says a value is no noun for a type: "how many ongoing cases".
        """
        of, said = self.asked.get(noun, {}), self.shares.get(noun, {})
        if any(share >= ENOUGH for token, share in said.items() if token.startswith("value:")):
            return None
        best = max(sorted(types), key=lambda type: of.get(type, 0.0), default="")
        return best if of.get(best, 0.0) >= MOSTLY else None

    def speaks_for(self, word: str, token: str) -> bool:
        """Whether a word says a token far more often than words on the whole."""
        share = self.shares.get(word, {}).get(token, 0.0)
        return share > 0 and share >= LIFT * self.usual.get(token, 1.0)

    def operator(self, word: str, program: Program) -> str | None:
        """The token that a word says which changes what is asked for.

        A word that was mostly seen with an operator, as "longest", has to say one of those that
        it was seen with; any other, as "last" in "last name", says what it was seen to say. One
        that counts says how many there are, or what else it is: "number of", of a phone.

        Returns:
            None where the program has no such token, or the word was never seen.
        """
        beside, of = self._operators(word), self.shares.get(word, {})
        counts = of.get("count", 0.0) == max(of.values(), default=1.0)
        if beside:
            here = [t for t in _plain(program) if beside.get(t, 0.0) >= ENOUGH]
            if here or not counts:
                return max(here, key=lambda token: beside[token], default=None)
        elif counts and "count" in program:
            return "count"
        things = {t: of[t] for t in _plain(program) if t in of and t not in OPERATORS}
        if counts:  # and not what it is often beside: "people", in "the number of people"
            things = {t: share for t, share in things.items() if self.speaks_for(word, t)}
        best = max(things, key=lambda token: things[token], default=NONE)
        return best if things.get(best, 0.0) >= ENOUGH else None

    def _operators(self, word: str) -> Mapping[str, float]:
        """The operators that a word was seen with; none where it mostly was without."""
        beside = self.beside.get(word, {})
        return beside if sum(beside.values()) >= MOSTLY else {}

    def is_vague(self, word: str) -> bool:
        """Whether a word was seen to say very many tokens, and none of them mostly: "linked".

        "Knows" is not vague where it says one of four relations between people.
        """
        shares = [share for token, share in self.shares.get(word, {}).items() if token != NONE]
        return word in self.shares and max(shares, default=0.0) < VAGUE and sum(shares) < FEW

    def unsaid(self, words: Iterable[str], program: Program) -> list[str]:
        """The operators and values of a program that none of the words was seen to say."""
        said = {
            token
            for word in words
            for of in (self.shares.get(word, {}), self._operators(word))
            for token, share in of.items()
            if share >= ENOUGH
        }
        needed = (t for t in _plain(program) if t in OPERATORS or t.startswith("value:"))
        return [token for token in needed if token not in said]

    def form(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "words": {word: dict(of) for word, of in self.shares.items()},
            "operators": {word: dict(of) for word, of in self.beside.items()},
            "usual": dict(self.usual),
            "asked": {noun: dict(of) for noun, of in self.asked.items()},
            "rare": sorted(self.rare),
            "pairs": self.pairs,
        }

    @classmethod
    def read(cls, form: Mapping[str, Any]) -> Alignment:
        """What `form` wrote.

        Raises:
            ArtifactError: it is damaged.
        """
        try:
            words, operators, asked, pairs = (
                read_shares(form[key]) for key in ("words", "operators", "asked", "pairs")
            )
            usual = {str(token): float(share) for token, share in form["usual"].items()}
            rare = frozenset(map(str, form["rare"]))
        except (KeyError, AttributeError, TypeError, ValueError) as error:
            raise ArtifactError(OLDER) from error
        return cls(words, operators, usual, asked, rare, pairs)


def aligned(seen: Iterable[tuple[Sequence[str], Sequence[str]]]) -> dict[tuple[str, str], float]:
    """How often each word is said by each token, by IBM model 1.

    Args:
        seen: words, with the tokens that may have said each of them.
    """
    pairs = [(list(words), list(tokens)) for words, tokens in seen]
    many = len({word for words, _ in pairs for word in words})
    said: dict[tuple[str, str], float] = defaultdict(lambda: 1.0)
    counts: dict[tuple[str, str], float] = {}
    for _ in range(ROUNDS):
        counts = defaultdict(float)
        totals: dict[str, float] = defaultdict(float)
        for words, tokens in pairs:
            for word in words:
                whole = sum(said[word, token] for token in tokens)
                for token in tokens:
                    share = said[word, token] / whole
                    counts[word, token] += share
                    totals[token] += share
        said = defaultdict(
            float,
            {key: (n + ADDED) / (totals[key[1]] + ADDED * many) for key, n in counts.items()},
        )
    return dict(counts)


def _bases(words: Collection[str], forms: Callable[[str], Collection[str]]) -> dict[str, str]:
    """For each word the form that most of the words have too: "lives" and "living": "live"."""
    found = {word: {word, *forms(word)} for word in words}
    common = Counter(form for some in found.values() for form in some)
    return {
        word: min(some, key=lambda form: (-common[form], len(form), form))
        for word, some in found.items()
    }


def _by_word(counts: Mapping[tuple[str, str], float]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = defaultdict(dict)
    for (word, token), count in counts.items():
        found[word][token] = count
    return found


def _plain(program: Program) -> list[str]:
    """The different tokens of a program but for names; relations without their direction.

    The greatest of a set and the greatest value of its members are one.
    """
    tokens = (
        token[1:] if token[0] in "+-~" else token.removesuffix(":")
        for token in program
        if token[0] != "@"
    )
    return [token for token in dict.fromkeys(tokens) if token != "and"]  # noqa: S105 - no password


def _pairs(seen: Iterable[tuple[Sequence[str], Program]]) -> dict[str, dict[str, float]]:
    """P(pair of words | token or pair of tokens), by IBM model 1; all names are one token."""
    pairs = []
    for words, program in seen:
        tokens = ["@" if token[0] == "@" else token for token in program]
        tokens += [f"{a} {b}" for a, b in pairwise((_EDGE, *tokens))]
        said = [f"{a} {b}" for a, b in pairwise((_EDGE, *words, _EDGE))]
        pairs.append((said, [NONE, *dict.fromkeys(tokens)]))
    counts = aligned(pairs)
    totals: dict[str, float] = defaultdict(lambda: 1.0)  # what is rare says little
    for (_, token), count in counts.items():
        totals[token] += count
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for (pair, token), count in sorted(counts.items()):
        if (share := count / totals[token]) >= KEPT:
            table[pair][token] = round(share, 5)
    return dict(table)


def _kept(of: Mapping[str, float]) -> dict[str, float]:
    """The tokens that say a word often enough, with their shares."""
    whole = sum(of.values())
    shares = {token: count / whole for token, count in of.items()}
    return {token: round(share, 4) for token, share in sorted(shares.items()) if share >= LEAST}


def _of_all(counts: Mapping[str, Counter[str]]) -> dict[str, dict[str, float]]:
    """The share of each word's occurrences that each token has; `NONE` counts all of them."""
    return {
        word: {t: round(n / of[NONE], 4) for t, n in sorted(of.items()) if t != NONE}
        for word, of in sorted(counts.items())
        if len(of) > 1
    }


def read_shares(form: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Numbers by word and token, as JSON has them."""
    return {
        str(word): {str(token): float(share) for token, share in of.items()}
        for word, of in form.items()
    }
