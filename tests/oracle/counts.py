"""Counts and lists of more matches than are listed, and of more rows than are read."""

from __future__ import annotations

from unittest.mock import patch

from isomatch.match import state
from isomatch.match.types import Count, MatchResult, lacks_answers
from isomatch.session import Session

ITEMS, GUESTS, WHOLE = 400, 3, 1_100  # fewer than both together have rows
TURTLE = "\n".join(
    (
        "@prefix : <urn:x:> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        ':north a :Shop ; rdfs:label "North" .',
        *(f':i{n} a :Item ; rdfs:label "i{n}" ; :keptIn :north .' for n in range(ITEMS)),
        *(f':g{n} a :Guest ; rdfs:label "g{n}" ; :visited :north .' for n in range(GUESTS)),
    )
)
CYPHER = (
    "CREATE (s:Shop {name: 'North'}) WITH s "
    f"FOREACH (n IN range(1, {ITEMS}) | CREATE (:Item {{name: 'i' + n}})-[:KEPT_IN]->(s)) "
    f"FOREACH (n IN range(1, {GUESTS}) | CREATE (:Guest {{name: 'g' + n}})-[:VISITED]->(s))"
)


def check_many(session: Session, *, counts: bool = True) -> None:
    """Both counts are right, or say that there may be more.

    Args:
        counts: whether the database counts, so that few rows are read.
    """
    kept = '(?i:item)-[kept in]->("North")'
    both = f'{kept}, (?g:guest)-[visited]->("North") return count(?g)'
    with patch.object(state, "WHOLE", WHOLE):
        many = session.match(f"{kept} return count(?i)", k=1, budget_seconds=60)
        more = session.match(both, k=1, budget_seconds=60)
    assert str(many.count()) == f"{ITEMS}"
    count = more.count()
    assert count is not None
    assert str(count) == f"{GUESTS}" or (count.at_least and not counts)
    assert more.profile.rows < WHOLE or not counts
    assert more.certificate.complete


def check_lists(session: Session, *, counts: bool = True) -> None:
    """A list has every answer though its matches are cut, or says how many answers there are.

    Args:
        counts: whether the database counts.
    """
    both = '(?i:item)-[kept in]->("North"), (?g:guest)-[visited]->("North") return'
    few = session.match(f"{both} ?g", k=1, limit=5, budget_seconds=60)
    [first] = few.interpretations
    assert (first.cut, len(first.matches), len(_listed(few, "g"))) == (True, 5, GUESTS)
    assert first.answers == Count(1, GUESTS, at_least=False)
    assert not lacks_answers(few.pattern, first)
    many = session.match(f"{both} ?i", k=1, limit=5, budget_seconds=60)
    [first] = many.interpretations
    # Nobody counts answers of which none came twice in what was read first.
    uncounted = Count(1, len(first.matches), at_least=True)
    assert first.answers in (Count(1, ITEMS, at_least=False), uncounted)
    assert lacks_answers(many.pattern, first)
    assert many.profile.rows < WHOLE or not counts


def _listed(result: MatchResult, id: str) -> set[str]:
    return {match.bindings[id].id for match in result.interpretations[0].matches}
