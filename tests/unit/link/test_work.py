"""How many vectors a search says that it compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from tests.unit.link.tiny_index import DigestEmbedder, Name, build

from isomatch.factories import make_index
from isomatch.link.index import Index
from isomatch.link.scan import Scan
from isomatch.link.work import compared, counted
from isomatch.output.json import profile_form
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load

FACTS = """Heat,directed by,Michael Mann
Ali,directed by,Michael Mann
Thief,directed by,Michael Mann
Heat,starring,Al Pacino
"""


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    (tmp_path / "films.csv").write_text(FACTS)
    settings = Settings(home=tmp_path / "home")
    load([tmp_path / "films.csv"], settings.graph_path)
    make_index(settings)
    with Session.open(settings) as opened:
        yield opened


def test_who_counts_outside_has_what_is_counted_inside() -> None:
    compared(1)  # nobody counts
    with counted() as outer:
        compared(2)
        with counted() as inner:
            compared(3)
        compared(4)
    assert (inner.vectors, outer.vectors) == (3, 9)


def test_a_profile_has_the_vectors_of_its_search_alone(session: Session) -> None:
    nodes, relations = session.index.count("nodes"), session.index.count("relations")
    first = session.match('(?f)-[directed by]-("Michael Mann")').profile
    assert first.vectors_read == nodes + relations
    assert profile_form(first)["vectors_read"] == nodes + relations
    assert session.match('(?f)-[directed by]-("Michael Mann")').profile.vectors_read == 0
    half = session.match('(?f)-[directed by]-("Al Pacino")').profile
    assert half.vectors_read == nodes  # the relation's list is remembered


def test_parts_and_optional_parts_count_once(session: Session) -> None:
    pattern = '(?f)-[starring]-("Al Pacino") without { (?f)-[directed by]-("Michael Mann") }'
    nodes, relations = session.index.count("nodes"), session.index.count("relations")
    assert session.match(pattern).profile.vectors_read == 2 * (nodes + relations)


def test_a_scan_counts_what_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("isomatch.link.build.APPROXIMATE_FROM", 1000)
    embedder = DigestEmbedder(16)
    build(tmp_path, [Name(f"urn:{n}", f"name {n}") for n in range(2000)], embedder=embedder)
    with Index.open(tmp_path, embedder=embedder) as index:
        query = embedder.embed(["name 3"])
        with counted() as work:
            ((points, _),) = index.search("nodes", query, 16)
        (segments,) = index._vectors._scans.values()
        scan = segments.base
        assert isinstance(scan, Scan)
        assert 16 <= work.vectors == scan.read < 2000
        with counted() as work:
            few = points.tolist()
            index.search("nodes", np.concatenate([query, query]), 5, within=[few[:2], few[5:8]])
        assert work.vectors == 5
