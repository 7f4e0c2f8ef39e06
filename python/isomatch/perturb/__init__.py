"""Graphs with errors on purpose: how answers hold when facts are wrong or missing."""

from __future__ import annotations

from isomatch.perturb.copies import open_perturbed, perturbed_settings
from isomatch.perturb.types import METHODS, Perturbation

__all__ = ["METHODS", "Perturbation", "open_perturbed", "perturbed_settings"]
