"""Questions that workers label: what is learnt from is the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.unit.learn.test_weak import many

from isomatch.factories import make_index
from isomatch.learn.config import GsrConfig, TriplesConfig
from isomatch.learn.pipeline import label_questions
from isomatch.learn.programs.pipeline import _examples
from isomatch.learn.report import ignore
from isomatch.learn.triples.data import LabelledQuestions, TripleQuestion
from isomatch.learn.walks import Entities
from isomatch.questions.sets import QuestionSet
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load

PLACE = "processes:2"
FACTS = """
Heat,directed by,Michael Mann
Ali,directed by,Michael Mann
Thief,directed by,Michael Mann
Ronin,directed by,John Frankenheimer
Heat,starred actors,Al Pacino
Thief,starred actors,James Caan
"""


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    folder = tmp_path_factory.mktemp("labels")
    (folder / "films.csv").write_text(FACTS.lstrip())
    settings = Settings(home=folder / "home")
    load([folder / "films.csv"], settings.graph_path)
    make_index(settings)
    with Session.open(settings) as session:
        yield session


def content(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_workers_write_the_same_labels(session: Session, tmp_path: Path) -> None:
    questions = QuestionSet("films", tuple(many(230)))
    found = []
    for place in ("here", PLACE):
        config = GsrConfig.of(on=place)
        calls: list[tuple[int, int | None]] = []
        labels = label_questions(
            session.resources,
            questions,
            config,
            tmp_path / place,
            lambda event, calls=calls: calls.append((event.done, event.total)),
        )
        assert calls == [(100, 230), (200, 230), (230, 230)]
        found.append(labels)
    assert found[0] == found[1]
    assert found[0].report.kept > 0
    assert content(tmp_path / "here") == content(tmp_path / PLACE)


def test_labels_that_are_there_are_not_asked_of_workers(session: Session, tmp_path: Path) -> None:
    questions = QuestionSet("films", tuple(many(230)))
    whole = label_questions(session.resources, questions, GsrConfig(), tmp_path, ignore)
    second = tmp_path / "labels" / "part-00002.jsonl"
    before = second.read_bytes()
    second.unlink()
    first = tmp_path / "labels" / "part-00001.jsonl"
    rows = [json.loads(line) for line in first.read_text().splitlines()]
    rows[0]["settled"] = "a mark"
    first.write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = label_questions(session.resources, questions, GsrConfig.of(on=PLACE), tmp_path, ignore)
    assert second.read_bytes() == before
    assert again.labels[0].settled == "a mark"
    assert again.labels[1:] == whole.labels[1:]


def test_workers_find_the_same_programs(session: Session, tmp_path: Path) -> None:
    questions = QuestionSet("films", tuple(many(60)))
    found = [
        _examples(session.resources, questions, GsrConfig.of(on=on), tmp_path / on, ignore)
        for on in ("here", PLACE)
    ]
    assert found[0] == found[1]
    assert found[0][0], "some questions have programs"
    assert content(tmp_path / "here") == content(tmp_path / PLACE)


def test_workers_label_the_same_triples(session: Session, tmp_path: Path) -> None:
    ids = Entities(session.resources.index).ids
    asked = [TripleQuestion(q.id, q.text, ids(q.topics[0]), ids(q.answers[0])) for q in many(6)]
    found = []
    for place in ("here", PLACE):
        config = TriplesConfig.of(paths="shortest", on=place)
        data = LabelledQuestions(session.resources, config, "anchored", tmp_path / place)
        files, skipped = data.prepare([*asked, asked[0]], frozenset({"q1"}))
        found.append(({id: path.name for id, path in files.items()}, skipped))
    assert found[0] == found[1]
    assert len(found[0][0]) == 6
    for name in found[0][0].values():
        with np.load(tmp_path / "here" / name) as one, np.load(tmp_path / PLACE / name) as other:
            assert {key: one[key].tolist() for key in one} == {
                key: other[key].tolist() for key in other
            }


def test_where_it_ran_is_no_part_of_a_model() -> None:
    config = GsrConfig.of(on=PLACE, synthetic=3)
    assert config.record() == GsrConfig.of(synthetic=3).record()
    assert repr(config) == repr(GsrConfig.of(synthetic=3))
    assert GsrConfig.of(config, epochs=2).on == PLACE
