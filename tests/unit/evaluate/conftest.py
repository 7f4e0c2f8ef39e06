"""The films, loaded and indexed once for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.unit.evaluate.films import write_films

from isomatch.evaluate import curves, report
from isomatch.questions.dataset_sessions import open_session, settings_for
from isomatch.questions.datasets import read
from isomatch.session import Session
from isomatch.settings import Settings


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the question set."""
    folder = tmp_path_factory.mktemp("films")
    write_films(folder)
    return folder


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder under which graphs and indexes are kept."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(scope="session")
def settings(data: Path, home: Path) -> Settings:
    """Of the graph as a user's own."""
    part = read("metaqa", data)[0]
    open_session(part, home).close()
    return settings_for(part, home)


@pytest.fixture
def session(settings: Settings) -> Iterator[Session]:
    """Over the films."""
    with Session.open(settings) as opened:
        yield opened


@pytest.fixture(autouse=True)
def _without_plots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing takes longer than a run of a few questions: files that test it override this."""
    for pages in (report, curves):
        monkeypatch.setattr(pages, "plots", lambda *_: [])
