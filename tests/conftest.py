"""Hypothesis profiles, tests placed by server, and an environment without a developer's database.

No profile has a deadline (machines are noisy). Beside the one for `make test` there is
``quick`` with fewer examples (`make quick`), and ``thorough`` with more (`make thorough`).
"""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("full", deadline=None, print_blob=True)
settings.register_profile("quick", parent=settings.get_profile("full"), max_examples=20)
settings.register_profile("thorough", parent=settings.get_profile("full"), max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "full"))

# Tests run in two processes (`make test`); threads of numpy and torch beside them only wait.
os.environ.setdefault("OMP_NUM_THREADS", "1")

for name in [name for name in os.environ if name.startswith("NEO4J_")]:
    del os.environ[name]

SERVERS = ("neo4j_server", "sparql_server")  # session fixtures, with the engine as parameter


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Place all tests of one server in one process, which starts it once, and first of all.

    Other tests stay together by file, as they share what they set up.
    """
    groups = {item: server_of(item) for item in items}
    items.sort(key=lambda item: groups[item] is None)
    for item in items:
        file = item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(groups[item] or file))


def server_of(item: pytest.Item) -> str | None:
    """The engine of the shared server that a test uses, if any."""
    call = getattr(item, "callspec", None)
    parameters = {} if call is None else call.params
    return next((str(parameters[name]) for name in SERVERS if name in parameters), None)
