"""Where the file of settings is."""

from __future__ import annotations

import os
from pathlib import Path

from isomatch.errors import ConfigurationError

CONFIG_FILE = "isomatch.toml"
CONFIG_VARIABLE = "ISOMATCH_CONFIG"


def config_file() -> Path | None:
    """The file of settings: ``ISOMATCH_CONFIG``, else ``isomatch.toml`` here, else None.

    Raises:
        ConfigurationError: ``ISOMATCH_CONFIG`` names a file that is not there.
    """
    if named := os.environ.get(CONFIG_VARIABLE):
        path = Path(named)
        if not path.is_file():
            raise ConfigurationError(
                f"{CONFIG_VARIABLE} names {named!r}, which is no file: "
                f"correct the path, or unset the variable"
            )
        return path
    path = Path(CONFIG_FILE)
    return path if path.is_file() else None
