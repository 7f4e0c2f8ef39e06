"""The plugin's jar: built by Maven, on a Java that the oldest server runs on too.

`python -m tests.servers.plugin build|verify` is the command line; the second runs its
tests in Java.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.servers import ROOT, ServerFailed, ServerUnavailable
from tests.servers.neo4j_lines import LINES

import isomatch

POM = ROOT / "procedures" / "pom.xml"
GOALS = {"build": ("package", "-DskipTests"), "verify": ("verify",)}


def plugin_jar() -> Path:
    """The jar of this version.

    Raises:
        ServerUnavailable: it is not built.
    """
    jar = POM.parent / "target" / f"isomatch-procedures-{isomatch.__version__}.jar"
    if not jar.is_file():
        raise ServerUnavailable(f"the Neo4j plugin is not built ({jar}): run `make plugin`")
    return jar


def run_maven(goals: Sequence[str]) -> None:
    """Run Maven on the plugin; its output goes where ours goes.

    Raises:
        ServerUnavailable: Java or Maven is missing.
        ServerFailed: it failed.
    """
    # Newer ones run the jar, but the server of its tests is the oldest.
    java = LINES["5.26"].java()
    maven = shutil.which("mvn")
    if maven is None:
        raise ServerUnavailable(
            "Maven (mvn) is needed to build the plugin, and is not on PATH: install it "
            "(apt install maven, brew install maven)"
        )
    environment = {**os.environ, "JAVA_HOME": str(java.executable.parent.parent)}
    done = subprocess.run([maven, "-B", "-q", "-f", str(POM), *goals], env=environment)
    if done.returncode:
        raise ServerFailed(f"Maven failed on {POM}: mvn {' '.join(goals)}")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.servers.plugin", description=__doc__)
    parser.add_argument("action", choices=GOALS)
    parser.add_argument(
        "--if-possible", action="store_true", help="do without Java or Maven, except in CI"
    )
    options = parser.parse_args(arguments)
    try:
        run_maven(GOALS[options.action])
        print(f"the plugin is {plugin_jar().relative_to(ROOT)}")
    except ServerUnavailable as error:
        if options.if_possible and not os.environ.get("CI"):
            print(f"skipped: {error}")
            return 0
        print(f"error: {error}", file=sys.stderr)
        return 1
    except ServerFailed as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
