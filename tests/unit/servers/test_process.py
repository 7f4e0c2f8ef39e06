"""Only a process that is still ours is signalled."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests.servers import ROOT
from tests.servers.process import command_line, end, is_running

PATIENT = "import time; print(flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {PATIENT}"
SILENT = "import time; time.sleep(60)"
PARENT = """
import subprocess, sys, time
from tests.servers.process import end_with_parent
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], preexec_fn=end_with_parent)
print(child.pid, flush=True)
time.sleep(60)
"""


def _start(script: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", script, "--home=/a b"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    return process


def test_a_stranger_under_the_same_id_is_left_alone() -> None:
    with _start(PATIENT) as process:
        assert is_running(process.pid, "--home=/a b")
        end(process.pid, "--home=/other", grace=5)
        assert process.poll() is None
        end(process.pid, "--home=/a b", grace=5)
        assert process.wait() == -15


def test_one_that_ignores_the_signal_is_killed() -> None:
    with _start(STUBBORN) as process:
        end(process.pid, "--home=/a b", grace=0.2)
        assert process.wait() == -9


def test_an_ended_process_is_not_running() -> None:
    process = _start("print(flush=True)")
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # ended, and not yet waited for
    assert command_line(process.pid) == ""
    assert not is_running(process.pid, "--home=/a b")
    process.communicate()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of it")
def test_a_child_can_end_with_a_killed_parent() -> None:
    command = [sys.executable, "-c", PARENT, SILENT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_running(child, SILENT)
        parent.kill()
        parent.stdout.read()  # its other end is the child's too: this waits for both
    assert not is_running(child, SILENT)
