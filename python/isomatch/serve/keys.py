"""API keys of the service: a file of their hashes, read again when it changes.

A key is 256 random bits, so a plain SHA-256 of it tells nobody what it is; slow hashes are
for what people make up.
"""

from __future__ import annotations

import hashlib
import os
import re
import secrets
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from threading import Lock

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from isomatch.errors import ConfigurationError
from isomatch.files import atomic_write, hold
from isomatch.settings import Settings

PREFIX = "isomatch_"
_NAME = re.compile(r"[\w.@-]{1,100}")
RESERVED = ("anybody", "token")  # callers without a key, and by the one token for all
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


class Key(BaseModel):
    """What is known of a key, which is not the key itself.

    Attributes:
        name: of whoever it is for.
        sha256: of the key, in hexadecimal.
        graphs: names of the graphs that it may ask; None for all.
        expires: None for never.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    sha256: str
    graphs: frozenset[str] | None = None
    created: AwareDatetime
    expires: AwareDatetime | None = None

    @property
    def expired(self) -> bool:
        """Whether its time is over."""
        return self.expires is not None and self.expires <= now()


class _Content(BaseModel):
    model_config = ConfigDict(extra="forbid")

    keys: list[Key] = []


class KeyFile:
    """The keys of a service, in a file that only its owner can read. Thread-safe.

    Args:
        path: the file; it is made with the first key.
    """

    def __init__(self, path: Path):
        self.path = path
        self._lock = Lock()
        self._state: tuple[int, ...] | None = None
        self._by_hash: dict[str, Key] = {}

    @classmethod
    def of(cls, settings: Settings) -> KeyFile:
        """The file that the settings name."""
        return cls(settings.serve.keys_file or settings.home / "keys.json")

    @property
    def exists(self) -> bool:
        """Whether there is a file, be it one without keys."""
        return os.path.exists(self.path)  # asked with every request

    def find(self, key: str) -> Key | None:
        """What is known of a key; None where it was never given out, or was revoked.

        Raises:
            ConfigurationError: the file cannot be read.
        """
        with self._lock:
            if (state := self._now()) != self._state:
                self._by_hash = {known.sha256: known for known in self.all()}
                self._state = state
            return self._by_hash.get(_hash(key))

    def all(self) -> list[Key]:
        """All keys.

        Raises:
            ConfigurationError: the file cannot be read.
        """
        try:
            return _Content.model_validate_json(self.path.read_bytes()).keys
        except FileNotFoundError:
            return []
        except (OSError, ValidationError) as error:
            said = error.strerror if isinstance(error, OSError) else "it is damaged"
            raise ConfigurationError(
                f"the keys in {self.path} cannot be read: {said}; mend the file, or remove it and "
                "make new keys by `isomatch keys add`"
            ) from error

    def add(
        self, name: str, graphs: Collection[str] | None = None, valid: timedelta | None = None
    ) -> str:
        """Make a key; it is told once, here.

        Args:
            graphs: names of the graphs that it may ask; None for all.
            valid: from now on; None for ever.

        Raises:
            ConfigurationError: the name is taken, or the file cannot be written.
        """
        if name in RESERVED:
            raise ConfigurationError(
                f"{name!r} stands for callers without a key: take another name"
            )
        if not _NAME.fullmatch(name):
            raise ConfigurationError(
                f"{name!r} is no name for a key: take letters, digits and . _ - @, at most 100"
            )
        key = PREFIX + secrets.token_urlsafe(32)
        made = now()
        with self._changing() as keys:
            if any(known.name == name for known in keys):
                raise ConfigurationError(
                    f"there is a key {name!r} already: take another name, or revoke that one by "
                    f"`isomatch keys revoke {name}`"
                )
            keys.append(
                Key(
                    name=name,
                    sha256=_hash(key),
                    graphs=None if graphs is None else frozenset(graphs),
                    created=made,
                    expires=None if valid is None else made + valid,
                )
            )
        return key

    def revoke(self, name: str) -> None:
        """Forget a key; services stop taking it with their next request.

        Raises:
            ConfigurationError: there is none of this name.
        """
        with self._changing() as keys:
            kept = [known for known in keys if known.name != name]
            if len(kept) == len(keys):
                raise ConfigurationError(
                    f"there is no key {name!r}; `isomatch keys list` shows those there are"
                )
            keys[:] = kept

    @contextmanager
    def _changing(self) -> Iterator[list[Key]]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.with_suffix(".lock").open("a") as lock:
                hold(lock, wait=True)
                keys = self.all()
                yield keys
                with atomic_write(self.path) as partial:
                    partial.touch(mode=0o600)
                    partial.write_text(_Content(keys=keys).model_dump_json(indent=1))
        except OSError as error:
            raise ConfigurationError(
                f"the keys in {self.path} cannot be written: {error.strerror or error}"
            ) from error

    def _now(self) -> tuple[int, ...]:
        try:
            found = os.stat(self.path)
        except FileNotFoundError:
            return ()
        return found.st_mtime_ns, found.st_size, found.st_ino


def now() -> datetime:
    """The time, to the second."""
    return datetime.now(timezone.utc).replace(microsecond=0)


def duration(text: str) -> timedelta:
    """A time such as ``12h``, ``90d`` or ``8w``.

    Raises:
        ConfigurationError: it is none, or too long.

    Example:
        >>> duration("90d").days
        90
    """
    match = re.fullmatch(r"(\d{1,5})([hdw])", text.strip())
    if match is None or int(match[1]) == 0:
        raise ConfigurationError(f"{text!r} is no time: say 12h, 90d or 8w")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
