"""What is kept of feedback, and that the file survives writers that are stopped."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path

import pytest
from tests.unit.learn.toy import toy

from isomatch.errors import ConfigurationError, PatternError, StoreError
from isomatch.feedback import Feedback, FeedbackFile, Record, record
from isomatch.feedback import file as feedback_file

PATTERN = '("Heat")-[directed by]->(?who)'


def kept(id: str = "1", **fields: object) -> Record:
    given = {"question": "who helmed Heat?", "kind": "reading", "pattern": PATTERN, **fields}
    return Record.of_feedback(Feedback.of(**given), id, datetime.now(timezone.utc), "graph 1")


def test_a_record_reads_as_it_was_kept(tmp_path: Path) -> None:
    file = FeedbackFile(tmp_path / "home" / "feedback.jsonl")
    assert file.read() == ((), ())
    reading = {"source": "gsr", "score": 0.4, "options": {"nodes": "anchored"}}
    said = [
        kept("1", read_pattern='("Heat")-[written by]->(?who)', reading=reading, caller="ann"),
        kept("2", kind="answer", pattern=None, answers=["Michael Mann", "urn:x"], comment="“ü”\n"),
        kept("3", kind="down", pattern=None),
    ]
    for one in said:
        file.append(one)
    assert file.read() == (tuple(said), ())
    assert file.path.read_bytes().count(b"\n") == 3


def test_it_is_kept_with_time_id_and_the_graphs_fingerprint(tmp_path: Path) -> None:
    with toy(tmp_path) as session:
        given = Feedback.of(question="who directed Heat?", kind="up", read_pattern=PATTERN)
        id = record(session.resources, given)
        ((found,), _) = FeedbackFile.of(session.settings).read()
        assert (found.id, found.graph) == (id, session.schema.fingerprint)
    assert found.time.tzinfo is not None
    assert found.chosen == given.read_pattern


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"question": "x" * 4001}, "question is too long: at most 4,000 are kept"),
        ({"comment": "x" * 4001}, "comment is too long"),
        ({"answers": ["x"] * 1001}, "answers is too long"),
        ({"question": " "}, "expected a text"),
        ({"pattern": None}, "needs the pattern that was chosen"),
        ({"kind": "answer"}, "needs answers"),
        ({"kind": "odd"}, "kind: Input should be 'reading', 'up', 'down' or 'answer'"),
        ({"kommentar": ""}, "unknown option 'kommentar'"),
        ({"question": "\ud800"}, "question: "),
    ],
)
def test_what_cannot_be_kept_is_refused(fields: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        Feedback.of(**{"question": "who?", "kind": "reading", "pattern": PATTERN, **fields})


def test_a_pattern_that_breaks_a_rule_is_a_pattern_error() -> None:
    with pytest.raises(PatternError, match="expected"):
        Feedback.of(question="who?", kind="reading", pattern="(?x")


def test_prefixes_of_the_graph_are_known_in_patterns() -> None:
    given = {"question": "who?", "kind": "reading", "pattern": "(films:heat)-[directed by]->(?x)"}
    kept = Feedback.of(prefixes={"films": "http://films.example/"}, **given)
    assert kept.chosen is not None
    assert kept.chosen.nodes[0].text == "<http://films.example/heat>"


def test_spans_of_a_reading_become_their_texts() -> None:
    span = {"start": 4, "end": 10, "text": "helmed", "kind": "word"}
    given = Feedback.of(
        question="who helmed Heat?",
        kind="down",
        reading={"source": "gsr", "score": 0.9, "options": {}, "left_out": [span]},
    )
    assert given.reading is not None
    assert given.reading.left_out == ("helmed",)


@pytest.mark.parametrize("torn", [b'{"question": "who', b"\xff\xfe{"])
def test_an_incomplete_last_line_is_told_and_spoils_nothing(
    tmp_path: Path, torn: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    file = FeedbackFile(tmp_path / "feedback.jsonl")
    file.append(kept("1"))
    with file.path.open("ab") as line:
        line.write(torn)
    records, (problem,) = file.read()
    assert [one.id for one in records] == ["1"]
    assert "line 2: it is incomplete" in str(problem)
    file.append(kept("2"))
    assert "ends in an incomplete line" in caplog.text
    records, (problem,) = file.read()
    assert [one.id for one in records] == ["1", "2"]
    assert problem.place.endswith("line 2")


def test_a_full_disk_is_an_error_and_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """The limit on a file's size stops the write in the middle, as a full disk does."""
    file = FeedbackFile(tmp_path / "feedback.jsonl")
    file.append(kept("1"))
    size = file.path.stat().st_size
    code = (
        "import resource, signal, sys\n"
        "from pathlib import Path\n"
        "from isomatch.feedback import FeedbackFile\n"
        "file = FeedbackFile(Path(sys.argv[1]))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size + 20}, {resource.RLIM_INFINITY}))\n"
        "(one,), _ = file.read()\n"
        "try:\n"
        "    file.append(one)\n"
        "except Exception as error:\n"
        "    print(type(error).__name__, error)\n"
    )
    command = [sys.executable, "-c", code, str(file.path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("StoreError the feedback cannot be kept")
    assert file.path.stat().st_size == size


def test_a_file_that_has_grown_too_large_takes_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = FeedbackFile(tmp_path / "feedback.jsonl")
    file.append(kept("1"))
    size = file.path.stat().st_size
    monkeypatch.setattr(feedback_file, "MOST_IN_FILE", size + 20)
    with pytest.raises(StoreError, match="no more feedback is kept there"):
        file.append(kept("2"))
    assert file.path.stat().st_size == size
    monkeypatch.undo()
    with pytest.raises(ConfigurationError, match="at most 65,536 are kept"):
        file.append(kept(kind="answer", pattern=None, answers=["x" * 1000] * 100))


def test_processes_may_append_at_a_time(tmp_path: Path) -> None:
    file = FeedbackFile(tmp_path / "feedback.jsonl")
    file.append(kept(comment="x" * 3000))
    code = (
        "import sys\nfrom pathlib import Path\nfrom isomatch.feedback import FeedbackFile\n"
        "file = FeedbackFile(Path(sys.argv[1]))\none = file.read()[0][0]\n"
        "for number in range(40):\n"
        "    file.append(one.model_copy(update={'id': f'{sys.argv[2]} {number}'}))\n"
    )
    command = [sys.executable, "-c", code, str(file.path)]
    writers = [subprocess.Popen([*command, str(number)]) for number in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    records, problems = file.read()
    assert not problems
    assert len({one.id for one in records}) == 121


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(StoreError, match=f"kept in {tmp_path}{os.sep}home"):
        FeedbackFile(tmp_path / "home" / "feedback.jsonl").append(kept())
