"""What the answer station gives: an answer and the facts that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from isomatch.interpret.types import Hypothesis
from isomatch.match.types import IN_NOTEBOOKS, Bound, Certificate, MatchResult, Triple
from isomatch.options import RetrieverName
from isomatch.pattern.types import Pattern
from isomatch.texts import html_table, shortened

if TYPE_CHECKING:
    from isomatch.prizes.selection import Selection

REFUSAL = "The graph does not say."
"""What a model is asked to say; `AnswerWords.refusal` has it in the language of questions."""
MISSING = "Not in the facts:"
UNSUPPORTED = "[unsupported]"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact, as an answer cites it.

    Attributes:
        number: what a citation ``[1]`` names; from 1 on, most relevant first. All
            facts of one path have the number of the path.
        triple: the fact as stored.
        rank, gsd: of the best interpretation with a match that holds the fact; of a
            path the rank of its chain; of a scored triple its place and 0.
        score: of the path's chain, or of the triple; None for a pattern's facts.
    """

    number: int
    triple: Triple
    rank: int
    gsd: float
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a paragraph, and whether facts carry it.

    Attributes:
        text: with its citations, without a mark.
        cited: numbers of the facts that it cites.
        supported: whether it passed the check of `isomatch.answer.support`.
        reason: in words, why it did not; empty where it did.
    """

    text: str
    cited: tuple[int, ...]
    supported: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Answer:
    """An answer to a question, or the statement that the graph has none.

    Attributes:
        question: as asked.
        text: in words, in the language of questions; `AnswerWords.refusal` where the graph does
            not say.
        answers: graph nodes that answer: without a model, what the asked-for
            parts of the nearest interpretations are bound to; with one, those of them
            that a cited fact holds, or the ends of cited triples that it names.
        supported: whether facts of the graph carry the text; of "no", the proof that there are
            none. Of a paragraph, that it has a sentence with support, and that those without
            are marked.
        evidence: the facts that were at hand, by number.
        cited: numbers of the facts that carry the text, as first cited; without
            a model all of the nearest interpretations'.
        cut: whether the token budget left facts out.
        result: the matches; of the best chain where there are several, and None
            where triples alone were retrieved. Its certificate is of its pattern, also where
            that is no answer: see `certificate`.
        source: who wrote the text.
        hypothesis: how the question was understood, if it was one.
        notes: in words: how names were read, what was cut, why it was refused.
        retriever: what found the evidence.
        stages: milliseconds by station, and ``total``.
        is_not_read: whether it is refused because the question was not understood. What was
            searched and proven then is about what was understood of it.
        holds: what a question of yes or no is answered by, see `MatchResult.holds`; None where
            the graph does not say, and for every other question.
        selection: of evidence by prizes and costs, what is proven about it.
        sentences: of an answer to an open question, in their order, those that were dropped
            too; without the line that says what is not in the facts.
    """

    question: str
    text: str
    answers: tuple[Bound, ...]
    supported: bool
    evidence: tuple[Evidence, ...]
    cited: tuple[int, ...]
    cut: bool
    result: MatchResult | None
    source: Literal["graph", "model"]
    hypothesis: Hypothesis | None = None
    notes: tuple[str, ...] = ()
    retriever: RetrieverName = "pattern"
    stages: Mapping[str, float] = field(default_factory=dict)
    is_not_read: bool = False
    holds: bool | None = None
    selection: Selection | None = None
    sentences: tuple[Sentence, ...] = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            if name == "reading":
                raise AttributeError("Answer.reading is called Answer.hypothesis now")
            return object.__getattribute__(self, name)  # raises the original error

    def __repr__(self) -> str:
        """In a few words, as that of `MatchResult`."""
        return (
            f"<Answer to {shortened(self.question, 300)!r}: {shortened(self.text, 400)!r}, "
            f"supported={self.supported}, facts={len(self.evidence)}, by {self.source}>"
        )

    def _repr_html_(self) -> str:
        """The text above the first facts that it cites, for notebooks."""
        facts = [e for e in self.evidence if e.number in self.cited][:IN_NOTEBOOKS]
        rows = [
            [str(e.number), *(b.name or b.id for b in (t.source, t.relation, t.target))]
            for e in facts
            for t in [e.triple]
        ]
        return html_table(("fact", "from", "relation", "to"), rows, self.text)

    @property
    def certificate(self) -> Certificate | None:
        """What is proven of the answer; None where triples alone were retrieved.

        That of `result` where the answer is supported. Without support there is no answer that
        could be ``complete``, whatever is proven of the pattern; where the question was not
        understood, nothing is ``exact`` either.
        """
        if self.result is None:
            return None
        searched = self.result.certificate
        if self.supported:
            return searched
        if self.is_not_read:
            return replace(searched, complete=False, exact=False, bound=0.0, ties=None)
        return replace(searched, complete=False)

    @property
    def pattern(self) -> Pattern | None:
        """What was looked for; None where triples alone were retrieved."""
        return None if self.result is None else self.result.pattern
