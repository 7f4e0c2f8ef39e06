"""Questions with clauses inside clauses are answered as they mean, or refused."""

from __future__ import annotations

from random import Random

import pytest
from tests.turtle import opened
from tests.unit.interpret.made_questions import OFFICE, SHIPS, Domain, Graph, Maker

ASKED = 60
READ = 0.9  # the share that is read; 0.95 and more were when this was written


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("domain", [OFFICE, SHIPS], ids=["office", "ships"])
def test_a_question_made_by_a_grammar_is_answered_as_it_means(domain: Domain, seed: int) -> None:
    random = Random(seed)
    graph = Graph(domain, random)
    wrong, right = [], 0
    with opened(graph.turtle) as session:
        for question, meant in Maker(graph, random).questions(ASKED):
            answer = session.ask(question, interpreter="schema")
            if not (answer.supported or answer.text.startswith("The graph does not say")):
                continue
            expected = {graph.names[id] for id in meant}
            found = {str(node.name) for node in answer.answers}
            # What a question names is none of its answers.
            if found in (expected, {name for name in expected if name not in question}):
                right += 1
            else:
                wrong.append((question, expected, answer.text))
    assert wrong == []
    assert right >= READ * ASKED
