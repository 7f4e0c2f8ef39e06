"""Hypothesis profiles: no deadline (machines are noisy), fewer examples for `make quick`.

And an environment without a developer's own database.
"""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("full", deadline=None, print_blob=True)
settings.register_profile("quick", parent=settings.get_profile("full"), max_examples=20)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "full"))

for name in [name for name in os.environ if name.startswith("NEO4J_")]:
    del os.environ[name]
