"""Open questions as files have them: the published set, and lines of JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from isomatch.errors import ConfigurationError, LoadError
from isomatch.questions.open.sets import (
    OpenQuestion,
    held_by,
    is_open,
    read_open,
    write_open,
)

COLUMNS = "question,type,placeholders,dbpedia_entities_re,id"
CSV = f"""{COLUMNS}
Describe Heat.,descriptive,{{'event': 'the film Heat'}},{{'event': 'Heat_(1995_film)'}},0
Why did Ali win?,explanatory,"{{'person': 'Ali', 'action': 'win', 'time': '1974'}}",{{}},1
Compare Ronin and Dune.,comparative,"{{'entity A': 'Ronin', 'entity B': 'Dune'}}",{{}},2
Describe Heat.,descriptive,{{'event': 'the film Heat'}},{{'event': 'Heat_(1995_film)'}},3
Describe Alien.,descriptive,{{'event': oops,{{}},4
Describe Dune.,descriptive,{{'event': 'Dune'}},{{}},5
Who is it?,factoid,{{}},{{}},6
"""


@pytest.fixture
def published(tmp_path: Path) -> Path:
    (tmp_path / "questions.csv").write_text(CSV)
    return tmp_path


def known(name: str) -> str | None:
    return name if name in ("Heat", "Ali", "Ronin") else None


def test_a_published_row_names_pages_and_what_may_be_a_thing(published):
    read = read_open(f"okgqa:{published}")
    assert [q.id for q in read.questions] == ["okgqa-0", "okgqa-1", "okgqa-2", "okgqa-5"]
    heat, ali, *_ = read.questions
    assert heat.topics == ("Heat (1995 film)",)
    assert heat.others == {"Heat (1995 film)": ("Heat", "the film Heat")}
    assert ali.topics == ("Ali",)
    assert ali.type == "explanatory"
    assert read.counts == {"malformed": 2, "duplicate": 1}
    assert read.total == 7
    with pytest.raises(LoadError, match="--strict"):
        read_open("okgqa", published, strict=True)


def test_only_questions_of_which_the_graph_holds_a_topic_stay(published):
    held = held_by(read_open("okgqa", published), known)
    assert [(q.topics, q.unknown) for q in held.questions] == [
        (("Heat",), ()),
        (("Ali",), ()),
        (("Ronin",), ("Dune",)),
    ]
    assert held.counts["unknown topic"] == 1
    with pytest.raises(ConfigurationError, match="the graph has nothing that a question of"):
        held_by(read_open("okgqa", published), lambda name: None)


def test_what_is_written_reads_as_it_was(tmp_path):
    path = tmp_path / "new" / "open.jsonl"
    question = OpenQuestion(
        "q1", "Describe Heat.", ("Heat",), "descriptive", "event", {"novelty": 7.0}, "model", ("x",)
    )
    write_open(path, [question])
    assert is_open(str(path))
    assert read_open(str(path)).questions == (question,)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("no json", "expected an object"),
        ({"open": True}, "expected `question`"),
        ({"question": "Why?", "open": True}, "expected `topics`"),
        ({"question": "Why?", "topics": ["Heat"], "answers": ["x"]}, "has no answers"),
        ({"question": "Why?", "topics": ["Heat"], "scores": {"novelty": "high"}}, "`scores`"),
    ],
)
def test_a_line_that_is_no_open_question_is_said_to_be_none(tmp_path, row, words):
    path = tmp_path / "open.jsonl"
    path.write_text(row if isinstance(row, str) else json.dumps(row))
    with pytest.raises(ConfigurationError, match=words):
        read_open(f"okgqa:{path}")


def test_a_malformed_first_line_does_not_make_a_set_one_with_answers(tmp_path):
    file = tmp_path / "open.jsonl"
    file.write_text('{"open": tr\n{"open": true, "question": "Describe Heat.", "topics": ["Heat"]}')
    assert is_open(str(file))
    assert read_open(str(file)).counts == {"malformed": 1}


def test_a_file_with_answers_is_no_open_set(tmp_path):
    path = tmp_path / "closed.jsonl"
    path.write_text(json.dumps({"question": "who directed Heat?", "answers": ["Michael Mann"]}))
    assert not is_open(str(path))
    assert not is_open("metaqa:x")
    assert is_open("okgqa")


@pytest.mark.parametrize(
    ("source", "data", "words"),
    [("okgqa", None, "say where okgqa is"), ("okgqa:x", "y", "--data"), ("okgqa", "x", "no file")],
)
def test_a_set_that_is_nowhere_is_refused(source, data, words):
    with pytest.raises(ConfigurationError, match=words):
        read_open(source, data)
