"""A server of the tests: one process, known by a file with its id, and a home folder."""

from __future__ import annotations

import os
import subprocess
from abc import ABC, abstractmethod
from pathlib import Path

from tests.servers.ports import refuse_taken
from tests.servers.process import end, end_with_parent, is_running
from typing_extensions import Self


class Server(ABC):
    """A server on loopback; a context manager that starts and stops it.

    Args:
        home: folder for its files; made if missing. Another object over the same home finds
            the process that the last one started.
        brief: made for minutes, as in tests: ends with this process, even when that is
            killed (on Linux).
    """

    longest_start = 120.0
    """Seconds that `start` waits."""

    def __init__(self, home: Path, *, brief: bool) -> None:
        self.home = home.resolve()
        self.brief = brief
        self._process: subprocess.Popen[bytes] | None = None

    @property
    @abstractmethod
    def pid_file(self) -> Path:
        """Where the process id is kept."""

    @property
    @abstractmethod
    def _console(self) -> Path:
        """What the server prints."""

    @property
    @abstractmethod
    def _mark(self) -> str:
        """A part of its command line that no other process has."""

    @property
    @abstractmethod
    def _ports(self) -> tuple[int, ...]:
        """On which it listens."""

    @property
    def _environment(self) -> dict[str, str]:
        """The environment that it runs in."""
        return dict(os.environ)

    @abstractmethod
    def _command(self) -> list[str]:
        """Prepare the home; what starts the server there.

        Raises:
            ServerUnavailable: this machine lacks what it needs.
        """

    @abstractmethod
    def _wait(self, timeout: float) -> None:
        """Wait until it answers; ServerFailed where it does not."""

    @property
    def pid(self) -> int | None:
        """Process id while the server runs, whoever started it; else None."""
        if self._process is not None:
            self._process.poll()  # an ended child is not left over as a zombie
        try:
            pid = int(self.pid_file.read_text(encoding="ascii"))
        except (FileNotFoundError, ValueError):
            return None
        return pid if is_running(pid, self._mark) else None

    def start(self, timeout: float | None = None) -> Self:
        """Start and wait until it answers queries; nothing where it runs already.

        Raises:
            ServerUnavailable: this machine lacks what it needs.
            ServerFailed: it ended, or did not answer within ``timeout`` seconds.
        """
        if self.pid is not None:
            return self
        for port in self._ports:
            refuse_taken(port)
        self.home.mkdir(parents=True, exist_ok=True)
        command = self._command()
        with open(self._console, "wb") as console:
            # In a session of its own, so that Ctrl-C in a terminal does not reach it.
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                cwd=self.home,
                start_new_session=True,
                env=self._environment,
                preexec_fn=end_with_parent if self.brief else None,
            )
        self.pid_file.write_text(f"{self._process.pid}\n", encoding="ascii")
        try:
            self._wait(self.longest_start if timeout is None else timeout)
        except BaseException:
            self.stop(grace=5.0)
            raise
        return self

    def stop(self, grace: float = 30.0) -> None:
        """End the process by its id, and wait until it has ended."""
        pid = self.pid
        if pid is not None:
            end(pid, self._mark, grace)
        if self._process is not None:
            self._process.wait()
            self._process = None
        self.pid_file.unlink(missing_ok=True)

    def log(self, lines: int = 30) -> str:
        """The last lines of what it printed."""
        return last_lines(self._console, lines)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def last_lines(path: Path, lines: int) -> str:
    """The name of a file and its last lines; empty where there is none."""
    if not path.exists():
        return ""
    text = path.read_text(encoding="utf-8", errors="replace")
    return "\n".join([f"{path}:", *text.splitlines()[-lines:]])
