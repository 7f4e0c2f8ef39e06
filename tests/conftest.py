"""Hypothesis profiles, and an environment without a developer's own database.

No profile has a deadline (machines are noisy). Beside the one for `make test` there is
``quick`` with fewer examples (`make quick`), and ``thorough`` with more.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("full", deadline=None, print_blob=True)
settings.register_profile("quick", parent=settings.get_profile("full"), max_examples=20)
settings.register_profile("thorough", parent=settings.get_profile("full"), max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "full"))

# Tests run in two processes (`make test`); threads of numpy and torch beside them only wait.
os.environ.setdefault("OMP_NUM_THREADS", "1")

for name in [name for name in os.environ if name.startswith("NEO4J_")]:
    del os.environ[name]
