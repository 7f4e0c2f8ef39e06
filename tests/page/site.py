"""The service on loopback, over the demo's graph and one of odd names, and a browser for it."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, sync_playwright
from tests.servers import ServerFailed
from tests.servers.chromium import chromium

from isomatch.demo.examples import prepare, settings_for
from isomatch.factories import make_index
from isomatch.serve.app import create_app
from isomatch.serve.graphs import Graph, Graphs
from isomatch.serve.service import Service
from isomatch.settings import Settings
from isomatch.store.load import load

SCRIPT = "<script>document.title = 'broken'</script>"
IMAGE = "<img src=x onerror=\"document.title = 'broken'\">"
CAIRO = "القاهرة"
EGYPT = "مصر (مصر)"
HUB = "Central Station"
MANY = 600  # lines that begin at the hub


def make_demo(folder: Path) -> Settings:
    """The demo's graph and index, below a folder."""
    settings = settings_for(folder)
    prepare(settings, fresh=False, say=lambda _: None, progress=lambda *_: None)
    return settings


def make_odd(folder: Path) -> Settings:
    """A graph with markup and right-to-left names, and a node of many facts."""
    names = {"script": SCRIPT, "image": IMAGE, "cairo": CAIRO, "egypt": EGYPT, "hub": HUB}
    lines = [
        "@prefix : <http://odd.example/> .",
        "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .",
        ':knows rdfs:label "knows" . :in rdfs:label "lies in" . :line rdfs:label "line to" .',
        ":script :knows :image . :image :knows :script . :cairo :in :egypt .",
    ]
    lines += [f":{id} rdfs:label '''{name}''' ." for id, name in names.items()]
    for number in range(MANY):
        lines.append(f':hub :line :stop{number} . :stop{number} rdfs:label "Stop {number}" .')
    data = folder / "odd.ttl"
    data.write_text("\n".join(lines), encoding="utf-8")
    settings = Settings(home=folder / "home")
    load([data], settings.graph_path)
    make_index(settings)
    return settings


@contextmanager
def serve(graphs: Mapping[str, Settings], *, token: str | None = None) -> Iterator[str]:
    """The service over graphs; gives its address, without a slash at its end.

    Raises:
        ServerFailed: it did not start in half a minute.
    """
    named = {name: Graph(name, settings) for name, settings in graphs.items()}
    service = Service(Graphs(named, next(iter(named))))
    server = uvicorn.Server(uvicorn.Config(create_app(service, token=token), log_level="error"))
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(64)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        try:
            wait(lambda: server.started, 30, "the service did not start")
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(10)


def wait(done: Callable[[], bool], seconds: float, problem: str) -> None:
    """Wait until something is done. Raises ServerFailed if it is not within the time."""
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise ServerFailed(problem)
        time.sleep(0.02)


@contextmanager
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window.

    Raises:
        ServerUnavailable: it cannot be had; says how to get it.
    """
    found = chromium()
    # Chromium has no sandbox of its own for root, as whom containers run.
    alone = ["--no-sandbox"] if os.geteuid() == 0 else []
    with contextlib.ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        opened = playwright.chromium.launch(
            executable_path=str(found.program), env=found.environment, args=alone
        )
        stack.callback(opened.close)
        yield opened
