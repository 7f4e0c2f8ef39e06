"""Hypothesis profiles: no deadline (machines are noisy), fewer examples for `make quick`."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("full", deadline=None, print_blob=True)
settings.register_profile("quick", parent=settings.get_profile("full"), max_examples=20)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "full"))
