"""Results of a search, built by hand."""

from __future__ import annotations

from dataclasses import replace

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

FILMS = '(?film:film)-[directed by]-("Micheal Man") return ?film'


def bound(name: str) -> Bound:
    return Bound(f"http://e.test/{name}", name)


def fact(source: str, relation: str, target: str) -> Triple:
    return Triple(bound(source), bound(relation), bound(target))


def directed(
    films: list[str], by: str = "Michael Mann", rank: int = 1, distance: float = 0.6, cut=False
) -> Interpretation:
    """The reading of `FILMS` that takes the name for this director."""
    matches = tuple(
        Match({"film": bound(film), "micheal_man": bound(by)}, (fact(film, "directed by", by),))
        for film in films
    )
    choices = (
        Choice("node", "Micheal Man", bound(by).id, by, distance),
        Choice("relation", "directed by", bound("directed by").id, "directed by", 0.0),
        Choice("type", "film", bound("film").id, "film", 1.9),
    )
    return Interpretation(rank, distance, choices, matches, cut)


def result(*interpretations: Interpretation, pattern: str = FILMS) -> MatchResult:
    return MatchResult(parse(pattern), interpretations, Certificate(True, True), Profile())


ROLES = '("Tom Hanks")-[acted in: ?role]-("Cloud Atlas") return ?role'


def roles(*names: str) -> Interpretation:
    """The reading of `ROLES`: one relationship that carries these roles, a match each."""
    cast = replace(
        fact("Tom Hanks", "acted in", "Cloud Atlas"), id="r1", properties={"roles": list(names)}
    )
    ends = {"tom_hanks": bound("Tom Hanks"), "cloud_atlas": bound("Cloud Atlas")}
    matches = tuple(Match({**ends, "role": Bound(f'"{n}"', n)}, (cast,)) for n in names)
    return Interpretation(1, 0.0, (), matches)
