"""The retrievers by name: from a question to what an answer is made of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

from isomatch.errors import ConfigurationError, InterpretationError

if TYPE_CHECKING:
    from isomatch.answer.types import Found, Retriever
    from isomatch.interpret.types import Hypothesis
    from isomatch.lexicon.mentions import Mention
    from isomatch.link.candidates import Candidates
    from isomatch.match.types import MatchResult
    from isomatch.session import Session
    from isomatch.triples.ranking import ScoredTriple, TripleRanker

NAMES = ("pattern", "chain", "triples", "fused")
CHAINS = 3  # kept of those that have a match, as published (GSR, section 4.3)
TRIPLES = 100  # as published (SubgraphRAG, section 4.2); the token budget may cut more


def retriever_name(name: str, what: str = "retriever") -> str:
    """A name of a retriever.

    Args:
        what: the argument or option that it was given for.

    Raises:
        ConfigurationError: there is none of that name.
    """
    if name not in NAMES:
        raise ConfigurationError(f"{what} must be one of {', '.join(NAMES)}, not {name!r}")
    return name


def retrieve(
    session: Session,
    name: str,
    question: str,
    hypotheses: Sequence[Hypothesis],
    topics: Sequence[str] | None,
    options: Mapping[str, Any],
) -> Found:
    """What a retriever finds for a question.

    Args:
        name: ``pattern``: the first reading that can answer, with its matches;
            ``chain``: the first three that have near matches; ``triples``: facts
            around the topics, scored by a trained model; ``fused``: the last two.
        readings: best first; none for ``triples``.
        topics: names of the entities that it is about; None to find them.
        options: of the search; ``budget_seconds`` is for all readings together.

    Raises:
        ArtifactError: there is no trained model to score triples, or it does not fit.
        InterpretationError: no topic was found to look for triples around.
    """
    from isomatch.answer.types import Found

    kind = cast("Retriever", retriever_name(name))
    read: tuple[tuple[Hypothesis, MatchResult], ...] = ()
    if kind != "triples":
        read = near_hypotheses(session, hypotheses, options, 1 if kind == "pattern" else CHAINS)
    if kind in ("pattern", "chain"):
        return Found(kind, read)
    scored = score_triples(session, question, topics)
    return Found(kind, read, scored.triples, frozenset(scored.topics), scored.notes)


def near_hypotheses(
    session: Session, hypotheses: Sequence[Hypothesis], options: Mapping[str, Any], most: int
) -> tuple[tuple[Hypothesis, MatchResult], ...]:
    """The first readings that can answer, with their matches; else the first one alone."""
    from isomatch.options import Options

    found: list[tuple[Hypothesis, MatchResult]] = []
    first: tuple[Hypothesis, MatchResult] | None = None
    unknown: set[str] = set()  # names that nothing in the graph is near
    seconds = Options().with_(**options).budget_seconds
    deadline = inf if seconds is None else perf_counter() + seconds
    answerer = session.answerer
    for hypothesis in hypotheses:
        if first is not None and perf_counter() > deadline:
            break
        if unknown.intersection(n.text for n in hypothesis.pattern.nodes if n.text):
            continue
        left = {} if seconds is None else {"budget_seconds": max(deadline - perf_counter(), 1e-3)}
        given = {**hypothesis.options, **options, **left}
        result, candidates = session.match_linked(hypothesis.pattern, **given)
        first = first or (hypothesis, result)
        # Several chains are shown to a reader, who leaves out what is not meant; only
        # the best has to be believed, and the answer station sees to that.
        if answerer.can_answer(result, hypothesis) or (most > 1 and answerer.has_near(result)):
            found.append((hypothesis, result))
            if len(found) == most:
                break
        else:
            unknown.update(_far_names(session, candidates))
    if first is None:
        raise ConfigurationError("the interpreter gave no reading")
    return tuple(found) or (first,)


def _far_names(session: Session, candidates: Candidates) -> Iterator[str]:
    from isomatch.match.types import Choice

    for found in candidates.nodes.values():
        choices = (Choice("node", found.text, c.id, c.name, c.distance) for c in found)
        if not any(map(session.answerer.is_near, choices)):
            yield found.text


# -- triples ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scored:
    """The best triples around a question's topics.

    Attributes:
        triples: best first.
        topics: ids of the nodes that they were looked for around.
        notes: in words: what was taken for a topic, and what of its surroundings was
            not looked at.
    """

    triples: tuple[ScoredTriple, ...]
    topics: tuple[str, ...]
    notes: tuple[str, ...]


def score_triples(
    session: Session,
    question: str,
    topics: Sequence[str] | None = None,
    k: int = TRIPLES,
    ranker: TripleRanker | None = None,
) -> Scored:
    """The best ``k`` triples around the topics of a question.

    Args:
        topics: names of the entities that it is about; None to find them.
        ranker: None for the trained scorer.

    Raises:
        ArtifactError: there is no trained model to score triples, or it does not fit.
        InterpretationError: nothing in the graph has the name of a topic.
        StoreError, VectorIndexError, EmbeddingError: a part failed.
    """
    ranker = ranker or session.triple_ranker
    finder = session.mentions
    mentions = finder.find(question) if topics is None else finder.given(question, topics)
    ids: dict[str, None] = {}
    notes: list[str] = []
    for mention in mentions:
        known = mention.ids or _nearest(session, mention, notes)
        ids.update(dict.fromkeys(known))
    if not ids:
        raise InterpretationError(
            f"no name of the graph was found in {question!r}; put the name in quotes or "
            "[brackets], or say what it is about"
        )
    hood = ranker.neighbourhood(list(ids))
    best = ranker.best(hood, ranker.scores(question, hood), k)
    return Scored(tuple(best), tuple(ids), (*notes, *hood.notes))


def _nearest(session: Session, mention: Mention, notes: list[str]) -> Sequence[str]:
    """The node of the nearest name, where it may be meant."""
    from isomatch.answer.words import reading_words
    from isomatch.match.types import Choice
    from isomatch.pattern.types import Edge, Node, Pattern

    pattern = Pattern((Node("topic", mention.text), Node("x")), (Edge("topic", None, "x"),))
    for found in session.link(pattern).nodes.values():
        for candidate in found:
            choice = Choice("node", mention.text, candidate.id, candidate.name, candidate.distance)
            if session.answerer.is_near(choice):
                notes.append(reading_words([choice]))
                return (candidate.id,)
            break
    return ()
