"""`isomatch train`: from a graph and a few questions to a model that `ask` finds."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import pytest
from tests.needs import needs
from tests.servers.process import end_with_parent
from tests.unit.learn.gsr.tiny import bert, t5
from typer.testing import CliRunner

from isomatch import PatternRetriever
from isomatch.cli.app import app
from isomatch.factories import make_index
from isomatch.session import Session
from isomatch.settings import Settings
from isomatch.store.load import load
from isomatch.trained.artifact import read_config

needs("train", "torch", "transformers", "safetensors", "onnx", "matplotlib")

FILMS = {
    "Heat": ("Michael Mann", "Al Pacino", "crime"),
    "Ali": ("Michael Mann", "Will Smith", "drama"),
    "Thief": ("Michael Mann", "James Caan", "crime"),
    "Collateral": ("Michael Mann", "Tom Cruise", "crime"),
    "Serpico": ("Sidney Lumet", "Al Pacino", "drama"),
    "Network": ("Sidney Lumet", "Faye Dunaway", "satire"),
    "Ronin": ("John Frankenheimer", "Robert De Niro", "action"),
    "Seconds": ("John Frankenheimer", "Rock Hudson", "horror"),
    "Alien": ("Ridley Scott", "Sigourney Weaver", "horror"),
    "Gladiator": ("Ridley Scott", "Russell Crowe", "action"),
}
RELATIONS = ("directed by", "starring", "genre")
QUESTIONS = [
    *({"question": f"who directed {f}?", "answers": [d]} for f, (d, _, _) in FILMS.items()),
    *({"question": f"who starred in {f}?", "answers": [a]} for f, (_, a, _) in FILMS.items()),
    *({"question": f"what genre is {f}?", "answers": [g]} for f, (_, _, g) in FILMS.items()),
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("train")
    rows = [
        f"{f},{r},{o}" for f, ends in FILMS.items() for r, o in zip(RELATIONS, ends, strict=True)
    ]
    (folder / "films.csv").write_text("\n".join(rows) + "\n")
    settings = Settings(home=folder / "home")
    load([folder / "films.csv"], settings.graph_path)
    make_index(settings)
    lines = [json.dumps(question) for question in QUESTIONS]
    lines += ["{", json.dumps({"question": "who?", "answers": []}), lines[0]]
    lines += [json.dumps({"question": "who directed Heat so well?", "answers": ["Nobody"]})]
    (folder / "questions.jsonl").write_text("\n".join(lines))
    return settings.home


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(map(str, arguments)), prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def trained(home: Path) -> str:
    """What the command printed; the README trains the usual network, which takes a minute."""
    code, out, err = run(
        *("train", "gsr", "--questions", home.parent / "questions.jsonl", "--synthetic", 30),
        *("--backbone", bert(home.parent / "bert"), "--epochs", 25, "--rate", 0.005),
        *("--home", home),
    )
    assert code == 0, err
    return out


def test_it_says_what_was_labelled_trained_and_what_to_do_next(trained: str, home: Path) -> None:
    told = " ".join(trained.split())
    assert "left out: malformed 1" in told
    assert "left out: empty answers 1" in told
    assert "left out: duplicate 1" in told
    assert "left out: unknown answer 1" in told
    assert "kept 30" in told
    assert "trained on: weak 30" in told
    assert "trained on: synthetic" in told
    assert "trained on: index" in told
    assert str(home / "models" / "gsr") in trained
    assert trained.splitlines()[-1] == "Next: isomatch ask 'QUESTION'"


def test_ask_finds_the_model_and_says_so(trained: str, home: Path) -> None:
    with Session.open(home=home) as session:
        answer = session.ask("who directed Serpico?")
        assert [node.name for node in answer.answers] == ["Sidney Lumet"]
        assert answer.hypothesis
        assert answer.hypothesis.source == "gsr"
        assert answer.notes[0] == f"read by the trained model in {home / 'models' / 'gsr'}"
        by_chain = session.ask("who directed Serpico?", interpreter="gsr", retriever="chain")
        assert by_chain.text == answer.text
        retriever = PatternRetriever(session, interpreter="gsr")
        found = retriever.search(query_text="what genre is Ronin?", top_k=1)
        assert found.items[0].content == "Ronin | genre | action"


def test_what_it_learned_is_in_the_folder(trained: str, home: Path) -> None:
    folder = home / "models" / "gsr"
    config = read_config(folder)
    assert config.complete
    assert config.seed == 2014
    data = json.loads((folder / "metrics.json").read_text())["data"]
    assert data["labels"]["kept"] == 30
    assert data["examples"]["weak"] == 30
    assert data["problems"]["malformed"] == 1
    assert not (folder / "checkpoint").exists()
    assert list((home / "cache" / "train").iterdir()) == []
    assert config.training["questions_from"]["set"] == "questions.jsonl"


def test_an_answer_by_it_needs_no_torch(trained: str, home: Path) -> None:
    code = (
        "import sys\nfrom isomatch import Session\n"
        f"with Session.open(home={str(home)!r}) as session:\n"
        "    print(session.ask('who starred in Alien?', interpreter='gsr').text)\n"
        "print([m for m in ('torch', 'transformers', 'onnx', 'matplotlib') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["Sigourney Weaver.", "[]"]


def test_strict_stops_at_the_first_line_that_is_wrong(home: Path) -> None:
    file = home.parent / "questions.jsonl"
    code, _, err = run("train", "gsr", "--questions", file, "--strict", "--home", home)
    assert code == 4
    assert f"{file}, line 31: no JSON" in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gsr",), "there is nothing to train on: give questions (--questions)"),
        (("triples",), "learns from questions with their answers: give --questions"),
        (("chains",), "'chains' is not one of 'gsr', 'programs', 'triples'"),
        (("gsr", "--rule", "best"), "'best' is not one of 'filtered', 'raw', 'one', 'model'"),
        (("triples", "--synthetic", "9"), "are for isomatch train gsr"),
        (("gsr", "--questions", "none.jsonl"), "no file 'none.jsonl'"),
        (("gsr", "--synthetic", "9", "--reword"), "needs a language model: set ISOMATCH_MODEL"),
    ],
)
def test_what_cannot_be_done_is_said(home: Path, arguments: tuple[str, ...], words: str) -> None:
    code, out, err = run("train", *arguments, "--home", home)
    assert (code, out) == (2, "")
    assert words in err


def test_questions_about_another_graph_are_refused(home: Path, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"question": "who?", "topics": ["X"], "answers": ["Y"]}')
    code, _, err = run("train", "gsr", "--questions", tmp_path / "q.jsonl", "--home", home)
    assert code == 2
    assert "none of the 1 questions" in err
    assert "the graph has no node named 'X'" in err


def test_triples_are_scored_after_training(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "triples"
    code, printed, err = run(
        *("train", "triples", "--questions", home.parent / "questions.jsonl", "--epochs", 3),
        *("--rate", 0.005, "--out", out, "--home", home),
    )
    assert code == 0, err
    assert f"--retriever triples --model {out}" in " ".join(printed.split())
    config = read_config(out)
    assert (config.kind, config.complete, config.training["rate"]) == ("triples", True, 0.005)
    assert config.training["questions"] >= 20
    with Session.open(home=home, triples_model=out) as session:
        answer = session.ask("who directed Serpico?", retriever="triples")
    assert any("Sidney Lumet" in str(evidence.triple) for evidence in answer.evidence)


def test_ctrl_c_says_what_was_kept(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "gsr"
    command = [sys.executable, "-c", "from isomatch.cli import main; main()", "train", "gsr"]
    command += ["--synthetic", "40", "--freeze", "--backbone", t5(tmp_path / "t5")]
    command += ["--epochs", "100000", "--out", str(out), "--home", str(home)]
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, preexec_fn=heeding_ctrl_c
    ) as process:
        try:
            while not (out / "checkpoint" / "state.pt").exists() and process.poll() is None:
                sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate()
        finally:
            process.kill()
    assert process.returncode == 130, err
    assert f"what was learnt by then is in {out}, and can be used" in err
    assert not read_config(out).complete


def heeding_ctrl_c() -> None:
    """In a child: Ctrl-C ends it. What a shell starts in the background ignores it, and so do
    the children of that.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    end_with_parent()
