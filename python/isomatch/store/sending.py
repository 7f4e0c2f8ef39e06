"""One request of the SPARQL protocol: by the method that the endpoint takes, as who we are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import monotonic
from urllib.parse import urlencode

import httpx

from isomatch._version import __version__
from isomatch.errors import ConfigurationError, StoreError
from isomatch.store.endpoint import Endpoint
from isomatch.store.transport import Transport

USER_AGENT = f"isomatch/{__version__} (python-httpx/{httpx.__version__})"
FORM = "application/x-www-form-urlencoded"

_MOST_REDIRECTS = 5
_REDIRECTS = (301, 302, 303, 307, 308)
_NOT_BY_GET = (405, 414, 431)
_SHORT = 1500  # characters of an address up to which a query goes by GET
_LONGEST_GET = 8000  # characters that servers take at least, where they take no POST


class Sender:
    """Sends to one endpoint, by any number of threads.

    Args:
        endpoint: where, and how to be let in.
        transport: in place of the network.

    Raises:
        ConfigurationError: the file of authorities cannot be read.
    """

    def __init__(self, endpoint: Endpoint, transport: httpx.BaseTransport | None = None):
        self._endpoint = endpoint
        self._where = f"the endpoint {endpoint.url}"
        self._url = endpoint.url
        self._longest_get = _SHORT
        addresses = (endpoint.url, endpoint.update_url or endpoint.url)
        self._ours = {_server(httpx.URL(address)) for address in addresses}
        try:
            self._client = httpx.Client(
                headers={"User-Agent": USER_AGENT},
                transport=transport
                or Transport(
                    endpoint.url,
                    most=endpoint.requests_at_a_time,
                    proxy=endpoint.proxy,
                    verify=endpoint.verify,
                ),
            )
        except OSError as error:  # those of TLS too
            raise ConfigurationError(
                f"{self._where}: the authorities of verify = {str(endpoint.verify)!r} cannot be "
                f"read: {error}"
            ) from error

    def query(
        self, form: Sequence[tuple[str, str]], accept: str, deadline: float
    ) -> httpx.Response:
        """The answer to a query, its body unread: by GET where it is short, else by POST.

        Args:
            form: parameters of the protocol.
            accept: media types of good answers.
            deadline: as `time.monotonic` tells it.

        Raises:
            httpx.HTTPError, httpx.InvalidURL: there was none.
            StoreError: it is a redirect that is not followed.
        """
        content = urlencode(form)
        address = f"{self._url}{'&' if '?' in self._url else '?'}{content}"
        headers = {"Accept": accept}
        if "json" not in accept and "xml" not in accept:
            # Lines may be missing at the end of these and nobody sees it, so nothing
            # may hide how long the body is.
            headers["Accept-Encoding"] = "identity"
        if len(address) <= self._longest_get:
            response = self._follow("GET", address, headers, "", deadline)
            if response.status_code not in _NOT_BY_GET:
                return response
            response.close()
            response = self._follow("POST", self._url, headers, content, deadline)
            if response.is_success:
                self._longest_get = 0
            return response
        response = self._follow("POST", self._url, headers, content, deadline)
        if response.status_code == 405 and len(address) <= _LONGEST_GET:
            response.close()
            response = self._follow("GET", address, headers, "", deadline)
            if response.is_success:
                self._longest_get = _LONGEST_GET
        return response

    def update(self, url: str, text: str, deadline: float) -> httpx.Response:
        """The answer to an update, its body unread; sent once, wherever it may lead.

        Raises:
            httpx.HTTPError: there was none.
        """
        return self._send("POST", url, {}, urlencode([("update", text)]), deadline)

    def _follow(
        self, method: str, target: str, headers: Mapping[str, str], content: str, deadline: float
    ) -> httpx.Response:
        """Send, and follow redirects by hand: httpx makes a GET without query of a POST."""
        for _ in range(_MOST_REDIRECTS):
            response = self._send(method, target, headers, content, deadline)
            location = response.headers.get("location")
            if response.status_code not in _REDIRECTS or not location:
                return response
            response.close()
            before, target = target, str(httpx.URL(target).join(location))
            if before.startswith("https:") and not target.startswith("https:"):
                raise StoreError(f"{self._where} sends us to {target}, without encryption: refused")
            for_good = method == "POST" and response.status_code in (301, 308)
            if for_good and _server(httpx.URL(target)) in self._ours:
                self._url = target
            if response.status_code == 303:
                method = "GET"
        raise StoreError(
            f"{self._where} sends us in a circle ({_MOST_REDIRECTS} redirects, the last one to "
            f"{target}): correct the address"
        )

    def _send(
        self, method: str, target: str, headers: Mapping[str, str], content: str, deadline: float
    ) -> httpx.Response:
        endpoint = self._endpoint
        left = max(deadline - monotonic(), 0.001)
        url = httpx.URL(target)  # parsed once: a query by GET is long
        ours = _server(url) in self._ours
        own = {**_bearer(endpoint), **endpoint.headers} if ours else {}
        form = {"Content-Type": FORM} if method == "POST" else {}
        request = self._client.build_request(
            method,
            url,
            headers={**headers, **form, **own},
            content=content.encode() if method == "POST" else None,
            timeout=httpx.Timeout(left, connect=min(endpoint.connect_timeout, left)),
            extensions={"deadline": deadline},
        )
        # The endpoint's own server may know who we are, and no other.
        return self._client.send(request, stream=True, auth=_auth(endpoint) if ours else None)

    def close(self) -> None:
        """End all connections; safe to call twice."""
        self._client.close()


def _server(url: httpx.URL) -> tuple[str, int | None]:
    return url.host, url.port  # no port is the scheme's own, so http may become https


def _auth(endpoint: Endpoint) -> httpx.Auth | None:
    if not endpoint.username or endpoint.auth == "bearer":
        return None
    password = endpoint.password.get_secret_value() if endpoint.password else ""
    kind = httpx.DigestAuth if endpoint.auth == "digest" else httpx.BasicAuth
    return kind(endpoint.username, password)


def _bearer(endpoint: Endpoint) -> dict[str, str]:
    if endpoint.token is None or endpoint.auth in ("basic", "digest"):
        return {}
    return {"Authorization": f"Bearer {endpoint.token.get_secret_value()}"}
