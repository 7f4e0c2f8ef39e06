"""WebQSP over a slice of Freebase: its reader, and its graph with more than three columns."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from isomatch.errors import ConfigurationError, LoadError
from isomatch.questions.dataset_sessions import open_session
from isomatch.questions.datasets import SLICE_NOTE, read

GRAPH = """\
Jamaica\tlocation.country.languages_spoken\tJamaican English\ta,b
Jamaica\tlocation.country.leader\tm.05kh7j4\ta
m.05kh7j4\tgovernment.holder\tAndrew Holness\tb
"""
ROWS = [
    {
        "id": "q1",
        "question": "what do jamaican people speak?",
        "topic_name": "Jamaica",
        "gold_names": ["Jamaican English", "Jamaican English"],
    },
    {"id": "q2", "question": "who leads it?", "topic_name": "Jamaica", "gold_names": None},
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "freebase_slice.tsv.gz").write_bytes(gzip.compress(GRAPH.encode()))
    text = "".join(f"{json.dumps(row)}\n" for row in ROWS)
    (tmp_path / "questions.jsonl").write_text(text, encoding="utf-8")
    return tmp_path


def test_questions_with_answers_are_read(folder: Path):
    (part,) = read("webqsp", folder)
    (question,) = part.questions
    assert (question.id, question.topics, question.answers) == (
        "q1",
        ("Jamaica",),
        ("Jamaican English",),
    )
    assert question.gold is None
    assert part.note == SLICE_NOTE


def test_hops_are_not_known(folder: Path):
    with pytest.raises(ConfigurationError, match="no questions of 1 hops"):
        read("webqsp", folder, hops=1)


@pytest.mark.parametrize("line", ["{", "[]", '{"question": "x"}'])
def test_a_malformed_line_of_webqsp_is_named(folder: Path, line: str):
    (folder / "questions.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(LoadError, match=r"questions\.jsonl, line 1: expected a question"):
        read("webqsp", folder)


def test_the_graph_is_its_first_three_columns(folder: Path, tmp_path: Path):
    (part,) = read("webqsp", folder)
    with open_session(part, tmp_path / "homes") as session:
        texts = {relation.text for relation in session.schema.relations}
        assert texts == {
            "location country languages spoken",
            "location country leader",
            "government holder",
        }
        assert session.schema.triples == 3
