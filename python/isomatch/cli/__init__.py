"""The command line.

Slow imports are inside the commands, so that ``isomatch --help`` answers at once.
"""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command line and exit."""
    for name in ("stdin", "stdout", "stderr"):
        if getattr(sys, name) is None:  # closed; a file that is opened must not take its place
            setattr(sys, name, open(os.devnull, "r+"))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        # A character that the terminal's encoding lacks must not end a command.
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    try:
        from isomatch.cli.app import app

        app(prog_name="isomatch")
    except KeyboardInterrupt:  # elsewhere typer reports it
        sys.exit(130)
    except Exception as error:
        # Commands report our own errors; any other is a defect.
        if "--debug" in sys.argv or os.environ.get("ISOMATCH_DEBUG"):
            raise
        print(
            f"error: isomatch failed unexpectedly: {type(error).__name__}: {error}\n"
            "Run the command again as `isomatch --debug …`, and report what it prints.",
            file=sys.stderr,
        )
        sys.exit(1)
