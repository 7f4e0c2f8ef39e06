"""`isomatch perturb` from the command line to the copy."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from tests.unit.evaluate.test_evaluate_cli import run
from tests.unit.perturb.films import make_films

from isomatch.perturb import predictor
from isomatch.settings import Settings


@pytest.fixture
def home(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    """A folder of its own with a graph and its index."""
    shutil.copytree(make_films(tmp_path_factory).home, tmp_path / "home")
    return tmp_path / "home"


@pytest.fixture(autouse=True)
def _without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its import takes ten seconds: the predictor has tests of its own."""
    monkeypatch.setattr("isomatch.perturb.copies.find_spec", lambda _: None)


def test_copies_are_made_measured_and_can_be_asked(home: Path):
    code, out, err = run("perturb", "RS:0.5", "ED:0.5", "--home", home)
    assert (code, err) == (0, "")
    assert re.search(r"graph +– +1\.000 +1\.000", out)
    assert re.search(r"RS:0\.5 +18 of 38 +– +[01]\.\d+ +1\.000", out)
    assert re.search(r"ED:0\.5 +19 of 38 +– +[01]\.\d+ +0\.\d+", out)
    assert "ATS needs torch: pip install 'isomatch[train]'" in out
    folder = re.search(r"(\S+/ED-0\.5-\S+)", out)
    assert folder is not None
    code, out, _ = run("match", "(?f)-[year]->(?y)", "--home", folder[1])
    assert code == 0
    assert "home" in {path.name for path in Path(folder[1]).parents}


def test_json_has_likeness_and_folder(home: Path):
    code, out, _ = run("perturb", "RS:0.5", "--seed", 5, "--home", home, "--json")
    found = json.loads(out)
    assert code == 0
    assert found["graph"] == {"ats": None, "sc2d": 1.0, "sd2": 1.0}
    (copy,) = found["copies"]
    assert (copy["method"], copy["level"], copy["seed"]) == ("RS", 0.5, 5)
    assert copy["likeness"]["sd2"] == 1.0
    assert Settings(home=copy["home"]).index_path.is_dir()


def test_a_likeness_without_ats_is_measured_again_with_it(
    home: Path, monkeypatch: pytest.MonkeyPatch
):
    from tests.unit.perturb.graphs import FixedPredictor

    run("perturb", "RS:0.5", "--home", home)
    monkeypatch.setattr("isomatch.perturb.copies.find_spec", lambda _: "torch")
    fixed = FixedPredictor()
    fixed.write = lambda path: None  # type: ignore[attr-defined]
    monkeypatch.setattr(predictor, "train", lambda facts, progress: fixed)
    _, out, _ = run("perturb", "RS:0.5", "--home", home, "--json")
    assert 0 < json.loads(out)["copies"][0]["likeness"]["ats"] < 1
    assert 0 < json.loads(out)["graph"]["ats"] < 1


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("RS:2", 2, "from 0 to 1, not 2"),
        ("RS:nan", 2, "no number"),
        ("XY:0.1", 2, "no perturbation is called 'XY'"),
        ("RS", 2, "expected a method and a level"),
        ("ED:0.001", 2, "the level is too low"),
    ],
)
def test_wrong_arguments_are_refused(home: Path, text: str, code: int, words: str):
    found, _, err = run("perturb", text, "--home", home)
    assert found == code
    assert words in err


def test_a_database_that_is_no_embedded_graph_is_refused(home: Path, monkeypatch):
    monkeypatch.setenv("NEO4J_URI", "bolt://localhost:1")
    code, _, err = run("perturb", "RS:0.2", "--home", home)
    assert code == 2
    assert "copy of an embedded graph" in err
