"""Processes by id, signalled only while they are still what we started."""

from __future__ import annotations

import contextlib
import ctypes
import ipaddress
import os
import signal
import subprocess
import sys
import time
from pathlib import Path


def is_running(pid: int, mark: str) -> bool:
    """Whether process ``pid`` lives and has ``mark`` in its command line.

    A process id is given anew after its process ended, so a pid file alone proves
    nothing. A process that ended and was not waited for counts as ended.
    """
    return mark in command_line(pid)


def command_line(pid: int) -> str:
    """The arguments of a process, joined by spaces; empty when it has ended."""
    if Path("/proc/self/cmdline").exists():
        try:
            return (
                Path(f"/proc/{pid}/cmdline")
                .read_bytes()
                .decode(errors="replace")
                .replace("\0", " ")
            )
        except OSError:  # no such process, or it ended while we read
            return ""
    shown = subprocess.run(
        ["ps", "-ww", "-o", "command=", "-p", str(pid)], capture_output=True, text=True
    )
    return shown.stdout


def end(pid: int, mark: str, grace: float) -> None:
    """SIGTERM, and SIGKILL where that did not end the process within ``grace`` seconds."""
    for number, patience in ((signal.SIGTERM, grace), (signal.SIGKILL, 10.0)):
        if not is_running(pid, mark):
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
        until = time.monotonic() + patience
        while is_running(pid, mark) and time.monotonic() < until:
            time.sleep(0.1)


def end_with_parent() -> None:
    """In a child before it becomes another program: SIGTERM when its parent ends (Linux).

    A test run that is killed cannot end its servers itself.
    """
    if sys.platform == "linux":
        pr_set_pdeathsig = 1  # <linux/prctl.h>
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def listening(pid: int) -> set[tuple[str, int]]:
    """Addresses and ports on which a process accepts TCP connections, by Linux's tables.

    Raises:
        FileNotFoundError: the system has no ``/proc``, or the process has ended.
    """
    ours = set()
    for path in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # a file that was closed meanwhile
            ours.add(os.readlink(path))
    found = set()
    for name in ("tcp", "tcp6"):
        table = Path(f"/proc/{pid}/net/{name}")
        for row in table.read_text().splitlines()[1:] if table.exists() else ():
            fields = row.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in ours:  # 0A: LISTEN
                host, port = fields[1].split(":")
                found.add((_address(host), int(port, 16)))
    return found


def _address(host: str) -> str:
    """`0100007F` → `127.0.0.1`: words of four bytes, each in the machine's (little) order."""
    words = bytes.fromhex(host)
    packed = b"".join(words[i : i + 4][::-1] for i in range(0, len(words), 4))
    address = ipaddress.ip_address(packed)
    return str(getattr(address, "ipv4_mapped", None) or address)
