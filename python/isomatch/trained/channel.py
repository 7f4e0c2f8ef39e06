"""How probable the words of a question are, given a program: a noisy channel.

A decoder writes what follows well from the whole question, and passes over a word now and
then: "friends" in "relatives of friends". The channel looks the other way. Each word, and each
pair of neighbouring words, is said by some token, or pair of tokens, of the program (IBM model
1, as in `isomatch.trained.alignment`), so a program that nothing of a word speaks for loses.
Both together rank programs, as in noisy-channel reranking (Yee et al., EMNLP 2019).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log

from isomatch.errors import ArtifactError
from isomatch.trained.alignment import NONE, Program, aligned, read_shares

OF_WORDS = 0.3
OF_PAIRS = 0.2
"""Weights of the log-probabilities of words and of pairs, beside 1 for the decoder's."""
LEAST = 1e-4
"""Probability of a word that nothing of a program speaks for."""
KEPT = 1e-3

_EDGE = "^"
Table = Mapping[str, Mapping[str, float]]
Form = Mapping[str, Table]


@dataclass(frozen=True)
class Channel:
    """The probability of each word, and of each pair of words, given a token or pair of them.

    Attributes:
        words, pairs: by word, the tokens that may say it, with P(word | token).

    Example:
        >>> seen = [(["films", "by", "@person"], ("-directed", "@0")),
        ...         (["films", "with", "@person"], ("-starring", "@0"))]
        >>> channel = Channel.learn(seen)
        >>> channel.score(["by", "@person"], ("-directed", "@0")) > channel.score(
        ...     ["by", "@person"], ("-starring", "@0"))
        True
    """

    words: Table = field(default_factory=dict)
    pairs: Table = field(default_factory=dict)

    @classmethod
    def learn(cls, seen: Iterable[tuple[Sequence[str], Program]]) -> Channel:
        """From the words of questions, with what a name is in its place, and their programs."""
        given = [(list(words), _tokens(program)) for words, program in seen]
        return cls(
            _table((words, tokens) for words, tokens in given),
            _table((_paired(words), tokens) for words, tokens in given),
        )

    def score(self, words: Sequence[str], program: Program) -> float:
        """The weighted logarithm of the words' probability; only differences have a meaning."""
        tokens = [NONE, *_tokens(program)]
        of_words = sum(log(_probability(self.words, word, tokens)) for word in words)
        of_pairs = sum(log(_probability(self.pairs, pair, tokens)) for pair in _paired(words))
        return OF_WORDS * of_words + OF_PAIRS * of_pairs

    def token(self, pair: str, among: Iterable[str]) -> str:
        """The one of some tokens that says two neighbouring words; `NONE` where none does."""
        of = self.pairs.get(pair, {})
        return max((t for t in sorted(among) if t in of), key=lambda t: of[t], default=NONE)

    def form(self) -> Form:
        """As JSON."""
        return {"words": self.words, "pairs": self.pairs}

    @classmethod
    def read(cls, form: Form) -> Channel:
        """What `form` wrote.

        Raises:
            ArtifactError: it is damaged.
        """
        try:
            return cls(*(read_shares(form[key]) for key in ("words", "pairs")))
        except (KeyError, AttributeError, TypeError, ValueError) as error:
            raise ArtifactError(
                "the trained model is older than this isomatch, or damaged: train it again"
            ) from error


def _tokens(program: Program) -> list[str]:
    """The different tokens of a program and pairs of neighbours; all names are one."""
    tokens = ["@" if token[0] == "@" else token for token in program]
    return list(dict.fromkeys((*tokens, *_paired(tokens)[:-1])))


def _paired(words: Sequence[str]) -> list[str]:
    """Each pair of neighbours, the first with what is before it, and the last alike."""
    return [f"{a} {b}" for a, b in pairwise((_EDGE, *words, _EDGE))]


def _table(seen: Iterable[tuple[Sequence[str], Sequence[str]]]) -> Table:
    counts = aligned((words, [NONE, *tokens]) for words, tokens in seen)
    totals: dict[str, float] = defaultdict(lambda: 1.0)  # what is rare says little
    for (_, token), count in counts.items():
        totals[token] += count
    table: dict[str, dict[str, float]] = defaultdict(dict)
    for (word, token), count in sorted(counts.items()):
        if (share := count / totals[token]) >= KEPT:
            table[word][token] = round(share, 5)
    return dict(table)


def _probability(table: Table, word: str, tokens: Sequence[str]) -> float:
    of = table.get(word, {})
    return LEAST + sum(of.get(token, 0.0) for token in tokens) / len(tokens)
