"""Results as Python prints them."""

from __future__ import annotations

from tests.unit.answer.results import directed, result

from isomatch.answer.types import Answer


def test_the_repr_of_a_large_result_and_its_answer_is_short() -> None:
    path = "".join(f"-[relation number {i}]-(?x{i}:type)" for i in range(1, 30))
    found = result(*[directed(["Heat"])] * 300, pattern=f'("{"long " * 500}"){path}')
    assert len(repr(found)) < 1000
    assert "complete=True" in repr(found)
    answer = Answer("why? " * 900, "since " * 900, (), True, (), (), False, found, "graph")
    assert len(repr(answer)) < 1000
