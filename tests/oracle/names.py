"""What a name that stands for every node of it must give, by its definition."""

from __future__ import annotations

from tests.oracle.language import Films

from isomatch.match.types import MatchResult
from isomatch.session import Session


def check_every(session: Session, graph: Films) -> None:
    """For every name of people with films: their films, numbers of them, and who has which."""
    for name in dict.fromkeys(graph.names.values()):
        people = graph.called(name)
        films = graph.films_of(people)
        if not films:
            continue  # then those of another name are nearest
        path = f'(?p "{name}":person)<-[by]-(?f:film)'
        for strategy in ("ascending", "brute force"):
            found = session.match(f"{path} return ?f", k=1, strategy=strategy)
            assert {node.id for node in found.answers()} == films, (graph, name)
            assert sum(len(i.matches) for i in found.interpretations) == sum(
                len(graph.films_of([person])) for person in people
            )
        for limit in (1000, 1):  # of matches that are listed, and not of what is counted
            counted = session.match(f"{path} return count(?f)", k=1, limit=limit)
            assert _number(counted) == len(films)
        having = [person for person in people if graph.films_of([person])]
        assert _number(session.match(f"{path} return count(?p)", k=1)) == len(having)
        groups = session.match(f"{path} return ?p, count(?f)", k=1).groups()
        numbers = {g.answer[0].id: v.name for g in groups for v in g.values if v is not None}
        assert numbers == {p: str(len(graph.films_of([p]))) for p in having}
        last = max(year for film in films for year in graph.years(film))
        newest = session.match(f"{path}-[year]->(?y) return ?f order by ?y desc limit 1", k=1)
        assert {node.id for node in newest.answers()} == {
            film for film in films if last in graph.years(film)
        }


def _number(result: MatchResult) -> int | None:
    count = result.count()
    return None if count is None or count.at_least else count.value
