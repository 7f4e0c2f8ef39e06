"""Patterns in braces with thousands of answers."""

from __future__ import annotations

import pytest
from tests.turtle import opened

from isomatch.match import parts

PREFIXES = "@prefix : <urn:x:> . @prefix schema: <http://schema.org/> .\n"
BILLS = PREFIXES + "\n".join(
    f':b{n} a :Bill ; schema:name "Bill {n}"' + (" ; :paidBy :ann ." if n % 2 else " .")
    for n in range(600)
)


def test_nodes_are_not_compared_with_each_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who has not paid, of 20,000, took longer than any budget."""
    compared: list[str] = []

    def counting(operator: str, id: str, other: str) -> bool | None:
        compared.append(id)
        return False

    monkeypatch.setattr(parts, "compare", counting)
    with opened(BILLS + '\n:ann a :Person ; schema:name "Ann" .') as session:
        answer = session.ask("How many bills have not been paid?", interpreter="schema")
    assert answer.text.startswith("300")
    assert len(compared) < 600
