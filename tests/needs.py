"""Optional packages in tests: missing they skip a test here, and fail it in CI."""

from __future__ import annotations

import importlib.util
import os

import pytest


def needs(extra: str, *packages: str) -> None:
    """Skip the module that calls this, unless all packages of an extra are there.

    Where the environment variable CI is set it fails instead: there they must be.
    `make quick` sets NO_TRAINING, and skips what needs the extra ``train``: torch alone
    takes ten seconds to import, in each process.
    """
    if extra == "train" and os.environ.get("NO_TRAINING"):
        pytest.skip("`make quick` trains no models; `make test` does", allow_module_level=True)
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if not missing:
        return
    reason = f"{', '.join(missing)} not installed: pip install 'isomatch[{extra}]'"
    if os.environ.get("CI"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason, allow_module_level=True)
