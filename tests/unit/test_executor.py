"""The executor: results in order, errors with their items, an end when nobody waits."""

from __future__ import annotations

import builtins
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.unit.link.tiny_index import DigestEmbedder, Name, build
from tests.workers import counted, killed_once, slow_square, square, whole_index, work_of

from isomatch import cancel
from isomatch.errors import (
    ConfigurationError,
    EmbeddingError,
    MissingExtraError,
    PatternError,
    SearchCancelled,
    WorkerError,
)
from isomatch.executor import AHEAD, Executor, Here, Processes, Work, check_place, open_executor
from isomatch.link.parts import ParallelEmbedder

SLOW = work_of(slow_square)


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with open_executor("processes:2") as executor:
        yield executor


@pytest.fixture(params=["here", "processes"])
def executor(request: pytest.FixtureRequest, processes: Executor) -> Executor:
    return Here() if request.param == "here" else processes


def test_results_are_in_the_order_of_the_items(executor: Executor) -> None:
    assert list(executor.map(work_of(square), range(12))) == [n**2 for n in range(12)]
    assert list(executor.map(work_of(square), [])) == []


def test_an_error_of_ours_is_raised_as_it_was(executor: Executor) -> None:
    results = executor.map(work_of(square), [2, 13, 4])
    assert next(results) == 4
    with pytest.raises(PatternError, match="no square of 13") as raised:
        next(results)
    assert (raised.value.text, raised.value.position) == ("13", 0)
    if isinstance(executor, Processes):
        cause = raised.value.__cause__
        assert isinstance(cause, WorkerError)
        assert cause.item == 13
        assert "workers.py" in str(cause), "the worker's own traceback"


def test_another_error_says_on_which_item(processes: Executor) -> None:
    with pytest.raises(WorkerError, match=r"failed on 17:(.|\n)*ZeroDivisionError") as raised:
        list(processes.map(work_of(square), [16, 17]))
    assert raised.value.item == 17
    assert list(processes.map(work_of(square), [3])) == [9], "the workers are still there"


def test_only_a_few_items_are_given_out_at_a_time(processes: Executor) -> None:
    taken = []

    def items() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = processes.map(SLOW, items())
    assert next(results) == 0
    assert len(taken) == AHEAD * processes.workers
    results.close()  # type: ignore[attr-defined]
    assert len(taken) == AHEAD * processes.workers


def test_work_is_made_once_a_process(processes: Executor, tmp_path: Path) -> None:
    work: Work[int, tuple[int, int]] = Work(square, partial(counted, tmp_path))  # type: ignore[arg-type]
    found = list(processes.map(work, range(20)))
    assert [result for result, _ in found] == [n**2 for n in range(20)]
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert made == {f"made-{pid}": "1" for _, pid in found}


def test_a_cancellation_ends_the_wait(processes: Executor) -> None:
    given_up = cancel.Cancellation()
    with cancel.scope(given_up):
        results = processes.map(work_of(partial(slow_square, seconds=2.0)), range(50))
        threading.Timer(0.1, given_up.cancel).start()
        with pytest.raises(SearchCancelled):
            list(results)
    assert list(processes.map(work_of(square), [3])) == [9]


def test_a_killed_local_worker_is_an_error_with_its_item(tmp_path: Path) -> None:
    work = Work(square, partial(killed_once, tmp_path, square, 2))
    with (
        open_executor("processes:1") as executor,
        pytest.raises(WorkerError, match="the same command goes on") as raised,
    ):
        list(executor.map(work, range(5)))
    assert raised.value.item in (0, 1), "the pool does not say which of those given out"


@pytest.mark.parametrize("place", ["here", "processes", "processes:3", "ray", "ray:10.0.0.7:6379"])
def test_known_places_are_taken_as_given(place: str) -> None:
    assert check_place(place) == place


@pytest.mark.parametrize("place", ["", "there", "here:2", "processes:", "processes:0", "ray:"])
def test_another_place_is_refused_with_the_right_forms(place: str) -> None:
    expected = r"--on must be here, processes\[:NUMBER\] or ray\[:ADDRESS\], not "
    with pytest.raises(ConfigurationError, match=expected):
        open_executor(place)


def test_without_ray_the_command_that_installs_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    imported = builtins.__import__

    def without_ray(name: str, *given: Any) -> Any:
        if name == "ray":
            raise ImportError(name)
        return imported(name, *given)

    monkeypatch.setattr(builtins, "__import__", without_ray)
    monkeypatch.setenv("RAY_ADDRESS", "nowhere:1")  # and no variable is set for a cluster
    with pytest.raises(MissingExtraError, match=r"pip install 'isomatch\[ray\]'"):
        open_executor("ray")


NAMES = [Name(f"urn:{n}", f"name {n}") for n in range(6000)]


def test_local_processes_make_the_same_index_to_the_bit(
    processes: Executor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 5000)  # so there is a scan
    make = partial(DigestEmbedder, 64)
    build(tmp_path / "here", NAMES, embedder=make(), page=1000)
    embedder = ParallelEmbedder(make(), processes, make)
    report = build(tmp_path / "workers", NAMES, embedder=embedder, page=1000)
    assert report.embedded == 6001
    assert embedder.embedder.embedded == [], "this process embedded nothing"
    found = whole_index(tmp_path / "workers")
    assert len(found["vectors"]["nodes"]) == 6000
    assert {"g1/names.db", "g1/vectors/scans/nodes/vectors.f32"} < found["files"].keys()
    assert found == whole_index(tmp_path / "here")


def test_a_build_that_a_worker_failed_goes_on(processes: Executor, tmp_path: Path) -> None:
    failing = partial(DigestEmbedder, fail_after=2500)
    with pytest.raises(WorkerError, match="stopped here"):
        build(tmp_path / "a", NAMES, embedder=ParallelEmbedder(failing(), processes, failing))
    again = ParallelEmbedder(DigestEmbedder(), processes, DigestEmbedder)
    assert build(tmp_path / "a", NAMES, embedder=again).resumed
    build(tmp_path / "b", NAMES)
    assert whole_index(tmp_path / "a")["vectors"] == whole_index(tmp_path / "b")["vectors"]


def test_workers_with_another_embedder_are_refused(processes: Executor, tmp_path: Path) -> None:
    other = partial(DigestEmbedder, name="digest@2")
    with pytest.raises(EmbeddingError, match="has the embedder 'digest@2'"):
        build(tmp_path, NAMES, embedder=ParallelEmbedder(DigestEmbedder(), processes, other))
