"""Results made by hand, for the tests of their forms."""

from __future__ import annotations

from math import inf

from isomatch.answer.types import Answer, Evidence
from isomatch.match.types import (
    Bound,
    Certificate,
    Choice,
    Interpretation,
    Match,
    MatchResult,
    Profile,
    Triple,
)
from isomatch.pattern import parse

PROVEN = Certificate(exact=True, complete=True, bound=inf, notes=("vectors: exact scan",))
PROFILE = Profile({"link": 1.5, "total": 2.0}, "ascending", 1, 2, 1)


def films(
    names: list[str], *, director: str = "Michael Mann", distance: float = 0.0, cut: bool = False
) -> MatchResult:
    """Films of one director; one match each."""
    pattern = parse('(?f:film)-[directed by]-(m "Michael Mann") return ?f')
    mann = Bound("urn:mann", director)
    by = Bound("urn:by", "directed by")
    matches = []
    for number, name in enumerate(names):
        film = Bound(f"urn:f{number}", name)
        matches.append(Match({"f": film, "m": mann}, (Triple(film, by, mann),)))
    choices = (
        Choice("node", "Michael Mann", "urn:mann", director, distance),
        Choice("relation", "directed by", "urn:by", "directed by", 0.0),
    )
    found = (Interpretation(1, distance, choices, tuple(matches), cut),) if names else ()
    return MatchResult(pattern, found, PROVEN, PROFILE)


def colleagues() -> MatchResult:
    """A match of two triples and two asked-for nodes."""
    pattern = parse('(?a)-[acted in]-(?f)-[directed by]-(m "Michael Mann")')
    pacino, heat = Bound("urn:pacino", "Al Pacino"), Bound("urn:heat", "Heat")
    mann = Bound("urn:mann", "Michael Mann")
    triples = (
        Triple(pacino, Bound("urn:in", "acted in"), heat),
        Triple(heat, Bound("urn:by", "directed by"), mann),
    )
    match = Match({"a": pacino, "f": heat, "m": mann}, triples)
    return MatchResult(pattern, (Interpretation(1, 0.0, (), (match,)),), PROVEN, PROFILE)


def answer(result: MatchResult, text: str = "Heat.", *, supported: bool = True) -> Answer:
    """An answer that cites every triple of the first interpretation."""
    triples = [t for m in result.interpretations[0].matches for t in m.triples]
    evidence = tuple(Evidence(n, t, 1, 0.0) for n, t in enumerate(triples, 1))
    return Answer(
        question="which films?",
        text=text,
        answers=result.answers(),
        supported=supported,
        evidence=evidence,
        cited=tuple(e.number for e in evidence),
        cut=False,
        result=result,
        source="graph",
        notes=("read without a model",),
    )
