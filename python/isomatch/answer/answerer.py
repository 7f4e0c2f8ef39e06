"""From matches to a checked answer, with a language model or without one.

A model sees the question and the numbered evidence, nothing else. Its answer must
cite it by number; one that cites nothing, or what is not there, is sent back once
and then refused in words, so that nothing unsupported is shown as an answer
(SubgraphRAG, Li et al. 2025, asks for grounded, refusable answers).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator, Iterator, Sequence
from dataclasses import replace

from isomatch.answer.evidence import BUDGET, citations, estimate_tokens
from isomatch.answer.readers import Near, Sheet, answers_of, sheet
from isomatch.answer.types import REFUSAL, Answer, Found
from isomatch.answer.words import bindings_words, reading_words
from isomatch.errors import ConfigurationError
from isomatch.interpret.types import Hypothesis
from isomatch.llm import ChatModel, Message, aconverse, converse, prompt
from isomatch.llm.reply import without_thoughts
from isomatch.match.nearness import DEFAULT, Nearness
from isomatch.match.types import Choice, Interpretation, MatchResult
from isomatch.pattern import format_text
from isomatch.phrasing import clean

_Flow = Generator[list[Message], str, Answer]
_PACKAGE = "isomatch.answer"
LEAST_SCORE = 0.5
_TIE = 1e-6  # GSDs nearer than this are equal: sums of float32 distances


class Answerer:
    """Answers questions from what a retriever found.

    What is `found` is a `Found`, or the matches of one pattern alone; then
    ``reading`` says where the pattern came from.

    Args:
        model: writes the answer; None for the bindings in words.
        budget_tokens: most tokens of evidence.
        count: tokens of a text by the model's own tokenizer; None for the
            estimate of `isomatch.answer.evidence.estimate_tokens`.
        nearness: which readings may answer; None for every one.
        least_score: a reading of a question that its interpreter believes in less
            than this (`Reading.score`) answers nothing. Chains that mean the
            question score 0.66 and more on the demo's graph, those taken for
            want of better ones 0.33 to 0.57.
        names: how many names an answer without a model writes out.
        answer_first: whether a model that reads triples answers before it explains;
            the ablation of SubgraphRAG.
    """

    def __init__(
        self,
        model: ChatModel | None = None,
        *,
        budget_tokens: int = BUDGET,
        count: Callable[[str], int] | None = None,
        nearness: Nearness | None = DEFAULT,
        least_score: float = LEAST_SCORE,
        names: int = 10,
        answer_first: bool = False,
    ):
        self.model = model
        self.budget_tokens = budget_tokens
        self.count = count
        self.nearness = nearness
        self.least_score = least_score
        self.names = names
        self.answer_first = answer_first

    def answer(
        self, question: str, found: Found | MatchResult, hypothesis: Hypothesis | None = None
    ) -> Answer:
        """The answer to a question, or the statement that the graph does not say.

        Args:
            question: in plain words, or a pattern as text.
            found: by a retriever, or the matches of the question's pattern.
            reading: where the pattern of matches came from.

        Raises:
            ModelError: the model's endpoint failed.
            ConfigurationError: the token budget is too small for one match.
        """
        begun = self._begin(question, found, hypothesis)
        if isinstance(begun, Answer):
            return begun
        model, flow, messages = begun
        return converse(flow, model.complete, model.complete(messages))

    async def aanswer(
        self, question: str, found: Found | MatchResult, hypothesis: Hypothesis | None = None
    ) -> Answer:
        """`answer`, without blocking."""
        begun = self._begin(question, found, hypothesis)
        if isinstance(begun, Answer):
            return begun
        model, flow, messages = begun
        return await aconverse(flow, model.acomplete, await model.acomplete(messages))

    def stream_answer(
        self, question: str, found: Found | MatchResult, hypothesis: Hypothesis | None = None
    ) -> Iterator[str | Answer]:
        """Pieces of the text as the model writes it, and last the checked `Answer`.

        The check needs the whole text, so it comes at the end: the pieces are
        unchecked, and where the answer's text differs from them (it was asked
        for again, or refused) its notes say so.

        Raises:
            ModelError, ConfigurationError: as `answer`.
        """
        begun = self._begin(question, found, hypothesis)
        if isinstance(begun, Answer):
            yield from (begun.text, begun)
            return
        model, flow, messages = begun
        pieces = []
        for piece in model.stream(messages):
            pieces.append(piece)
            yield piece
        yield converse(flow, model.complete, "".join(pieces))

    async def astream_answer(
        self, question: str, found: Found | MatchResult, hypothesis: Hypothesis | None = None
    ) -> AsyncIterator[str | Answer]:
        """`stream_answer`, without blocking."""
        begun = self._begin(question, found, hypothesis)
        if isinstance(begun, Answer):
            yield begun.text
            yield begun
            return
        model, flow, messages = begun
        pieces = []
        async for piece in model.astream(messages):
            pieces.append(piece)
            yield piece
        yield await aconverse(flow, model.acomplete, "".join(pieces))

    def can_answer(self, result: MatchResult, hypothesis: Hypothesis | None = None) -> bool:
        """Whether a reading is believed, and near enough to answer from (see `Nearness`)."""
        return self._believes(hypothesis) and self.has_near(result)

    def has_near(self, result: MatchResult) -> bool:
        """Whether some interpretation is near enough to answer from."""
        return any(map(self._is_near, result.interpretations))

    def _believes(self, hypothesis: Hypothesis | None) -> bool:
        return hypothesis is None or hypothesis.score >= self.least_score

    def is_near(self, choice: Choice) -> bool:
        """Whether a name or relation may be taken for this element."""
        return self.nearness is None or self.nearness.near(choice)

    def _is_near(self, interpretation: Interpretation) -> bool:
        return self.nearness is None or self.nearness.holds(interpretation)

    def _near(self, found: Found) -> Near:
        """The readings that may answer, each with its near interpretations."""
        near = []
        for hypothesis, result in found.read:
            if interpretations := [i for i in result.interpretations if self._is_near(i)]:
                near.append((hypothesis, result, interpretations))
        return near

    def _begin(
        self, question: str, given: Found | MatchResult, hypothesis: Hypothesis | None
    ) -> Answer | tuple[ChatModel, _Flow, list[Message]]:
        """The answer where no model is needed; else what the model is asked first."""
        found = given if isinstance(given, Found) else Found(read=((hypothesis, given),))
        hypothesis, result = found.read[0] if found.read else (None, None)
        near = self._near(found)
        shown = sheet(found, near, self.budget_tokens, self.count or estimate_tokens)
        nothing = Answer(
            question=question,
            text=REFUSAL,
            answers=(),
            supported=False,
            evidence=shown.evidence,
            cited=(),
            cut=shown.cut,
            result=result,
            source="graph",
            hypothesis=hypothesis,
            notes=(*(hypothesis.notes if hypothesis else ()), *found.notes),
            retriever=found.retriever,
        )
        if not near and not found.triples:
            return _add_notes(nothing, *_nearest(result))
        if not found.triples and not self._believes(hypothesis):
            return _add_notes(nothing, *_doubts(hypothesis))
        if self.model is None:
            return self._in_words(nothing, near)
        if not shown.evidence:
            raise ConfigurationError(
                f"the token budget of {self.budget_tokens} for evidence is too small for one "
                f"match: set ISOMATCH_EVIDENCE_TOKENS to more"
            )
        flow = self._conversation(nothing, found, near, shown)
        return self.model, flow, next(flow)

    def _in_words(self, nothing: Answer, near: Near) -> Answer:
        """The best reading's bindings; scored triples alone are no answer."""
        if not near:
            return _add_notes(
                nothing,
                "the best triples are listed, and a language model is needed to answer from "
                "them: set ISOMATCH_MODEL, or ask by --retriever chain or pattern",
            )
        hypothesis, result, interpretations = near[0]
        if not self._believes(hypothesis):
            return _add_notes(nothing, *_doubts(hypothesis))
        best = [i for i in interpretations if i.gsd <= interpretations[0].gsd + _TIE]
        text, answers = bindings_words(result.pattern, best, self.names)
        facts = {t for i in best for match in i.matches for t in match.triples}
        cited = (e.number for e in nothing.evidence if e.triple in facts)
        answer = replace(
            nothing,
            text=text,
            answers=answers,
            supported=True,
            cited=tuple(dict.fromkeys(cited)),
        )
        return _add_notes(answer, *_how_read(best))

    def _conversation(self, nothing: Answer, found: Found, near: Near, shown: Sheet) -> _Flow:
        """Ask for an answer, check it, ask again if need be; gives the checked `Answer`."""
        nothing = replace(nothing, source="model")
        messages = self._messages(nothing, shown)
        notes = _how_read(near[0][2][:1]) if near else []
        said = without_thoughts((yield messages))
        if problem := _problem(said, shown.known):
            repair = prompt(
                _PACKAGE, "repair.j2", problem=problem, facts=shown.known, refusal=REFUSAL
            )
            said = without_thoughts(
                (
                    yield [
                        *messages,
                        {"role": "assistant", "content": said},
                        {"role": "user", "content": repair},
                    ]
                )
            )
            notes.append(f"the model's first answer was sent back: {problem}")
            if problem := _problem(said, shown.known):
                notes.append(
                    f"the model's answer was refused: {problem}. It said: {clean(said, 300)}"
                )
                return _add_notes(nothing, *notes)
        if _is_refusal(said):
            return _add_notes(nothing, "the model found no answer in the facts")
        answer = replace(
            nothing,
            text=said,
            answers=answers_of(said, found, near, shown),
            cited=citations(said),
            supported=True,
        )
        return _add_notes(answer, *notes)

    def _messages(self, nothing: Answer, shown: Sheet) -> list[Message]:
        kind = nothing.retriever
        rules = prompt(
            _PACKAGE, "answer.j2", kind=kind, refusal=REFUSAL, answer_first=self.answer_first
        )
        question = clean(nothing.question, None)
        asked = prompt(
            _PACKAGE, "facts.j2", kind=kind, question=question, cut=shown.cut, **shown.values
        )
        return [{"role": "system", "content": rules}, {"role": "user", "content": asked}]


def _problem(said: str, known: int) -> str:
    """What is wrong with an answer's citations; empty if nothing is."""
    if _is_refusal(said):
        return ""
    cited = citations(said)
    if not cited:
        return "it cites no fact"
    if wrong := [str(n) for n in cited if not 1 <= n <= known]:
        return f"it cites {', '.join(wrong[:5])}, and there is no such fact"
    return ""


def _is_refusal(said: str) -> bool:
    return said.casefold().startswith(REFUSAL.casefold().rstrip("."))


def _doubts(hypothesis: Hypothesis | None) -> list[str]:
    score = 0.0 if hypothesis is None else hypothesis.score
    return [f"the question is read with too little certainty ({score:.2f})"]


def _how_read(best: Sequence[Interpretation]) -> list[str]:
    notes = [words] if (words := reading_words(best[0].choices)) else []
    hypotheses = {tuple(c.id for c in i.choices) for i in best}
    if len(hypotheses) > 1:
        notes.append(f"{len(hypotheses)} readings are equally near; the answer joins them")
    if any(i.cut for i in best):
        notes.append("a reading has more matches than the search kept")
    return notes


def _nearest(result: MatchResult | None) -> list[str]:
    """What the search found instead, in words."""
    if result is None:
        return ["no facts were found near what the question is about"]
    if not result:
        what = "nothing found in its budget" if result.certificate.ended_by else "no match"
        return [f"{what} for {clean(format_text(result.pattern), None)}"]
    nearest = (reading_words(i.choices) for i in result.interpretations[:3])
    return [f"too far to answer: {words}" for words in nearest if words]


def _add_notes(answer: Answer, *notes: str) -> Answer:
    cut = ["the token budget of the evidence left facts out"] if answer.cut else []
    return replace(answer, notes=(*answer.notes, *notes, *cut))
