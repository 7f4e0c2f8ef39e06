"""Hypothesis profiles, tests placed by server, and an environment without a developer's database.

No profile has a deadline (machines are noisy). Beside the one for `make test` there is
``quick`` with fewer examples (`make quick`), and ``thorough`` with more (`make thorough`). In CI
the examples are the same each time, so that a change fails for what it changes.
"""

from __future__ import annotations

import gc
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile(
    "full",
    deadline=None,
    print_blob=True,
    derandomize=bool(os.environ.get("CI")),
    max_examples=60,  # with 100 the suite would take more than its half an hour
)
settings.register_profile("quick", parent=settings.get_profile("full"), max_examples=10)
settings.register_profile("thorough", parent=settings.get_profile("full"), max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "full"))

# Tests run in three processes (`make test`); threads of numpy and torch beside them only wait.
os.environ.setdefault("OMP_NUM_THREADS", "1")

# Tests write many small files that are synchronised, databases too: in memory where there is room.
MEMORY = Path("/dev/shm")
if "TMPDIR" not in os.environ and MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 8 << 30:
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)

for name in [name for name in os.environ if name.startswith("NEO4J_")]:
    del os.environ[name]

# Of the shared servers (tests/integration/conftest.py), in the ids of their tests.
ENGINES = re.compile(r"\[.*\b(neo4j-[\d.]+|oxigraph|fuseki|virtuoso)\b")

# Groups of 12 and more seconds, by processor time: first, so that short ones are left at the end.
LONGEST_FIRST = (
    *("neo4j-5.26", "neo4j-2025", "virtuoso", "fuseki", "training"),
    "tests/integration/test_procedures.py",
    "tests/integration/test_neo4j_northwind.py",
    *("oxigraph", "page"),
    "tests/unit/interpret/test_composer_domains.py",
    "tests/docs/test_readme.py",
    "tests/integration/test_neo4j_server.py",
    "tests/integration/test_neo4j_faults.py",
    "tests/unit/match/test_oracle.py",
    "tests/unit/interpret/test_untyped_questions.py",
    "tests/unit/match/test_language.py",
    "tests/unit/link/test_index_soak.py",
    "tests/unit/schema/test_many_predicates.py",
    "tests/unit/schema/test_counts.py",
    "tests/unit/interpret/test_composer.py",
    "tests/integration/test_ray.py",
    "tests/unit/evaluate/test_perturbed_runs.py",
    "tests/unit/link/test_index_build.py",
    "tests/unit/match/test_procedure.py",
    "tests/unit/interpret/test_composer_places.py",
    "tests/unit/link/test_static.py",
)

# Neo4j forgets no name. These write hundreds, and every schema that is read later takes longer.
LAST_OF_A_LINE = ("test_neo4j_plans.py", "test_neo4j_schema.py")


def group_of(test: str) -> str:
    """The tests that run in one process, as they share what they set up."""
    file = test.partition("::")[0]
    if "tests/page/" in file or file.startswith("page/"):
        return "page"  # they share a server and a browser
    if engine := ENGINES.search(test) if "integration/" in file else None:
        return engine[1]
    # What trains models takes seconds to import.
    return "training" if "unit/learn/" in file or "train" in file else file


@pytest.fixture(autouse=True, scope="session")
def _one_model() -> Iterator[None]:
    """The usual embedding model is loaded once a process, for hundreds of sessions."""
    from isomatch.link import minilm

    load = minilm._Model
    usual = cache(lambda: load(None))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(minilm, "_Model", lambda folder: load(folder) if folder else usual())
        yield


def not_in_quick() -> set[str]:
    """Tests that `make quick` leaves out for their time."""
    lines = (Path(__file__).parent / "not_in_quick.txt").read_text("utf-8").splitlines()
    return {line for line in lines if not line.startswith("#")}


@pytest.hookimpl(tryfirst=True)  # before tests marked slow are left out
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the longest groups first, and the tests of a group one after the other."""
    if os.environ.get("HYPOTHESIS_PROFILE") == "quick":
        left_out = not_in_quick()
        for item in items:
            if item.nodeid.partition("[")[0] in left_out:
                item.add_marker(pytest.mark.slow)
    place = {group: number for number, group in enumerate(LONGEST_FIRST)}

    def order(item: pytest.Item) -> tuple[int, bool]:
        return place.get(group_of(item.nodeid), len(place)), item.path.name in LAST_OF_A_LINE

    items.sort(key=order)


def pytest_collection_finish() -> None:
    """Garbage collection, a tenth of the time of tests, passes over modules and tests no more."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Place tests by `group_of`. The marks of xdist for this have no effect with pytest 9."""
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    return ByGroup(config, log)
