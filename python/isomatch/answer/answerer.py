"""From matches to a checked answer, with a language model or without one.

A model sees the question and the numbered evidence, nothing else. Its answer must
cite it by number; one that cites nothing, or what is not there, is sent back once
and then refused in words, so that nothing unsupported is shown as an answer
(SubgraphRAG, Li et al. 2025, asks for grounded, refusable answers).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from isomatch.answer.evidence import BUDGET, citations, estimate_tokens
from isomatch.answer.notes import found_instead, how_read, not_joined
from isomatch.answer.readers import Near, Sheet, answers_of, sheet
from isomatch.answer.refusals import (
    either,
    has_names,
    nameless,
    quoted,
    several,
    understood_words,
    warning,
    without_place,
)
from isomatch.answer.sentences import fact_sheet
from isomatch.answer.types import REFUSAL, Answer
from isomatch.answer.words import absent_words, bindings_words, sureness_words
from isomatch.errors import ConfigurationError
from isomatch.flows import Flow, Stage, run
from isomatch.interpret.types import Hypothesis
from isomatch.lexicon.answer_words import AnswerWords
from isomatch.lexicon.language import Language, default_language, language_of
from isomatch.lexicon.lexicon import Lexicon
from isomatch.llm import ChatModel, Completion, Message, StreamedCompletion, continued, prompt
from isomatch.llm.reply import without_thoughts
from isomatch.match.nearness import DEFAULT
from isomatch.match.types import Interpretation, MatchResult, nearest
from isomatch.pattern import Pattern
from isomatch.phrasing import clean
from isomatch.retrieve.types import EQUAL, Acceptance, Retrieved
from isomatch.store.terms import is_literal

if TYPE_CHECKING:
    from isomatch.options import Unsupported
    from isomatch.prizes.selection import Selection
    from isomatch.resources import Resources

_PACKAGE = "isomatch.answer"


@dataclass(frozen=True, slots=True)
class Wording:
    """What the words of answers are taken from, each when it is needed first.

    Attributes:
        language: that answers without a model are written in.
        lexicon: the words for the facts of evidence that no model reads, and those by which a
            paragraph is checked.
    """

    language: Callable[[], Language] = default_language
    lexicon: Callable[[], Lexicon] = Lexicon

    @classmethod
    def of(cls, resources: Resources) -> Wording:
        """Those of a graph's settings."""
        language = partial(language_of, resources.settings.language)
        return cls(language, lambda: resources.lexicon)


class Answerer:
    """Answers questions from what a retriever found.

    Args:
        model: writes the answer; None for the bindings in words.
        budget_tokens: most tokens of evidence.
        count: tokens of a text by the model's own tokenizer; None for the
            estimate of `isomatch.answer.evidence.estimate_tokens`.
        acceptance: which hypotheses and matches may answer.
        names: how many names an answer without a model writes out.
        answer_first: whether a model that reads triples answers before it explains;
            the ablation of SubgraphRAG.
        wording: the language and the lexicon; None for English.
        unsupported: whether sentences of a paragraph that no fact carries are marked or
            dropped.
    """

    def __init__(
        self,
        model: ChatModel | None = None,
        *,
        budget_tokens: int = BUDGET,
        count: Callable[[str], int] | None = None,
        acceptance: Acceptance | None = None,
        names: int = 10,
        answer_first: bool = False,
        wording: Wording | None = None,
        unsupported: Unsupported = "drop",
    ):
        self.model = model
        self.budget_tokens = budget_tokens
        self.count = count
        self.acceptance = acceptance or Acceptance()
        self.names = names
        self.answer_first = answer_first
        self.wording = wording or Wording()
        self.unsupported = unsupported

    @property
    def _words(self) -> AnswerWords:
        return self.wording.language().answers

    def answer(
        self,
        question: str,
        retrieved: Retrieved | MatchResult,
        hypothesis: Hypothesis | None = None,
    ) -> Answer:
        """The answer to a question, or the statement that the graph does not say.

        Args:
            question: in plain words, or a pattern as text.
            retrieved: by a retriever, or the matches of one pattern.
            hypothesis: where the pattern of such matches came from.

        Raises:
            ModelError: the model's endpoint failed.
            ConfigurationError: the token budget is too small for one match.
        """
        return run(self.flow(question, retrieved, hypothesis))

    def flow(
        self,
        question: str,
        retrieved: Retrieved | MatchResult,
        hypothesis: Hypothesis | None = None,
        *,
        streamed: bool = False,
    ) -> Flow[Answer]:
        """The work of `answer`, for the functions of `isomatch.flows`.

        Args:
            streamed: give the text in pieces as the model writes it. The check needs
                the whole text, so the pieces are unchecked: where the answer's text
                differs from them (it was asked for again, or refused) its notes say so.
        """
        if isinstance(retrieved, MatchResult):
            retrieved = Retrieved(matched=((hypothesis, retrieved),))
        near = self._near(retrieved)
        shown = sheet(retrieved, near, self.budget_tokens, self.count or estimate_tokens)
        refusal = _refusal(question, retrieved, shown, self._words)
        yield Stage("evidence", shown.evidence)
        without_model = self._without_model(refusal, retrieved, near)
        if without_model is not None:
            yield without_model.text
            return without_model
        if not shown.evidence:
            raise self._too_small()
        if retrieved.selection is not None:
            return (yield from self._paragraph(refusal, retrieved, shown, streamed))
        return (yield from self._conversation(refusal, retrieved, near, shown, streamed))

    def _too_small(self) -> ConfigurationError:
        return ConfigurationError(
            f"the token budget of {self.budget_tokens} for evidence is too small for one "
            "match: set ISOMATCH_EVIDENCE_TOKENS to more"
        )

    def _near(self, retrieved: Retrieved) -> Near:
        """The hypotheses that have near interpretations, with these."""
        return [
            (hypothesis, result, near)
            for hypothesis, result in retrieved.matched
            if (near := self.acceptance.near(result, hypothesis))
        ]

    def _without_model(self, refusal: Answer, retrieved: Retrieved, near: Near) -> Answer | None:
        """The answer where no model is set or needed; None where it is to be asked."""
        result = refusal.result
        if result is not None and self.acceptance.holds(result, refusal.hypothesis) is False:
            hypothesis = refusal.hypothesis
            others = hypothesis.otherwise if hypothesis else ()
            named = self._if_named(hypothesis) if hypothesis else ""
            text = named + absent_words((*others, result.pattern), self._words)
            return replace(refusal, text=text, supported=True, holds=False)
        if not near and not retrieved.triples:
            budget = None if result is None else result.certificate.ended_by
            if unsure := self._unsure(refusal, refusal.hypothesis, nothing=not budget):
                refusal = unsure  # whatever a longer search had found
            elif budget:
                ended = self._words.budgets.get(budget, budget)
                refusal = replace(refusal, text=self._words.unfinished.format(ended))
            selection = retrieved.selection
            told = selection is not None and selection.before.facts > 0  # its notes say why
            # A word that was taken for a name, as "scored", is near to nothing that helps.
            told = told or (refusal.is_not_read and not has_names(refusal.hypothesis))
            return refusal if told else _add_notes(refusal, *found_instead(result))
        if not retrieved.triples and (refused := self._unsure(refusal, refusal.hypothesis)):
            return refused
        # What was counted, compared or excluded is not among the facts that a model is shown.
        worked_out = bool(near) and near[0][1].pattern.is_worked_out
        if self.model is not None and not worked_out:
            return None
        if retrieved.selection is not None:
            return self._told(refusal, retrieved.selection)
        return self._in_words(refusal, near)

    def _told(self, refusal: Answer, selection: Selection) -> Answer:
        """The evidence of an open question in sentences."""
        if not refusal.evidence:
            raise self._too_small()
        text, told = fact_sheet(selection, refusal.evidence, self.wording.lexicon())
        cited = tuple(dict.fromkeys(fact.number for fact in refusal.evidence))
        return _add_notes(replace(refusal, text=text, supported=True, cited=cited, sentences=told))

    def _unsure(
        self, refusal: Answer, hypothesis: Hypothesis | None, *, nothing: bool = False
    ) -> Answer | None:
        """The refusal with its reason, where a hypothesis may not answer.

        Args:
            nothing: whether nothing near was found, which says nothing of a word that was only
                taken for a name.
        """
        if hypothesis is None:
            return None
        doubtful = not self.acceptance.is_probable(hypothesis)
        missing = self.acceptance.missing(hypothesis)
        if doubtful and hypothesis.coverage is not None:
            missing = hypothesis.coverage.left_out  # which is why
        if nothing and not missing and hypothesis.coverage is not None:
            missing = tuple(s for s in hypothesis.coverage.understood if s.kind == "word")
        if not (missing or doubtful):
            return None
        words = self._words
        understood = understood_words(hypothesis.coverage, words)
        if missing:
            reason = f"{without_place(missing, refusal.result, words)}{understood}"
        elif hypothesis.rival or hypothesis.coverage is None:
            reason = either(hypothesis, words)
        else:
            reason = f"{words.unclear}{understood}"
        unsure = replace(refusal, text=words.not_read.format(reason), is_not_read=True)
        doubt = f"the question is read with too little certainty ({hypothesis.score:.2f})"
        return unsure if missing else _add_notes(unsure, doubt)

    def _in_words(self, refusal: Answer, near: Near) -> Answer:
        """The best hypothesis's bindings; scored triples alone are no answer."""
        if not near:
            return _add_notes(
                refusal,
                "the best triples are listed, and a language model is needed to answer from "
                "them: set ISOMATCH_MODEL, or ask by --retriever chain or pattern",
            )
        hypothesis, result, interpretations = near[0]
        if refused := self._unsure(refusal, hypothesis):
            return refused
        best = nearest(interpretations)
        read = hypothesis if hypothesis and hypothesis.coverage else None
        together = result.pattern.counts or result.pattern.judged_together
        if read and together and (unclear := several(best, self._words)):
            return replace(refusal, text=unclear)
        text, answers = bindings_words(result.pattern, best, self.names, self._words)
        language = self.wording.language()
        if read and (unnamed := nameless(answers, read, best, language, refusal.question)):
            return replace(refusal, text=unnamed)
        text = f"{self._if(near)}{text}{warning(hypothesis, self._words)}"
        if read and not read.otherwise and _counts_some(result.pattern):
            text = f"{text} {self._words.only_some}"
        facts = {t for i in best for match in i.matches for t in match.triples}
        cited = (e.number for e in refusal.evidence if e.triple in facts)
        answer = replace(
            refusal,
            text=text,
            answers=answers,
            supported=True,
            cited=tuple(dict.fromkeys(cited)),
            holds=True if result.pattern.ask else None,
        )
        return _add_notes(answer, *how_read(best, result.pattern), *not_joined(best, result))

    def _if(self, near: Near) -> str:
        """The beginning of an answer's text that says what must be so for it, or nothing."""
        hypothesis, _, interpretations = near[0] if near else (None, None, ())
        if hypothesis is None or hypothesis.coverage is None:
            return ""
        return self._taken(hypothesis, nearest(interpretations))

    def _if_named(self, hypothesis: Hypothesis) -> str:
        """What must be so for a denial: what parts of names were taken for."""
        texts = {node.text for one in hypothesis.pattern.patterns() for node in one.nodes}
        named = tuple(one for one in hypothesis.taken_for if one.meant in texts)
        return self._taken(replace(hypothesis, taken_for=named), ())

    def _taken(self, hypothesis: Hypothesis, best: Sequence[Interpretation]) -> str:
        """What must be so for the answer to be one: names and types that words were taken for.

        A vector that is near says what is related, as Scotland and Ireland are, and letters that
        are, what may be misspelled; no proof covers that they mean the same.
        """
        nearness, words = self.acceptance.nearness or DEFAULT, self._words
        names: dict[str, dict[str, None]] = {}
        for one in hypothesis.taken_for:
            names.setdefault(one.written, {})[quoted(one.meant, words)] = None
        for choice in (c for i in best for c in i.choices):
            if (
                choice.part == "node"
                and choice.distance > EQUAL
                and not any(map(is_literal, choice.ids))
                and not nearness.is_spelled_alike(choice)
            ):
                meant = quoted(choice.called or choice.name, words)
                names.setdefault(choice.text, {})[meant] = None
        means = words.means
        taken = [means.format(quoted(text, words), words.any(of)) for text, of in names.items()]
        if hypothesis.score < hypothesis.doubted:
            taken.append(sureness_words(hypothesis, words))
        return words.condition.format(words.both(taken)) if taken else ""

    def _paragraph(
        self, refusal: Answer, retrieved: Retrieved, shown: Sheet, streamed: bool
    ) -> Flow[Answer]:
        """The answer of a model to an open question."""
        from isomatch.answer.paragraph import ParagraphWriter

        assert self.model is not None
        assert retrieved.selection is not None
        writer = ParagraphWriter(self.model, self.wording.lexicon(), self.unsupported)
        told = yield from writer.flow(refusal.question, retrieved.selection, shown, streamed)
        answer = replace(refusal, source="model", sentences=told.sentences)
        if told.text:
            answer = replace(
                answer,
                text=told.text,
                answers=answers_of(told.supported, retrieved, (), shown),
                cited=told.cited,
                supported=True,
            )
        return _add_notes(answer, *told.notes)

    def _conversation(
        self, refusal: Answer, retrieved: Retrieved, near: Near, shown: Sheet, streamed: bool
    ) -> Flow[Answer]:
        """Ask for an answer, check it, ask again if need be; return the checked `Answer`."""
        refusal = replace(refusal, source="model")
        messages = self._messages(refusal, shown)
        notes = how_read(near[0][2][:1]) if near else []
        assert self.model is not None
        first = StreamedCompletion if streamed else Completion
        condition = self._if(near)
        if streamed and condition:
            yield condition
        said = without_thoughts((yield first(self.model, messages)))
        if problem := _problem(said, shown.known):
            repair = prompt(
                _PACKAGE, "repair.j2", problem=problem, facts=shown.known, refusal=REFUSAL
            )
            sent_back = continued(messages, said, repair)
            said = without_thoughts((yield Completion(self.model, sent_back)))
            notes.append(f"the model's first answer was sent back: {problem}")
            if problem := _problem(said, shown.known):
                notes.append(
                    f"the model's answer was refused: {problem}. It said: {clean(said, 300)}"
                )
                return _add_notes(refusal, *notes)
        if _is_refusal(said):
            return _add_notes(refusal, "the model found no answer in the facts")
        left_out = warning(near[0][0], self._words) if near else ""
        if streamed and left_out:
            yield left_out
        answer = replace(
            refusal,
            text=f"{condition}{said}{left_out}",
            answers=answers_of(said, retrieved, near, shown),
            cited=citations(said),
            supported=True,
        )
        return _add_notes(answer, *notes)

    def _messages(self, refusal: Answer, shown: Sheet) -> list[Message]:
        kind = refusal.retriever
        rules = prompt(
            _PACKAGE, "answer.j2", kind=kind, refusal=REFUSAL, answer_first=self.answer_first
        )
        question = clean(refusal.question, None)
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


def _refusal(question: str, retrieved: Retrieved, shown: Sheet, words: AnswerWords) -> Answer:
    """The statement that the graph does not say, with the evidence at hand."""
    hypothesis, result = retrieved.matched[0] if retrieved.matched else (None, None)
    return Answer(
        question=question,
        text=words.refusal,
        answers=(),
        supported=False,
        evidence=shown.evidence,
        cited=(),
        cut=shown.cut,
        result=result,
        source="graph",
        hypothesis=hypothesis,
        notes=(*(hypothesis.notes if hypothesis else ()), *retrieved.notes),
        retriever=retrieved.retriever,
        selection=retrieved.selection,
    )


def _counts_some(pattern: Pattern) -> bool:
    """Whether things are counted for each answer so that those without any may be missing."""
    few = {c.function for c in pattern.where if c.operator in ("<", "<=")}
    few |= {pattern.order.function} if pattern.order and not pattern.order.descending else set()
    return not few.isdisjoint(("count", "sum")) or any(
        one.function == "count" for one in pattern.each
    )


def _add_notes(answer: Answer, *notes: str) -> Answer:
    cut = ["the token budget of the evidence left facts out"] if answer.cut else []
    return replace(answer, notes=(*answer.notes, *notes, *cut))
