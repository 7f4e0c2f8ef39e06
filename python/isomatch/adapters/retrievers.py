"""Retrievers in the shape that users of ``neo4j-graphrag`` know.

retriever.search(query_text="Who directed Heat?", top_k=3).items[0].content
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from isomatch import cancel
from isomatch.answer.answerer import Answerer, Wording
from isomatch.errors import ConfigurationError, InterpretationError
from isomatch.interpret.types import Hypothesis
from isomatch.match.types import Interpretation, MatchResult, Triple
from isomatch.options import interpreter_name
from isomatch.output.json import bound_form, certificate_form, optional_form, triple_form
from isomatch.phrasing import bound_words, relation_words
from isomatch.retrieve.hypotheses import match_hypotheses
from isomatch.retrieve.types import Acceptance, Retrieved

if TYPE_CHECKING:
    from isomatch.session import Session

Key = tuple[tuple[tuple[tuple[str, str, str], ...], frozenset[str]], ...]
Items = Literal["matches", "interpretations"]


@dataclass(frozen=True, slots=True)
class RetrieverResultItem:
    """One thing found.

    Attributes:
        content: the facts of one match (or of all matches of one
            interpretation), a line each, as in a prompt.
        metadata: ``reading`` (the number of the pattern that the question was
            interpreted as), ``rank`` and ``gsd`` of its interpretation, ``bindings``
            (pattern node to id and name), ``triples`` as stored (ids and names) and
            ``certificate``, as in ``isomatch match --json``; under
            ``items="interpretations"`` the bindings are a list, one for each match.
    """

    content: str
    metadata: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RetrieverResult:
    """What a search found, best first; ``metadata`` has the patterns that were matched."""

    items: list[RetrieverResultItem]
    metadata: dict[str, Any] = field(default_factory=dict)


class PatternRetriever:
    """Finds the matches of a question, or of a pattern given as text.

    A text that begins with a bracket is a pattern, any other is a question. Only what
    `Session.ask` would answer from is given: no match that is far from the words, no reading
    that is improbable or leaves out a part of the question, nothing to fill ``top_k``.

    Args:
        session: an `isomatch` session.
        items: whether an item is one match (the papers' top-k subgraphs), or one
            interpretation with all of its matches.
        interpreter: of questions; see `Session.interpret`.
        acceptance: which hypotheses and matches count; None for that of the session.
        options: search options for every search; see `isomatch.options`.
    """

    def __init__(
        self,
        session: Session,
        *,
        items: Items = "matches",
        interpreter: str = "auto",
        acceptance: Acceptance | None = None,
        **options: Any,
    ):
        if items not in ("matches", "interpretations"):
            raise ConfigurationError(f"items must be 'matches' or 'interpretations', not {items!r}")
        self.session = session
        self.items = items
        self.interpreter = interpreter_name(interpreter)
        self.acceptance = acceptance or session.pipeline.acceptance
        self.options = options

    def search(self, query_text: str, top_k: int = 3, **options: Any) -> RetrieverResult:
        """The best ``top_k`` items for a text.

        Args:
            query_text: a question, or a pattern in any written form.
            top_k: most items.
            options: search options; they override those of the retriever, and these
                override those of a hypothesis.

        ``metadata["readings"]`` has the hypotheses up to the one that was matched, with the
        words of the question that each leaves out (``left_out``), ``metadata["notes"]`` what a
        reader has to know of it. ``metadata["answer"]`` is what `Session.ask` answers without a
        language model, as a count; where nothing is found, ``metadata["reason"]`` says why.

        Raises:
            PatternError: the pattern breaks a rule.
            ConfigurationError: an option is unknown or of the wrong form.
        """
        check_top_k(top_k)
        asked = {**self.options, "k": top_k, **options}
        try:
            hypotheses = tuple(map(self._by_item, self._hypotheses(query_text)))
        except InterpretationError as error:
            nothing = {"query_text": query_text, "readings": [], "notes": [], "reason": str(error)}
            return RetrieverResult([], nothing)
        resources = self.session.resources
        matched = match_hypotheses(resources, hypotheses, asked, self.acceptance)
        ((hypothesis, result),) = matched
        number = _number(hypothesis, hypotheses)
        readings = [_tried(h, 0) for h in hypotheses[: number - 1]]
        # The one who decides whether it answers, and says why not.
        answerer = Answerer(acceptance=self.acceptance, wording=Wording.of(resources))
        answer = answerer.answer(query_text, Retrieved(matched=matched))
        items: dict[Key, RetrieverResultItem] = {}
        if answer.supported:
            near = self.acceptance.near(result, hypothesis)
            if self.items == "matches":
                near = [replace(i, matches=(match,)) for i in near for match in i.matches]
            for interpretation in near:
                items.setdefault(_key(interpretation), self._item(interpretation, result, number))
        readings.append(_tried(hypothesis, len(items)))
        metadata: dict[str, Any] = {"query_text": query_text, "readings": readings}
        metadata["notes"] = list(answer.notes)
        found = list(items.values())[:top_k]
        metadata["answer" if found else "reason"] = answer.text
        return RetrieverResult(found, metadata)

    async def asearch(self, query_text: str, top_k: int = 3, **options: Any) -> RetrieverResult:
        """`search`, in a thread; cancelling its task ends it."""
        return await cancel.in_thread(partial(self.search, query_text, top_k, **options))

    def _hypotheses(self, text: str) -> tuple[Hypothesis, ...]:
        if text.lstrip()[:1] in ("(", "[", "{"):
            from isomatch.interpret.given import GivenInterpreter

            return GivenInterpreter().interpret(text)
        return self.session.interpret(text, interpreter=self.interpreter)

    def _by_item(self, hypothesis: Hypothesis) -> Hypothesis:
        """The hypothesis, matched so that its result has the items.

        Matches are not counted: those of what is counted are given. An order needs all
        matches of an interpretation.
        """
        pattern = hypothesis.pattern
        if self.items == "matches":
            pattern = pattern.without_count()
        together = any(one.judged_together for one in (pattern, *hypothesis.otherwise))
        results = "interpretations" if together else self.items
        return replace(
            hypothesis, pattern=pattern, options={**hypothesis.options, "results": results}
        )

    def _item(
        self, interpretation: Interpretation, result: MatchResult, hypothesis: int
    ) -> RetrieverResultItem:
        bindings = [
            {id: bound_form(node) for id, node in match.bindings.items()}
            for match in interpretation.matches
        ]
        triples = dict.fromkeys(t for match in interpretation.matches for t in match.triples)
        metadata: dict[str, Any] = {
            "rank": interpretation.rank,
            "gsd": interpretation.gsd,
            "reading": hypothesis,
            "bindings": bindings[0] if self.items == "matches" else bindings,
            "triples": [triple_form(triple) for triple in triples],
            "certificate": certificate_form(result.certificate, bool(result)),
        }
        if result.pattern.optional:
            optional = [optional_form(match) for match in interpretation.matches]
            metadata["optional"] = optional[0] if self.items == "matches" else optional
        return RetrieverResultItem("\n".join(map(fact_line, triples)), metadata)


class TripleRetriever:
    """Finds the triples that a question needs, by a scorer trained on the graph.

    An item is a triple: ``content`` has it as a prompt would, ``metadata`` its
    ``rank``, ``score`` (a probability) and ``triple``. `isomatch train triples`
    makes the scorer.

    Args:
        session: an `isomatch` session, whose settings say where the scorer is.

    Raises:
        ArtifactError: there is no trained scorer, or it does not fit.
    """

    def __init__(self, session: Session):
        self.session = session
        session.triple_ranker  # noqa: B018 - refused here, not at the first search

    def search(
        self, query_text: str, top_k: int = 100, *, topics: Sequence[str] | None = None
    ) -> RetrieverResult:
        """The best ``top_k`` triples for a question.

        Args:
            query_text: the question.
            top_k: most items.
            topics: names of the entities that it is about; None to find them.

        Raises:
            InterpretationError: nothing in the graph has the name of a topic.
            ConfigurationError: ``top_k`` is less than 1.
        """
        check_top_k(top_k)
        retriever = self.session.pipeline.retriever
        found = retriever.score_triples(query_text, topics, top_k)
        items = [
            RetrieverResultItem(
                fact_line(scored.triple),
                {"rank": rank, "score": scored.score, "triple": triple_form(scored.triple)},
            )
            for rank, scored in enumerate(found.triples, 1)
        ]
        about = {"topics": list(found.topics), "notes": list(found.notes)}
        return RetrieverResult(items, {"query_text": query_text, **about})

    async def asearch(
        self, query_text: str, top_k: int = 100, *, topics: Sequence[str] | None = None
    ) -> RetrieverResult:
        """`search`, in a thread; cancelling its task ends it."""
        return await cancel.in_thread(partial(self.search, query_text, top_k, topics=topics))


def check_top_k(top_k: int) -> None:
    """Refuse a number of items below 1."""
    if top_k < 1:
        raise ConfigurationError(f"top_k must be from 1 on, not {top_k!r}")


def fact_line(triple: Triple) -> str:
    """A fact as a prompt has it: ``Heat | directed by | Michael Mann``."""
    source, target = bound_words(triple.source, None), bound_words(triple.target, None)
    return f"{source} | {relation_words(triple, None)} | {target}"


def _key(interpretation: Interpretation) -> Key:
    """Facts and bindings: two values on one relationship are two matches of one fact."""
    return tuple(
        (
            tuple((t.source.id, t.relation.id, t.target.id) for t in match.triples),
            frozenset(bound.id for bound in match.bindings.values()),
        )
        for match in interpretation.matches
    )


def _number(hypothesis: Hypothesis, hypotheses: Sequence[Hypothesis]) -> int:
    """Which of these, from 1 on, a hypothesis is or was made of."""
    return next(
        number
        for number, one in enumerate(hypotheses, 1)
        if hypothesis.pattern in (one.pattern, *one.otherwise)
    )


def _tried(hypothesis: Hypothesis, found: int) -> dict[str, Any]:
    from isomatch.pattern import format_text

    coverage = hypothesis.coverage
    return {
        "pattern": format_text(hypothesis.pattern),
        "score": hypothesis.score,
        "source": hypothesis.source,
        "notes": list(hypothesis.notes),
        "left_out": [span.text for span in coverage.left_out] if coverage else [],
        "found": found,
    }
