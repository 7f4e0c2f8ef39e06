"""Query templates as Jinja2 compiled them, kept so that no start has to do it again."""

from __future__ import annotations

import sys
from contextlib import suppress

import jinja2
from jinja2.bccache import Bucket
from platformdirs import user_cache_path

from isomatch._version import __version__
from isomatch.files import atomic_write


class CompiledTemplates(jinja2.BytecodeCache):
    """A file for each template in the user's cache folder, as Python keeps compiled modules.

    Jinja2 compares the version of Python and the text of the template with those in the
    file. One that cannot be read or written is passed over: it only saves time.
    """

    def __init__(self) -> None:
        versions = f"{__version__}-jinja2-{jinja2.__version__}"
        self.folder = user_cache_path("isomatch") / "templates" / versions

    def load_bytecode(self, bucket: Bucket) -> None:
        """See `jinja2.BytecodeCache`."""
        try:
            with (self.folder / bucket.key).open("rb") as file:
                bucket.load_bytecode(file)
        except Exception:  # unpickling a damaged file raises anything
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """See `jinja2.BytecodeCache`."""
        if sys.dont_write_bytecode:
            return
        with (
            suppress(OSError),
            atomic_write(self.folder / bucket.key) as partial,
            partial.open("wb") as file,
        ):
            bucket.write_bytecode(file)
