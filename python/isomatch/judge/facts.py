"""FActScore: an answer taken apart into facts, each checked against a reference.

As Min et al. (2023): the share of an answer's single facts that a reference carries. One reply
takes a sentence apart, one checks a fact. A fact that is stated twice is checked once.

Score_h of SubgraphRAG (Li et al. 2025), appendix C: how far answers are true and grounded.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from isomatch.answer.evidence import estimate_tokens, without_citations
from isomatch.answer.support import sentences_in
from isomatch.answer.types import MISSING, REFUSAL, UNSUPPORTED
from isomatch.flows import Flow
from isomatch.judge.replies import FactCheck, FactList, Invalid, asked
from isomatch.judge.search import PassageSearch
from isomatch.judge.types import Scored, Verdict, share
from isomatch.lexicon.folding import fold, tokens
from isomatch.lexicon.language import FILES, language_of
from isomatch.llm import ChatModel, Message, prompt

# Bounds of Score_h of one question: every answer is invented, or every answer is right.
WORST, BEST = -1.5, 1.0


def grounding(
    found: Sequence[str],
    right: Collection[str],
    *,
    answerable: bool,
    retrieved: Collection[str] = (),
) -> float:
    """One question's part of Score_h: ``s / a`` of SubgraphRAG, appendix C.

    Where the graph holds an answer, a right answer counts 1, a wrong one -1, and no
    answer 0. Where it holds none, no answer counts 1, an answer that was retrieved -1,
    and any other -1.5. The sum is divided by the number of answers given.
    """
    if not found:
        return 0.0 if answerable else 1.0
    if answerable:
        return sum(1 if name in right else -1 for name in found) / len(found)
    return sum(-1.0 if name in retrieved else WORST for name in found) / len(found)


def score_h(grounded: Sequence[float]) -> float:
    """Score_h of a set, 0 to 100: the mean of `grounding`, from [-1.5, 1] to [0, 100].

    The paper says "min-max normalization" and not between which bounds. Those of a
    single question are the only ones that its tables allow: 63.45 beside a Hit of
    11.43 (table 7) would be a mean of 0.27 over [-1, 1], which that few hits cannot give.

    Example:
        >>> score_h([1.0, -1.5])
        50.0
    """
    return 100 * (fmean(grounded) - WORST) / (BEST - WORST) if grounded else 0.0


PACKAGE = "isomatch.judge"
REFERENCE_TOKENS = 1_500  # of a reference that are shown with one fact
_PASSAGES = 12
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff]")
_HEAD = 4  # letters by which "director" and "directed" are one word


@dataclass(frozen=True, slots=True)
class Stated:
    """The facts of an answer.

    Attributes:
        facts: in order, each once.
        invalid: for each sentence that the judge could not take apart.
    """

    facts: tuple[str, ...]
    invalid: tuple[Verdict, ...] = ()


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, each with what it cites.

    Example:
        >>> sentences_of("J. R. R. Tolkien wrote it. [1] Was it 3.5 stars? Yes")
        ['J. R. R. Tolkien wrote it. [1]', 'Was it 3.5 stars?', 'Yes']
    """
    every = (sentence for line in sentences_in(text) for sentence in line)
    return [sentence for sentence in every if any(map(str.isalnum, sentence))]


def said_of(answer: str) -> str:
    """What an answer says of the matter: without the line on what is missing, and without marks.

    Example:
        >>> said_of("It is by Mann [1]. It is blue. [unsupported]\\nNot in the facts: its length.")
        'It is by Mann [1]. It is blue.'
    """
    lines = [line for line in answer.splitlines() if not line.lstrip().startswith(MISSING)]
    return "\n".join(lines).replace(f" {UNSUPPORTED}", "").replace(UNSUPPORTED, "").strip()


def plain_text(answer: str) -> str:
    """`said_of`, without citations and without the mark of lines that name answers."""
    text = without_citations(said_of(answer))
    text = re.sub(r" +(?=[ .,;:!?]|$)", "", text, flags=re.MULTILINE)
    return re.sub(r"^\s*ans:\s*", "", text, flags=re.MULTILINE).strip()


def is_refusal(answer: str) -> bool:
    """Whether an answer says no more than that the graph does not say, in any language.

    Example:
        >>> is_refusal("The graph does not say."), is_refusal("Der Graph sagt dazu nichts.")
        (True, True)
    """
    text = plain_text(answer).rstrip(".").casefold()
    return not text or text in _refusals()


@cache
def _refusals() -> frozenset[str]:
    texts = (REFUSAL, *(language_of(code).answers.refusal for code in FILES))
    return frozenset(text.rstrip(".").casefold() for text in texts)


def take_apart(model: ChatModel, question: str, answer: str) -> Flow[Scored]:
    """The facts of an answer, as ``stated`` verdicts.

    Raises:
        ModelError: the endpoint failed.
    """
    text = plain_text(answer)
    verdicts: dict[str, Verdict] = {}
    rules = prompt(PACKAGE, "facts.j2")
    for sentence in [] if is_refusal(answer) else sentences_of(text):
        words = prompt(PACKAGE, "sentence.j2", question=question, answer=text, sentence=sentence)
        said = yield from asked(model, _messages(rules, words), FactList)
        if isinstance(said, Invalid):
            verdicts[sentence] = Verdict("facts", sentence, "invalid", said.reason)
            continue
        for fact in said.form.facts:
            if not _is_said(fact, f"{question} {text}"):
                reason = f"the judge took this from “{sentence}”, which is about something else"
                verdicts.setdefault(fact, Verdict("facts", fact, "invalid", reason))
            verdicts.setdefault(fact, Verdict("facts", fact, "stated", sentence))
    return Scored(None, tuple(verdicts.values()))


def _is_said(fact: str, text: str) -> bool:
    """Whether at least half of a fact's longer words begin like words of a text.

    A weak judge repeats the example of its prompt, or says what it knows of the matter. Of
    scripts without blanks between words this cannot be told.
    """
    if _UNSPACED.search(fact):
        return True
    heads = {word[:_HEAD] for word in tokens(fold(text))}
    words = [word[:_HEAD] for word in tokens(fold(fact)) if len(word) >= _HEAD]
    return 2 * sum(word in heads for word in words) >= len(words)


def stated(taken_apart: Scored, metric: str) -> Stated:
    """The facts that `take_apart` gave, and what it could not read, for a metric."""
    facts = [v.about for v in taken_apart.verdicts if v.outcome == "stated"]
    invalid = [
        Verdict(metric, v.about, "invalid", v.reason)
        for v in taken_apart.verdicts
        if v.outcome == "invalid"
    ]
    return Stated(tuple(facts), tuple(invalid))


def without_facts(metric: str, answer: str) -> Scored:
    """The verdict on an answer that states nothing that can be checked."""
    reason = "it says only that the graph does not say" if is_refusal(answer) else "it states none"
    return Scored(None, (Verdict(metric, answer, "no facts", reason),))


def fact_score(model: ChatModel, facts: Stated, reference: Sequence[str]) -> Flow[Scored]:
    """The share of facts that a reference carries.

    Args:
        reference: texts; of long ones the passages nearest to a fact are shown with it.

    Raises:
        ModelError: the endpoint failed.
    """
    passages = Passages(reference)
    verdicts = list(facts.invalid)
    for fact in facts.facts:
        verdicts.append((yield from check(model, fact, passages.near(fact))))
    return Scored(share(verdicts), tuple(verdicts))


def check(
    model: ChatModel, fact: str, passages: Sequence[str], metric: str = "factscore"
) -> Flow[Verdict]:
    """Whether passages carry a fact.

    Raises:
        ModelError: the endpoint failed.
    """
    rules = prompt(PACKAGE, "check.j2")
    words = prompt(PACKAGE, "statement.j2", statement=fact, passages=passages)
    said = yield from asked(model, _messages(rules, words), FactCheck)
    if isinstance(said, Invalid):
        return Verdict(metric, fact, "invalid", said.reason)
    return Verdict(metric, fact, said.form.verdict, said.form.reason)


class Passages:
    """A reference, of which a fact is shown what fits: all, or the nearest passages."""

    def __init__(self, texts: Sequence[str], most_tokens: int = REFERENCE_TOKENS):
        self._texts = texts
        self._most = most_tokens
        whole = sum(map(estimate_tokens, texts)) <= most_tokens
        self._search = None if whole else PassageSearch(texts)

    def near(self, fact: str) -> Sequence[str]:
        """The passages to check a fact against, within the budget of tokens."""
        if self._search is None:
            return self._texts
        return within(self._search(fact, _PASSAGES) or self._search.passages, self._most)


def within(passages: Sequence[str], most_tokens: int) -> list[str]:
    """The first passages that fit a budget of tokens; the first one is cut where it does not."""
    kept: list[str] = []
    spent = 0
    for passage in passages:
        spent += estimate_tokens(passage)
        if spent > most_tokens:
            return kept or [
                passage.encode(errors="replace")[: 3 * most_tokens].decode(errors="ignore")
            ]
        kept.append(passage)
    return kept


def _messages(rules: str, words: str) -> list[Message]:
    return [{"role": "system", "content": rules}, {"role": "user", "content": words}]
