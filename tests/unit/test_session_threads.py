"""One session, used by many threads at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from isomatch import Session, Settings
from isomatch.factories import make_index
from isomatch.store.load import load

THREADS = 8
ROUNDS = 12
FILMS = 40
PATTERNS = [f'(?f:film)-[directed by]-("Director {n}")' for n in range(8)]
QUESTIONS = [f"which films did Director {n} direct?" for n in range(4)]


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """A graph of films on disk, with its index."""
    home = tmp_path_factory.mktemp("threads")
    lines = []
    for film in range(FILMS):
        iri = f"<http://e.test/film{film}>"
        director = f"<http://e.test/director{film % 8}>"
        lines += [
            f"{iri} <http://e.test/directed_by> {director} .",
            f"{iri} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://e.test/Film> .",
            f'{iri} <http://www.w3.org/2000/01/rdf-schema#label> "Film {film}" .',
            f'{director} <http://www.w3.org/2000/01/rdf-schema#label> "Director {film % 8}" .',
        ]
    graph = home / "films.nt"
    graph.write_text("\n".join(lines), encoding="utf-8")
    settings = Settings(home=home / "home")
    load([graph], settings.graph_path)
    make_index(settings)
    return settings


@pytest.fixture
def session(settings: Settings) -> Iterator[Session]:
    """Fresh for each test, so that nothing is loaded before the threads start."""
    with Session.open(settings) as opened:
        yield opened


def found(session: Session, pattern: str) -> list[tuple[float, list[str]]]:
    result = session.match(pattern, k=3)
    return [
        (i.gsd, sorted(m.bindings["f"].name for m in i.matches)) for i in result.interpretations
    ]


def test_threads_get_what_one_after_the_other_gets(session: Session, settings: Settings) -> None:
    with Session.open(settings) as alone:
        expected = {pattern: found(alone, pattern) for pattern in PATTERNS}
    assert expected[PATTERNS[3]][0][1] == [
        f"Film {n}" for n in sorted(map(str, range(3, FILMS, 8)))
    ]
    together = Barrier(THREADS)

    def work(number: int) -> list[str]:
        together.wait()  # the first round loads the model and opens the shards in all at once
        wrong = []
        for turn in range(ROUNDS):
            pattern = PATTERNS[(number + turn) % len(PATTERNS)]
            if found(session, pattern) != expected[pattern]:
                wrong.append(pattern)
        return wrong

    with ThreadPoolExecutor(THREADS) as pool:
        assert [wrong for some in pool.map(work, range(THREADS)) for wrong in some] == []


def test_threads_may_ask_questions(session: Session) -> None:
    together = Barrier(THREADS)

    def work(number: int) -> tuple[str, ...]:
        together.wait()
        answer = session.ask(QUESTIONS[number % len(QUESTIONS)])
        return tuple(sorted(node.name for node in answer.result.answers()))

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(work, range(THREADS)))
    for number, names in enumerate(answers):
        assert names == answers[number % len(QUESTIONS)]
        assert f"Film {number % len(QUESTIONS)}" in names
    assert len(set(answers)) == len(QUESTIONS)


def test_asynchronous_matches_run_side_by_side(session: Session) -> None:
    async def all_of_them() -> list[int]:
        results = await asyncio.gather(*(session.amatch(p) for p in PATTERNS * 3))
        return [len(list(r.answers())) for r in results]

    assert asyncio.run(all_of_them()) == [FILMS // 8] * (3 * len(PATTERNS))
