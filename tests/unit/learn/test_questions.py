"""Question sets: the user's own file, bad lines, and splits that do not leak."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from isomatch.errors import ConfigurationError, LoadError
from isomatch.learn.pipeline import training_side
from isomatch.pattern.types import RelationChain
from isomatch.questions.datasets import Part, Question
from isomatch.questions.sets import (
    QuestionSet,
    by_row,
    by_text,
    check_names,
    limited,
    read_questions,
)
from isomatch.trained.masking import wording_of

DATA = Path(__file__).resolve().parents[3] / "../shared/data"


def written(folder: Path, *rows: Any) -> str:
    file = folder / "mine.jsonl"
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)


def question(id: str, text: str, *topics: str, hops: int = 1) -> Question:
    return Question(id, text, topics, ("a",), None, hops)


QUESTIONS = tuple(
    question(f"q{i}", f"{verb} {name}?", name)
    for i, (verb, name) in enumerate(
        (v, n) for v in ("who made", "when was", "where is", "what did") for n in ("Ali", "Heat")
    )
)


def test_a_line_is_a_question(tmp_path: Path) -> None:
    found = read_questions(
        written(
            tmp_path,
            {
                "question": "who acted in films of Mann?",
                "answers": ["De Niro", "Pacino", "Pacino"],
                "topics": "Mann",
                "chain": ["^directed by", "starred"],
                "comment": "other keys are let be",
            },
            {"question": "who is Mann?", "answers": "a director", "id": "mann"},
        )
    )
    assert not found.problems
    assert found.part is None
    first, second = found.questions
    assert first == Question(
        "mine.jsonl:1",
        "who acted in films of Mann?",
        ("Mann",),
        ("De Niro", "Pacino"),
        RelationChain("Mann", ("^directed by", "starred")),
        2,
    )
    assert (second.id, second.topics, second.answers, second.hops) == (
        "mann",
        (),
        ("a director",),
        0,
    )


BAD = [
    ("not json", "malformed", "no JSON"),
    ("[1, 2]", "malformed", "expected an object"),
    ({"question": "", "answers": ["a"]}, "malformed", "expected `question`"),
    ({"question": "q"}, "empty answers", "has no answers"),
    ({"question": "q", "answers": [" "]}, "empty answers", "has no answers"),
    ({"question": "q", "answers": {"a": 1}}, "malformed", "expected `answers`"),
    ({"question": "q", "answer": ["a"]}, "malformed", "did you mean 'answers'"),
    ({"question": "q", "answers": ["a"], "chain": ["r"]}, "malformed", "needs `topics`"),
    ({"question": "who is it?", "answers": ["b"]}, "duplicate", "same question as mine.jsonl:1"),
    ({"question": "q", "answers": ["b"], "id": "mine.jsonl:1"}, "duplicate", "the id"),
]


@pytest.mark.parametrize(("row", "kind", "said"), BAD)
def test_a_bad_line_is_listed_and_the_others_go_on(
    tmp_path: Path, row: Any, kind: str, said: str
) -> None:
    good = {"question": "who is it?", "answers": ["a"]}
    file = written(tmp_path, good, row, {"question": "who else?", "answers": ["a"]})
    found = read_questions(file)
    assert [q.text for q in found.questions] == ["who is it?", "who else?"]
    assert found.counts == {kind: 1}
    assert found.problems[0].place.endswith("mine.jsonl, line 2")
    assert said in found.problems[0].text
    with pytest.raises(LoadError, match="line 2"):
        read_questions(file, strict=True)


def test_a_line_may_have_a_question_alone_where_that_can_be_learnt_from(tmp_path: Path) -> None:
    alone = {"question": "who is it?"}
    file = written(tmp_path, alone, {**alone, "question": "who else?", "answers": []})
    found = read_questions(file, unlabelled=True)
    assert [(q.text, q.answers, q.queries) for q in found.questions] == [("who is it?", (), {})]
    assert found.counts == {"empty answers": 1}


def test_a_file_without_any_question_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="line 1: no JSON"):
        read_questions(written(tmp_path, "nonsense"))
    with pytest.raises(ConfigurationError, match="no file 'nowhere"):
        read_questions("nowhere.jsonl")


def test_questions_of_other_hops_only_are_said_to_be_so(tmp_path: Path) -> None:
    name = written(tmp_path, {"question": "who directed Heat?", "answers": ["Michael Mann"]})
    with pytest.raises(ConfigurationError, match=r"no question of .* says that its `hops` are 3"):
        read_questions(name, hops=3)


def test_a_byte_that_is_no_text_spoils_its_line_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_bytes(
        b'\xef\xbb\xbf{"question": "one?", "answers": ["a"]}\n\xff\xfe\n'
        b'{"question": "two?", "answers": ["a"]}\n'
    )
    found = read_questions(str(file))
    assert [q.text for q in found.questions] == ["one?", "two?"]
    assert found.counts == {"malformed": 1}


def test_names_that_the_graph_does_not_have(tmp_path: Path) -> None:
    found = read_questions(
        written(
            tmp_path,
            {"question": "one of Heat?", "answers": ["Mann", "Nobody"], "topics": ["Heat"]},
            {"question": "two of Nothing?", "answers": ["Mann"], "topics": ["Nothing"]},
            {"question": "three?", "answers": ["Mann"]},
            {"question": "four?", "answers": ["Nobody"]},
        )
    )
    known = {"Heat", "Mann"}.__contains__
    checked = check_names(found, known)
    assert [(q.text, q.answers) for q in checked.questions] == [
        ("one of Heat?", ("Mann",)),
        ("three?", ("Mann",)),
    ]
    assert checked.counts == {"unknown answer": 2, "unknown topic": 1}
    with pytest.raises(LoadError, match="'Nobody'"):
        check_names(found, known, strict=True)


def test_fewer_are_among_more() -> None:
    few, more = limited(QUESTIONS, 3, 1), limited(QUESTIONS, 5, 1)
    assert len(few) == 3
    assert set(few) < set(more)
    assert list(more) == [q for q in QUESTIONS if q in more]
    assert limited(QUESTIONS, None, 1) == QUESTIONS


def test_halves_are_disjoint_and_repeatable() -> None:
    left, right = by_row(QUESTIONS, 0.5, 7)
    assert len(left) == len(right) == 4
    assert {*left, *right} == {*QUESTIONS}
    assert by_row(QUESTIONS, 0.5, 7) == (left, right)
    assert by_row(tuple(reversed(QUESTIONS)), 0.5, 8)[0] != left


def test_texts_are_disjoint_between_the_sides() -> None:
    left, right = by_text(QUESTIONS, 0.5, 7)
    assert len(left) == len(right) == 4
    assert not {wording_of(q.text, q.topics) for q in left} & {
        wording_of(q.text, q.topics) for q in right
    }
    assert {q.topics for q in left} == {q.topics for q in right}


def test_a_wording_has_every_topic_masked() -> None:
    two = question("q", "Who plays as Forward at Tigres_UANL?", "Forward", "Tigres UANL")
    assert wording_of(two.text, two.topics) == "who plays as [mask] at [mask]?"


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0])
def test_a_split_without_a_side_is_refused(share: float) -> None:
    with pytest.raises(ConfigurationError, match="between 0 and 1"):
        by_row(QUESTIONS, share, 1)
    with pytest.raises(ConfigurationError, match="cannot be split"):
        by_text(QUESTIONS[:1], 0.5, 1)


def test_a_set_of_several_graphs_is_of_one_where_the_hops_choose_it() -> None:
    parts = tuple(
        Part(f"{hops}H", Path(f"kb{hops}.txt"), "|", (question(f"q{hops}", "who?", hops=hops),))
        for hops in (2, 3)
    )
    both = QuestionSet("set", tuple(q for p in parts for q in p.questions), (), parts)
    with pytest.raises(ConfigurationError, match="several graphs"):
        _ = training_side(both, "none", 0.5, 1).part
    assert training_side(both, "none", 0.5, 1, hops=2).part == parts[0]


@pytest.mark.slow
@pytest.mark.skipif(not DATA.is_dir(), reason="needs ../shared/data")
def test_published_question_sets_are_read_and_split() -> None:
    worldcup = read_questions(f"worldcup:{DATA / 'worldcup2014'}")
    assert len(worldcup.questions) == 10_162
    assert worldcup.part is not None
    left, right = by_text(worldcup.questions, 0.8, 2014)
    assert 0.7 < len(left) / len(worldcup.questions) < 0.9
    assert right
    with pytest.raises(ConfigurationError, match="several graphs"):
        _ = read_questions(f"pathquestion:{DATA / 'pathquestion'}").part
