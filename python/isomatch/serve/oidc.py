"""Bearer tokens of an OpenID Connect provider: signature, issuer, audience, times.

After OpenID Connect Discovery 1.0 and RFC 9068 (JWT access tokens). joserfc verifies.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from threading import Lock
from time import monotonic
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from isomatch.settings.service import OidcSettings

_LOG = logging.getLogger("isomatch.serve")
# No symmetric ones: whoever can verify those can make them.
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"]
KEPT_SECONDS = 3600.0  # a key set
ASK_AGAIN = 30.0  # seconds between two requests for the key set, whoever asks
TIMEOUT = 5.0


class Unverified(Exception):
    """A token is not one of the provider's, or its time is over; the message says why."""


class Verifier:
    """Verifies tokens by the provider's keys, which are fetched when needed. Thread-safe.

    Args:
        settings: the provider.
    """

    def __init__(self, settings: OidcSettings):
        self._settings = settings
        self._lock = Lock()
        self._keys: KeySet | None = None
        self._fetched = self._asked = -KEPT_SECONDS

    def claims(self, token: str) -> dict[str, Any]:
        """The claims of a token; may ask the provider for its keys.

        Raises:
            Unverified: the token is not to be trusted, or the provider does not answer.
        """
        settings = self._settings
        try:
            found = self._decoded(token)
            rules = jwt.JWTClaimsRegistry(
                leeway=settings.leeway,
                iss={"essential": True, "value": settings.issuer},
                aud={"essential": True, "value": settings.audience},
                exp={"essential": True},
                sub={"essential": True},
            )
            rules.validate(found)
        except (JoseError, ValueError) as error:
            raise Unverified(f"the token is not valid: {error}") from error
        return found

    def graphs(self, claims: dict[str, Any]) -> frozenset[str] | None:
        """The graphs that a token's claims let its bearer ask; None for all."""
        if (name := self._settings.graphs_claim) is None:
            return None
        said = claims.get(name, [])
        names: Collection[Any] = said.split() if isinstance(said, str) else said
        return frozenset(map(str, names if isinstance(names, (list, tuple)) else ()))

    def _decoded(self, token: str) -> dict[str, Any]:
        keys = self._key_set(fresh=False)
        try:
            return jwt.decode(token, keys, algorithms=ALGORITHMS).claims
        except (JoseError, ValueError):
            # The provider may have changed its keys.
            if (newer := self._key_set(fresh=True)) is keys:
                raise
        return jwt.decode(token, newer, algorithms=ALGORITHMS).claims

    def _key_set(self, *, fresh: bool) -> KeySet:
        with self._lock:
            now = monotonic()
            old = self._keys is None or now - self._fetched > KEPT_SECONDS
            if (old or fresh) and now - self._asked > ASK_AGAIN:
                self._asked = now
                try:
                    self._keys, self._fetched = self._fetch(), now
                except (httpx.HTTPError, KeyError, TypeError, ValueError, JoseError) as error:
                    _LOG.error("the keys of %s cannot be fetched: %s", self._settings.issuer, error)
            if self._keys is None:
                raise Unverified("the provider's keys cannot be fetched; try again later")
            return self._keys

    def _fetch(self) -> KeySet:
        settings = self._settings
        with httpx.Client(timeout=TIMEOUT) as client:
            address = settings.jwks_url
            if address is None:
                issuer = settings.issuer.rstrip("/")
                found = client.get(f"{issuer}/.well-known/openid-configuration")
                address = str(found.raise_for_status().json()["jwks_uri"])
            keys: KeySet = KeySet.import_key_set(client.get(address).raise_for_status().json())
            return keys
