"""What the benchmark says of certificates: brute force over the facts of a copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.bench.perturbed import _edges, refuted
from tests.unit.evaluate.films import write_films

from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import read


@pytest.mark.parametrize("change", ["none", "answer gone", "answer more", "nothing left"])
def test_answers_that_are_not_those_of_the_graph_are_refuted(change: str, tmp_path: Path) -> None:
    write_films(tmp_path)
    part = read("metaqa", tmp_path, hops=2)[0]
    pattern = part.questions[0].pattern
    assert pattern is not None
    with open_session(part, tmp_path / "homes") as session:
        result = session.match(pattern, nodes="distinct", k=1)
        assert result.certificate.complete
        names = {node.name: node.id for node in result.answers()}
        assert set(names) == {"Al Pacino", "Will Smith"}
        edges = {node: {r: set(e) for r, e in by.items()} for node, by in _edges(session).items()}
        pacino, starred = names["Al Pacino"], next(iter(edges[names["Al Pacino"]]))
        (heat,) = edges[pacino][starred]
        if change == "answer gone":
            edges[heat][starred].remove(pacino)
        if change == "answer more":
            edges[heat][starred].add("urn:another")
        if change == "nothing left":
            edges = {}
        found = refuted(edges, pattern, session.link(pattern), result)
        assert found == (change != "none")
