"""Open questions made of, and asked of, a graph in Neo4j."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from isomatch.errors import ConfigurationError
from isomatch.evaluate import run_open_eval
from isomatch.options import OPEN_FORMS
from isomatch.questions.open.making import Making, make_questions
from isomatch.questions.open.sets import write_open
from isomatch.questions.open.things import Things
from isomatch.session import Session
from isomatch.settings import Settings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def session(films: Settings) -> Iterator[Session]:
    with Session.open(films) as opened:
        yield opened


def test_persons_are_known_by_their_label(session: Session) -> None:
    kinds = {thing.name: thing.kind for thing in Things(session.resources, 1, 1, 1).all()}
    assert kinds["Michael Mann"] == "person"
    assert kinds["Heat"] is None


def test_questions_of_neo4j_are_made_and_asked(session: Session, tmp_path: Path) -> None:
    made = make_questions(session, Making(count=6, least_facts=1, least_relations=1))
    assert {"person", "cause", "relationship"} <= {q.template for q in made.questions}
    questions = tmp_path / "open.jsonl"
    write_open(questions, made.questions)
    report = run_open_eval(str(questions), session=session, out=tmp_path / "run")
    assert report["questions"] == len(made.questions)
    assert report["failed"] == 0
    assert set(report["scores"]["all"]) == set(OPEN_FORMS)
    with pytest.raises(ConfigurationError, match="copy of an embedded graph"):
        run_open_eval(str(questions), session=session, perturb=("RS:0.2",))
