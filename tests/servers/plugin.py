"""The jar of the plugin, as `make plugin` leaves it."""

from __future__ import annotations

from pathlib import Path

from tests.servers import ROOT, ServerUnavailable


def plugin_jar() -> Path:
    """The jar, of the version that its pom says.

    Raises:
        ServerUnavailable: it is not built.
    """
    jars = sorted((ROOT / "procedures" / "target").glob("isomatch-procedures-*.jar"))
    if len(jars) != 1:
        found = ", ".join(jar.name for jar in jars) or "no jar"
        raise ServerUnavailable(f"procedures/target has {found} of the plugin: run `make plugin`")
    return jars[0]
