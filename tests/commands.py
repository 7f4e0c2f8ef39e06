"""The commands that pages show.

Those of `isomatch` alone run in this process, as one of their own takes two seconds to start;
programs, pipes and redirections have theirs. The README's have one each.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from typer.testing import CliRunner

from isomatch.cli.app import app

OPERATORS = set("();<>|&")


def environment(**more: str) -> dict[str, str]:
    """This process's, without settings of ours, and with `isomatch` on the path."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("ISOMATCH_", "OPENAI_"))}
    return {**kept, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept['PATH']}", **more}


def run_command(command: str, folder: Path, given: Mapping[str, str]) -> str:
    """What a line of a shell prints in a folder; it must end well."""
    words = shlex.shlex(command, posix=True, punctuation_chars=True)
    words.whitespace_split = True
    name, *arguments = words
    if name != "isomatch" or any(OPERATORS.issuperset(word) for word in arguments):
        return run_program(["bash", "-c", command], folder, given)
    without = {key: None for key in os.environ if key not in given}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        done = CliRunner().invoke(
            app, arguments, prog_name=name, env={**without, **given}, catch_exceptions=False
        )
    assert done.exit_code == 0, (command, done.stderr, done.stdout)
    return done.stdout


def run_program(words: Sequence[str], folder: Path, given: Mapping[str, str]) -> str:
    """What a program prints, in a process of its own."""
    done = subprocess.run(words, cwd=folder, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr, done.stdout)
    return done.stdout
