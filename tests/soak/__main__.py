"""The command line: a run, its table, and exit status 1 where a bound is broken."""

from __future__ import annotations

import argparse
import asyncio
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import monotonic

from tests.bench.rows import Row, row, table, write
from tests.bench.service import serving
from tests.servers import ROOT, ServerFailed, ServerUnavailable
from tests.servers.ports import LOOPBACK
from tests.soak.graphs import made, write_config
from tests.soak.phases import LAST, LEAVER, LOADING, OF_SERVERS, PHASES, Run, silent_model
from tests.soak.questions import questions_of
from tests.soak.traffic import Traffic

from isomatch.serve.keys import KeyFile

REQUESTS = 10_000  # that ten minutes of fifty clients must at least have
REQUEST_SECONDS = 15.0
LONG = 5.0  # minutes, from which on memory must not grow: until then models are loaded


def main(arguments: Sequence[str] | None = None) -> int:
    """Run it; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="of traffic, about")
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--embedded", action="store_true", help="without Neo4j and Fuseki")
    parser.add_argument("--json", type=Path, default=ROOT / "soak.json", help="file of the rows")
    options = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp(prefix="isomatch-soak-"))
    try:
        rows = soak(folder, options.minutes, options.clients, servers=not options.embedded)
    except (ServerUnavailable, ServerFailed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(table(rows))
    write(rows, options.json)
    return 1 if any(one.ok is False for one in rows) else 0


def soak(folder: Path, minutes: float, clients: int, *, servers: bool) -> list[Row]:
    """The rows of one run.

    Raises:
        ServerUnavailable: this machine lacks what the servers need.
    """
    with socket.create_server((LOOPBACK, 0)) as listener:
        model = f"http://{LOOPBACK}:{listener.getsockname()[1]}/v1"
        with made(folder, model, servers=servers) as served:
            questions = [q for g in served.graphs for q in questions_of(g, events=_has_events())]
            keys = folder / "keys.json"
            write_config(
                folder, served.graphs, seconds=REQUEST_SECONDS, waiting=200, keys_file=str(keys)
            )
            file = KeyFile(keys)
            ours, leaver = file.add("soak"), file.add(LEAVER)
            with serving(None, folder=folder) as (url, process):
                traffic = Traffic(url, questions, ours)
                run = Run(folder, served, traffic, process, questions, leaver, REQUEST_SECONDS)
                memory = asyncio.run(_run(run, listener, minutes * 60, clients))
    return list(_rows(run, memory, minutes, clients))


def _has_events() -> bool:
    """Whether the service sends answers in pieces."""
    return (ROOT / "python/isomatch/serve/events.py").exists()


async def _run(run: Run, listener: socket.socket, seconds: float, clients: int) -> list[int]:
    """All phases under traffic; what memory the service had, once a second."""
    traffic, memory = run.traffic, []

    async def watch() -> None:
        while (used := resident(run.service)) and traffic.phase != LAST:
            if traffic.phase != LOADING:
                memory.append(used)
            await asyncio.sleep(1)

    async def phases() -> None:
        for name, (share, act) in PHASES.items():
            if name in OF_SERVERS and run.served.neo4j is None:
                continue
            traffic.phase, began = name, monotonic()
            try:
                await act(run, share * seconds)
            except Exception as error:  # the next phases are worth having
                run.must(False, f"{type(error).__name__}: {error}")
            mebibytes = resident(run.service) >> 20
            words = f"{name}: {monotonic() - began:.0f} s, then {mebibytes} MiB of memory"
            print(words, file=sys.stderr, flush=True)
        traffic.end()

    async with silent_model(listener):
        tasks = [traffic.client(number) for number in range(clients)]
        await asyncio.gather(phases(), watch(), *tasks)
    return memory


def resident(process: subprocess.Popen[str]) -> int:
    """Bytes that a process has in memory (Linux); 0 when it has ended."""
    try:
        status = Path(f"/proc/{process.pid}/status").read_text()
    except FileNotFoundError:
        return 0
    sizes = [line.split()[1] for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(sizes[0]) * 1024 if sizes else 0


def _rows(run: Run, memory: Sequence[int], minutes: float, clients: int) -> list[Row]:
    traffic = run.traffic
    least = int(REQUESTS * minutes / 10 * min(clients, 50) / 50)
    graphs = ", ".join(graph.name for graph in run.served.graphs)
    rows = [
        row(
            "requests",
            sum(traffic.counts.values()),
            "",
            at_least=least,
            note=f"{clients} clients, {minutes:g} minutes and what phases took longer; {graphs}; "
            "indexes by the embedded engine of Qdrant",
        )
    ]
    counted = {
        "wrong": "wrong",
        "partial, and does not say so": "silent",
        "for another graph": "misdirected",
        "5xx and other failures that nothing explains": "failure",
        "in flight at SIGTERM that got no answer": "cut",
    }
    shown = "; ".join(traffic.bad)
    for name, verdict in counted.items():
        rows.append(row(name, traffic.of(verdict), "", at_most=0))  # type: ignore[arg-type]
    third = len(memory) // 3
    last, second = median(memory[2 * third :]), median(memory[third : 2 * third])
    rows.append(
        row(
            "memory of the service: last third to second third",
            last / 2**20,
            "MiB",
            baseline=second / 2**20,
            ratio_at_most=1.05 if minutes >= LONG else None,
            note=f"medians; at most {max(memory) / 2**20:.0f} MiB",
        )
    )
    complaints = "; ".join(run.complaints)
    rows.append(row("what did not go as it must", len(run.complaints), "", at_most=0))
    for phase in PHASES:
        told = [traffic.of(v, phase=phase) for v in ("right", "busy", "fault", "partial")]  # type: ignore[arg-type]
        note = "{} right, {} busy, {} refused as the fault explains, {} partial that say so"
        if sum(told):
            rows.append(row(f"requests: {phase}", sum(told), "", note=note.format(*told)))
    notes = [("seen", "; ".join(run.told)), ("complaints", complaints), ("bad replies", shown)]
    rows += [row(name, None, "", note=words) for name, words in notes if words]
    return rows


if __name__ == "__main__":
    sys.exit(main())
