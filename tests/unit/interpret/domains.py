"""What the tests of questions over several small graphs share."""

from __future__ import annotations


def spelt(name: str) -> str:
    """A name, or a number with four digits, however the store writes it."""
    try:
        return f"{float(name):.4g}"
    except ValueError:
        return name
