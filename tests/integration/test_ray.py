"""A real Ray cluster of two workers on loopback: the same results, also where one is killed.

It is started here and ended at the end of the file.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.needs import needs
from tests.unit.link.tiny_index import DigestEmbedder, Name, build
from tests.workers import KilledEmbedder, counted, slow_square, square, whole_index, work_of

from isomatch import cancel
from isomatch.errors import PatternError, SearchCancelled, WorkerError
from isomatch.evaluate import run_eval
from isomatch.executor import AHEAD, Executor, Ray, Work, open_executor
from isomatch.factories import make_index
from isomatch.learn.config import GsrConfig
from isomatch.learn.pipeline import label_questions
from isomatch.learn.report import ignore
from isomatch.link.parts import ParallelEmbedder
from isomatch.questions.datasets import Question
from isomatch.questions.sets import QuestionSet
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load

needs("ray", "ray")

FILMS = 2100
NAMES = [Name(f"urn:{n}", f"name {n}") for n in range(9000)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    with Ray(workers=2) as executor:
        yield executor


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graph of some films, with names for three parts of an index."""
    folder = tmp_path_factory.mktemp("ray")
    rows = [f"film {n},directed by,director {n % 300}\n" for n in range(FILMS)]
    (folder / "films.csv").write_text("".join(rows))
    load([folder / "films.csv"], folder / "home" / "graph")
    return folder / "home"


def test_a_cluster_of_ours_has_its_workers_on_loopback_alone(cluster: Executor) -> None:
    import ray

    assert cluster.workers == 2
    assert cluster.local
    (node,) = ray.nodes()
    assert node["NodeManagerAddress"] == "127.0.0.1"
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"


def test_workers_of_our_cluster_have_our_priority(cluster: Executor) -> None:
    assert list(cluster.map(work_of(os.nice), [0])) == [os.nice(0)]


def test_results_of_a_cluster_are_in_order(cluster: Executor, tmp_path: Path) -> None:
    assert list(cluster.map(work_of(square), range(12))) == [n**2 for n in range(12)]
    work: Work[Any, Any] = Work(square, partial(counted, tmp_path))
    found = list(cluster.map(work, range(30)))
    assert [result for result, _ in found] == [n**2 for n in range(30)]
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert made == {f"made-{pid}": "1" for _, pid in found}


def test_errors_of_a_cluster_have_their_item(cluster: Executor) -> None:
    with pytest.raises(PatternError, match="no square of 13") as raised:
        list(cluster.map(work_of(square), [2, 13, 4]))
    assert isinstance(raised.value.__cause__, WorkerError)
    assert raised.value.__cause__.item == 13
    with pytest.raises(WorkerError, match="ZeroDivisionError"):
        list(cluster.map(work_of(square), [17]))


def test_a_cluster_gets_a_few_items_at_a_time_and_can_be_cancelled(cluster: Executor) -> None:
    taken = []

    def items() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = cluster.map(work_of(slow_square), items())
    assert next(results) == 0
    assert len(taken) == AHEAD * cluster.workers
    results.close()
    given_up = cancel.Cancellation()
    with cancel.scope(given_up):
        slow = cluster.map(work_of(partial(slow_square, seconds=5.0)), range(50))
        threading.Timer(0.1, given_up.cancel).start()
        with pytest.raises(SearchCancelled):
            list(slow)


def test_a_worker_that_is_killed_from_outside_loses_nothing(
    cluster: Executor, tmp_path: Path
) -> None:
    work: Work[Any, Any] = Work(square, partial(counted, tmp_path))
    results = cluster.map(work, range(200))
    first = [next(results) for _ in range(20)]
    os.kill(first[0][1], signal.SIGKILL)
    found = [result for result, _ in (*first, *results)]
    assert found == [n**2 for n in range(200)]


@pytest.mark.parametrize("killed", [False, True])
def test_a_cluster_makes_the_same_index_to_the_bit(
    cluster: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: bool
) -> None:
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 5000)  # so there is a scan
    build(tmp_path / "here", NAMES, embedder=DigestEmbedder(64), page=1000)
    make: Any = partial(DigestEmbedder, 64)
    if killed:  # in the middle of its second part
        make = partial(KilledEmbedder, tmp_path, 2, 64)
    embedder = ParallelEmbedder(DigestEmbedder(64), cluster, make)
    report = build(tmp_path / "cluster", NAMES, embedder=embedder, page=1000)
    assert (tmp_path / "killed").exists() is killed
    assert report.embedded == 9001
    assert whole_index(tmp_path / "cluster") == whole_index(tmp_path / "here")


def test_a_worker_that_is_killed_again_and_again_is_an_error(
    cluster: Executor, tmp_path: Path
) -> None:
    work = Work(square, partial(_dies))
    with pytest.raises(WorkerError, match="the same command goes on") as raised:
        list(cluster.map(work, [7]))
    assert raised.value.item == 7
    assert list(cluster.map(work_of(square), [3])) == [9]


def _dies() -> Any:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture(scope="module")
def indexed(cluster: Executor, home: Path) -> Settings:
    """The films' home, which the cluster indexed with the usual model."""
    settings = Settings(home=home)
    make_index(settings, on="ray")  # the one that this process is connected to
    return settings


def test_the_usual_model_gives_the_same_index_on_a_cluster(
    indexed: Settings, tmp_path: Path
) -> None:
    here = indexed.model_copy(update={"home": tmp_path})
    (tmp_path / "graph").symlink_to(indexed.graph_path)
    make_index(here)
    cluster = whole_index(indexed.index_path)
    assert cluster["manifest"].embedder.startswith("all-MiniLM-L6-v2")
    assert len(cluster["vectors"]["nodes"]) == FILMS + 300
    assert cluster == whole_index(here.index_path)


def test_a_cluster_labels_and_asks_the_same(indexed: Settings, tmp_path: Path) -> None:
    asked = [
        Question(f"q{n}", f"who directed film {n}?", (f"film {n}",), (f"director {n}",), None, 1)
        for n in range(6)
    ]
    with Session.open(indexed) as session:
        labels = [
            label_questions(
                session.resources,
                QuestionSet("films", tuple(asked)),
                GsrConfig.of(on=place),
                tmp_path / place,
                ignore,
            )
            for place in ("here", "ray")
        ]
    assert labels[0] == labels[1]
    assert labels[0].report.kept == 6
    lines = [{"question": q.text, "answers": list(q.answers)} for q in asked]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    rows = []
    for place in ("here", "ray"):
        out = tmp_path / f"run-{place}"
        run_eval(
            str(tmp_path / "q.jsonl"), settings=indexed, interpreter="schema", out=out, on=place
        )
        found = [json.loads(line) for line in (out / "rows.jsonl").read_text().splitlines()]
        rows.append([{k: v for k, v in row.items() if k != "stages_ms"} for row in found])
    assert len(rows[0]) == 6
    assert rows[0] == rows[1]


def test_a_cluster_that_was_there_before_stays(cluster: Executor) -> None:
    import ray

    with open_executor("ray") as executor:
        assert list(executor.map(work_of(square), [3])) == [9]
    assert ray.is_initialized()


def test_an_address_without_a_cluster_is_said() -> None:
    """In a process of its own, as this one is connected."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = f"from isomatch.executor import open_executor; open_executor('ray:127.0.0.1:{port}')"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 1
    assert f"no Ray cluster at 127.0.0.1:{port} can be used" in ended.stderr
